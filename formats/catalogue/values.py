"""Values: lastmod, changefreq, priority."""

from __future__ import annotations

from urlset.formats.catalogue.rule import (
    BING,
    DATES,
    GOOGLE,
    GOOGLE_PRACTICE,
    HOUSE,
    PROTOCOL,
    SCHEMA,
    Row,
    Rule,
)

VALUES = (
    # dates
    Rule(
        "invalid-date",
        "warning",
        "A date is not in the form that its format demands.",
        mend="Write dates as the format has them, always with a zone behind a time: 2024-05-06 or "
        "2024-05-06T07:08:09+00:00 in a sitemap, the latter in Atom, Mon, 06 May 2024 07:08:09 +0000 in RSS.",
        source=DATES,
        rows=(
            Row("MOD-001", "A lastmod is in W3C Datetime."),
            Row("MOD-003", "A lastmod with a time has a zone."),
            Row("MOD-004", "A lastmod is a day and a time that exist."),
            Row("FED-004", "A date of a feed is in the form of its format, and needs no repair."),
            Row("VID-013", "A date of a video is a date, or a date and time with seconds and zone."),
            Row("NEW-005", "A publication_date of an article is in W3C Datetime, to the day or finer."),
        ),
    ),
    Rule(
        "date-not-xsd",
        "info",
        "The date is good W3C Datetime, but the schema refuses it: a year, a month, or a time without seconds.",
        mend="Nothing needs to be done for search engines. It matters where files are checked against the schema.",
        source=SCHEMA,
        rows=(Row("MOD-002", "A lastmod is a whole date, or a date and time with seconds."),),
    ),
    Rule(
        "date-implausible",
        "warning",
        "A well-formed date lies far outside what a page can have.",
        mend="Leave lastmod out where the real date is not known; such dates are the traces of an unset field.",
        source=HOUSE,
        rows=(Row("MOD-006", "A date is no placeholder, such as the year 0001 or the start of 1970."),),
    ),
    Rule(
        "date-in-future",
        "warning",
        "A date lies in the future.",
        mend="Write the time of the last change. Check the clock and the zone of the machine that writes the file.",
        source=BING,
        rows=(Row("MOD-005", "A lastmod does not lie in the future."),),
    ),
    Rule(
        "date-without-time",
        "info",
        "The lastmod is a date without a time; Bing asks for both.",
        mend="Add time and zone if they are known. Do not make them up: a date alone is valid.",
        source=BING,
        rows=(Row("MOD-008", "For Bing a lastmod has a time."),),
        engines=("bing",),
    ),
    Rule(
        "lastmod-missing",
        "info",
        "No entry has a lastmod.",
        mend="Add the date of each page's last change if it is known. It matters for how soon changes are fetched.",
        source=GOOGLE_PRACTICE,
        rows=(Row("MOD-009", "A list in which no entry has a lastmod is remarked on."),),
    ),
    Rule(
        "lastmod-all-equal",
        "warning",
        "All entries have the same lastmod.",
        mend="Write when each page changed, not when the file was written, or leave lastmod out.",
        source=BING,
        rows=(Row("MOD-007", "The lastmod of all pages is not one and the same, nor the time of the file."),),
    ),
    # hints
    Rule(
        "invalid-changefreq",
        "warning",
        "The changefreq is not one of the seven words.",
        mend="Write always, hourly, daily, weekly, monthly, yearly or never, in lower case, or leave it out.",
        source=PROTOCOL,
        rows=(
            Row("FRQ-001", "A changefreq is one of seven words."),
            Row("FRQ-002", "A changefreq is in lower case, without blanks around it."),
            Row("MIG-002", "A changefreq or another value that is repaired in a migration is remarked on."),
        ),
    ),
    Rule(
        "invalid-priority",
        "warning",
        "The priority is not a decimal number from 0.0 to 1.0.",
        mend="Write a number from 0.0 to 1.0 with a point, such as 0.5, or leave it out.",
        source=PROTOCOL,
        rows=(
            Row("PRI-001", "A priority is a decimal number."),
            Row("PRI-002", "A priority is 0.0 or more and 1.0 or less."),
        ),
    ),
    Rule(
        "priority-all-equal",
        "info",
        "All entries have the same priority, which says nothing.",
        mend="Leave priority out, or let it tell pages apart. It matters to no engine as long as all are equal.",
        source=PROTOCOL,
        rows=(Row("PRI-003", "A list in which all priorities are equal is remarked on."),),
    ),
    Rule(
        "ignored-by-engine",
        "info",
        "The engine pays no attention to changefreq and priority.",
        mend="Nothing needs to be done. Leave both out if these engines are the only readers.",
        source=f"{GOOGLE}; {BING}",
        rows=(
            Row("FRQ-003", "A changefreq is remarked on, since Google and Bing ignore it."),
            Row("PRI-004", "A priority is remarked on, since Google and Bing ignore it."),
        ),
        engines=("google", "bing"),
    ),
)
