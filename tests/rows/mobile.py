"""MOB and PGM: pages for feature phones, and PageMaps."""

from __future__ import annotations

from rows import HOME, NAMESPACES, Case, sitemap, url

MOBILE = 'xmlns:mobile="http://www.google.com/schemas/sitemap-mobile/1.0"'
PAGEMAP = 'xmlns="http://www.google.com/schemas/sitemap-pagemap/1.0"'


def pagemap(*objects: str) -> bytes:
    """A sitemap whose second url has a PageMap."""
    return sitemap(url(), url(HOME, f"<PageMap {PAGEMAP}>{''.join(objects)}</PageMap>"))


def thumbnail(attribute: str, kind: str = ' type="thumbnail"') -> str:
    """A DataObject with one Attribute."""
    return f"<DataObject{kind}>{attribute}</DataObject>"


AS_VALUE, AS_TEXT = '<Attribute name="width" value="100"/>', '<Attribute name="width">100</Attribute>'

CASES = [
    Case(
        "MOB-001",
        "deprecated-element",
        hit=sitemap(url(), url(HOME, "<mobile:mobile/>"), namespaces=f"{NAMESPACES} {MOBILE}"),
        # A page for smartphones is named by a link.
        miss=sitemap(
            url(HOME, '<xhtml:link rel="alternate" media="only screen" href="https://m.example.com/"/>'),
            namespaces=f"{NAMESPACES} {MOBILE}",
        ),
        line=4,
        says="mobile:mobile",
    ),
    Case(
        "PGM-001",
        "pagemap-invalid",
        hit=pagemap(thumbnail(AS_VALUE, kind=' id="1"')),
        miss=pagemap('<Template src="https://example.com/t"/>', thumbnail(AS_VALUE), thumbnail("")),
        line=4,
        says="no type",
    ),
    Case(
        "PGM-002",
        "pagemap-invalid",
        hit=pagemap(thumbnail('<Attribute name="width" value="100">100</Attribute>')),
        miss=pagemap(thumbnail(AS_VALUE), thumbnail(AS_TEXT)),
        line=4,
        says="both as an attribute and as text",
    ),
]
