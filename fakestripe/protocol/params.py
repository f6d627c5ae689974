"""Reads the parameters of one request, with Stripe's own messages.

A reader first says with ``only`` which names its endpoint knows, then takes them one by one. That
unknown names are refused before missing ones is decided here [G]: Stripe answers a misspelt
required parameter with a hint at its right name. Integers and booleans are strict: Python's
``int()`` takes " 2000", "2_000", "+2000" and full-width digits, Stripe does not.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final, Self, TypeAlias

from fakestripe.protocol.errors import StripeError, invalid_request, not_emulated
from fakestripe.protocol.form import Parameters, Value

_INTEGER: Final = re.compile(r"-?[0-9]{1,18}", re.ASCII)
DIGITS: Final = 18
METADATA_KEYS: Final = 50
METADATA_KEY: Final = 40
METADATA_VALUE: Final = 500
NONE: Final[frozenset[str]] = frozenset()


class Params:
    """The parameters of one request, or of one hash within it."""

    __slots__ = ("_prefix", "_tree")

    def __init__(self, tree: Parameters, prefix: str = "") -> None:
        self._tree = tree
        self._prefix = prefix

    def _name(self, name: str) -> str:
        return f"{self._prefix}[{name}]" if self._prefix else name

    def only(self, known: AbstractSet[str], *, refused: AbstractSet[str] = NONE) -> None:
        """Refuse what the endpoint does not know, and what Stripe knows but is not emulated.

        ``expand`` is known everywhere.
        """
        if frozenset(known).issuperset(self._tree):
            return
        strange = [name for name in self._tree if name not in known and name != "expand"]
        if not strange:
            return
        unknown = [self._name(name) for name in strange if name not in refused]
        if not unknown:
            raise not_emulated(self._name(strange[0]))
        raise invalid_request(
            f"Received unknown parameter{'s' if len(unknown) > 1 else ''}: {', '.join(unknown)}",
            param=unknown[0],
            code="parameter_unknown",
        )

    def given(self, readers: "Readers") -> dict[str, Any]:
        """Read what was sent of a table of optional parameters, in the order it was sent."""
        found: dict[str, Any] = {}
        for name in self._tree:
            reader = readers.get(name)
            if reader is not None:
                found[name] = reader(self, name)
        return found

    def text(self, name: str) -> str | None:
        """Return a string parameter, or None where absent; an empty one cannot be unset."""
        value = self._tree.get(name)
        if value is None:
            return None
        if not isinstance(value, str):
            raise invalid_request(f"Invalid string: {_shown(value)}", param=self._name(name))
        if value == "":
            raise empty(self._name(name))
        return value

    def unsettable(self, name: str) -> str | None:
        """Return a string parameter where the empty string means "unset" (None)."""
        return None if self._tree.get(name) == "" else self.text(name)

    def required_text(self, name: str) -> str:
        """Return a string parameter that must be there."""
        value = self.text(name)
        if value is None:
            raise missing(self._name(name))
        return value

    def integer(
        self, name: str, *, minimum: int | None = None, maximum: int | None = None
    ) -> int | None:
        """Return an integer parameter, or None where absent; the empty string is no integer."""
        value = self._tree.get(name)
        if value is None:
            return None
        if not isinstance(value, str) or not _is_integer(value):
            raise bad_integer(self._name(name), f"Invalid integer: {_shown(value)}")
        number = int(value)
        if minimum is not None and number < minimum:
            low = f"This value must be greater than or equal to {minimum}."
            raise bad_integer(self._name(name), low)
        if maximum is not None and number > maximum:
            high = f"This value must be less than or equal to {maximum}"
            raise bad_integer(self._name(name), high)
        return number

    def required_int(self, name: str, *, minimum: int | None = None) -> int:
        """Return an integer parameter that must be there."""
        number = self.integer(name, minimum=minimum)
        if number is None:
            raise missing(self._name(name))
        return number

    def boolean(self, name: str) -> bool | None:
        """Return ``true`` or ``false``, or None where absent; nothing else is a boolean."""
        value = self._tree.get(name)
        if value is None:
            return None
        if value not in ("true", "false"):
            raise invalid_request(f"Invalid boolean: {_shown(value)}", param=self._name(name))
        return value == "true"

    def choice(self, name: str, words: Sequence[str]) -> str | None:
        """Return one of several words, or None where absent or unset."""
        value = self.unsettable(name)
        if value is None or value in words:
            return value
        *first, last = words
        either = f"{', '.join(first)}{',' if len(first) > 1 else ''} or {last}"
        full = self._name(name)
        raise invalid_request(f"Invalid {full}: must be one of {either}", param=full)

    def texts(self, name: str) -> list[str] | None:
        """Return an array of strings, or None where absent or unset."""
        value = self._tree.get(name)
        if value is None or value == "":
            return None
        if not isinstance(value, list):
            raise invalid_request("Invalid array", param=self._name(name))
        for item in value:
            if not isinstance(item, str):
                raise invalid_request(f"Invalid string: {_shown(item)}", param=self._name(name))
        return [item for item in value if isinstance(item, str)]

    def is_hash(self, name: str) -> bool:
        """Return whether a parameter is a nested hash."""
        return isinstance(self._tree.get(name), dict)

    def below(self, name: str) -> Self | None:
        """Return the parameters of a nested hash, or None where absent or unset."""
        value = self._tree.get(name)
        if value is None or value == "":
            return None
        if not isinstance(value, dict):
            raise invalid_request("Invalid object", param=self._name(name))
        return type(self)(value, self._name(name))

    def metadata(self, name: str = "metadata") -> dict[str, str]:
        """Return the metadata within Stripe's limits; the empty string is for unsetting."""
        value = self._tree.get(name)
        if isinstance(value, list):
            value = {str(index): item for index, item in enumerate(value)}
        if not value:
            return {}
        if isinstance(value, str):
            raise invalid_request("Invalid object", param=name)
        if len(value) > METADATA_KEYS:
            raise invalid_request(
                f"Metadata can have up to {METADATA_KEYS} keys, but you've set {len(value)}",
                param=name,
            )
        found: dict[str, str] = {}
        for key, item in value.items():
            if type(item) is str and len(item) <= METADATA_VALUE and len(key) <= METADATA_KEY:
                found[key] = item
            else:
                found[key] = _metadata_value(key, item)
        return found


