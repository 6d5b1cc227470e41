"""The registry: which formats there are, and which of them a document is in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.metadata import EntryPoint, entry_points
from pathlib import PurePosixPath
from typing import NamedTuple
from urllib.parse import urlsplit

from urlset.formats.vocabulary.errors import DetectionError, OptionError, PluginError
from urlset.formats.vocabulary.format import Format, Head

ENTRY_POINT_GROUP = "urlset.formats"


class Broken(NamedTuple):
    """A third-party format that could not be loaded."""

    name: str
    reason: str


class Registry:
    """The formats by name, in a fixed order.

    ``plugins`` are entry points whose value is a Format; they are loaded when a name or a document is not the built-in
    formats', and a broken one is kept in ``broken`` and harms nobody else.
    """

    def __init__(self, formats: Iterable[Format], plugins: Iterable[EntryPoint] = ()) -> None:
        self._formats: dict[str, Format] = {}
        self._plugins = list(plugins)
        self._third_party: set[str] = set()
        self.broken: list[Broken] = []
        for one in formats:
            self._add(one)

    def __iter__(self) -> Iterator[Format]:
        self.load_plugins()
        return iter(self._formats.values())

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __contains__(self, name: object) -> bool:
        return name in self._formats or any(one.name == name for one in self)

    def __getitem__(self, name: str) -> Format:
        """The format of that name. Raises OptionError if there is none."""
        if name not in self._formats:
            self.load_plugins()
        if name not in self._formats:
            known = ", ".join(self._formats)
            raise OptionError(f"there is no format {name!r}; known are {known}")
        return self._formats[name]

    def reader(self, name: str) -> Format:
        """The format of that name, which must be able to read."""
        found = self[name]
        if found.read is None:
            raise OptionError(f"the format {name} can be written, not read")
        return found

    def writer(self, name: str) -> Format:
        """The format of that name, which must be able to write."""
        found = self[name]
        if found.write is None:
            raise OptionError(f"the format {name} can be read, not written")
        return found

    def detect(self, head: Head) -> Format:
        """The format of a document: by its content, then by its media type, then by its name.

        Raises DetectionError, with what was looked at, if none or several fit.
        """
        readers = [one for one in self if one.read is not None]
        by_content = [one for one in readers if self._sniffs(one, head)]
        if len(by_content) > 1:
            names = ", ".join(one.name for one in by_content)
            raise DetectionError(f"several formats fit ({names}); name one", source=head.name, rule="unknown-format")
        if by_content:
            return by_content[0]
        return self._by_hints(head, readers)

    def for_target(self, path: str) -> Format:
        """The format that a file of that name is written in. Raises OptionError if the name does not tell."""
        for one in self:
            if one.write is not None and _suffix(path) in one.suffixes:
                return one
        raise OptionError(f"the name {path!r} does not tell the format to write; name one with --to")

    def _sniffs(self, one: Format, head: Head) -> bool:
        try:
            return one.sniff(head)
        except Exception as error:
            # A fault of our own must show; a stranger's is reported, and harms the other formats not.
            if one.name not in self._third_party:
                raise
            self.broken.append(Broken(one.name, f"the plugin {one.name} fails to look at a document: {error!r}"))
            return False

    def _by_hints(self, head: Head, readers: list[Format]) -> Format:
        if head.prolog is None and head.data.strip():
            hints = ((head.media_type, "media_types"), (_suffix(head.name), "suffixes"))
            for hint, attribute in hints:
                # Without any markup it is no XML, whatever its name says.
                fitting = [one for one in readers if hint and hint in getattr(one, attribute) and not _is_xml(one)]
                if len(fitting) == 1:
                    return fitting[0]
        raise _undetected(head)

    def _add(self, one: Format) -> None:
        if one.name in self._formats:
            raise PluginError(f"there is a format {one.name!r} already")
        self._formats[one.name] = one

    def load_plugins(self) -> None:
        """Load the third-party formats that are not loaded yet; what is wrong with one is kept in ``broken``."""
        while self._plugins:
            point = self._plugins.pop(0)
            try:
                found = _loaded(point)
                self._add(found)
                self._third_party.add(found.name)
            except PluginError as error:
                self.broken.append(Broken(point.name, error.message))


def _loaded(point: EntryPoint) -> Format:
    try:
        found = point.load()
    except (Exception, SystemExit) as error:
        # Whatever a stranger's module does on import, it must not take urlset down with it.
        raise PluginError(f"the plugin {point.name} can't be imported: {error!r}") from error
    if not isinstance(found, Format):
        raise PluginError(f"the plugin {point.name} is no Format but {type(found).__name__}")
    return found


def installed_plugins() -> list[EntryPoint]:
    """The third-party formats that are installed, by name."""
    return sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda point: point.name)


def _is_xml(one: Format) -> bool:
    return any("xml" in hint for hint in (*one.suffixes, *one.media_types))


def _suffix(name: str) -> str:
    path = urlsplit(name).path if "://" in name else name
    plain = PurePosixPath(path.replace("\\", "/")).name.lower().removesuffix(".gz")
    return PurePosixPath(plain).suffix


def _undetected(head: Head) -> DetectionError:
    prolog = head.prolog
    if not head.data.strip(b"\0 \t\r\n\xef\xbb\xbf"):
        return DetectionError("the document is empty", source=head.name, rule="empty-file", line=1)
    if prolog is not None and prolog.html:
        message = "the document is an HTML page, not a sitemap or feed"
        return DetectionError(message, source=head.name, rule="document-is-html", line=prolog.doctype or prolog.line)
    if prolog is not None and prolog.root:
        place = f"in the namespace {prolog.namespace}" if prolog.namespace else "in no namespace"
        message = f"no format has the root element <{prolog.root}> {place}"
        return DetectionError(message, source=head.name, rule="unknown-format", line=prolog.line)
    first = head.lines[0][:80] if head.lines else ""
    message = f"no format was recognised; the document begins with {first!r}; name its format with --from"
    return DetectionError(message, source=head.name, rule="unknown-format", line=1)
