"""Jobs: what a conversion has to say."""

from __future__ import annotations

from urlset.formats.catalogue.rule import GENERATOR, GOOGLE_LARGE, HOUSE, Rule

JOBS = (
    Rule(
        "empty-inventory",
        "error",
        "A conversion has no entry to write.",
        mend="Look at the sources and at the filters: the message counts what was rejected and what was filtered.",
        source=HOUSE,
    ),
    Rule(
        "field-not-carried",
        "warning",
        "The target format cannot hold a field; it is dropped.",
        mend="Choose a target that holds the field; 'urlset formats' shows what each one carries. Use --on-loss ignore "
        "if the loss is meant.",
        source=HOUSE,
    ),
    Rule(
        "value-not-carried",
        "error",
        "An entry has a value that the target can't express; the entry is left out.",
        mend="Correct the value that the message names: a number of more than 64 bits, or half of a surrogate pair.",
        source=HOUSE,
    ),
    Rule(
        "fields-not-compared",
        "info",
        "A comparison leaves out fields that the format of one side cannot hold.",
        mend="Nothing needs to be done. Compare two lists of formats that hold the field, if it matters.",
        source=HOUSE,
    ),
    Rule(
        "comment-dropped",
        "warning",
        "A comment or a processing instruction is not carried over.",
        mend="Keep the old file if it matters. What stands before the root is carried.",
        source=HOUSE,
    ),
    Rule(
        "child-rewritten",
        "info",
        "Sitemaps that an index lists were written again, and its lastmod was left as it was.",
        mend="Let the index say when the files changed, if crawlers are to fetch them again at once.",
        source=GOOGLE_LARGE,
    ),
    Rule(
        "base-url-assumed",
        "warning",
        "The address of the output was taken from its entries.",
        mend="Name the folder where the output will live with --base-url.",
        source=HOUSE,
    ),
    Rule(
        "empty-output",
        "warning",
        "An output that is to be updated has no bytes, and is taken for one without entries.",
        mend="Leave it if it was made empty to begin with. Else find out what emptied it, and restore it.",
        source=HOUSE,
    ),
    Rule(
        "output-twin",
        "info",
        "Beside an output that is to be updated lies the same name compressed, or not compressed.",
        mend="Nothing needs to be done if the update started from it. Else remove it if nothing needs it any more.",
        source=HOUSE,
    ),
    Rule(
        "part-removed",
        "info",
        "A part of an earlier, longer run is removed, or the one file of which an update has made a set.",
        mend="Nothing needs to be done. It matters if the file was submitted by itself: then withdraw it.",
        source=HOUSE,
    ),
    Rule(
        "part-left",
        "warning",
        "Files that a set replaces are left in place, because they may not be those of an earlier run.",
        mend="Remove them by hand if nothing needs them any more.",
        source=HOUSE,
    ),
    Rule(
        "blocks-rewritten",
        "info",
        "A rewriting of addresses changed those of images, videos or other languages, too.",
        mend="Nothing needs to be done if the whole site moves. A narrower OLD leaves more as it is.",
        source=HOUSE,
    ),
    Rule(
        "extra-not-rewritten",
        "warning",
        "Foreign elements hold an address that was to be rewritten, and stay as they are.",
        mend="Look at these elements in the output, and change them by hand where they matter.",
        source=HOUSE,
    ),
    Rule(
        "rewrite-unused",
        "warning",
        "No address begins with what a rewrite rule names.",
        mend="Look for a slip in OLD: scheme, host and path are compared as they are, upper and lower case apart.",
        source=HOUSE,
    ),
    Rule(
        "set-recovered",
        "info",
        "A set that an earlier run left unfinished was finished or taken back.",
        mend="Nothing needs to be done: the set was whole again before this run began. If it happens often, look for "
        "what stops the runs.",
        source=HOUSE,
    ),
    Rule(
        "invalid-setting",
        "error",
        "A configuration of Google's Sitemap Generator has an element, attribute or value that it can't have.",
        mend="Correct the line that the message names. Settings of other programs have no place in this file.",
        source=GENERATOR,
    ),
    Rule(
        "setting-without-effect",
        "info",
        "A setting of Google's Sitemap Generator has no effect today.",
        mend="Nothing needs to be done. Name the sitemap in robots.txt, which all search engines read.",
        source=GENERATOR,
    ),
    Rule(
        "outside-base-url",
        "warning",
        "An address does not begin with the base_url of a configuration of Google's Sitemap Generator.",
        mend="Correct base_url or the address. A page of another site belongs in the sitemap of that site.",
        source=GENERATOR,
    ),
    Rule(
        "plugin-broken",
        "warning",
        "A third-party format could not be loaded.",
        mend="Update or uninstall the package that the message names.",
        source=HOUSE,
    ),
)
