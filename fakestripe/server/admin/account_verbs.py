"""The admin verbs about accounts, one small function each.

Every verb takes the call and returns what is to be answered: a JSON value, or text of another
kind. Those about profiles, further ports and waiting have files of their own.
"""

from typing import Any

from msgspec import convert, json, to_builtins

from fakestripe import verdict
from fakestripe._version import __version__
from fakestripe.protocol.declared import Intent, Outcome
from fakestripe.protocol.duration import seconds
from fakestripe.protocol.secrets import masked
from fakestripe.server.admin.call import OK, UNPROCESSABLE, Call, Text
from fakestripe.server.declaring import intent_of, webhooks_of
from fakestripe.server.webhooks.webhooks import check_target
from fakestripe.verdict import report


def health(_: Call) -> Any:
    """Say that the server serves."""
    return {"status": "ok", "fakestripe": __version__}


def journal(call: Call) -> Any:
    """Return the journal as JSON lines: where nobody has come yet, it is a journal too."""
    lines = [line for account in call.chosen for line in account.bank.lines()]
    body = b"".join(json.encode(line) + b"\n" for line in lines or [call.accounts.header()])
    return Text(body.decode(), "application/x-ndjson")


def charges(call: Call) -> Any:
    """Return the charges of the ledger, newest first."""
    found = [
        bank.ledger.get("charge", charge_id)
        for account in call.chosen
        for bank in account.banks
        for charge_id in bank.ledger.collection("charge").order
    ]
    return list(reversed(found))


async def get_verdict(call: Call) -> Any:
    """Return the verdict; ``gate=1`` answers 422 where the exit status would not be 0.

    It waits until nothing that runs can move money: an exchange whose client has left may still
    commit.
    """
    gate, asked = call.query.get("gate", "0"), call.query.get("format", "json")
    if gate not in ("0", "1"):
        raise ValueError(f"gate={gate}: write gate=1, or leave it out")
    render = report.FORMATS.get(asked)
    if render is None:
        raise ValueError(f"format={asked} is unknown; there are: {', '.join(report.FORMATS)}")
    await call.port.settled(call.chosen)
    chosen = call.chosen
    records = [verdict.records_of(account.bank.journal) for account in chosen]
    judged = verdict.judge(verdict.merged(records))
    expect = sorted({word for account in chosen for word in account.profile.expect})
    failed = gate == "1" and verdict.exit_status(judged, expect) != 0
    status = UNPROCESSABLE if failed else OK
    return Text(masked(render.write(judged)), render.content_type, status)


def post_intents(call: Call) -> Any:
    """Declare intents: a list of them, or one."""
    intents = [intent_of(**to_builtins(i)) for i in convert(_listed(call.body), list[Intent])]
    for account in call.chosen:
        for intent in intents:
            account.intend(intent)
    return {"intents": len(intents)}


def post_outcomes(call: Call) -> Any:
    """Report outcomes: a list of them, or one."""
    outcomes = convert(_listed(call.body), list[Outcome])
    for account in call.chosen:
        for outcome in outcomes:
            account.believe(outcome)
    return {"outcomes": len(outcomes)}


def _listed(body: Any) -> Any:
    return body if isinstance(body, list) else [body]


def post_clock(call: Call) -> Any:
    """Move the clock: ``{"advance": "25h"}`` or ``{"now": 1700000000}``."""
    body = call.body
    if not isinstance(body, dict) or len(body) != 1 or not {"advance", "now"} & set(body):
        raise ValueError('send {"advance": "25h"} or {"now": 1700000000}')
    chosen = call.chosen
    for account in chosen:
        if "advance" in body:
            account.advance(seconds(body["advance"]), "admin")
        else:
            account.set_clock(convert(body["now"], float), "admin")
    return [{"account": a.bank.account, "now": a.bank.clock.now()} for a in chosen]


def post_webhooks(call: Call) -> Any:
    """Add endpoints: a list of ``{"url": "http://127.0.0.1:8000/webhooks"}``, or one."""
    asked = webhooks_of(call.body, "webhooks")
    for webhook in asked:
        check_target(webhook.url, call.accounts.webhook_hosts)
    return [account.webhook(each).shown() for account in call.chosen for each in asked]


def get_webhooks(call: Call) -> Any:
    """Return the endpoints, their secrets included: they are keys to nothing but this server."""
    return [endpoint.shown() for account in call.chosen for endpoint in account.webhooks]


def delete_webhooks(call: Call) -> Any:
    """Forget all endpoints, and what is under way to them."""
    for account in call.chosen:
        account.webhooks.clear()
    return []


def post_reset(call: Call) -> Any:
    """Forget everything of the accounts, their profile included."""
    chosen = call.chosen
    for account in chosen:
        call.accounts.reset(account)
    return {"reset": len(chosen)}
