"""Form bodies: bracketed keys to nested parameters, and their canonical fingerprint.

The raw body is split by hand: framework form readers answer an empty form for a body of
another content type, which would turn a client's mistake into "Missing required param".
Arrays may be spelt ``a[]``, ``a[0]`` or ``a[0][b]`` (stripe-facts 6); all mean the same, so
the fingerprint is taken after parsing. Of two equal keys the last wins.
"""

import hashlib
from functools import lru_cache
from typing import TypeAlias, Union
from urllib.parse import quote_plus, unquote_plus

from fakestripe.protocol.errors import invalid_request

Value: TypeAlias = Union[str, dict[str, "Value"], list["Value"]]  # noqa: UP007  # recursive
Parameters: TypeAlias = dict[str, Value]


@lru_cache(maxsize=4096)
def _steps(raw_key: str) -> tuple[str, ...]:
    """Split ``a[b][0]`` into ``("a", "b", "0")``; an empty bracket is an empty step."""
    key = unquote_plus(raw_key)
    head, bracket, rest = key.partition("[")
    if not bracket or not head:
        return (key,)
    return (head, *(step.rstrip("]") for step in rest.split("[")))


def parse(body: bytes) -> Parameters:
    """Parse a form body or a query string.

    Raises ``StripeError`` (400) for bytes that are not UTF-8 and for one name used both as a
    value and as a container.
    """
    if not body:
        return {}
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise invalid_request("Invalid request body: it is not valid UTF-8.") from problem
    tree: Parameters = {}
    for pair in text.split("&"):
        if not pair:
            continue
        raw_key, _, raw_value = pair.partition("=")
        value = unquote_plus(raw_value, errors="strict") if _is_escaped(raw_value) else raw_value
        steps = _steps(raw_key)
        if len(steps) == 1:
            tree[steps[0]] = value
        else:
            _plant(tree, steps, value)
    return {key: _listed(value) for key, value in tree.items()}


def _is_escaped(raw: str) -> bool:
    return "%" in raw or "+" in raw


def _plant(tree: Parameters, steps: tuple[str, ...], value: str) -> None:
    node = tree
    for step in steps[:-1]:
        below = node.setdefault(_slot(node, step), {})
        if not isinstance(below, dict):
            raise invalid_request("Invalid hash", param=steps[0])
        node = below
    node[_slot(node, steps[-1])] = value


def _slot(node: Parameters, step: str) -> str:
    """An empty bracket appends: it takes the next free index."""
    return step if step else str(len(node))


def _listed(value: Value) -> Value:
    """Turn a mapping whose keys are indexes into a list, at every level."""
    if not isinstance(value, dict):
        return value
    below = {key: _listed(item) for key, item in value.items()}
    if below and all(key.isascii() and key.isdigit() for key in below):
        return [below[key] for key in sorted(below, key=int)]
    return below


def flatten(parameters: Parameters) -> list[tuple[str, str]]:
    """Return ``(dotted name, value)`` pairs sorted by name: ``metadata.order_id``."""
    pairs: list[tuple[str, str]] = []
    for key, value in parameters.items():
        if isinstance(value, str):
            pairs.append((key, value))
        else:
            pairs.extend(_branches(key, value))
    pairs.sort()
    return pairs


def _branches(prefix: str, value: Value) -> list[tuple[str, str]]:
    if isinstance(value, str):
        return [(prefix, value)]
    items = value.items() if isinstance(value, dict) else enumerate(value)
    return [leaf for key, item in items for leaf in _branches(f"{prefix}.{key}", item)]


def fingerprint(parameters: Parameters) -> bytes:
    """Return 16 bytes that are equal for equal parameters, whatever their order or spelling."""
    canonical = "\0".join([f"{name}\1{value}" for name, value in flatten(parameters)])
    return hashlib.blake2b(canonical.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def write(parameters: Parameters) -> bytes:
    """Return a form body that parses to ``parameters`` again."""
    pairs = (
        f"{quote_plus(_bracketed(name))}={quote_plus(value)}"
        for name, value in flatten(parameters)
    )
    return "&".join(pairs).encode()


def _bracketed(dotted: str) -> str:
    head, *rest = dotted.split(".")
    return head + "".join(f"[{step}]" for step in rest)
