"""Videos of an entry (Google video sitemaps, and Google's video 1.1 schema)."""

from __future__ import annotations

from collections.abc import Iterator

from urlset.converters.checks.dates import is_older
from urlset.converters.checks.document import Bounds, Document, OneByOne, Page
from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.dates import Precision
from urlset.formats.vocabulary.entry import Video

LONGEST_TITLE = 100
LONGEST_DESCRIPTION = 2_048
LONGEST_UPLOADER = 255
PLATFORMS = frozenset({"web", "mobile", "tv"})

_REQUIRED = {
    "thumbnail_loc": "video-missing-thumbnail",
    "title": "video-missing-title",
    "description": "video-missing-description",
}


class Videos(OneByOne):
    """Everything about ``video:video`` that needs no look at the XML."""

    def __init__(self, document: Document, bounds: Bounds) -> None:
        super().__init__(document)
        self._most_tags = bounds.max_tags

    def look(self, page: Page) -> None:
        """The next entry."""
        for video in page.entry.videos:
            name = f"the video {video.title[:60]!r}" if video.title else "a video"
            for rule, message, value in self._faults(video, page):
                self._document.find(rule, f"{name} {message}", page, value=value, line=video.line)

    def _faults(self, video: Video, page: Page) -> Iterator[tuple[str, str, str | None]]:
        """Rule, message and value of what is wrong with a video."""
        yield from self._missing(video)
        yield from self._locations(video, page)
        yield from _texts(video)
        yield from _codes(video)
        yield from _incomplete(video)
        yield from _uploader(video, page)
        yield from self._dates(video)
        if len(video.tags) > self._most_tags:
            yield "video-too-many-tags", f"has {len(video.tags)} tags; at most {self._most_tags} are allowed", None

    @staticmethod
    def _missing(video: Video) -> Iterator[tuple[str, str, None]]:
        for field, rule in _REQUIRED.items():
            if not getattr(video, field):
                yield rule, f"has no video:{field}", None
        if not video.content_loc and not video.player_loc:
            yield "video-missing-location", "has neither video:content_loc nor video:player_loc", None

    @staticmethod
    def _locations(video: Video, page: Page) -> Iterator[tuple[str, str, str]]:
        for field in ("content_loc", "player_loc"):
            address = getattr(video, field)
            if address and urls.dedupe_key(address) == page.key:
                yield "video-location-is-page", f"has the page itself as its video:{field}", address

    def _dates(self, video: Video) -> Iterator[tuple[str, str, str]]:
        for field in ("expiration_date", "publication_date"):
            value = getattr(video, field)
            if value is not None and value.precision in (Precision.YEAR, Precision.MONTH, Precision.MINUTE):
                message = f"has a video:{field} that is neither a date nor a date and time with seconds: {value}"
                yield "invalid-date", message, str(value)
        expires = video.expiration_date
        # A day is over when it ends, and a year too.
        if expires is not None and is_older(expires, self._document.now):
            yield "video-expired", f"expired on {expires} and is still listed", str(expires)


def _texts(video: Video) -> Iterator[tuple[str, str, str]]:
    if video.description and len(video.description) > LONGEST_DESCRIPTION:
        number = len(video.description)
        message = f"has a description of {number:,} characters; at most {LONGEST_DESCRIPTION:,} are allowed"
        yield "video-description-too-long", message, video.description
    if video.title and len(video.title) > LONGEST_TITLE:
        message = f"has a title of {len(video.title)} characters; Google's schema takes {LONGEST_TITLE}"
        yield "video-title-too-long", message, video.title


def _codes(video: Video) -> Iterator[tuple[str, str, str]]:
    for field in ("restriction", "platform"):
        value = getattr(video, field)
        if value is not None and getattr(video, f"{field}_relationship") is None:
            message = f"has a video:{field} without the relationship allow or deny"
            yield "video-invalid-value", message, value
    for code in (video.restriction or "").split():
        if not (len(code) == 2 and code.isascii() and code.isalpha() and code.isupper()):
            message = f"has {code[:60]!r} in its video:restriction, which is no country code of two capitals"
            yield "video-invalid-value", message, code
    for word in (video.platform or "").split():
        if word not in PLATFORMS:
            message = f"has {word[:60]!r} in its video:platform, which is none of web, mobile, tv"
            yield "video-invalid-value", message, word


def _incomplete(video: Video) -> Iterator[tuple[str, str, str | None]]:
    """Parts that lack what Google's schema demands of them."""
    for price in video.prices:
        if price.currency is None:
            yield "video-invalid-value", "has a video:price without a currency of three capitals", price.value
    if (show := video.tvshow) is not None:
        for field in ("show_title", "video_type"):
            if getattr(show, field) is None:
                yield "video-invalid-value", f"has a video:tvshow without its {field}", show.show_title


def _uploader(video: Video, page: Page) -> Iterator[tuple[str, str, str]]:
    if video.uploader and len(video.uploader) > LONGEST_UPLOADER:
        message = f"has an uploader of {len(video.uploader)} characters; at most {LONGEST_UPLOADER} are allowed"
        yield "video-invalid-uploader", message, video.uploader
    info = video.uploader_info
    if info and not _same_domain(urls.split(info).host.lower(), urls.split(page.entry.loc).host.lower()):
        message = "has information on its uploader that is on another domain than the page"
        yield "video-invalid-uploader", message, info


def _same_domain(one: str, other: str) -> bool:
    """Whether two hosts are one, or one lies below the other; a relative address ("") is on the same host."""
    return not one or one == other or one.endswith(f".{other}") or other.endswith(f".{one}")
