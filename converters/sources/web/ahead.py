"""Documents that will be asked for soon, fetched in threads meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor

from urlset.converters.sources.web.fetched import Fetched


class Ahead:
    """Fetches up to ``jobs`` documents at a time before they are asked for; each of them is fetched once.

    What is asked for comes, or fails, exactly as it would without threads.
    """

    def __init__(self, get: Callable[[str], Fetched], jobs: int) -> None:
        self._get = get
        self._jobs = jobs
        self._pool: ThreadPoolExecutor | None = None
        self._coming: dict[str, Future[Fetched]] = {}

    def expect(self, addresses: Iterable[str]) -> None:
        """Begin with those of the addresses that are not under way."""
        if self._jobs < 2:
            return
        for address in addresses:
            if address not in self._coming:
                self._pool = self._pool or ThreadPoolExecutor(self._jobs, "urlset-fetch")
                self._coming[address] = self._pool.submit(self._get, address)

    def get(self, address: str) -> Fetched:
        """The document at an address. Raises SourceError."""
        coming = self._coming.pop(address, None)
        return self._get(address) if coming is None else coming.result()

    def forget(self, address: str) -> None:
        """The document is not needed after all."""
        coming = self._coming.pop(address, None)
        if coming is not None and not coming.cancel():
            coming.add_done_callback(_close)

    def close(self) -> None:
        """Forget all; what is under way ends when the client does."""
        for address in list(self._coming):
            self.forget(address)
        if self._pool is not None:
            self._pool.shutdown(wait=True)


def _close(coming: Future[Fetched]) -> None:
    if coming.exception() is None:
        coming.result().body.close()
