"""The command line: options in, reports out; what it does is all in the Python API."""

from __future__ import annotations


def main() -> None:
    """Run the command line and exit with its status."""
    from urlset.converters.cli.app import run

    run()
