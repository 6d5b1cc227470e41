"""The repair lane: elements out of damaged XML.

What has one meaning is repaired, everything is reported with its place, and a new record always starts afresh: one
broken record never costs the next. A record is an element such as ``url`` or ``item``; it is handed out when it ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from urlset.formats.xml.items import PRUNE_AT, Item, Vocabulary, nested
from urlset.formats.xml.namespaces import CUSTOMARY, UNBOUND, XML
from urlset.formats.xml.node import Node
from urlset.formats.xml.scanner import End, Fault, Scanner, Start, Text


class Repair:
    """Builds elements from the tokens of a scanner."""

    def __init__(self, chunks: Iterable[str], vocabulary: Vocabulary, *, max_record: int, max_depth: int) -> None:
        known = vocabulary.roots | vocabulary.records | vocabulary.fields
        self._vocabulary = vocabulary
        self._scanner = Scanner(chunks, known, sorted(vocabulary.records))
        self._faults = self._scanner.faults
        self._max_record = max_record
        self._max_depth = max_depth
        self._stack: list[Node] = []
        self._record: Node | None = None
        # Pairs of records, where the start of the second ended the first, whose end tag may still come.
        self._cut: list[tuple[Node, Start]] = []
        self._skipped = 0  # open elements beyond the depth limit
        self._size = 0
        self._cut_by: Fault | None = None
        self._roots: list[Node] = []
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
        elif self._skipped or len(self._stack) >= self._max_depth:
            self._skip(token)
            return
        node = self._node(token)
        if is_record:
            self._record, self._size, self._cut_by = node, 0, None
        self._size += 64
        if token.closed:
            self._closed(node)
        else:
            self._stack.append(node)

    def _skip(self, token: Start) -> None:
        if not self._skipped:
            message = f"elements nested deeper than {self._max_depth} are passed over"
            self._fault("resource-limit", message, token, value=token.name, cause="depth")
        self._skipped += not token.closed

    def _end(self, token: End) -> None:
        if self._skipped:
            self._skipped -= 1
            return
        place = self._matching(token.name)
        if place is None:
            self._stray_end(token)
            return
        while len(self._stack) > place + 1:
            node = self._stack.pop()
            message = f"{node.name}, opened on line {node.sourceline}, is not closed before </{token.name}>"
            self._fault("xml-not-well-formed", message, token, value=node.name)
            self._closed(node)
        self._closed(self._stack.pop())

    def _matching(self, name: str) -> int | None:
        """The place on the stack of what an end tag closes: the same name, else the same but for case and prefix."""
        for same in (lambda node: node.name == name, lambda node: local(node.name) == local(name)):
            for place in range(len(self._stack) - 1, -1, -1):
                if same(self._stack[place]):
                    return place
        return None

    def _stray_end(self, token: End) -> None:
        if self._cut and local(token.name) in self._vocabulary.records:
            _, inner = self._cut.pop()
            self._faults.append(nested(local(inner.name), inner.line))
            return
        self._fault("xml-not-well-formed", f"</{token.name}> closes nothing", token, value=f"</{token.name}>")

    def _text(self, token: Text) -> None:
        if not self._stack:
            if token.text.strip("\ufeff \t\n"):
                where = "after" if self._roots else "before"
                self._fault(
                    "xml-not-well-formed",
                    f"text stands {where} the root element",
                    token,
                    value=token.text.strip()[:80],
                    cause=f"text {where} the root",
                )
            return
        if self._skipped:
            return
        self._size += len(token.text)
        if self._size > self._max_record:
            self._overflow(token)
            return
        node = self._stack[-1]
        node.doubt = node.doubt or token.doubt
        node.append_text(token.text)

    def _overflow(self, token: Text) -> None:
        message = f"a record has more than {self._max_record} characters; the rest of it is left out"
        if self._cut_by is None:
            self._cut_by = Fault("resource-limit", message, token.line, token.column)
            if self._record is None:
                self._faults.append(self._cut_by)

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
            if name[:5] != "xmlns"
        }
        node = Node(self._tag(token, scope), token.name, attributes, token.line, parent, scope)
        if parent is not None:
            parent.children.append(node)
        else:
            self._new_root(node, token)
        return node

    def _new_root(self, node: Node, token: Start) -> None:
        if self._roots:
            message = "the document has more than one root element; all are read"
            self._fault("xml-not-well-formed", message, token, value=token.name, cause="several roots")
            self._roots = self._roots[:1]
        self._roots.append(node)

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
        while self._stack[-1] is not open_record:
            self._stack.pop()
        self._stack.pop()
        self._cut.append((open_record, token))
        self._closed(open_record)

    def _closed(self, node: Node) -> None:
        if node is self._record:
            self._record = None
            self._emit(node, self._cut_by)
            self._size, self._cut_by = 0, None
        elif self._record is None and node.parent is not None and len(node.parent.children) > PRUNE_AT:
            self._hand_out(node.parent, len(node.parent.children))

    def _emit(self, record: Node, cut: Fault | None) -> None:
        """Hand out a record, and before it what stands beside it."""
        parent = record.parent
        if parent is not None:
            self._hand_out(parent, parent.children.index(record))
            parent.children.remove(record)
        self._ready.append(Item(record, True, self._take_faults(), cut))

    def _hand_out(self, parent: Node, number: int) -> None:
        strays, parent.children = parent.children[:number], parent.children[number:]
        self._ready.extend(Item(stray, False, []) for stray in strays)
        if self._record is None:
            self._size, self._cut_by = 0, None

    # --- the end

    def _finish(self) -> None:
        self._never_closed()
        if self._record is not None:
            message = f"the document ends inside {self._record.name}; it is left out"
            end = Fault("unexpected-end", message, self._scanner.line, value=self._record.name)
            self._emit(self._record, self._cut_by or end)
        elif self._stack:
            name = self._stack[-1].name
            message = f"the document ends before {name}, opened on line {self._stack[-1].sourceline}, is closed"
            self._faults.append(Fault("unexpected-end", message, self._scanner.line, value=name))
        elif not self._roots:
            self._faults.append(Fault("unexpected-end", "the document has no root element", self._scanner.line))
        for root in self._roots[-1:]:
            self._hand_out_rest(root)
        self._ready.append(Item(None, False, self._take_faults()))

    def _never_closed(self) -> None:
        for record, _ in self._cut:
            message = f"{record.name} is never closed; it ends where the next one starts"
            self._faults.append(Fault("xml-not-well-formed", message, record.sourceline, value=record.name))

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
        self._faults.append(Fault(rule, message, token.line, token.column, value, cause))

    def _take_faults(self) -> list[Fault]:
        taken = self._faults[:]
        self._faults.clear()
        return taken


def local(name: str) -> str:
    """The local part of a name as written, in lower case."""
    return name.rpartition(":")[2].lower()
