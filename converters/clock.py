"""What counts as now."""

from __future__ import annotations

from datetime import UTC, datetime

from urlset.formats.vocabulary.dates import LastMod
from urlset.formats.vocabulary.errors import OptionError


def moment(now: LastMod | datetime | str | None) -> LastMod:
    """W3C Datetime, an aware datetime, or (None) the clock's time. Raises OptionError if it can't be understood."""
    given = datetime.now(UTC).replace(microsecond=0) if now is None else now
    try:
        if isinstance(given, LastMod):
            return given
        return LastMod(given) if isinstance(given, str) else LastMod.from_date(given)
    except ValueError as error:
        raise OptionError(f"now must be W3C Datetime such as 2024-05-06T07:08:09Z: {error}") from error
