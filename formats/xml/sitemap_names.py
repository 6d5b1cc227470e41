"""The names of the sitemap vocabulary, in whatever spelling of its namespace a document has them.

Only the vocabulary decides what a core element is, never a bare local name: ``image:loc`` is no ``loc``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.formats.xml import namespaces as ns
from urlset.formats.xml.items import Vocabulary
from urlset.formats.xml.leftovers import Leftovers
from urlset.formats.xml.node import Element, local_name, root_of

if TYPE_CHECKING:
    from urlset.formats.vocabulary.ledger import Account
    from urlset.formats.xml.prolog import Prolog

CORE = frozenset({"loc", "lastmod", "changefreq", "priority"})
VOCABULARY = Vocabulary(
    roots=frozenset({"urlset", "sitemapindex"}),
    records=frozenset({"url", "sitemap"}),
    fields=CORE | {"image", "video", "news", "link"},
    utf8_only=True,
    elements_only=True,
)
KINDS = {"urlset": "url", "sitemapindex": "sitemap"}
"""The records of each root."""


class Names:
    """What the core names are called in one document; what is odd about them is reported once.

    ``known`` are those that were met, by their names in Clark notation; ``namespace`` is the root's, once it was seen.
    """

    def __init__(self, account: Account, prolog: Prolog | None = None) -> None:
        self._account = account
        self._prolog = prolog
        self._seen_root = False
        self.known: dict[str, str] = {}
        self.namespace = ns.SITEMAP

    def look_at_root(self, element: Element) -> None:
        """Report once what is wrong with the namespace of the root, at the first element of a document."""
        if self._seen_root:
            return
        self._seen_root = True
        top = root_of(element)
        self.namespace = ns.split(top.tag).namespace
        self._check_namespace(top)
        if top.keys():
            Leftovers(self._account).attributes(top, local_name(top))

    def _check_namespace(self, element: Element) -> None:
        namespace = ns.split(element.tag).namespace
        # Where the name stands, for a start tag may have many lines.
        line = (self._prolog and self._prolog.line_of(namespace)) or element.sourceline
        if namespace == ns.SITEMAP:
            return
        if ns.is_legacy(namespace):
            message = f"the namespace {namespace} is superseded by {ns.SITEMAP}"
            self._account.find_cause("namespace-legacy", namespace, message, line=line, value=namespace)
        elif not namespace:
            message = f"<{local_name(element)}> is in no namespace; expected {ns.SITEMAP}"
            self._account.find_cause("namespace-missing", "", message, line=line)
        else:
            message = f"the namespace should be {ns.SITEMAP}, found {namespace}"
            self._account.find_cause("namespace-incorrect", namespace, message, line=line, value=namespace)

    def core_name(self, element: Element) -> str | None:
        """The core name of an element in any spelling of the sitemap namespace; what is odd is reported once."""
        namespace, local = ns.split(element.tag)
        name = local.lower()
        if name not in CORE or not (ns.is_core(namespace) or self._in_namespace_of_parent(element)):
            return None
        if namespace != self.namespace:
            self._check_namespace(element)
        if name != local:
            message = f"<{local}> is read as <{name}>; XML names tell upper from lower case"
            self._account.find_cause(
                "unexpected-element", local, message, line=element.sourceline, value=local, action="repaired"
            )
        self.known[element.tag] = name
        return name

    @staticmethod
    def _in_namespace_of_parent(element: Element) -> bool:
        """An invented namespace on the root is accepted with what stands in it."""
        parent = element.getparent()
        namespace = ns.split(element.tag).namespace
        return parent is not None and ns.split(parent.tag).namespace == namespace and namespace != ns.UNBOUND
