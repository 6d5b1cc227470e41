"""What people do with a list of URLs: convert it, index it, check it, look into it; and the frontends.

reading.py            documents to entries, following indexes (fetch.py gets them over HTTP)
progress.py           how far a job has come: records, and bytes of its sources
steps.py              what happens to entries on the way: filter, rewrite, dedupe, sort
output.py             entries to files: parts and index, moved into place as one set
standard_output.py    entries to a pipe; gzip_output.py compresses either
convert.py            the main job
index.py, info.py     an index over files; what is in a list
validate.py           the rules of practice: checks.py, hreflang.py
cli/                  the command line; it holds no logic of its own
"""
