"""Form bodies: bracketed names to nested parameters, and whether two bodies say the same.

The raw body is split by hand: framework form readers answer an empty form for a body of
another content type, which would turn a client's mistake into "Missing required param".
Arrays may be spelt ``a[]`` or ``a[0]`` (stripe-facts 6); both mean the same, so bodies are
compared after parsing. Of two equal names the last wins. Decided here, since no source says [G]:
a name whose brackets do not match is one literal name, which no endpoint knows, and so is the
empty name; a ``%`` that begins no escape stands for itself.
"""

from functools import lru_cache
from typing import Final, TypeAlias, Union
from urllib.parse import quote_plus, unquote_plus

from fakestripe.protocol.errors import invalid_request

Value: TypeAlias = Union[str, dict[str, "Value"], list["Value"]]  # noqa: UP007  # recursive
Parameters: TypeAlias = dict[str, Value]

DEEPEST: Final = 32
"""Levels of brackets that a name may have."""
MOST: Final = 10_000
"""Parameters that one body may have; the sixteen megabytes of it could hold minutes of work."""
_KEPT: Final = 100
"""The longest name whose steps are worth keeping."""


def parse(body: bytes) -> Parameters:
    """Parse a form body or a query string.

    Raises ``StripeError`` (400) for bytes or escapes that are not UTF-8, for a name used both
    as a value and as a container, for one nested deeper and for more of them than anything
    Stripe has.
    """
    _check_count(body)
    tree: Parameters = {}
    listed: set[str] = set()
    try:
        text = body.decode("utf-8")
        escapes = "%" in text or "+" in text
        for pair in text.split("&"):
            raw_name, _, value = pair.partition("=")
            if escapes and ("%" in value or "+" in value):
                value = _unescaped(value)
            if raw_name.isidentifier() and raw_name not in tree:
                tree[raw_name] = value
            elif pair:
                steps = _kept_steps(raw_name) if len(raw_name) <= _KEPT else _steps(raw_name)
                _plant(tree, steps, value)
                if "0" in steps or "" in steps:
                    listed.add(steps[0])
    except UnicodeDecodeError as problem:
        raise invalid_request("Invalid request body: it is not valid UTF-8.") from problem
    for name in listed:
        tree[name] = _listed(tree[name])
    return tree


def _check_count(body: bytes) -> None:
    if body.count(b"&") >= MOST:
        raise invalid_request(f"Invalid request body: it has more than {MOST} parameters.")


def _unescaped(raw: str) -> str:
    return unquote_plus(raw, errors="strict")


def _steps(raw_name: str) -> tuple[str, ...]:
    """Split ``a[b][0]`` into ``("a", "b", "0")``; an empty bracket is an empty step."""
    name = _unescaped(raw_name)
    head, bracket, rest = name.partition("[")
    if not bracket:
        return (name,)
    if name.count("[") > DEEPEST:
        raise invalid_request(
            f"Invalid request body: parameters are nested deeper than {DEEPEST} levels.",
            param=head[:_KEPT],
        )
    steps = rest[:-1].split("][")
    if not head or not rest.endswith("]") or any("[" in s or "]" in s for s in (head, *steps)):
        return (name,)
    return (head, *steps)


_kept_steps = lru_cache(maxsize=4096)(_steps)


def _plant(tree: Parameters, steps: tuple[str, ...], value: str) -> None:
    node = tree
    for step in steps[:-1]:
        below = node.setdefault(step or _free(node), {})
        if not isinstance(below, dict):
            raise invalid_request("Invalid hash", param=steps[0])
        node = below
    slot = steps[0] if node is tree else steps[-1] or _free(node)
    if isinstance(node.get(slot), dict):
        raise invalid_request("Invalid string", param=steps[0])
    node[slot] = value


def _free(node: Parameters) -> str:
    """Return the next free index, under which an empty bracket stands."""
    index = len(node)
    while str(index) in node:
        index += 1
    return str(index)


def _listed(value: Value) -> Value:
    """Turn hashes whose names are the indexes from 0 into lists, at every level."""
    if not isinstance(value, dict):
        return value
    below = {name: v if isinstance(v, str) else _listed(v) for name, v in value.items()}
    if "0" in below and all(str(index) in below for index in range(len(below))):
        return [below[str(index)] for index in range(len(below))]
    return below


def same(one: bytes, other: bytes) -> bool:
    """Return whether two readable bodies say the same, whatever their order or spelling."""
    return one == other or parse(one) == parse(other)


def flatten(parameters: Parameters) -> list[tuple[str, str]]:
    """Return ``(dotted name, value)`` pairs sorted by name: ``metadata.order_id``."""
    return sorted(
        leaf for name, value in parameters.items() for leaf in _leaves(name, value, "{}.{}")
    )


def write(parameters: Parameters) -> bytes:
    """Return a form body that parses to ``parameters`` again."""
    pairs = (leaf for name, value in parameters.items() for leaf in _leaves(name, value, "{}[{}]"))
    return "&".join(f"{quote_plus(name)}={quote_plus(value)}" for name, value in pairs).encode()


def _leaves(name: str, value: Value, joined: str) -> list[tuple[str, str]]:
    """Return the strings in a value with their full names."""
    if isinstance(value, str):
        return [(name, value)]
    items = value.items() if isinstance(value, dict) else enumerate(value)
    return [
        leaf for key, item in items for leaf in _leaves(joined.format(name, key), item, joined)
    ]
