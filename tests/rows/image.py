"""IMG: images."""

from __future__ import annotations

from rows import HOME, Case, sitemap, url
from urlset.converters.checks import Bounds

LOC = "<image:loc>https://example.com/1.png</image:loc>"
FORMER = (
    "<image:caption>A cat</image:caption><image:geo_location>Limerick, Ireland</image:geo_location>"
    "<image:title>Cat</image:title><image:license>https://example.com/license</image:license>"
)


def page(*images: str) -> bytes:
    """A sitemap whose second url, on line 4, has these images, the first on line 5."""
    blocks = "".join(f"\n<image:image>{one}</image:image>" for one in images)
    return sitemap(url(), url("https://example.com/a", blocks))


def at(*addresses: str) -> bytes:
    """The same of images at these addresses."""
    return page(*(f"<image:loc>{one}</image:loc>" for one in addresses))


CASES = [
    Case("IMG-001", "image-missing-loc", hit=page(LOC, FORMER), miss=page(LOC, f"{FORMER}{LOC}"), line=6),
    Case(
        "IMG-002",
        "too-many-images",
        hit=page(LOC, LOC, LOC),
        # The limit is that of one url.
        miss=sitemap(*(url(f"{HOME}{one}", f"<image:image>{LOC}</image:image>" * 2) for one in "ab")),
        line=4,
        says="has 3 images",
        options={"bounds": Bounds(max_images=2)},
    ),
    Case(
        "IMG-003", "deprecated-element", hit=page(LOC, f"{LOC}{FORMER}"), miss=page(LOC), line=6, says="image:license"
    ),
    Case(
        "IMG-004",
        "image-on-other-host",
        hit=at("https://cdn.example.com/1.png"),
        miss=at("https://EXAMPLE.com:443/1.png", "http://example.com/1.png"),
        line=5,
        says="cdn.example.com",
    ),
]
