"""What the columns of a table mean, by their names or, without any, by their content.

Names are compared trimmed, without regard to case, and with ``_``, ``-`` and blanks as one. They are those of
our own tables, of the sitemap elements, and of the exports of crawlers and search consoles; names in other
languages are the ones Google Search Console gives its pages report. Where several columns could have one
meaning, the name that stands first in the list of that meaning wins, and of equal names the first column.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "loc": (
        "loc",
        "url",
        "page url",
        "full url",
        "website url",
        "url address",
        "address",
        "adresse",
        "uri",
        "permalink",
        "landing page",
        "link",
        "href",
        "urls",
        "top pages",
        "páginas principales",
        "die häufigsten seiten",
        "pages les plus populaires",
        "pagine principali",
        "páginas principais",
        "principais páginas",
        "populairste pagina's",
        "najpopularniejsze strony",
        "самые популярные страницы",
        "上位のページ",
        "pages",
        "páginas",
        "seiten",
        "pagine",
        "pagina's",
        "strony",
        "страницы",
        "page",
        "página",
        "seite",
        "pagina",
        "strona",
        "страница",
        "ページ",
    ),
    "lastmod": (
        "lastmod",
        "last mod",
        "last modified",
        "lastmodified",
        "last modification",
        "date modified",
        "modified",
        "last updated",
        "updated",
    ),
    "changefreq": ("changefreq", "change freq", "change frequency", "changefrequency", "frequency"),
    "priority": ("priority",),
    "title": ("title", "title 1", "page title"),
    "images": ("images",),
    "videos": ("videos",),
    "news": ("news",),
    "alternates": ("alternates",),
    "mobile": ("mobile",),
    "pagemaps": ("pagemaps",),
    "extra": ("extra",),
    # What a crawler found out about the page; no fields of an entry, but reasons to leave a row out.
    "status": ("status code", "http status code", "http status", "http code"),
    "indexability": ("indexability",),
    "indexability-status": ("indexability status",),
    "canonical": ("canonical link element 1", "canonical", "canonical url", "canonical link element"),
    "content-type": ("content type", "mime type", "mimetype"),
    "robots": ("meta robots 1", "meta robots", "robots"),
}

URL_WORDS: Final = frozenset({"href", "link", "loc", "page", "uri", "uris", "url", "urls"})
NEARLY_ALL: Final = 0.9
MOST_NAMED: Final = 5  # in a message

_MEANINGS: Final = {name: (meaning, rank) for meaning, names in NAMES.items() for rank, name in enumerate(names)}
_SEPARATORS = re.compile(r"[\s_-]+")
_CAMEL_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_ABSOLUTE = re.compile(r"https?://[^\s/?#]", re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)", re.ASCII)
# A slash, or a point with something behind it, belongs to an address or a number, not to a caption.
_NO_WORD = re.compile(r"[/\\@]|\.\S")


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of one table.

    ``fields`` has, for each column in file order, the Entry field it holds or one of the roles ``status``,
    ``indexability``, ``indexability-status``, ``canonical``, ``content-type`` and ``robots``; None for all others.
    No meaning occurs
    twice. ``loc`` is the index of the address column. ``ambiguous`` says, where no name settles it, which
    columns could be meant. ``duplicates`` are the names, as written, of columns that repeat the name of one
    in use.
    """

    loc: int | None
    fields: tuple[str | None, ...]
    ambiguous: str | None = None
    duplicates: tuple[str, ...] = ()


def recognise(header: Sequence[str]) -> Columns:
    """Find out what each column holds from its name.

    A single name that merely ends in a word such as ``url`` (``product_url``) is no address column by itself:
    the content decides, see `guess_loc_column`. Several of them (``old_url,new_url``) are ambiguous.
    """
    keys = [_key(name) for name in header]
    chosen = _choose(keys)
    fields: list[str | None] = [None] * len(keys)
    for meaning, index in chosen.items():
        fields[index] = meaning
    return Columns(
        loc=chosen.get("loc"),
        fields=tuple(fields),
        ambiguous=None if "loc" in chosen else _ambiguity(header, keys),
        duplicates=tuple(header[index].strip() for index in _repeats(keys)),
    )


def looks_like_header(cells: Sequence[str]) -> bool:
    """Say whether a first row names the columns.

    It does if no cell is an absolute address and either one of them is a known name or all that are not empty
    are words.
    """
    if any(map(_is_absolute, cells)):
        return False
    if any(_key(cell) in _MEANINGS for cell in cells):
        return True
    filled = [cell for cell in cells if cell.strip()]
    return bool(filled) and all(map(_is_caption, filled))


def guess_loc_column(rows: Sequence[Sequence[str]]) -> int | None:
    """Give the one column of which nearly all cells are absolute http(s) URLs; None for none or several.

    Meant for tables without a header, or with one that names no address column. ``rows`` are rows of data.
    """
    counts: dict[int, int] = {}
    for row in rows:
        for index, cell in enumerate(row):
            if _is_absolute(cell):
                counts[index] = counts.get(index, 0) + 1
    full = [index for index, count in counts.items() if count >= NEARLY_ALL * len(rows)]
    return full[0] if len(full) == 1 else None


def parse_decimal(text: str, comma: bool) -> float | None:
    """Read a plain decimal number (xsd:decimal: sign, ASCII digits, one point); None for everything else.

    With ``comma`` one comma may stand in the place of the point. Blanks round the number are ignored. No
    exponent, no NaN or infinity, no thousands separators.
    """
    text = text.strip(" \t\r\n")
    if comma and "." not in text:
        text = text.replace(",", ".", 1)
    if not _NUMBER.fullmatch(text):
        return None
    value = float(text)
    return value + 0.0 if math.isfinite(value) else None  # plus zero: -0 is 0


def _key(name: str) -> str:
    """Reduce a name to what is compared. NFKC, because some systems export accents as separate characters."""
    name = unicodedata.normalize("NFKC", name.replace("\ufeff", "")).casefold()
    return _SEPARATORS.sub(" ", name.replace("\u2019", "'")).strip()


def _choose(keys: Sequence[str]) -> dict[str, int]:
    best: dict[str, tuple[int, int]] = {}
    for index, key in enumerate(keys):
        if key in _MEANINGS:
            meaning, rank = _MEANINGS[key]
            best[meaning] = min(best.get(meaning, (rank, index)), (rank, index))
    return {meaning: index for meaning, (_, index) in best.items()}


def _repeats(keys: Sequence[str]) -> Iterator[int]:
    seen: set[str] = set()
    for index, key in enumerate(keys):
        if key in seen:
            yield index
        elif key in _MEANINGS:
            seen.add(key)


def _ambiguity(header: Sequence[str], keys: Sequence[str]) -> str | None:
    names = [
        name.strip() for name, key in zip(header, keys, strict=True) if key not in _MEANINGS and _hints_at_url(name)
    ]
    if len(names) < 2:
        return None
    listed = ", ".join([repr(name) for name in names[:MOST_NAMED]] + ["…"] * (len(names) > MOST_NAMED))
    return f"several columns could hold the address: {listed}; none of them is called loc or url"


def _hints_at_url(name: str) -> bool:
    words = _key(_CAMEL_HUMP.sub(" ", name)).rstrip("0123456789 ").split(" ")
    return words[-1] in URL_WORDS


def _is_absolute(cell: str) -> bool:
    return _ABSOLUTE.match(cell.lstrip()) is not None


def _is_caption(cell: str) -> bool:
    return any(map(str.isalpha, cell)) and not _NO_WORD.search(cell)
