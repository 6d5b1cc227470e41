"""NS: namespaces."""

from __future__ import annotations

from rows import CORE, Case, sitemap, url

IMAGE = "http://www.google.com/schemas/sitemap-image/1.1"
LEGACY = "http://www.google.com/schemas/sitemap/0.84"
XSI = "http://www.w3.org/2001/XMLSchema-instance"
OWN = '<own:rank xmlns:own="https://example.com/ns">1</own:rank>'
MOBILE = '<mobile:mobile xmlns:mobile="http://www.google.com/schemas/sitemap-mobile/1.0"/>'


def spaced(namespace: str) -> bytes:
    """A sitemap in a namespace."""
    return sitemap(url(), namespaces=f'xmlns="{namespace}"')


def located(name: str, schema: str) -> bytes:
    """A sitemap that says where its schema is."""
    return sitemap(url(), namespaces=f'xmlns="{CORE}" xmlns:xsi="{XSI}" {name}="{CORE} {CORE}/{schema}"')


def pictured(namespace: str) -> bytes:
    """A sitemap with an image in a namespace."""
    image = "<image:image><image:loc>https://example.com/1.png</image:loc></image:image>"
    return sitemap(url(more=image), namespaces=f'xmlns="{CORE}" xmlns:image="{namespace}"')


CASES = [
    Case(
        "NS-001",
        "namespace-incorrect",
        hit=spaced(CORE.replace("http:", "https:")),
        miss=spaced(CORE),
        line=2,
        says="found https://www.sitemaps.org",
    ),
    Case("NS-002", "namespace-legacy", hit=spaced(LEGACY), miss=spaced(CORE), line=2, says=LEGACY),
    Case("NS-003", "namespace-missing", hit=sitemap(url(), namespaces=""), miss=spaced(LEGACY), line=2, says="urlset"),
    Case(
        "NS-004",
        "namespace-incorrect",
        hit=pictured(IMAGE.replace("1.1", "1.0")),
        miss=pictured(IMAGE),
        line=2,
        says="sitemap-image/1.0",
    ),
    Case(
        "NS-005",
        "schema-location",
        hit=located("xsi:schemaLocation", "siteindex.xsd"),
        miss=located("xsi:schemaLocation", "sitemap.xsd"),
        line=2,
        says="siteindex.xsd",
    ),
    Case(
        "NS-006",
        "namespace-unknown",
        hit=sitemap(url(), url(more=OWN)),
        miss=sitemap(url(), url(more=MOBILE)),
        line=4,
        says="https://example.com/ns",
    ),
    Case(
        "NS-007",
        "missing-prefix",
        hit=sitemap(url(more="<image:image><loc>https://example.com/1.png</loc></image:image>")),
        miss=pictured(IMAGE),
        line=3,
        says="image:loc",
    ),
]
