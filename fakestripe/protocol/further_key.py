"""A further API key of an account, as it is declared: restricted, vault, or one more secret key.

A restricted key (``rk_test_``) is Stripe's; a vault key (``vk_test_``) is that of a proxy in
front of Stripe, which knows a cap for each day, a list of endpoints and an end. Money is whole
cents here: "450.00" is read as a text or a whole number, and never as a float.
"""

import re
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from fakestripe.protocol import permissions
from fakestripe.protocol.permissions import RIGHTS, Right
from fakestripe.protocol.secrets import masked

Kind: TypeAlias = Literal["secret", "restricted", "vault"]
PREFIXES: Final[dict[str, Kind]] = {
    "sk_test_": "secret",
    "rk_test_": "restricted",
    "vk_test_": "vault",
}
FIELDS: Final = (
    "key",
    "daily_usd_cap",
    "allowed_endpoints",
    "expires_at",
    "refunds_give_back",
    "permissions",
)
OF_VAULT: Final = frozenset(
    {"daily_usd_cap", "allowed_endpoints", "expires_at", "refunds_give_back"}
)
SHOWN: Final = 60
LARGEST: Final = 10**15
"""Cents; more than any bank has."""
LATEST: Final = 253_402_300_799
"""The last second of the year 9999."""
DOLLARS: Final = r"(?:0|[1-9][0-9]{0,12})(?:\.[0-9]{1,2})?"
KEY: Final = "[srv]k_test_[A-Za-z0-9_]{1,240}"
ENDPOINT: Final = r"(?:(?:GET|POST|DELETE) )?/\S*"
"""How each is written, for editors too."""


class FurtherKey(Struct, frozen=True):
    """What one key may do. ``cap`` is cents a day, ``expires_at`` epoch seconds.

    ``key`` is None where a new one is to be made. An endpoint is a path, ``*`` in it for any
    text, perhaps with a method before it: ``/v1/charges``, ``GET /v1/charges/*``.
    """

    kind: Kind
    key: str | None = None
    cap: int | None = None
    endpoints: tuple[str, ...] | None = None
    expires_at: float | None = None
    refunds_give_back: bool = False
    permissions: dict[str, Right] | None = None


class Wrong(ValueError):  # noqa: N818  # what is wrong, and where
    """Why a declaration cannot be a key: the field, and what to write."""

    def __init__(self, field: str, said: str) -> None:
        self.field = masked(field)
        self.said = masked(said)
        super().__init__(f"{self.field}: {self.said}" if field else self.said)


def key_of(asked: Any) -> FurtherKey:
    """Return the key that a mapping declares; raises ``Wrong`` where it cannot be one."""
    if not isinstance(asked, dict):
        raise Wrong("", 'write a mapping, such as {"daily_usd_cap": "450.00"}')
    for name in asked:
        if name not in FIELDS:
            raise Wrong(str(name), f"there is no such field; there are: {', '.join(FIELDS)}")
    given = {name: value for name, value in asked.items() if value is not None}
    kind = _kind_of(given)
    _check_fields(kind, given)
    return FurtherKey(
        kind=kind,
        key=given.get("key"),
        cap=cents(given["daily_usd_cap"]) if "daily_usd_cap" in given else None,
        endpoints=_endpoints(given.get("allowed_endpoints")),
        expires_at=_moment(given.get("expires_at")),
        refunds_give_back=_flag(given.get("refunds_give_back", False)),
        permissions=_rights(given.get("permissions", {})) if kind == "restricted" else None,
    )


def shown(rules: FurtherKey) -> dict[str, Any]:
    """Return what a key may do as it is declared, dollars as text, without the key itself."""
    if rules.kind == "secret":
        return {}
    if rules.permissions is not None:
        return {"permissions": rules.permissions}
    return {
        "daily_usd_cap": None if rules.cap is None else dollars(rules.cap),
        "allowed_endpoints": None
        if rules.endpoints is None
        else [masked(each) for each in rules.endpoints],
        "expires_at": rules.expires_at,
        "refunds_give_back": rules.refunds_give_back,
    }


def kind_of(key: str) -> Kind | None:
    """Return what kind of key a text is by its beginning, or None."""
    return PREFIXES.get(key[:8])


def _kind_of(given: dict[str, Any]) -> Kind:
    key = given.get("key")
    if key is None:
        return "restricted" if "permissions" in given else "vault"
    return check_key(key)


def check_key(key: Any) -> Kind:
    """Return what kind of key it is; raises ``Wrong`` for what can be none."""
    if isinstance(key, str) and key.startswith(("sk_live_", "rk_live_")):
        raise Wrong(
            "key", "live keys are refused: write one that begins with vk_test_ or rk_test_"
        )
    kind = kind_of(key) if isinstance(key, str) and re.fullmatch(KEY, key) else None
    if kind is None:
        raise Wrong("key", "write vk_test_… or rk_test_…, letters, digits and _ only")
    return kind


def _check_fields(kind: Kind, given: dict[str, Any]) -> None:
    for name in given:
        if name == "permissions" and kind != "restricted":
            raise Wrong(name, f"a {kind} key has none: only a key that begins with rk_test_ has")
        if name in OF_VAULT and kind != "vault":
            raise Wrong(name, f"a {kind} key has none: only a key that begins with vk_test_ has")


def cents(said: Any) -> int:
    """Return a sum of dollars as whole cents: "450.00", "450" or 450; raises ``Wrong``."""
    if isinstance(said, int) and not isinstance(said, bool) and 0 <= said < LARGEST // 100:
        return said * 100
    if isinstance(said, str) and re.fullmatch(DOLLARS, said):
        whole, _, part = said.partition(".")
        return int(whole) * 100 + int(part.ljust(2, "0") or 0)
    raise Wrong("daily_usd_cap", 'write dollars as a text with two decimals, such as "450.00"')


def dollars(amount: int) -> str:
    """Return cents as dollars with two decimals."""
    return f"{'-' if amount < 0 else ''}{abs(amount) // 100}.{abs(amount) % 100:02d}"


def _endpoints(said: Any) -> tuple[str, ...] | None:
    if said is None:
        return None
    if not isinstance(said, list | tuple) or not said:
        raise Wrong("allowed_endpoints", "write a list of paths, such as [/v1/charges]")
    for each in said:
        check_endpoint(each)
    return tuple(said)


def check_endpoint(said: Any) -> None:
    """Raise ``Wrong`` for what is no endpoint."""
    if not (isinstance(said, str) and re.fullmatch(ENDPOINT, said)):
        raise Wrong(
            "allowed_endpoints",
            f"{repr(said)[:SHOWN]} is no endpoint: write a path such as /v1/charges, "
            "/v1/charges/* or POST /v1/charges",
        )


def _moment(said: Any) -> float | None:
    if said is None:
        return None
    if isinstance(said, bool) or not isinstance(said, int | float) or not 0 <= said <= LATEST:
        raise Wrong("expires_at", "write seconds since 1970, such as 1700000000")
    return int(said) if said == int(said) else said


def _flag(said: Any) -> bool:
    if not isinstance(said, bool):
        raise Wrong("refunds_give_back", "write true or false")
    return said


def _rights(said: Any) -> dict[str, Right]:
    if not isinstance(said, dict):
        raise Wrong("permissions", "write a mapping, such as {charges: write, customers: read}")
    for word, right in said.items():
        if word not in permissions.WORDS:
            raise Wrong(f"permissions.{word}", permissions.unknown(str(word)))
        if right not in RIGHTS:
            raise Wrong(f"permissions.{word}", f"write one of {', '.join(RIGHTS)}")
    return said
