"""Lists: text, tables, folders, logs, feeds, robots.txt."""

from __future__ import annotations

from urlset.formats.catalogue.rule import (
    ATOM,
    ATOM_PUBLISHING,
    BING_HELP,
    CSV,
    FEED_HISTORY,
    FEEDS,
    GOOGLE,
    HOUSE,
    JSON,
    ROBOTS_TXT,
    TOMBSTONES,
    YANDEX,
    YANDEX_ERRORS,
    Row,
    Rule,
)

LISTS = (
    # text lists
    Rule(
        "blank-line",
        "info",
        "A text list has blank lines, which are passed over.",
        mend="Nothing needs to be done. It matters near 50,000 lines, since some readers count blank ones too.",
        source=HOUSE,
        rows=(Row("TXT-005", "Blank lines in a text list are remarked on."),),
    ),
    Rule(
        "text-file-name",
        "warning",
        "The name of a text list does not end in .txt, as Google wants it.",
        mend="Rename the file so that it ends in .txt, or in .txt.gz when it is packed.",
        source=GOOGLE,
        rows=(Row("TXT-006", "The name of a text list ends in .txt."),),
    ),
    # tables
    Rule(
        "csv-malformed",
        "error",
        "The quoting of a table is broken.",
        mend="Close the quote that the line opens, and double each quote inside a quoted field.",
        source=CSV,
        breaks_format=True,
    ),
    Rule(
        "row-width",
        "error",
        "A row has more or fewer fields than the header.",
        mend="Quote fields that hold the delimiter, and give each row as many fields as the header has.",
        source=CSV,
    ),
    Rule(
        "unknown-column",
        "info",
        "A table has columns that are no fields of an entry; they are left out.",
        mend="Nothing needs to be done if nothing in them is wanted. Otherwise give each the name of a field: loc, "
        "lastmod, changefreq, priority, title.",
        source=HOUSE,
    ),
    Rule(
        "invalid-json",
        "error",
        "A line is not a JSON object that describes an entry.",
        mend="Write one JSON object a line, with loc in it and fields of the right type.",
        source=JSON,
    ),
    Rule(
        "non-200",
        "warning",
        "A crawl export says that the page did not answer 200.",
        mend="List the address that a redirect leads to, and leave out pages that fail; --indexable does the latter.",
        source=HOUSE,
    ),
    Rule(
        "noindex",
        "warning",
        "A crawl export marks the page noindex.",
        mend="Leave the page out, as --indexable does, or lift its noindex.",
        source=HOUSE,
    ),
    Rule(
        "not-canonical",
        "warning",
        "A crawl export names another address as the canonical one.",
        mend="List the canonical address instead; --indexable leaves the others out.",
        source=HOUSE,
    ),
    Rule(
        "not-a-page",
        "info",
        "A crawl export says that the address is no page (an image, a script), or a folder holds what is no file.",
        mend="Nothing needs to be done if such files are to be listed; --indexable leaves them out. A pipe or a device "
        "in a folder is never listed.",
        source=HOUSE,
    ),
    # folders
    Rule(
        "hidden-file",
        "info",
        "Files and folders whose names begin with a dot are left out.",
        mend="Nothing needs to be done if they are not meant to be found. Otherwise rename them.",
        source=HOUSE,
    ),
    Rule(
        "unreadable-file",
        "error",
        "A file or folder inside the given folder can't be read: permission is denied, or a link leads nowhere.",
        mend="Grant the right to read it, or remove the link. What is behind it is missing from the list.",
        source=HOUSE,
    ),
    # logs
    Rule(
        "unparsed-line",
        "warning",
        "A line of an access log matches no known format.",
        mend="Give logs in Common, Combined or W3C Extended format, and look at the line: it may be cut off.",
        source=HOUSE,
    ),
    # feeds
    Rule(
        "missing-link",
        "warning",
        "No page address can be taken from a feed item.",
        mend="Give the item a link to its page. An id or a guid that is no permalink does not count as one.",
        source=FEEDS,
        rows=(
            Row("FED-001", "A feed item has a usable page address."),
            Row("FED-002", "The page address of a feed item is its link, not its guid."),
        ),
    ),
    Rule(
        "missing-updated",
        "info",
        "An Atom entry has no updated.",
        mend="Nothing needs to be done here, since published is taken instead. It matters where the feed is validated.",
        source=ATOM,
    ),
    Rule(
        "date-order",
        "warning",
        "An entry was updated before it was published.",
        mend="Correct one of the two dates; updated is the one that is kept.",
        source=ATOM,
    ),
    Rule(
        "draft-entry",
        "warning",
        "An entry is marked as a draft; it is left out.",
        mend="Publish the entry if it belongs in the list, or leave it out of the public feed.",
        source=ATOM_PUBLISHING,
    ),
    Rule(
        "deleted-entry",
        "info",
        "The feed says that an entry was deleted.",
        mend="Nothing needs to be done. It matters if the page is still there: then remove the notice from the feed.",
        source=TOMBSTONES,
    ),
    Rule(
        "feed-incomplete",
        "info",
        "The feed has further pages that are not in this file.",
        mend="Give the further pages as sources as well. It matters if the whole site is wanted, not its latest items.",
        source=FEED_HISTORY,
        rows=(Row("FED-005", "A feed that goes on on a next page or in an archive is remarked on."),),
    ),
    Rule(
        "feed-version",
        "info",
        "The feed is RSS 1.0 or 0.9x, which no search engine lists among the formats that it takes.",
        mend="Submit RSS 2.0, Atom 1.0 or a sitemap instead. It matters only if the feed is to be a sitemap itself.",
        source=f"{GOOGLE}; {BING_HELP}",
        rows=(Row("FED-007", "A feed in RSS 1.0 or 0.9x is remarked on."),),
    ),
    Rule(
        "format-not-supported",
        "warning",
        "The engine does not take documents of this format: Yandex reads no feeds as sitemaps.",
        mend="Convert the feed to a sitemap and submit that.",
        source=YANDEX,
        rows=(Row("FED-008", "For Yandex a list is no feed."),),
        engines=("yandex",),
    ),
    # robots.txt
    Rule(
        "sitemap-disallowed",
        "warning",
        "The robots.txt that names a sitemap disallows its address.",
        mend="Allow the address of the sitemap, or move the sitemap to a place that is allowed.",
        source=f"{ROBOTS_TXT}; {YANDEX_ERRORS}",
        rows=(Row("ROB-004", "A sitemap that robots.txt names is not disallowed there."),),
    ),
)
