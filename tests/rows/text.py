"""TXT: text lists."""

from __future__ import annotations

import gzip

from rows import Case
from urlset.converters.checks import Bounds

A, B = "https://example.com/a", "https://example.com/b"


def lines(*each: str, end: str = "\n") -> bytes:
    """A text list."""
    return "".join(f"{one}{end}" for one in each).encode()


PAGES = [f"https://example.com/{number}" for number in range(4)]

CASES = [
    Case("TXT-001", "not-a-url", hit=lines(A, "example"), miss=lines(A, "HTTP://EXAMPLE"), line=2, says="no URL"),
    Case(
        "TXT-002",
        "not-a-url",
        hit=lines(A, f"{A} {B}"),
        # Escaped, the blank belongs to the address, and so does a # that does not begin the line.
        miss=lines(A, f"{A}%20{B}", f"{B}#top"),
        line=2,
        says="several addresses",
    ),
    Case(
        "TXT-003",
        "too-many-urls",
        hit=lines(*PAGES),
        miss=lines(PAGES[0], "", "# the others", *PAGES[1:3]),
        line=4,
        says="lists 4 URLs",
        options={"bounds": Bounds(max_urls=3)},
    ),
    Case(
        "TXT-004",
        "double-escaped",
        hit=lines(A, f"{A}?x=1&amp;y=2"),
        miss=lines(A, f"{A}?x=1&y=2", f"{A}?x=1&amp=2", f"{A}?x=1;amp;y=2"),
        line=2,
        says=f"{A}?x=1&y=2",
    ),
    Case("TXT-005", "blank-line", hit=lines(A, "", B), miss=lines(A, B, end="\r\n"), line=2),
    Case(
        "TXT-006",
        "text-file-name",
        hit={"list.text": lines(A, B)},
        miss={"list.txt.gz": gzip.compress(lines(A, B))},
        says=".txt",
    ),
]
