"""HTML as values: what is text is escaped where it is put in, so that nobody can forget to.

A child is another element, or text, or None for nothing. It knows no word of the product.
"""

from collections.abc import Iterable
from html import escape
from typing import Final, TypeAlias

from msgspec import Struct


class Markup(Struct, frozen=True):
    """What is HTML already."""

    text: str


Child: TypeAlias = "Markup | str | int | Iterable[Child] | None"
Value: TypeAlias = str | int | float | bool | None

VOID: Final = frozenset({"br", "circle", "hr", "line", "path", "rect", "use"})
"""Elements that hold nothing."""


def element(name: str, *children: Child, **attributes: Value) -> Markup:
    """Return an element; an attribute that is None or False is left out, True stands bare.

    ``_`` stands for ``-`` in the name of an attribute, and one at its end for nothing.
    """
    head = name + "".join(_attribute(key, value) for key, value in attributes.items())
    if name in VOID:
        return Markup(f"<{head}/>")
    return Markup(f"<{head}>{joined(children).text}</{name}>")


def joined(children: Child) -> Markup:
    """Return children one after the other."""
    if isinstance(children, Markup):
        return children
    if children is None:
        return Markup("")
    if isinstance(children, str | int):
        return Markup(escape(_clean(str(children)), quote=False))
    return Markup("".join(joined(child).text for child in children))


def plural(count: int, noun: str) -> str:
    """Return a noun as it stands behind a number."""
    return noun if count == 1 else f"{noun}s"


def _attribute(name: str, value: Value) -> str:
    if value is None or value is False:
        return ""
    name = name.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{escape(_clean(str(value)))}"'


def _clean(text: str) -> str:
    """Return a text without what neither HTML nor UTF-8 can say."""
    text = text.encode(errors="replace").decode()
    return "".join(letter for letter in text if letter >= " " or letter in "\n\t")
