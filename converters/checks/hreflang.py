"""Rules of practice for hreflang: valid codes, one address a language, a link to oneself, links that are returned.

Specification: Google, "Tell Google about localized versions of your page". A link is owed in return only by a page that
was read too, in a sitemap that has alternates at all: others may name theirs in their HTML.
"""

from __future__ import annotations

import re

from urlset.converters.checks.document import Document, OneByOne, Page
from urlset.converters.checks.kept import Addresses, Database, Links
from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.entry import Alternate
from urlset.formats.vocabulary.findings import VALUE_SHOWN
from urlset.formats.vocabulary.ledger import Account

X_DEFAULT = "x-default"

# ISO 639-1, the two-letter codes; one of three letters is taken as it is.
_LANGUAGES = (
    "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee "
    "el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is "
    "it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms "
    "mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk "
    "sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi "
    "yo za zh zu"
)
# ISO 3166-1 alpha-2, assigned codes; EU, UK and UN are reserved and name no country there.
_COUNTRIES = (
    "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY "
    "BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK "
    "FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR "
    "IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK "
    "ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM "
    "PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF "
    "TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW"
)
LANGUAGES = frozenset(_LANGUAGES.split())
COUNTRIES = frozenset(_COUNTRIES.split())
_CODE = re.compile(r"([a-z]{2,3})(?:-[a-z]{4})?(?:-([a-z]{2}))?", re.IGNORECASE | re.ASCII)
_UN_REGION = re.compile(r"[a-z]{2,3}(?:-[a-z]{4})?-[0-9]{3}", re.IGNORECASE | re.ASCII)


def code_fault(code: str) -> str | None:
    """What is wrong with an hreflang value; None if it is right. Upper and lower case make no difference."""
    if code.lower() == X_DEFAULT:
        return None
    match = _CODE.fullmatch(code)
    if match is None and _UN_REGION.fullmatch(code):
        return "Google takes no region of several countries"
    if match is None:
        return "expected language, language-Script, language-REGION (en, zh-Hant, pt-BR) or x-default"
    language, country = match.groups()
    if len(language) == 2 and language.lower() not in LANGUAGES:
        return f"{language} is no language of ISO 639-1"
    if country is not None and country.upper() not in COUNTRIES:
        hint = "; the United Kingdom is GB" if country.upper() == "UK" else ""
        return f"{country} is no country of ISO 3166-1{hint}"
    return None


class Alternates(OneByOne):
    """What can be said of one page alone; the rest goes to the job's :class:`Clusters`.

    ``addresses`` are those of the document's pages, complete when its end is reached.
    """

    def __init__(self, document: Document, clusters: Clusters, addresses: Addresses) -> None:
        super().__init__(document)
        self._clusters = clusters
        self._addresses = addresses
        self._any = False

    def look(self, page: Page) -> None:
        """The next entry."""
        entry = page.entry
        if not entry.alternates:
            return
        self._any = True
        links = [(link, urls.dedupe_key(link.href)) for link in entry.alternates]
        for link in entry.alternates:
            self._single(page, link)
        self._conflicts(page, links)
        if all(key != page.key for _, key in links):
            message = "the page has alternates and does not list itself among them"
            self._document.find("hreflang-no-self", message, page)
        if all(link.hreflang.lower() != X_DEFAULT for link in entry.alternates):
            message = "the page has alternates and no x-default for visitors whose language is not among them"
            self._document.find_cause("hreflang-no-x-default", "", message, page)
        self._clusters.add(self._document, page, links)

    def _single(self, page: Page, link: Alternate) -> None:
        if fault := code_fault(link.hreflang):
            message = f"the hreflang {link.hreflang[:60]!r} is not valid: {fault}"
            self._document.find("hreflang-invalid-code", message, page, value=link.hreflang, line=link.line)
        if not urls.is_absolute(link.href):
            message = f"the alternate for {link.hreflang[:60]} needs a whole address, with scheme and host"
            self._document.find("not-absolute", message, page, value=link.href, line=link.line, severity="warning")

    def _conflicts(self, page: Page, links: list[tuple[Alternate, str]]) -> None:
        first: dict[str, tuple[Alternate, str]] = {}
        for link, key in links:
            known, known_key = first.setdefault(link.hreflang.lower(), (link, key))
            if key != known_key:
                places = f"{known.href[:VALUE_SHOWN]} and {link.href[:VALUE_SHOWN]}"
                message = f"{link.hreflang[:60]} has two addresses, {places}"
                self._document.find("hreflang-conflict", message, page, value=link.hreflang, line=link.line)

    def finish(self) -> None:
        """The pages of a sitemap with alternates owe links in return, also those that have none."""
        if self._any:
            self._clusters.owe(self._addresses)


class Clusters:
    """``hreflang-no-return-link``, over all documents."""

    def __init__(self, database: Database) -> None:
        self._links = Links(database)
        self._accounts: list[Account] = []

    def add(self, document: Document, page: Page, links: list[tuple[Alternate, str]]) -> None:
        """A page and its alternates, each with its key."""
        if not self._accounts or self._accounts[-1] is not document.account:
            self._accounts.append(document.account)
        named = ((key, link.href, link.line, link.hreflang.lower() != X_DEFAULT) for link, key in links)
        self._links.add(len(self._accounts) - 1, page.key, page.entry.loc, page.line, named)

    def owe(self, addresses: Addresses) -> None:
        """Pages that owe a link to whoever names them."""
        self._links.owe(addresses)

    def finish(self) -> None:
        """Report, page by page, the alternates that don't name it in turn; x-default is no language and owes none."""
        for number, loc, line, href in self._links.unreturned():
            message = f"the page names {href[:VALUE_SHOWN]}, which does not name it in turn"
            account = self._accounts[number]
            account.find("hreflang-no-return-link", message, line=line, value=loc)
