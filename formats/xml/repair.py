"""The repair lane: elements out of damaged XML.

What has one meaning is repaired, everything is reported with its place, and a new record always starts afresh: one
broken record never costs the next. A record is an element such as ``url`` or ``item``; it is handed out when it ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from urlset.formats.xml import items as shared
from urlset.formats.xml.faults import Fault
from urlset.formats.xml.items import Item, Vocabulary, nested, spellings
from urlset.formats.xml.namespaces import CUSTOMARY, UNBOUND, XML
from urlset.formats.xml.node import Node, is_blank
from urlset.formats.xml.scanner import End, Scanner, Start, Text


class _Cut(NamedTuple):
    """A record that the start of another one ended, and that other one."""

    name: str
    line: int
    inner: str
    inner_line: int


class Repair:
    """Builds elements from the tokens of a scanner."""

    def __init__(self, chunks: Iterable[str], vocabulary: Vocabulary, *, max_record: int, max_depth: int) -> None:
        known = vocabulary.roots | vocabulary.records | vocabulary.fields
        self._vocabulary = vocabulary
        self._containers = spellings(vocabulary.roots)
        self._scanner = Scanner(chunks, known, sorted(vocabulary.records))
        self._faults = self._scanner.faults
        self._max_record = max_record
        self._max_depth = max_depth
        self._stack: list[Node] = []
        self._absent: set[str] = set()  # names of end tags that close nothing on the stack as it is
        self._texts: list[str] = []  # what was read since the last tag
        self._text_at: Text | None = None  # the first of these that says something
        self._broken_by: str | None = None  # the end tag that closes nothing among these texts
        self._record: Node | None = None
        self._cut: list[_Cut] = []  # their end tags may still come
        self._skipped = 0  # open elements beyond the depth limit
        self._size = 0
        self._cut_by: Fault | None = None
        self._root: Node | None = None
        self._ready: list[Item] = []

    def items(self) -> Iterator[Item]:
        """The elements of the document."""
        steps: dict[type, Callable[[object], None]] = {Start: self._start, End: self._end, Text: self._text}  # type: ignore[dict-item]
        for token in self._scanner.tokens():
            steps[type(token)](token)
            if self._ready:
                yield from self._flush()
        self._finish()
        yield from self._flush()

    def _flush(self) -> Iterator[Item]:
        ready, self._ready = self._ready, []
        yield from ready

    # --- tokens

    def _start(self, token: Start) -> None:
        is_record = local(token.name) in self._vocabulary.records
        if is_record:
            self._skipped = 0
            self._close_record(token)
        elif self._is_beyond(token):
            self._skipped += not token.closed
            return
        self._settle()
        node = self._node(token)
        if is_record:
            self._record, self._size, self._cut_by = node, 0, None
        self._size += 64
        if token.closed:
            self._closed(node)
        else:
            self._push(node)

    def _is_beyond(self, token: Start) -> bool:
        """Whether an element is passed over, because it or the record is beyond a limit."""
        if self._skipped:
            return True
        if self._size > self._max_record:
            self._overflow(token)
            return True
        if len(self._stack) >= self._max_depth:
            message = f"elements nested deeper than {self._max_depth} are passed over"
            self._fault("resource-limit", message, token, value=token.name, cause="depth")
            return True
        return False

    def _end(self, token: End) -> None:
        if self._skipped:
            self._skipped -= 1
            return
        place = self._matching(token.name)
        if place is None:
            self._stray_end(token)
            return
        self._settle()
        while len(self._stack) > place + 1:
            node = self._stack.pop()
            message = f"{node.name}, opened on line {node.sourceline}, is not closed before </{token.name}>"
            self._fault("xml-not-well-formed", message, token, value=node.name)
            self._closed(node)
        self._closed(self._stack.pop())

    def _matching(self, name: str) -> int | None:
        """The place on the stack of what an end tag closes: the same name, else the same but for case and prefix."""
        last = len(self._stack) - 1
        if last >= 0 and self._stack[last].name == name:
            return last
        if name in self._absent:
            return None
        for same in (lambda node: node.name == name, lambda node: local(node.name) == local(name)):
            for place in range(last, -1, -1):
                if same(self._stack[place]):
                    return place
        self._absent.add(name)
        return None

    def _push(self, node: Node) -> None:
        self._stack.append(node)
        if self._absent:
            self._absent.clear()

    def _stray_end(self, token: End) -> None:
        if self._cut and local(self._cut[-1].name) == local(token.name):
            cut = self._cut.pop()
            self._faults.add(nested(local(cut.inner), cut.inner_line))
        else:
            self._fault("xml-not-well-formed", f"</{token.name}> closes nothing", token, value=f"</{token.name}>")
        if self._texts:
            self._broken_by = f"</{token.name}> stands in it"

    def _text(self, token: Text) -> None:
        if not self._stack:
            if token.text.strip("\ufeff \t\n"):
                self._text_outside(token)
            return
        if self._skipped:
            return
        self._size += len(token.text)
        if self._size > self._max_record:
            self._overflow(token)
            return
        node = self._stack[-1]
        node.doubt = node.doubt or token.doubt
        if self._broken_by and token.text.strip():
            node.doubt = node.doubt or self._broken_by
        self._texts.append(token.text)
        if self._text_at is None and not is_blank(token.text):
            self._text_at = token

    def _text_outside(self, token: Text) -> None:
        where = "after" if self._root is not None else "before"
        message = f"text stands {where} the root element"
        value = token.text.strip()[:80]
        self._fault("xml-not-well-formed", message, _beginning(token), value=value, cause=f"text {where} the root")

    def _stray_text(self, node: Node, text: str) -> None:
        """Text that stands directly in a container, where the vocabulary knows elements only."""
        if self._text_at is None or self._record is not None or not self._vocabulary.elements_only:
            return
        if node.name.rpartition(":")[2] in self._containers:
            message = f"text stands directly in <{node.name}>; it is dropped"
            self._fault("stray-text", message, _beginning(self._text_at), value=text.strip("\ufeff \t\n"))

    def _settle(self) -> None:
        """Give the text that was read to the element that it stands in."""
        if self._texts:
            text = "".join(self._texts)
            self._stack[-1].append_text(text)
            self._stray_text(self._stack[-1], text)
            self._texts.clear()
            self._text_at = self._broken_by = None

    def _overflow(self, token: Start | Text) -> None:
        message = f"a record has more than {self._max_record} characters; the rest of it is left out"
        if self._cut_by is None:
            self._cut_by = Fault("resource-limit", message, token.line, token.column)
            if self._record is None:
                self._faults.add(self._cut_by)

    # --- elements

    def _node(self, token: Start) -> Node:
        parent = self._stack[-1] if self._stack else None
        scope: Mapping[str | None, str] = parent.nsmap if parent is not None else {}
        declared = {
            name[6:] or None: value.strip()
            for name, value in token.attributes.items()
            if name == "xmlns" or name.startswith("xmlns:")
        }
        if declared:
            scope = {**scope, **declared}
        attributes = {
            self._attribute_name(name, scope, token): value
            for name, value in token.attributes.items()
            if name != "xmlns" and name[:6] != "xmlns:"
        }
        node = Node(self._tag(token, scope), token.name, attributes, token.last_line, parent, scope)
        if parent is not None:
            parent.append_child(node)
            self._prune(parent)
        else:
            self._new_root(node, token)
        return node

    def _new_root(self, node: Node, token: Start) -> None:
        if self._root is not None:
            message = "the document has more than one root element; all are read"
            self._fault("xml-not-well-formed", message, token, value=token.name, cause="several roots")
            self._hand_out_rest(self._root)
        self._root = node

    def _prune(self, parent: Node) -> None:
        """Hand out what piled up in a container without a record; see the strict lane."""
        full = len(parent.children) > shared.PRUNE_AT
        if full and self._record is None and parent.name.rpartition(":")[2] in self._containers:
            self._hand_out(parent, shared.PRUNE_AT)

    def _tag(self, token: Start, scope: Mapping[str | None, str]) -> str:
        prefix, _, name = token.name.rpartition(":")
        namespace = scope.get(prefix or None, "") if prefix in scope or not prefix else self._unbound(prefix, token)
        return f"{{{namespace}}}{name}" if namespace else name

    def _attribute_name(self, name: str, scope: Mapping[str | None, str], token: Start) -> str:
        prefix, _, last = name.rpartition(":")
        if not prefix:
            return name
        namespace = XML if prefix == "xml" else scope.get(prefix) or self._unbound(prefix, token)
        return f"{{{namespace}}}{last}"

    def _unbound(self, prefix: str, token: Start) -> str:
        namespace = CUSTOMARY.get(prefix, UNBOUND)
        taken = f"taken for {namespace}" if namespace != UNBOUND else "its elements can't be read"
        message = f"the prefix {prefix} is not declared; {taken}"
        self._fault("unbound-prefix", message, token, value=prefix, cause=prefix)
        return namespace

    def _close_record(self, token: Start) -> None:
        """A new record starts: whatever record is still open ends here."""
        if self._record is None:
            return
        open_record = self._record
        self._settle()
        while (node := self._stack.pop()) is not open_record:
            node.doubt = node.doubt or f"it is cut off by the next {local(token.name)}"
        self._cut.append(_Cut(open_record.name, open_record.sourceline, token.name, token.line))
        self._closed(open_record)

    def _closed(self, node: Node) -> None:
        if node is self._record:
            self._record = None
            self._emit(node, self._cut_by)
            self._size, self._cut_by = 0, None

    def _emit(self, record: Node, cut: Fault | None) -> None:
        """Hand out a record, and before it what stands beside it."""
        parent = record.parent
        if parent is not None:
            self._hand_out(parent, parent.index(record))
            parent.remove(record)
        self._ready.append(Item(record, True, self._faults.take(), cut))

    def _hand_out(self, parent: Node, number: int) -> None:
        strays, parent.children = parent.children[:number], parent.children[number:]
        self._ready.extend(Item(stray, False, []) for stray in strays)
        if self._record is None:
            self._size, self._cut_by = 0, None

    # --- the end

    def _finish(self) -> None:
        self._settle()
        self._never_closed()
        if self._record is not None:
            message = f"the document ends inside {self._record.name}; it is left out"
            end = Fault("unexpected-end", message, self._scanner.line, value=self._record.name)
            self._emit(self._record, self._cut_by or end)
        elif self._stack:
            name = self._stack[-1].name
            message = f"the document ends before {name}, opened on line {self._stack[-1].sourceline}, is closed"
            self._faults.add(Fault("unexpected-end", message, self._scanner.line, value=name))
        elif self._root is None:
            self._faults.add(Fault("unexpected-end", "the document has no root element", self._scanner.line))
        if self._root is not None:
            self._hand_out_rest(self._root)
        self._ready.append(Item(None, False, self._faults.take()))

    def _never_closed(self) -> None:
        for cut in self._cut:
            message = f"{cut.name} is never closed; it ends where the next one starts"
            self._faults.add(Fault("xml-not-well-formed", message, cut.line, value=cut.name))

    def _hand_out_rest(self, root: Node) -> None:
        if local(root.name) not in self._vocabulary.records:
            self._hand_out(root, len(root.children))

    @property
    def line(self) -> int:
        """The physical line where the lane stands."""
        return self._scanner.line

    def _fault(
        self,
        rule: str,
        message: str,
        token: Start | End | Text,
        *,
        value: str | None = None,
        cause: str | None = None,
    ) -> None:
        self._faults.add(Fault(rule, message, token.line, token.column, value, cause))


def _beginning(token: Text) -> Text:
    """The place where a text begins to say something."""
    blank = len(token.text) - len(token.text.lstrip("\ufeff \t\n"))
    lines = token.text.count("\n", 0, blank)
    column = blank - token.text.rfind("\n", 0, blank) if lines else token.column + blank
    return token._replace(line=token.line + lines, column=column)


def local(name: str) -> str:
    """The local part of a name as written, in lower case."""
    return name.rpartition(":")[2].lower()
