"""Images of an entry (Google image sitemaps)."""

from __future__ import annotations

from urlset.converters.checks.document import Bounds, Document, OneByOne, Page
from urlset.formats.vocabulary import urls


class Images(OneByOne):
    """``too-many-images`` once for a URL, ``image-on-other-host``."""

    def __init__(self, document: Document, bounds: Bounds) -> None:
        super().__init__(document)
        self._most = bounds.max_images

    def look(self, page: Page) -> None:
        """The next entry."""
        images = page.entry.images
        if len(images) > self._most:
            message = f"the URL has {len(images):,} images; at most {self._most:,} are allowed"
            self._document.find("too-many-images", message, page)
        own = urls.origin(page.entry.loc).partition("://")[2]
        for image in images:
            host = urls.origin(image.loc).partition("://")[2]
            if host and host != own:
                message = f"an image is on another host, {host}; have both verified in Search Console"
                self._document.find_cause("image-on-other-host", host, message, page, value=image.loc, line=image.line)
