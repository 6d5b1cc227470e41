"""What people do with a list of URLs: convert it, index it, look into it; and the frontends.

reading.py    documents to entries, following indexes
steps.py      what happens to entries on the way: filter, rewrite, dedupe, sort
output.py     entries to files: parts, index, gzip, moved into place as one
convert.py    the main job; index.py and info.py the smaller ones
cli/          the command line; it holds no logic of its own
"""
