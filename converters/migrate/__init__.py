"""Migration: the sitemaps of an old site as sitemaps 0.9, file by file, their names and their layout kept.

    plan        which files there are, and where each one goes
    remarks     comments and processing instructions, which entries do not hold
    rewrite     one file, read and written again
    job         all of them, and the change of names at the end

What a migration changes, and what it must leave alone, is what the two versions of the protocol differ in: the
namespace, the order of children, the encoding, and values whose spelling is wrong and whose meaning is plain.
"""

from urlset.converters.migrate.job import Migrated, Options, Result, migrate, run

__all__ = ["Migrated", "Options", "Result", "migrate", "run"]
