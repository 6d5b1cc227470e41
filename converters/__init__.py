"""What people do with a list of URLs: convert it, check it, compare it, look into it; and the frontends.

sources/              where documents come from: files, sites, stores; and what they lead to
steps/                what happens to entries on the way: filter, rewrite, dedupe, sort
spill/                entries beyond memory, on disk while a step needs them
output/               entries to files: parts and index, in place as one set, whatever happens
convert.py            the main job; update.py reads its output again, index.py makes an index over files
migrate/, generator/  the sites of 2005: 0.84 sitemaps, and the configuration of the script that wrote them
validate.py, checks/  what search engines mind; sarif.py, excerpts.py: how it is told
diff/                 two inventories compared
info.py, tally.py     what is in a list, in figures; explore/: as columns, tables and pictures
progress.py           how far a job has come
cli/                  the command line; it holds no logic of its own
"""
