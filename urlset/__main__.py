"""``python -m urlset``: the command line."""

from urlset.converters.cli import main

main()
