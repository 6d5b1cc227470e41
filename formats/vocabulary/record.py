"""From the raw values of a record to the fields of an Entry, the same for every format.

An invalid optional value that has one possible meaning is repaired, any other becomes absent; the finding says which.
Nothing is ever put in the place of what is absent.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.dates import DateReading, LastMod, is_implausible, read_w3c
from urlset.formats.vocabulary.entry import CHANGE_FREQUENCIES, ChangeFreq
from urlset.formats.vocabulary.format import ReadOptions

if TYPE_CHECKING:
    from datetime import tzinfo

    from urlset.formats.vocabulary.ledger import Account

ReadDate = Callable[[str, "tzinfo | None"], DateReading]

SCHEME_OR_PORT = re.compile(r"[^/?#:]*+:")
# A plain xsd:decimal (XML Schema 2, 3.2.3).
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")

# Values of changefreq and priority as nearly everybody writes them: no two ways to read them, and no word to say.
PLAIN_WORDS: dict[str, ChangeFreq | None] = {"": None, **{word: word for word in CHANGE_FREQUENCIES}}
PLAIN_NUMBERS: dict[str, float | None] = {
    "": None,
    "0": 0.0,
    "1": 1.0,
    **{f"{tenths / 10:.1f}": tenths / 10 for tenths in range(11)},
    **{f"{cents / 100:.2f}": cents / 100 for cents in range(101)},
}


def usable_loc(
    account: Account,
    options: ReadOptions,
    text: str,
    line: int | None,
    *,
    fields: Mapping[str, object] | None = None,
    raw: str = "",
    base: str | None = None,
) -> str | None:
    """The record's address, trimmed; None if the record had to be rejected.

    A relative one is resolved against ``base``, else the base that the caller knows; without either it is rejected.
    """
    loc = urls.trim(text)
    problems = urls.inspect(loc)
    if not problems:
        return loc
    fatal = next((one for one in problems if not one.usable), None)
    if fatal is None:
        for problem in problems:
            account.find(problem.rule, problem.message, line=line, value=loc, field="loc")
        return loc
    base = base or options.base_url
    if fatal.rule == "not-absolute" and base and not SCHEME_OR_PORT.match(loc):
        return _resolved(account, base, loc, line, fields, raw)
    account.reject(fatal.rule, fatal.message, line=line, value=text, raw=raw, fields=fields)
    return None


def _resolved(
    account: Account, base: str, loc: str, line: int | None, fields: Mapping[str, object] | None, raw: str
) -> str | None:
    whole = urls.resolve(base, loc)
    problems = urls.inspect(whole)
    fatal = next((one for one in problems if not one.usable), None)
    if fatal is not None:
        account.reject(fatal.rule, fatal.message, line=line, value=loc, raw=raw, fields=fields)
        return None
    message = f"the address is relative; resolved against {base} it is {whole}"
    account.find("not-absolute", message, line=line, value=loc, action="repaired", severity="warning", field="loc")
    for problem in problems:
        account.find(problem.rule, problem.message, line=line, value=whole, field="loc")
    return whole


def date_of(
    account: Account,
    options: ReadOptions,
    text: str | None,
    line: int | None,
    *,
    read: ReadDate = read_w3c,
    what: str = "lastmod",
    blank_is_absent: bool = False,
) -> LastMod | None:
    """A date as the format's grammar has it; None if it is absent or has no one meaning.

    An empty element is a fault, an empty cell of a table is not (``blank_is_absent``).
    """
    if text is None or (blank_is_absent and not text.strip()):
        return None
    value, problem = read(text, options.zone)
    if problem is not None:
        if value is None:
            account.find(
                "invalid-date",
                f"{what}: {problem}; it is left out",
                line=line,
                value=text,
                action="dropped-value",
                field=what,
            )
        else:
            account.find("invalid-date", f"{what}: {problem}", line=line, value=text, action="repaired", field=what)
    if value is not None and is_implausible(value):
        account.find("date-implausible", f"{what} is {value}", line=line, value=text, field=what)
    return value


def changefreq_of(account: Account, text: str | None, line: int | None) -> ChangeFreq | None:
    """One of the seven words; another case or blanks round one are repaired."""
    if text is None or text in CHANGE_FREQUENCIES:
        return text
    word = urls.trim(text).lower()
    if word in CHANGE_FREQUENCIES:
        # Blanks round the word are XML's indentation as often as not, so they are not worth a word.
        if word != urls.trim(text):
            account.find(
                "invalid-changefreq",
                f"changefreq read as {word}",
                line=line,
                value=text,
                action="repaired",
                field="changefreq",
            )
        return word
    message = f"changefreq is {urls.trim(text)!r}, not one of {', '.join(CHANGE_FREQUENCIES)}; it is left out"
    account.find("invalid-changefreq", message, line=line, value=text, action="dropped-value", field="changefreq")
    return None


def priority_of(account: Account, text: str | None, line: int | None, *, decimal_comma: bool = False) -> float | None:
    """A decimal number from 0.0 to 1.0; ``decimal_comma`` where the table's dialect makes 0,5 unambiguous."""
    if text is None:
        return None
    number = urls.trim(text)
    if decimal_comma:
        number = number.replace(",", ".", 1)
    if _DECIMAL.fullmatch(number):
        value = float(number)
        if 0 <= value <= 1:
            return abs(value)
    message = f"priority is {urls.trim(text)!r}, not a decimal number from 0.0 to 1.0; it is left out"
    account.find("invalid-priority", message, line=line, value=text, action="dropped-value", field="priority")
    return None


@lru_cache(maxsize=512)
@lru_cache(maxsize=1024)
def decimal_text(value: float) -> str:
    """A number as xsd:decimal: a point, no exponent, and no digits that only binary fractions have."""
    text = f"{value + 0.0:.15g}"  # no negative zero
    if "e" in text:
        text = f"{value:.20f}".rstrip("0")
    return text if "." in text else f"{text}.0"
