"""HRF: alternates of a page in other languages."""

from __future__ import annotations

from rows import Case, sitemap, url

EN, DE, FR = (f"https://example.com/{one}" for one in ("en", "de", "fr"))


def link(hreflang: str, href: str) -> str:
    """An alternate."""
    return f'<xhtml:link rel="alternate" hreflang="{hreflang}" href="{href}"/>'


def page(*links: str, loc: str = EN) -> str:
    """A url with one link a line, the first on the line after that of its loc."""
    return url(loc, "\n" + "\n".join(links) + "\n")


SELF = link("en", EN)
BOTH = (SELF, link("de", DE))
VALID = ("en", "en-GB", "de-ch", "zh-Hant", "zh-hans-tw", "es-ES", "X-Default")
# Underscore; a region alone; unknown codes; UK and EU, which are no countries; a region of several countries.
INVALID = ("en-UK", "en-EU", "GB", "en-XX", "xx", "english", "es-419", "en_GB")

CASES = [
    Case(
        "HRF-001",
        "missing-href",
        hit=sitemap(page(SELF, '<xhtml:link rel="alternate" hreflang="de"/>')),
        miss=sitemap(page(*BOTH)),
        line=5,
        says="for de",
    ),
    Case(
        "HRF-002",
        "not-absolute",
        hit=sitemap(page(SELF, link("de", "//example.com/de"))),
        miss=sitemap(page(*BOTH, link("fr", "https://example.org/fr"))),
        line=5,
        says="//example.com/de",
        severity="warning",
    ),
    Case(
        "HRF-003",
        "hreflang-invalid-code",
        hit=sitemap(page(*(link(one, EN) for one in INVALID))),
        miss=sitemap(page(*(link(one, EN) for one in VALID))),
        line=11,
        says="'en_GB'",
    ),
    Case(
        "HRF-004",
        "hreflang-conflict",
        hit=sitemap(page(SELF, link("de-AT", DE), link("DE-at", FR))),
        # Two languages may share a page.
        miss=sitemap(page(SELF, link("de-AT", DE), link("de-CH", DE))),
        line=6,
        says="two addresses",
    ),
    Case(
        "HRF-005",
        "hreflang-no-self",
        hit=sitemap(url(), page(link("de", DE))),
        miss=sitemap(url(), page(link("de", DE), link("en", "https://EXAMPLE.com:443/en"))),
        line=4,
    ),
    Case(
        "HRF-006",
        "hreflang-no-return-link",
        hit=sitemap(page(*BOTH), page(link("de", DE), loc=DE)),
        # The French page is not in the set, and may name the others in its HTML.
        miss=sitemap(page(*BOTH, link("fr", FR)), page(*BOTH, loc=DE)),
        line=5,
        says=DE,
    ),
    Case(
        "HRF-007",
        "hreflang-no-x-default",
        hit=sitemap(url(), page(*BOTH)),
        miss=sitemap(url(), page(*BOTH, link("X-Default", EN))),
        line=4,
    ),
]
