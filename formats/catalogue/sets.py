"""Sets: limits of one file, indexes and their children."""

from __future__ import annotations

from urlset.formats.catalogue.rule import (
    BAIDU,
    BING_LIMITS,
    GOOGLE_CONSOLE,
    GOOGLE_LARGE,
    GOOGLE_NEWS,
    HOUSE,
    PROTOCOL,
    SCHEMA,
    Row,
    Rule,
)

SETS = (
    # one file
    Rule(
        "empty-sitemap",
        "warning",
        "A sitemap, an index or a feed has no entries.",
        mend="Look at the job that wrote it. Withdraw an empty sitemap, and its entry in the index.",
        source=f"{PROTOCOL}; {SCHEMA}",
        rows=(Row("FILE-013", "A sitemap, an index or a feed has entries."),),
    ),
    Rule(
        "too-many-urls",
        "error",
        "A sitemap has more URLs than one file may hold.",
        mend="Split it into files of 50,000 URLs or fewer under an index, as urlset convert does.",
        source=PROTOCOL,
        rows=(
            Row("SET-001", "A sitemap has 50,000 URLs or fewer."),
            Row("TXT-003", "A text list has 50,000 URLs or fewer."),
        ),
    ),
    Rule(
        "news-too-many",
        "error",
        "One file has more than 1,000 articles.",
        mend="Split the news sitemap into files of 1,000 articles or fewer.",
        source=GOOGLE_NEWS,
        rows=(Row("NEW-002", "A file has 1,000 news blocks or fewer."),),
    ),
    Rule(
        "file-too-large",
        "error",
        "A sitemap has more than 52,428,800 bytes, uncompressed.",
        mend="Split it into smaller files under an index, as urlset convert does. Compression does not help.",
        source=PROTOCOL,
        rows=(Row("FILE-006", "A file has 52,428,800 bytes or fewer, uncompressed."),),
    ),
    Rule(
        "file-too-large-for-engine",
        "warning",
        "The file has more than 10,485,760 bytes, uncompressed, the most that Baidu takes.",
        mend="Split it into smaller files; urlset convert does so with --max-bytes 10MiB.",
        source=BAIDU,
        rows=(Row("FILE-007", "For Baidu a file has 10,485,760 bytes or fewer, uncompressed."),),
        engines=("baidu",),
    ),
    # indexes
    Rule(
        "too-many-sitemaps",
        "error",
        "An index lists more sitemaps than one file may hold.",
        mend="Split the index into several of 50,000 sitemaps or fewer, and submit each.",
        source=PROTOCOL,
        rows=(Row("IDX-001", "An index has 50,000 sitemaps or fewer."),),
    ),
    Rule(
        "many-sitemaps",
        "warning",
        "An index lists more than 1,000 sitemaps, the limit before 2009.",
        mend="Fill each sitemap further, so that fewer are needed. Leave it if all readers are newer.",
        source=BING_LIMITS,
        rows=(Row("IDX-002", "An index has 1,000 sitemaps or fewer, for older readers."),),
    ),
    Rule(
        "child-unavailable",
        "error",
        "A sitemap that an index or robots.txt lists can't be read.",
        mend="Put the sitemap where the list says it is, or take its entry out of the list.",
        source=PROTOCOL,
    ),
    Rule(
        "site-searched",
        "info",
        "The address is that of a site, and its sitemaps were looked for: robots.txt first, then the usual names.",
        mend="Nothing needs to be done. It matters if others are meant: then give their addresses.",
        source=f"{PROTOCOL}; {HOUSE}",
    ),
    Rule(
        "no-sitemap-found",
        "error",
        "The address is that of a site, and no sitemap was found there.",
        mend="Give the address of the sitemap or feed itself, and name it in the robots.txt of the site.",
        source=f"{PROTOCOL}; {HOUSE}",
    ),
    Rule(
        "nested-sitemap-index",
        "warning",
        "An index lists an index.",
        mend="List the sitemaps of the inner index in the outer one, or submit both indexes.",
        source=f"{PROTOCOL}; {GOOGLE_CONSOLE}",
        rows=(Row("IDX-006", "A child of an index is no index."),),
    ),
    Rule(
        "sitemap-cycle",
        "warning",
        "A sitemap, or a page of a feed, leads back to one that is already being read.",
        mend="Take the entry that leads back out of the index, or the link out of the feed.",
        source=HOUSE,
    ),
    Rule(
        "depth-limit",
        "warning",
        "Following indexes stopped at the nesting limit.",
        mend="List the sitemaps in one index. Give the inner index as a source to read what it lists.",
        source=HOUSE,
    ),
    Rule(
        "lastmod-older-than-child",
        "warning",
        "The lastmod of a sitemap in the index is older than the newest entry in the sitemap.",
        mend="Write the index whenever one of its sitemaps changes; urlset index reads the newest lastmod from them.",
        source=GOOGLE_LARGE,
        rows=(Row("IDX-009", "The lastmod of a sitemap in an index is not older than its newest entry."),),
    ),
)
