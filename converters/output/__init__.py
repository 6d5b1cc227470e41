"""Entries to files: whole sets, exactly split, moved into place as one, or to a stream."""

from urlset.converters.output.file_set import FileSet, Target
from urlset.converters.output.fill import Limits
from urlset.converters.output.standard_output import StandardOutput

__all__ = ["FileSet", "Limits", "StandardOutput", "Target"]
