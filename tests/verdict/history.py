"""A journal written by hand: arrivals, what came of them, what was declared around them.

Seconds go on by themselves; ``after`` says how long an arrival comes after the one before.
"""

from typing import Any
from urllib.parse import urlencode

from msgspec import to_builtins

from fakestripe import verdict
from fakestripe.bank.operations import Operations
from fakestripe.protocol.attempt import Attempt, Moved, to_line
from fakestripe.protocol.declared import Intent, Outcome
from fakestripe.protocol.operation import STEPS, shape_of

NOON = 1_700_000_000.0
BASE = {"amount": "2000", "currency": "usd", "source": "tok_visa"}
ORDER = {**BASE, "metadata[order_id]": "ord_1"}


class History:
    """The lines of one run."""

    def __init__(self, **header: Any) -> None:
        self.notes: list[dict[str, Any]] = []
        self.attempts: list[Attempt] = []
        self.elapsed = 0.0
        self.clock = 0.0
        self.note("header", {"mode": "fixture", "declared": False, **header})

    def note(self, kind: str, fields: dict[str, Any]) -> None:
        self.notes.append({"kind": kind, "elapsed_s": self.elapsed, **fields})

    def header(self, **fields: Any) -> None:
        self.note("header", fields)

    def intent(self, operation: str, amount: int | None = 2000, **more: Any) -> None:
        self.note("intent", to_builtins(Intent(operation=operation, amount=amount, **more)))

    def outcome(self, operation: str, outcome: str, charge: str | None = None) -> None:
        said = Outcome(operation=operation, outcome=outcome, charge=charge)
        self.note("outcome", to_builtins(said))

    def advance(self, seconds: float, by: str = "test") -> None:
        self.clock += seconds
        self.note("clock", {"advance": seconds, "by": by})

    def profile(self, *rules: str, barrier: int | None = None, **more: Any) -> None:
        """Declare a profile with rules, all of them ``at: committed`` unless said otherwise."""
        at = more.pop("at", "committed")
        made = [{"name": name, "at": at, "faults": [], "barrier": barrier} for name in rules]
        self.note("profile", {"name": "p", "rules": made, **more})

    def arrive(self, method: str, path: str, *, after: float = 1.0, **facts: Any) -> Attempt:
        """Append an arrival; what is not said went well and was over at once."""
        self.elapsed += after
        number = len(self.attempts) + 1
        params = facts.pop("params", ORDER if method == "POST" else {})
        lasts = facts.pop("lasts", 0.01)
        known = {
            "arrival": number,
            "account": "acct_1",
            "at": NOON + self.elapsed + self.clock,
            "connection": number,
            "request_on_connection": 1,
            "step": STEPS.get(shape_of(method, path)),
            "form": urlencode(params).encode(),
            "digest": f"{path} {facts.get('idempotency_key')} {urlencode(params)}",
            "started_s": self.elapsed,
            "ended_s": None if lasts is None else self.elapsed + lasts,
            "outcome": "answered",
            "last_point": "sent",
            "user_agent": "by hand",
        }
        attempt = Attempt(method=method, path=path, **{**known, **facts})
        unconfirmed = path == "/v1/payment_intents" and params.get("confirm") != "true"
        attempt.moves = attempt.step is not None and not unconfirmed
        self.attempts.append(attempt)
        return attempt

    def post(  # noqa: PLR0913  # what a charge is about
        self,
        key: str | None = None,
        *,
        charge: str | None = None,
        lost: bool = False,
        status: int = 200,
        rule: str | None = None,
        path: str = "/v1/charges",
        **facts: Any,
    ) -> Attempt:
        """Append a POST: ``charge`` is what it made, ``lost`` that its answer never came."""
        told = {"delivery": "intact", "status": status}
        if lost:
            told = {"delivery": "none", "outcome": "lost", "last_point": "committed"}
        state = "absent" if key is None else "new"
        more = {"key_state": state, "rules": (rule,) if rule else (), **told, **facts}
        if charge is not None:
            more.setdefault("moved", self.moved(charge, status=status, **facts))
            more.setdefault("ids", () if lost else (charge,))
        return self.arrive("POST", path, idempotency_key=key, **more)

    def moved(self, charge: str, *, status: int, **facts: Any) -> Moved:
        params = facts.get("params", ORDER)
        return Moved(
            kind="charge",
            id=charge,
            charge=charge,
            amount=int(params.get("amount", 2000)),
            currency=params.get("currency", "usd"),
            customer=params.get("customer"),
            status="succeeded" if status == 200 else "failed",
            captured=params.get("capture") != "false",
        )

    def get(self, path: str = "/v1/charges", *ids: str, **facts: Any) -> Attempt:
        return self.arrive("GET", path, delivery="intact", status=200, ids=ids, **facts)

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [*self.notes, *({"kind": "attempt", **to_line(a)} for a in self.attempts)]

    def records(self) -> verdict.Records:
        return verdict.read(self.lines)

    def judge(self) -> verdict.Verdict:
        """Judge it, read back from its lines."""
        return verdict.judge(self.records())

    def placed(self, **configured: Any) -> list[tuple[str, int, str]]:
        """Return operation, number and label of each arrival, placed as a server does."""
        operations = Operations()
        operations.configure(**configured)
        for note in self.notes:
            if note["kind"] == "intent":
                fields = {k: v for k, v in note.items() if k not in ("kind", "elapsed_s")}
                operations.declare(Intent(**fields))
        for attempt in self.attempts:
            operations.place(attempt)
        return [(a.operation, a.attempt, a.label) for a in self.attempts]
