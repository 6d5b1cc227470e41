"""What people do with a list of URLs: convert it, index it, check it, look into it; and the frontends.

reading.py            documents to entries, following indexes (fetch.py gets them over HTTP)
steps/                what happens to entries on the way: filter, rewrite, dedupe, sort
spill/                entries beyond memory, on disk while a step needs them
progress.py           how far a job has come: records, and bytes of its sources
output.py             entries to files: parts and index, moved into place as one set
standard_output.py    entries to a pipe; gzip_output.py compresses either
convert.py            the main job; update.py reads its output again
diff/                 two inventories compared
index.py, info.py     an index over files; what is in a list
validate.py           the rules of practice: checks.py, hreflang.py
cli/                  the command line; it holds no logic of its own
"""
