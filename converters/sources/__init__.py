"""Where documents come from: files, folders, sites, stores; and what they lead to.

reading.py            documents to entries: opened, recognised, read
opening.py            a document by whatever names it, open
following.py          what indexes and robots.txt list; pages.py: the further pages of feeds
discovery.py          from the address of a site to its sitemaps
remote.py             files in stores, through fsspec
fetch.py, web/        HTTP
"""
