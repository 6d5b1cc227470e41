"""What Google News asks of an article and its paper, whoever writes it down (Google news sitemaps)."""

from __future__ import annotations

import re
from typing import NamedTuple

from urlset.formats.vocabulary.dates import LastMod
from urlset.formats.vocabulary.entry import Publication

MAX_AGE = 48 * 3600
"""Seconds up to which an article belongs in a news sitemap."""

LANGUAGE = re.compile(r"zh-cn|zh-tw|[a-z]{2,3}")
"""ISO 639 in lower case, or one of two exceptions."""


def is_too_old(date: LastMod, now: LastMod) -> bool:
    """Whether an article is older than MAX_AGE: a difference of instants, a day being its first midnight in UTC."""
    seconds, fraction = now.instant
    return date.instant < (seconds - MAX_AGE, fraction)


class Paper(NamedTuple):
    """The paper whose articles the items of a feed are, and what their age is measured from."""

    publication: Publication
    now: LastMod
