"""Markup: namespaces, and the elements of a urlset and an index."""

from __future__ import annotations

from urlset.formats.catalogue.rule import GOOGLE, GOOGLE_VIDEO, PROTOCOL, SCHEMA, XML_NAMES, Row, Rule

MARKUP = (
    # namespaces
    Rule(
        "namespace-missing",
        "warning",
        "The root element is in no namespace.",
        mend="Declare the namespace http://www.sitemaps.org/schemas/sitemap/0.9 as xmlns on the root element.",
        source=PROTOCOL,
        rows=(Row("NS-003", "The root element is in a namespace."),),
    ),
    Rule(
        "namespace-incorrect",
        "warning",
        "A namespace differs from the documented one.",
        mend="Write the namespace exactly as the message gives it: a namespace is a name, so http stays http and no "
        "slash is added.",
        source=PROTOCOL,
        rows=(
            Row("NS-001", "The root element is in the namespace of sitemap 0.9, to the letter."),
            Row("NS-004", "The namespace of an extension is spelled as documented."),
        ),
    ),
    Rule(
        "namespace-legacy",
        "info",
        "The namespace is documented, but superseded.",
        mend="Nothing needs to be done at once, since readers know the old name. Convert the document to sitemap 0.9 "
        "or Atom 1.0 when you can.",
        source=f"{PROTOCOL}; {GOOGLE}",
        rows=(
            Row("NS-002", "The namespace is not that of an earlier version, such as 0.84."),
            Row("MIG-001", "A document of sitemap 0.84 is remarked on."),
            Row("FED-006", "A feed in Atom 0.3, which Google no longer lists, is remarked on."),
        ),
    ),
    Rule(
        "namespace-unknown",
        "info",
        "Elements stand in a namespace that no known extension has.",
        mend="Nothing needs to be done: search engines pass over such elements. Check the spelling if an extension was "
        "meant.",
        source=SCHEMA,
        rows=(Row("NS-006", "Elements in an unknown foreign namespace are remarked on."),),
    ),
    Rule(
        "schema-location",
        "warning",
        "A schemaLocation lacks the xsi namespace, or names the wrong schema.",
        mend="Write it as xsi:schemaLocation with the namespace and its own schema, or leave it out, since no reader "
        "needs it.",
        source=SCHEMA,
        rows=(Row("NS-005", "A schemaLocation is in the xsi namespace and names the schema of the document."),),
    ),
    Rule(
        "missing-prefix",
        "error",
        "An element of an extension stands in the sitemap namespace: its prefix was forgotten.",
        mend="Write the prefix, as in image:image, and declare it on the root element.",
        source=XML_NAMES,
        rows=(Row("NS-007", "An element of an extension is in the namespace of that extension."),),
    ),
    # elements
    Rule(
        "misplaced-element",
        "warning",
        "A known element stands in the wrong parent.",
        mend="Move the element to where it belongs; as a rule an end tag before it is missing.",
        source=PROTOCOL,
    ),
    Rule(
        "unexpected-element",
        "warning",
        "An element or a field stands where none of that name is allowed.",
        mend="Remove it, mend its spelling, or put it where it belongs.",
        source=PROTOCOL,
        rows=(
            Row("SET-005", "A url has no unknown element of the sitemap namespace."),
            Row("IDX-007", "An entry of an index has neither changefreq nor priority."),
            Row("IDX-010", "An index holds sitemap elements only, and a urlset holds url elements only."),
            Row("ROB-002", "A line of robots.txt names the field Sitemap, with a colon after it."),
        ),
    ),
    Rule(
        "unexpected-attribute",
        "warning",
        "An element has an attribute that no entry can hold, which is dropped.",
        mend="Remove it, or write what it says as an element that the vocabulary knows.",
        source=SCHEMA,
    ),
    Rule(
        "repeated-element",
        "warning",
        "An element that may occur once occurs again.",
        mend="Keep one of them. Give each page a url of its own, and each article too.",
        source=f"{PROTOCOL}; {SCHEMA}",
        rows=(
            Row("SET-003", "A url has one loc only."),
            Row("SET-004", "A url has lastmod, changefreq and priority at most once each."),
            Row("NEW-003", "A url has one news block at most."),
        ),
    ),
    Rule(
        "element-order",
        "info",
        "The children of an element are not in the order of the schema.",
        mend="Nothing needs to be done for search engines, which accept any order. It matters where files are checked "
        "against the schema.",
        source=f"{SCHEMA}; {GOOGLE_VIDEO}",
        rows=(
            Row("SET-006", "The children of a url stand in the order loc, lastmod, changefreq, priority, extensions."),
            Row("VID-016", "The children of a video stand in the order of Google's schema."),
        ),
    ),
    Rule(
        "stray-text",
        "warning",
        "Text stands directly in a urlset, a url or a block of one, and is dropped.",
        mend="Put the text into its element, such as loc, or remove it.",
        source=SCHEMA,
        rows=(Row("SET-007", "Neither urlset nor url has text of its own."),),
    ),
)
