"""Rules of practice: what search engines object to in a list that is well written as such.

A check looks at the entries of one document, one after the other, and says at the end what only the end can tell. What
has to be kept of them is kept in bounded memory (:mod:`.kept`). Conversions don't ask for any of this; ``validate``
does.

    document      what a check knows of the document at hand, and how it reports
    file          the file as such: bytes, name, prolog, schema, limits of one file
    addresses     each address, and addresses that are listed again
    scope         what a sitemap at its address may list
    dates, hints  lastmod; changefreq and priority
    images, videos, news, hreflang, foreign     the blocks of an entry
    lists         indexes and their children, robots.txt, feeds
    engines       limits of one search engine, where it is named
"""

from urlset.converters.checks.document import Bounds

__all__ = ["Bounds"]
