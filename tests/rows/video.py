"""VID: videos."""

from __future__ import annotations

from rows import Case, sitemap, url

PAGE = "https://example.com/page"
THUMBNAIL = "<video:thumbnail_loc>https://example.com/1.png</video:thumbnail_loc>"
TITLE = "<video:title>Cats</video:title>"
DESCRIPTION = "<video:description>Cats at play</video:description>"
CONTENT = "<video:content_loc>https://example.com/1.mp4</video:content_loc>"
PLAYER = "<video:player_loc>https://example.com/player?1</video:player_loc>"
YES = "<video:family_friendly>yes</video:family_friendly>"
NO = "<video:live>no</video:live>"


def page(*children: str) -> bytes:
    """A sitemap whose second url, on line 4, has a video with these children on line 5."""
    return sitemap(url(), url(PAGE, f"\n<video:video>{''.join(children)}</video:video>"))


def video(*more: str) -> bytes:
    """The same with all that is required, and more."""
    return page(THUMBNAIL, TITLE, DESCRIPTION, CONTENT, *more)


def titled(title: str = "Cats", description: str = "Cats at play") -> bytes:
    """The same with these texts."""
    texts = f"<video:title>{title}</video:title><video:description>{description}</video:description>"
    return page(THUMBNAIL, texts, CONTENT)


def tagged(number: int) -> str:
    """So many tags."""
    return "".join(f"<video:tag>cat {one}</video:tag>" for one in range(number))


def element(name: str, *values: str) -> str:
    """Elements of one name."""
    return "".join(f"<video:{name}>{one}</video:{name}>" for one in values)


def limited(name: str, value: str, relationship: str = ' relationship="allow"') -> str:
    """A restriction or a platform."""
    return f"<video:{name}{relationship}>{value}</video:{name}>"


def uploaded(name: str, info: str) -> str:
    """An uploader."""
    return f'<video:uploader info="{info}">{name}</video:uploader>'


CASES = [
    Case("VID-001", "video-missing-thumbnail", hit=page(TITLE, DESCRIPTION, CONTENT), miss=video(), line=5),
    Case(
        "VID-002",
        "video-missing-location",
        hit=page(THUMBNAIL, TITLE, DESCRIPTION),
        miss=page(THUMBNAIL, TITLE, DESCRIPTION, PLAYER),
        line=5,
    ),
    Case(
        "VID-003",
        "video-location-is-page",
        hit=video(element("player_loc", PAGE)),
        miss=video(element("player_loc", f"{PAGE}?player")),
        line=5,
        says="video:player_loc",
    ),
    Case(
        "VID-004",
        "video-description-too-long",
        hit=titled(description="č" * 2_049),
        miss=titled(description="č" * 2_047 + "&amp;"),
        line=5,
        says="2,049 characters",
    ),
    Case(
        "VID-005",
        "video-title-too-long",
        hit=titled("č" * 101),
        miss=titled("č" * 99 + "&amp;"),
        line=5,
        says="101 characters",
    ),
    Case(
        "VID-006",
        "video-invalid-duration",
        hit=video(element("duration", "28801")),
        miss=sitemap(
            *(url(f"{PAGE}{one}", f"<video:video>{element('duration', one)}</video:video>") for one in ("1", "28800"))
        ),
        line=5,
        says="'28801'",
    ),
    Case(
        "VID-007",
        "video-invalid-rating",
        hit=video(element("rating", "5.1")),
        miss=sitemap(
            *(url(f"{PAGE}{one}", f"<video:video>{element('rating', one)}</video:video>") for one in ("0.0", "5.0"))
        ),
        line=5,
        says="'5.1'",
    ),
    Case(
        "VID-008",
        "video-too-many-tags",
        hit=video(tagged(33)),
        miss=video(tagged(32)),
        line=5,
        says="33 tags",
    ),
    Case(
        "VID-009",
        "video-invalid-value",
        hit=video(YES, element("live", "true")),
        miss=video(YES, NO),
        line=5,
        says="'true'",
    ),
    Case(
        "VID-010",
        "video-invalid-value",
        hit=video(limited("restriction", "GB DE", "")),
        miss=video(limited("restriction", "GB DE", ' relationship="deny"'), limited("platform", "web")),
        line=5,
        says="without the relationship",
    ),
    Case(
        "VID-011",
        "video-invalid-value",
        hit=video(limited("restriction", "GB de")),
        miss=video(limited("restriction", "GB DE"), limited("platform", "web mobile tv")),
        line=5,
        says="'de' in its video:restriction",
    ),
    Case(
        "VID-012",
        "video-invalid-uploader",
        hit=video(uploaded("č" * 256, "https://example.net/cats")),
        miss=video(uploaded("č" * 255, "http://example.com/cats")),
        line=5,
        says="256 characters",
    ),
    Case(
        "VID-013",
        "invalid-date",
        hit=video(element("publication_date", "2024-05-06T07:08+00:00")),
        miss=video(element("expiration_date", "2024-07-06"), element("publication_date", "2024-05-06T07:08:09+00:00")),
        line=5,
        says="neither a date nor a date and time with seconds",
    ),
    Case(
        "VID-014",
        "video-expired",
        hit=video(element("expiration_date", "2024-05-31")),
        # It is there until the day is over.
        miss=video(element("expiration_date", "2024-06-01")),
        line=5,
        says="2024-05-31",
        options={"now": "2024-06-01T12:00:00Z"},
    ),
    Case(
        "VID-015",
        "deprecated-element",
        hit=video('<video:price currency="EUR">1.99</video:price>'),
        # The same name in another vocabulary is another element.
        miss=video('<x:price xmlns:x="https://example.com/shop" currency="EUR">1.99</x:price>'),
        line=5,
        says="video:price",
    ),
    Case(
        "VID-016",
        "element-order",
        hit=video(tagged(1), element("duration", "60")),
        miss=video(element("duration", "60"), tagged(2), YES, uploaded("Cats", PAGE), limited("platform", "tv"), NO),
        line=5,
        says="<video:video>",
    ),
    Case(
        "VID-017",
        "video-invalid-value",
        hit=video(element("view_count", "-1")),
        miss=video(element("view_count", "0")),
        line=5,
        says="video:view_count",
    ),
]
