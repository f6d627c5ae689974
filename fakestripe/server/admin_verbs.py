"""The admin verbs, one small function each, and the table that names them.

Every verb takes the accounts it is for, the decoded body, the query and the port's accounts, and
returns what is to be answered: a JSON value, or text of another kind.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from msgspec import Struct, convert, json, to_builtins

from fakestripe import profiles, verdict
from fakestripe._version import __version__
from fakestripe.faults.limits import capped
from fakestripe.profiles.library import is_path
from fakestripe.protocol.declared import Intent, Outcome, Webhook
from fakestripe.protocol.duration import seconds
from fakestripe.protocol.secrets import masked
from fakestripe.server.account import Account
from fakestripe.server.accounts import Accounts
from fakestripe.server.declaring import intent_of
from fakestripe.server.webhooks import check_target
from fakestripe.verdict import report

OK: Final = 200
UNPROCESSABLE: Final = 422


class Text(Struct, frozen=True):
    """An answer that is not JSON."""

    text: str
    content_type: str = "text/plain"
    status: int = OK


Verb: TypeAlias = Callable[[Sequence[Account], Any, dict[str, str], Accounts], Any]


def health(_: Sequence[Account], __: Any, ___: dict[str, str], ____: Accounts) -> Any:
    """Say that the server serves."""
    return {"status": "ok", "fakestripe": __version__}


def put_profile(
    chosen: Sequence[Account], body: Any, query: dict[str, str], accounts: Accounts
) -> Any:
    """Set a profile: YAML or JSON text, or ``{"name": "commit-then-timeout"}``."""
    profile = _profile(body, accounts)
    if query.get("scope") == "port":
        accounts.use(profile)
    else:
        accounts.check(profile)
        for account in chosen:
            account.use(profile)
    return {"name": profile.name, "rules": len(profile.rules), "expect": list(profile.expect)}


def _profile(body: Any, accounts: Accounts) -> profiles.Profile:
    if isinstance(body, dict) and set(body) == {"name"}:
        name = str(body["name"])
        if is_path(name):
            raise ValueError(f"{name} is a path: send a profile's name, or its text")
        found = profiles.load_profile(name, roots=accounts.folders)
    else:
        text = body if isinstance(body, str) else json.encode(body).decode()
        found = profiles.parse(text, "profile")
    return found if accounts.max_hang is None else capped(found, accounts.max_hang)


def get_profile(chosen: Sequence[Account], _: Any, __: dict[str, str], ___: Accounts) -> Any:
    """Return which profile is set, and which of its rules have fired."""
    return [
        {
            "account": account.bank.account,
            "name": account.profile.name,
            "fired": dict(account.bank.fired),
        }
        for account in chosen
    ]


def delete_profile(
    chosen: Sequence[Account], _: Any, query: dict[str, str], accounts: Accounts
) -> Any:
    """Go on without faults."""
    if query.get("scope") == "port":
        accounts.profile = None
    for account in chosen:
        account.use(profiles.FAULT_FREE)
    return {"name": profiles.FAULT_FREE.name}


def journal(chosen: Sequence[Account], _: Any, __: dict[str, str], ___: Accounts) -> Any:
    """Return the journal as JSON lines."""
    lines = [line for account in chosen for line in account.bank.lines()]
    body = b"".join(json.encode(line) + b"\n" for line in lines)
    return Text(body.decode(), "application/x-ndjson")


def charges(chosen: Sequence[Account], _: Any, __: dict[str, str], ___: Accounts) -> Any:
    """Return the charges of the ledger, newest first."""
    found = [
        bank.ledger.get("charge", charge_id)
        for account in chosen
        for bank in account.banks
        for charge_id in bank.ledger.collection("charge").order
    ]
    return list(reversed(found))


def get_verdict(chosen: Sequence[Account], _: Any, query: dict[str, str], ___: Accounts) -> Any:
    """Return the verdict; ``gate=1`` answers 422 where the exit status would not be 0."""
    records = [verdict.records_of(account.bank.journal) for account in chosen]
    judged = verdict.judge(verdict.merged(records))
    expect = sorted({word for account in chosen for word in account.profile.expect})
    gate = query.get("gate", "0")
    if gate not in ("0", "1"):
        raise ValueError(f"gate={gate}: write gate=1, or leave it out")
    failed = gate == "1" and verdict.exit_status(judged, expect) != 0
    status = UNPROCESSABLE if failed else OK
    render = report.FORMATS.get(query.get("format", "json"))
    if render is None:
        raise ValueError(
            f"format={query['format']} is unknown; there are: {', '.join(report.FORMATS)}"
        )
    return Text(masked(render.write(judged)), render.content_type, status)


def post_intents(chosen: Sequence[Account], body: Any, _: dict[str, str], __: Accounts) -> Any:
    """Declare intents: a list of them, or one."""
    intents = [intent_of(**to_builtins(i)) for i in convert(_listed(body), list[Intent])]
    for account in chosen:
        for intent in intents:
            account.intend(intent)
    return {"intents": len(intents)}


def post_outcomes(chosen: Sequence[Account], body: Any, _: dict[str, str], __: Accounts) -> Any:
    """Report outcomes: a list of them, or one."""
    outcomes = convert(_listed(body), list[Outcome])
    for account in chosen:
        for outcome in outcomes:
            account.believe(outcome)
    return {"outcomes": len(outcomes)}


def _listed(body: Any) -> Any:
    return body if isinstance(body, list) else [body]


def post_clock(chosen: Sequence[Account], body: Any, _: dict[str, str], __: Accounts) -> Any:
    """Move the clock: ``{"advance": "25h"}`` or ``{"now": 1700000000}``."""
    if not isinstance(body, dict) or len(body) != 1 or not {"advance", "now"} & set(body):
        raise ValueError('send {"advance": "25h"} or {"now": 1700000000}')
    for account in chosen:
        if "advance" in body:
            account.advance(seconds(body["advance"]), "admin")
        else:
            account.set_clock(convert(body["now"], float), "admin")
    return [{"account": a.bank.account, "now": a.bank.clock.now()} for a in chosen]


def post_webhooks(
    chosen: Sequence[Account], body: Any, _: dict[str, str], accounts: Accounts
) -> Any:
    """Add endpoints: a list of ``{"url": "http://127.0.0.1:8000/webhooks"}``, or one."""
    asked = convert(_listed(body), list[Webhook])
    for webhook in asked:
        check_target(webhook.url, accounts.webhook_hosts)
    return [account.webhook(webhook) for account in chosen for webhook in asked]


def get_webhooks(chosen: Sequence[Account], _: Any, __: dict[str, str], ___: Accounts) -> Any:
    """Return the endpoints, their secrets included: they are keys to nothing but this server."""
    return [endpoint for account in chosen for endpoint in account.webhooks]


def delete_webhooks(chosen: Sequence[Account], _: Any, __: dict[str, str], ___: Accounts) -> Any:
    """Forget all endpoints, and what is under way to them."""
    for account in chosen:
        account.webhooks.clear()
    return []


def post_reset(chosen: Sequence[Account], _: Any, __: dict[str, str], accounts: Accounts) -> Any:
    """Forget everything of the accounts, their profile included."""
    for account in chosen:
        accounts.reset(account)
    return {"reset": len(chosen)}


VERBS: Final[dict[tuple[str, str], Verb]] = {
    ("GET", "health"): health,
    ("PUT", "profile"): put_profile,
    ("GET", "profile"): get_profile,
    ("DELETE", "profile"): delete_profile,
    ("GET", "journal"): journal,
    ("GET", "charges"): charges,
    ("GET", "verdict"): get_verdict,
    ("POST", "intents"): post_intents,
    ("POST", "outcomes"): post_outcomes,
    ("POST", "clock"): post_clock,
    ("POST", "webhooks"): post_webhooks,
    ("GET", "webhooks"): get_webhooks,
    ("DELETE", "webhooks"): delete_webhooks,
    ("POST", "reset"): post_reset,
}
"""Method and path below ``/_fakestripe/`` to the verb."""
