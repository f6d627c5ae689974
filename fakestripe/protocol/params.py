"""Reads the parameters of one request, with Stripe's own messages.

A reader takes each parameter by name and then calls ``finish()``, which refuses those nobody
asked for. Integers and booleans are strict: Python's ``int()`` takes " 2000", "2_000", "+2000"
and full-width digits, Stripe does not.
"""

import re
from collections.abc import Sequence
from typing import Final

from fakestripe.protocol.errors import StripeError, invalid_request
from fakestripe.protocol.form import Parameters, Value

_INTEGER: Final = re.compile(r"-?[0-9]{1,18}", re.ASCII)
METADATA_KEYS: Final = 50
METADATA_KEY: Final = 40
METADATA_VALUE: Final = 500


class Params:
    """The parameters of one request, and which of them were asked for."""

    __slots__ = ("_known", "_tree")

    def __init__(self, tree: Parameters) -> None:
        self._tree = tree
        self._known: set[str] = {"expand"}

    def _take(self, name: str) -> Value | None:
        self._known.add(name)
        return self._tree.get(name)

    def text(self, name: str) -> str | None:
        """Return a string parameter, or None where absent; an empty one cannot be unset."""
        value = self._take(name)
        if value is None:
            return None
        if not isinstance(value, str):
            raise invalid_request("Invalid string: {...}", param=name)
        if value == "":
            raise empty(name)
        return value

    def unsettable(self, name: str) -> str | None:
        """Return a string parameter where the empty string means "unset" (None)."""
        value = self._take(name)
        if value == "":
            return None
        return self.text(name)

    def required_text(self, name: str) -> str:
        """Return a string parameter that must be there."""
        value = self.text(name)
        if value is None:
            raise missing(name)
        return value

    def integer(self, name: str, *, minimum: int | None = None) -> int | None:
        """Return an integer parameter, or None where absent."""
        value = self._take(name)
        if value is None:
            return None
        if not isinstance(value, str) or not _INTEGER.fullmatch(value):
            raise bad_integer(name, value)
        number = int(value)
        if minimum is not None and number < minimum:
            raise invalid_request(
                f"This value must be greater than or equal to {minimum}.",
                param=name,
                code="parameter_invalid_integer",
            )
        return number

    def required_int(self, name: str, *, minimum: int | None = None) -> int:
        """Return an integer parameter that must be there."""
        number = self.integer(name, minimum=minimum)
        if number is None:
            raise missing(name)
        return number

    def boolean(self, name: str, *, default: bool) -> bool:
        """Return ``true`` or ``false``; nothing else is a boolean."""
        value = self._take(name)
        if value is None:
            return default
        if value not in ("true", "false"):
            raise invalid_request(f"Invalid boolean: {_shown(value)}", param=name)
        return value == "true"

    def choice(self, name: str, options: Sequence[str]) -> str | None:
        """Return one of ``options``, or None where absent."""
        value = self.text(name)
        if value is not None and value not in options:
            listed = f"{', '.join(options[:-1])}, or {options[-1]}"
            raise invalid_request(f"Invalid {name}: must be one of {listed}", param=name)
        return value

    def mapping(self, name: str) -> dict[str, Value] | None:
        """Return a nested hash, or None where absent."""
        value = self._take(name)
        if value is None:
            return None
        if not isinstance(value, dict):
            raise invalid_request("Invalid object", param=name)
        return value

    def metadata(self, name: str = "metadata") -> dict[str, str] | None:
        """Return the metadata hash within Stripe's limits; None where absent.

        The empty string stays: for an update it removes a key, or all of them.
        """
        value = self._take(name)
        if value is None:
            return None
        if value == "":
            return {}
        if isinstance(value, list):
            value = {str(index): item for index, item in enumerate(value)}
        if isinstance(value, str):
            raise invalid_request("Invalid object", param=name)
        return {key: _metadata_value(name, key, item) for key, item in _counted(name, value)}

    def expand(self) -> tuple[str, ...]:
        """Return the paths to expand."""
        value = self._tree.get("expand")
        if value is None or value == "":
            return ()
        if isinstance(value, str):
            return (value,)
        items = value if isinstance(value, list) else list(value.values())
        return tuple(item for item in items if isinstance(item, str))

    def finish(self) -> None:
        """Refuse parameters that nobody asked for."""
        unknown = [name for name in self._tree if name not in self._known]
        if unknown:
            plural = "s" if len(unknown) > 1 else ""
            raise invalid_request(
                f"Received unknown parameter{plural}: {', '.join(unknown)}",
                param=unknown[0],
                code="parameter_unknown",
            )


def _counted(name: str, value: dict[str, Value]) -> list[tuple[str, Value]]:
    if len(value) > METADATA_KEYS:
        raise invalid_request(
            f"Metadata can have up to {METADATA_KEYS} keys, but you've set {len(value)}",
            param=name,
        )
    return list(value.items())


def _metadata_value(name: str, key: str, value: Value) -> str:
    if len(key) > METADATA_KEY:
        raise invalid_request(
            f"Metadata keys can have up to {METADATA_KEY} characters, but you passed in a key "
            f"that is {len(key)} characters. Invalid key: {key}",
            param=name,
        )
    if not isinstance(value, str):
        raise invalid_request("Invalid string: {...}", param=f"{name}[{key}]")
    if len(value) > METADATA_VALUE:
        raise invalid_request(
            f"Metadata values can have up to {METADATA_VALUE} characters, but you passed in a "
            f"value that is {len(value)} characters. Invalid value: {value}",
            param=name,
        )
    return value


def _shown(value: Value) -> str:
    return value if isinstance(value, str) else "{...}"


def missing(name: str) -> StripeError:
    """Return the error for a required parameter that is absent."""
    return invalid_request(
        f"Missing required param: {name}.", param=name, code="parameter_missing"
    )


def bad_integer(name: str, value: Value) -> StripeError:
    """Return the error for a value that is no integer."""
    return invalid_request(
        f"Invalid integer: {_shown(value)}", param=name, code="parameter_invalid_integer"
    )


def empty(name: str) -> StripeError:
    """Return the error for an empty string where nothing can be unset."""
    return invalid_request(
        f"You passed an empty string for '{name}'. We assume empty values are an attempt to "
        f"unset a parameter; however '{name}' cannot be unset. You should remove '{name}' from "
        "your request or supply a non-empty value.",
        param=name,
        code="parameter_invalid_empty",
    )
