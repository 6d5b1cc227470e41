"""Is this a sitemap 0.9 with entries, in the order of its schema? Exits with 1 and a reason if not."""

import sys

from lxml import etree

NS = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
ORDER = ["loc", "lastmod", "changefreq", "priority"]

root = etree.parse(sys.argv[1]).getroot()
problems = [] if root.tag == f"{NS}urlset" and len(root) else ["no urlset with entries"]
for url in root:
    names = [child.tag.removeprefix(NS) for child in url if child.tag.startswith(NS)]
    if names != [name for name in ORDER if name in names] or "loc" not in names:
        problems.append(f"line {url.sourceline}: {names}")
if problems:
    sys.exit(f"{sys.argv[1]} is no valid sitemap: {problems[0]}")
print(f"{sys.argv[1]}: {len(root)} URLs, valid")