def _metadata_value(key: str, value: Value) -> str:
    if len(key) > METADATA_KEY:  # [G] the limit is documented, the wording is not
        raise invalid_request(
            f"Metadata keys can have up to {METADATA_KEY} characters, but you passed in a key "
            f"that is {len(key)} characters. Invalid key: {key}",
            param="metadata",
        )
    if not isinstance(value, str):
        raise invalid_request(f"Invalid string: {_shown(value)}", param=f"metadata[{key}]")
    if len(value) > METADATA_VALUE:
        raise invalid_request(
            f"Metadata values can have up to {METADATA_VALUE} characters, but you passed in a "
            f"value that is {len(value)} characters. Invalid value: {value}",
            param="metadata",
        )
    return value


def _is_integer(value: str) -> bool:
    if value.isdigit() and value.isascii():
        return len(value) <= DIGITS
    return _INTEGER.fullmatch(value) is not None


def _shown(value: Value) -> str:
    return value if isinstance(value, str) else "{...}"


def missing(name: str) -> StripeError:
    """Return the error for a required parameter that is absent."""
    message = f"Missing required param: {name}."
    return invalid_request(message, param=name, code="parameter_missing")


def bad_integer(name: str, message: str) -> StripeError:
    """Return the error for a value that is no integer, or not one within its bounds."""
    return invalid_request(message, param=name, code="parameter_invalid_integer")


def empty(name: str) -> StripeError:
    """Return the error for an empty string where nothing can be unset."""
    return invalid_request(
        f"You passed an empty string for '{name}'. We assume empty values are an attempt to "
        f"unset a parameter; however '{name}' cannot be unset. You should remove '{name}' from "
        "your request or supply a non-empty value.",
        param=name,
        code="parameter_invalid_empty",
    )


Readers: TypeAlias = Mapping[str, Callable[[Params, str], Any]]
"""Optional parameters, each with what reads it."""
