"""Flags and their variables: ``--max-hang`` is ``FAKESTRIPE_MAX_HANG``, and so for every flag.

A command has a table of them. What the command line says wins over the variable. Readers turn
text into values; what they refuse is a ``UsageError`` that names the flag or the variable,
whichever held the text.
"""

import os
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal

from msgspec import Struct

from fakestripe.cli.usage import UsageError, nearest
from fakestripe.faults.rules import MOST_CUSTOMERS
from fakestripe.protocol import duration

Read = Callable[[str], Any]
OFF: Final = frozenset({"", "0", "no", "false"})


class Flag(Struct, frozen=True):
    """One flag: a value; several values (the variable has commas between); or a switch.

    A default is a text that is read, or a value that is not.
    """

    name: str
    about: str
    metavar: str | None = None
    read: Read = str
    default: Any = None
    kind: Literal["value", "several", "switch"] = "value"
    write: Callable[[Any], str] = str

    @property
    def variable(self) -> str:
        """Return the name of the variable."""
        return "FAKESTRIPE_" + self.name.lstrip("-").upper().replace("-", "_")

    @property
    def field(self) -> str:
        """Return the name among the parsed arguments."""
        return self.name.lstrip("-").replace("-", "_")


def add(parser: ArgumentParser, table: Sequence[Flag]) -> None:
    """Add all flags of a table; what neither says is the default, ``()`` for several values."""
    for flag in table:
        if flag.kind == "switch":
            parser.add_argument(flag.name, action="store_true", default=None, help=_help(flag))
        else:
            parser.add_argument(
                flag.name,
                action="append" if flag.kind == "several" else "store",
                type=flag.read,
                metavar=flag.metavar,
                help=_help(flag),
            )


def fill(args: Any, table: Sequence[Flag]) -> None:
    """Set what the command line left out from the variables, or to the defaults."""
    for flag in table:
        if getattr(args, flag.field) is None:
            setattr(args, flag.field, _otherwise(flag, os.environ.get(flag.variable, "")))


def given(args: Any, table: Sequence[Flag]) -> tuple[str, ...]:
    """Return the words that set the flags of a table as they are, defaults left out."""
    pairs = ((flag, getattr(args, flag.field)) for flag in table)
    changed = ((flag, value) for flag, value in pairs if value != _otherwise(flag, ""))
    return tuple(word for flag, value in changed for word in _words(flag, value))


def _words(flag: Flag, value: Any) -> tuple[str, ...]:
    if flag.kind == "switch":
        return (flag.name,)
    values = value if flag.kind == "several" else (value,)
    return tuple(word for each in values for word in (flag.name, flag.write(each)))


def _otherwise(flag: Flag, text: str) -> Any:
    if flag.kind == "switch":
        return on(text)
    if flag.kind == "several":
        words = [word.strip() for word in text.split(",")]
        return tuple(_read(flag, word) for word in words if word)
    given = text or flag.default
    return _read(flag, given) if isinstance(given, str) else given


def on(text: str) -> bool:
    """Return whether the variable of a switch turns it on."""
    return text.strip().lower() not in OFF


def _read(flag: Flag, text: str) -> Any:
    try:
        return flag.read(text)
    except ArgumentTypeError as wrong:
        raise UsageError(f"{flag.variable}: {wrong}") from None


def _help(flag: Flag) -> str:
    default = "" if flag.default is None else f"; default {flag.default}"
    return f"{flag.about} ({flag.variable}{default})".replace("%", "%%")


def seconds(text: str) -> float:
    """Read a duration such as ``30s``."""
    try:
        return duration.seconds(text)
    except ValueError as wrong:
        raise ArgumentTypeError(str(wrong)) from None


def exact(amount: float) -> str:
    """Write a duration that ``seconds`` reads."""
    return f"{amount:g}s"


def whole(least: int, most: int | None = None) -> Read:
    """Return a reader of whole numbers within bounds."""
    bounds = f"from {least} to {most}" if most is not None else f"of {least} or more"

    def read(text: str) -> int:
        number = int(text) if text.isascii() and text.isdigit() else -1
        if number < least or (most is not None and number > most):
            raise ArgumentTypeError(f"{text!r} is not a whole number {bounds}")
        return number

    return read


def numbers(least: int, most: int) -> Read:
    """Return a reader of a range such as ``12200-12215``, both ends included."""

    def read(text: str) -> range:
        first, dash, last = text.partition("-")
        found = range(whole(least, most)(first), whole(least, most)(last or first) + 1)
        if not found or (dash and not last):
            raise ArgumentTypeError(f"{text!r} is no range: write it as 12200-12215")
        return found

    return read


def customers(text: str) -> str | int:
    """Read which customers there are: a word, or how many."""
    if text.isascii() and text.isdigit():
        found: int = whole(1, MOST_CUSTOMERS)(text)
        return found
    word: str = one_of("strict", "any")(text)
    return word


def one_of(*words: str) -> Read:
    """Return a reader of one of the words."""

    def read(text: str) -> str:
        if text not in words:
            raise ArgumentTypeError(
                f"{text!r} is none of {', '.join(words)}{nearest(text, words)}"
            )
        return text

    return read
