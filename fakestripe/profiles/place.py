"""One node of a profile with its path, and how a value of each kind is read from it.

A reader either returns a right value or raises ``Wrong``, and then the problem has been noted;
``fields``, ``items`` and ``pairs`` go on after a wrong one, so that all problems are found.
"""

from collections.abc import Callable, Iterable
from collections.abc import Mapping as Table
from contextlib import suppress
from typing import Any, Final, TypeVar

from fakestripe.profiles import tree
from fakestripe.profiles.problems import Problem, listed, nearest, quoted
from fakestripe.protocol import duration

T = TypeVar("T")

LONGEST: Final = 3650 * 86_400.0
DIGITS: Final = 15
MOST: Final = 10**DIGITS - 1
KINDS: Final = {tree.Scalar: "a value", tree.Sequence: "a list", tree.Mapping: "a mapping"}


class Wrong(Exception):  # noqa: N818  # the problem has been noted already
    """A value that cannot be read."""


class Place:
    """A node, the name of its field, and the list that collects problems."""

    __slots__ = ("node", "notes", "path", "source")

    def __init__(self, node: tree.Node, path: str, source: str, notes: list[Problem]) -> None:
        self.node = node
        self.path = path
        self.source = source
        self.notes = notes

    def wrong(self, message: str, mark: tree.Mark | None = None) -> Wrong:
        """Note a problem of this place; raise what is returned."""
        at = mark or self.node.mark
        self.notes.append(Problem(self.source, message, at.line, at.column, self.path))
        return Wrong()

    def below(self, node: tree.Node, step: str) -> "Place":
        """Return the place of a child."""
        path = step if not self.path else self.path + (step if step[0] == "[" else f".{step}")
        return Place(node, path, self.source, self.notes)

    def at(self, name: str) -> "Place":
        """Return the place of a field, or this one where it is left out."""
        found = (place for key, place in self.entries().items() if key.text == name)
        return next(found, self)

    def _scalar(self, wanted: str) -> tree.Scalar:
        node = self.node
        if not isinstance(node, tree.Scalar):
            raise self.wrong(f"expected {wanted}, got {KINDS[type(node)]}")
        if node.plain and node.text in tree.NOTHING:
            raise self.wrong(f"expected {wanted}, got nothing")
        if node.trap is not None:
            raise self.wrong(node.trap)
        return node

    def _given(self) -> str:
        node = self.node
        if not isinstance(node, tree.Scalar):
            return KINDS[type(node)]
        return "nothing" if node.plain and node.text in tree.NOTHING else quoted(node.text)

    def text(self, wanted: str = "a text") -> str:
        """Read a text; a bare number or truth value is the text as written."""
        text = self._scalar(wanted).text
        if any("\ud800" <= letter <= "\udfff" for letter in text):
            raise self.wrong("half a character: a surrogate cannot stand alone")
        return text

    def line(self, wanted: str = "a text") -> str:
        """Read a text of one line that says something."""
        text = self.text(wanted)
        if not text.strip() or not text.isprintable():
            raise self.wrong(f"expected {wanted} of one line, got {quoted(text)}")
        return text

    def integer(self, least: int = 1, most: int = MOST, wanted: str = "a whole number") -> int:
        """Read a whole number."""
        node = self._scalar(wanted)
        digits = node.text.removeprefix("-")
        if not (node.plain and digits.isascii() and digits.isdigit()):
            raise self.wrong(f"expected {wanted}, got {quoted(node.text)}")
        if len(digits) > DIGITS:
            raise self.wrong(f"a number of more than {DIGITS} digits is none that makes sense")
        if not least <= int(node.text) <= most:
            limit = f"{least} or more" if int(node.text) < least else f"{most} or less"
            raise self.wrong(f"must be {limit}, got {node.text}")
        return int(node.text)

    def boolean(self) -> bool:
        """Read true or false."""
        node = self._scalar("true or false")
        if node.plain and node.text in tree.TRUE | tree.FALSE:
            return node.text in tree.TRUE
        raise self.wrong(f"expected true or false, got {quoted(node.text)}")

    def duration(self, *, zero: bool = False) -> float:
        """Read a duration in words, as seconds."""
        text = self._scalar("a duration such as 30s").text
        try:
            amount = duration.seconds(text)
        except ValueError as problem:
            raise self.wrong(str(problem)) from None
        if amount == 0 and not zero:
            raise self.wrong("must be longer than nothing")
        if not amount <= LONGEST:
            raise self.wrong("must be ten years or less")
        return amount

    def word(self, legal: Iterable[str], what: str) -> str:
        """Read one of the legal words."""
        words = list(legal)
        text = self.text(listed(words))
        if text not in words:
            raise self.wrong(nearest(text, words, what))
        return text

    def fields(
        self,
        table: Table[str, Callable[["Place"], Any]],
        required: Iterable[str] = (),
        wanted: str = "a mapping",
    ) -> dict[str, Any]:
        """Read a mapping whose keys are the table's; return those that are given."""
        before = len(self.notes)
        read: dict[str, Any] = {}
        given = self.entries(wanted)
        for key, place in given.items():
            if key.text in table:
                with suppress(Wrong):
                    read[key.text] = table[key.text](place)
            else:
                place.wrong(_unknown(key, table), key.mark)
        names = {key.text for key in given}
        for name in required:
            if name not in names:
                self.wrong(f"{name!r} is missing")
        self.stop_if_wrong(before)
        return read

    def entries(self, wanted: str = "a mapping") -> dict[tree.Scalar, "Place"]:
        """Return the entries of a mapping; a key given twice is a problem."""
        if not isinstance(self.node, tree.Mapping):
            raise self.wrong(f"expected {wanted}, got {self._given()}")
        first: dict[str, tree.Scalar] = {}
        found: dict[tree.Scalar, Place] = {}
        for key, value in self.node.entries:
            place = self.below(value, key.text or "''")
            if key.text in first:
                line = first[key.text].mark.line
                place.wrong(f"key given twice, first in line {line}", key.mark)
            else:
                first[key.text] = key
                found[key] = place
        return found

    def pairs(self, read: Callable[["Place"], T]) -> dict[str, T]:
        """Read a mapping with keys of the author's own."""
        before, found = len(self.notes), {}
        for key, place in self.entries().items():
            with suppress(Wrong):
                found[key.text] = read(place)
        self.stop_if_wrong(before)
        return found

    def items(self, read: Callable[["Place"], T], wanted: str = "a list") -> tuple[T, ...]:
        """Read a list that is not empty."""
        node = self.node
        if not isinstance(node, tree.Sequence):
            raise self.wrong(f"expected {wanted}, got {self._given()}")
        if not node.items:
            raise self.wrong(f"expected {wanted}, got an empty one")
        before, found = len(self.notes), []
        for index, item in enumerate(node.items):
            with suppress(Wrong):
                found.append(read(self.below(item, f"[{index}]")))
        self.stop_if_wrong(before)
        return tuple(found)

    def stop_if_wrong(self, before: int) -> None:
        """Raise where problems were noted since there were ``before`` of them."""
        if len(self.notes) > before:
            raise Wrong


def _unknown(key: tree.Scalar, table: Iterable[str]) -> str:
    if key.trap is not None and "at" in table:
        return f"YAML makes a boolean of {key.text!r}: a rule says 'at' which point, 'do' what"
    return nearest(key.text, table, "field")
