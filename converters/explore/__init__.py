"""Looking at a list of URLs before anything is done with it: columns, summaries, pictures.

inventory.py   the columns of a whole inventory, and where they go: pandas, polars, DuckDB, entries again
parts.py       the parts of addresses, computed column by column
frames.py      a DataFrame of any make as entries
groups.py      tables: by host, folder, depth, parameter, month, frequency, language
alike.py       addresses that are one, or nearly
table.py       a small table that shows itself
plots.py       pictures of an inventory, for matplotlib
html.py        what a notebook shows
"""
