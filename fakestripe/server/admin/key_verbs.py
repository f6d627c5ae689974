"""The admin verbs about further keys: make one, and read what each of them was used for.

A whole key is told once, in the answer that makes it; the audit shows keys masked. It is made of
the journal and of what the keys have spent, so that it can be laid against the ledger.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final

from fakestripe.bank import Bank
from fakestripe.bank.keys import DAY, Holder
from fakestripe.protocol.attempt import Attempt
from fakestripe.protocol.further_key import FurtherKey, key_of, shown
from fakestripe.protocol.operation import id_in
from fakestripe.protocol.secrets import masked
from fakestripe.server.account import Account
from fakestripe.server.admin.call import AdminError, Call

OF_INTENT: Final = "/v1/payment_intents/"
AMOUNT: Final = re.compile("[0-9]{1,15}")


def post_keys(call: Call) -> Any:
    """Make a key: ``{"daily_usd_cap": "450.00", "allowed_endpoints": ["/v1/charges"]}``.

    Where the call is for all accounts, each of them gets one of its own.
    """
    rules = key_of(call.body)
    if call.account is None and rules.key is not None:
        raise AdminError(
            "key: it belongs to one account: send that one's (Authorization: Bearer sk_test_…), "
            "or leave the key out"
        )
    made = [_made(account, rules) for account in call.chosen]
    return made if call.account is None else made[0]


def _made(account: Account, rules: FurtherKey) -> dict[str, Any]:
    return {"key": account.key(rules), "account": account.bank.account, **shown(rules)}


def get_audit(call: Call) -> Any:
    """Return what the further keys have spent, day by day, and every request that came by one."""
    accounts = call.chosen
    found = [line for account in accounts for line in _requests(account)]
    return {
        "keys": [_spent(holder, a.bank) for a in accounts for holder in a.bank.keys.holders],
        "requests": sorted(found, key=lambda line: line["arrival"]),
    }


def _spent(holder: Holder, bank: Bank) -> dict[str, Any]:
    return {
        "key": holder.shown,
        "account": bank.account,
        **shown(holder.rules),
        "days": [
            {
                "day": datetime.fromtimestamp(at * DAY, UTC).date().isoformat(),
                "committed_usd_cents": day.committed,
                "reserved_usd_cents": day.reserved,
            }
            for at, day in bank.keys.days(holder)
        ],
    }


def _requests(account: Account) -> Iterator[dict[str, Any]]:
    banks = {bank.account: bank for bank in account.banks}
    for attempt in account.bank.journal.attempts:
        if attempt.api_key is not None:
            yield _line(attempt, banks.get(attempt.account, account.bank))


def _line(attempt: Attempt, bank: Bank) -> dict[str, Any]:
    """Return one request; ``moved`` says what came of it, ``amount`` what it asked for else."""
    moved, amount, currency, customer = attempt.moved, *_asked(attempt, bank)
    if moved is not None:
        amount, currency, customer = moved.amount, moved.currency, moved.customer
    return {
        "arrival": attempt.arrival,
        "at": attempt.at,
        "account": attempt.account,
        "key": attempt.api_key,
        "policy": attempt.policy,
        "method": attempt.method,
        "path": masked(attempt.path),
        "idempotency_key": _told(attempt.idempotency_key),
        "key_state": attempt.key_state,
        "amount": amount,
        "currency": _told(currency),
        "customer": _told(customer),
        "moved": None if moved is None else moved.kind,
        "charge": None if attempt.method == "GET" else attempt.charge,
        "status": attempt.status,
        "cap_usd_cents": attempt.cap_usd_cents,
        "spent_usd_cents": attempt.spent_usd_cents,
    }


def _asked(attempt: Attempt, bank: Bank) -> tuple[int | None, str | None, str | None]:
    """Return amount, currency and customer that a request names, or its payment intent."""
    said = attempt.parameters
    amount, currency, customer = (said.get(name) for name in ("amount", "currency", "customer"))
    if attempt.path.startswith(OF_INTENT):
        intent = bank.ledger.get("payment_intent", id_in(attempt.path) or "")
        if intent is not None:
            return intent.amount, intent.currency, intent.customer
    return (
        int(amount) if isinstance(amount, str) and AMOUNT.fullmatch(amount) else None,
        currency.lower() if isinstance(currency, str) else None,
        customer if isinstance(customer, str) else None,
    )


def _told(text: str | None) -> str | None:
    return None if text is None else masked(text)
