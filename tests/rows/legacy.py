"""MIG: documents of sitemap 0.84, and what a migration repairs."""

from __future__ import annotations

from rows import CORE, HOME, Case, sitemap, url

GOOGLE = "http://www.google.com/schemas/sitemap/0.84"


def old(changefreq: str, namespace: str = GOOGLE) -> bytes:
    """A sitemap in a namespace of one's choice, its second page with a changefreq."""
    second = url(f"{HOME}a", f"<changefreq>{changefreq}</changefreq>")
    return sitemap(url(), second, namespaces=f'xmlns="{namespace}"')


CASES = [
    Case("MIG-001", "namespace-legacy", hit=old("daily"), miss=old("daily", CORE), line=2, says=GOOGLE),
    Case("MIG-002", "invalid-changefreq", hit=old("Daily"), miss=old("daily"), line=4, says="read as daily"),
]
