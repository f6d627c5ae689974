"""YAML or JSON text to a tree whose every node knows its line and column.

The tree is built from the parser's events, so that nothing is converted behind the author's
back: a plain scalar is the text as written, and those that YAML would turn into something else
(``on``, ``24:00``, ``0123``) are known as traps. Anchors, aliases and tags are not read.
This is the only importer of ``yaml``, and imports it when a text is read.
"""

import re
from typing import Any, Final, TypeAlias

from msgspec import Struct

DEPTH: Final = 32
NOTHING: Final = frozenset({"", "~", "null", "Null", "NULL"})
TRUE: Final = frozenset({"true", "True", "TRUE"})
FALSE: Final = frozenset({"false", "False", "FALSE"})

TRAPS: Final = (
    (
        re.compile(r"(?i:y|yes|n|no|on|off)"),
        "YAML makes the boolean {value} of a bare {text}: put it in quotes, or write {value}",
    ),
    (
        re.compile(r"[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?"),
        "YAML makes a number of a bare {text}: put it in quotes, or write a duration such as 24h",
    ),
    (
        re.compile(r"[-+]?0[0-9_]+|[-+]?0[xob][0-9a-fA-F_]+|[-+]?[0-9]+_[0-9_]*"),
        "YAML makes another number of a bare {text}: put it in quotes, or write digits alone",
    ),
)
"""What YAML 1.1 reads as something other than it looks like, and what to write instead."""


class Mark(Struct, frozen=True):
    """A place in the text, counted from 1."""

    line: int
    column: int


class Scalar(Struct, frozen=True):
    """A single value: its text, and whether it was written without quotes."""

    text: str
    plain: bool
    mark: Mark

    @property
    def trap(self) -> str | None:
        """What is wrong with a bare word that YAML would misread, or None."""
        if not self.plain:
            return None
        value = "true" if self.text.lower() in ("y", "yes", "on") else "false"
        for pattern, message in TRAPS:
            if pattern.fullmatch(self.text):
                return message.format(text=self.text, value=value)
        return None


class Sequence(Struct, frozen=True):
    """A list."""

    items: list["Node"]
    mark: Mark


class Mapping(Struct, frozen=True):
    """A mapping as written: its keys may repeat."""

    entries: list[tuple[Scalar, "Node"]]
    mark: Mark


Node: TypeAlias = Scalar | Sequence | Mapping


class Unreadable(Exception):  # noqa: N818  # it says what the text is
    """A text that has no tree."""

    def __init__(self, message: str, mark: Mark) -> None:
        super().__init__(message)
        self.mark = mark


def grow(text: str) -> Node | None:
    """Return the tree of a text, None for an empty one; raises ``Unreadable``."""
    import yaml  # noqa: PLC0415  # a run without profiles need not pay for it

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    builder = _Builder()
    try:
        for event in yaml.parse(_readable(text), Loader=loader):
            builder.take(type(event).__name__, event)
    except yaml.MarkedYAMLError as problem:
        mark = _mark(problem.problem_mark or problem.context_mark)
        said = ", ".join(part for part in (problem.context, problem.problem) if part)
        raise Unreadable(_not_yaml(text, said, mark), mark) from None
    except (yaml.YAMLError, UnicodeEncodeError) as problem:
        said = str(problem).splitlines()[0]
        raise Unreadable(f"this is not YAML: {said}", Mark(1, 1)) from None
    return builder.root


def _not_yaml(text: str, said: str, mark: Mark) -> str:
    lines = text.splitlines()
    line = lines[mark.line - 1] if mark.line <= len(lines) else ""
    if "\t" in line[: mark.column]:
        return "this is not YAML: a tab cannot indent; use spaces"
    return f"this is not YAML: {said}"


_ESCAPE: Final = re.compile(
    r"\\(?:u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|.)", re.DOTALL | re.IGNORECASE
)


def _readable(text: str) -> str:
    """Make JSON fit for YAML: tabs between tokens, and characters written as two escapes."""
    if not text.lstrip("\ufeff \t\r\n").startswith("{"):
        return text
    return _ESCAPE.sub(_joined, text).replace("\t", " ")


def _joined(found: re.Match[str]) -> str:
    high, low = found.groups()
    return found.group() if high is None else bytes.fromhex(high + low).decode("utf-16-be")


def _mark(mark: Any) -> Mark:
    return Mark(mark.line + 1, mark.column + 1) if mark is not None else Mark(1, 1)


def _beside(key: Scalar, node: Node) -> Node:
    """Return the node; one left empty stands nowhere, and is found where its key is."""
    empty = isinstance(node, Scalar) and node.plain and not node.text
    return Scalar("", plain=True, mark=key.mark) if empty else node


class _Builder:
    """Puts the parser's events together."""

    def __init__(self) -> None:
        self.root: Node | None = None
        self._open: list[Sequence | Mapping] = []
        self._keys: list[Scalar | None] = []

    def take(self, kind: str, event: Any) -> None:
        """Take one event of the parser."""
        mark = _mark(event.start_mark)
        match kind:
            case "AliasEvent":
                raise Unreadable("aliases are not read: write the value out", mark)
            case "ScalarEvent":
                self._refuse_extras(event, mark)
                self._put(Scalar(event.value, event.style in (None, ""), mark))
            case "SequenceStartEvent":
                self._refuse_extras(event, mark)
                self._begin(Sequence([], mark))
            case "MappingStartEvent":
                self._refuse_extras(event, mark)
                self._begin(Mapping([], mark))
            case "SequenceEndEvent" | "MappingEndEvent":
                self._open.pop()
                self._keys.pop()
            case "DocumentStartEvent" if self.root is not None:
                raise Unreadable("a second document: one file holds one profile", mark)

    def _refuse_extras(self, event: Any, mark: Mark) -> None:
        if event.anchor is not None:
            raise Unreadable("anchors are not read: write the value out", mark)
        if event.tag not in (None, "!"):
            raise Unreadable("tags are not read: write the value alone", mark)

    def _begin(self, node: Sequence | Mapping) -> None:
        self._put(node)
        if len(self._open) >= DEPTH:
            raise Unreadable("nested too deep for a profile", node.mark)
        self._open.append(node)
        self._keys.append(None)

    def _put(self, node: Node) -> None:
        if not self._open:
            self.root = node
            return
        parent = self._open[-1]
        if isinstance(parent, Sequence):
            parent.items.append(node)
        elif self._keys[-1] is not None:
            key = self._keys[-1]
            parent.entries.append((key, _beside(key, node)))
            self._keys[-1] = None
        elif isinstance(node, Scalar):
            self._keys[-1] = node
        else:
            raise Unreadable("a key must be a word", node.mark)
