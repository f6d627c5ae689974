"""What every room's tests share: pytester, and an account whose exchanges are stepped by hand."""

import json
import os
import signal
from collections.abc import Callable
from typing import Any, NoReturn

import pytest

from fakestripe.bank import Bank
from fakestripe.bank.ids import account_id
from fakestripe.bank.journal import Journal
from fakestripe.exchange import Exchange
from fakestripe.faults.kinds import Fault
from fakestripe.faults.rules import FAULT_FREE, Profile, Rule, When
from fakestripe.protocol.effects import NOTHING, Effect, Performed, Send
from fakestripe.protocol.reply import Reply
from fakestripe.protocol.request import Request

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell that starts a job in the background has it ignore Ctrl-C, its children too.
    signal.signal(signal.SIGINT, signal.default_int_handler)

pytest_plugins = ["pytester"]

BASE = "amount=2000&currency=usd&source=tok_visa&metadata[order_id]=ord_1"
DELIVERED = Performed(delivered=True, bytes_sent=1000)
STORED = (("Stripe-Should-Retry", "false"),)
RETRY = (("Stripe-Should-Retry", "true"),)


@pytest.fixture(scope="session")
def unavailable() -> Callable[[str], NoReturn]:
    """Return what a test does with the reason why it cannot run here: on a CI machine it fails."""

    def tell(reason: str) -> NoReturn:
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)

    return tell


class Answer:
    """One reply, as a client would read it."""

    def __init__(self, reply: Reply) -> None:
        self.reply = reply
        self.status = reply.status
        lines = (line.partition(": ") for line in reply.lines.split("\r\n") if line)
        self.told = (*((name, value) for name, _, value in lines), *reply.headers)
        self.headers = dict(self.told)
        self.body = reply.body

    def stored_under(self, key: str) -> bool:
        """Whether the headers are those of an outcome that was just stored."""
        return self._tells(key, self.headers["Request-Id"], (STORED,))

    def executed_nothing(self, key: str) -> bool:
        """Whether the headers are those of a refusal that executed nothing."""
        return self._tells(key, self.headers["Request-Id"], ((), RETRY))

    def replays(self, first: "Answer") -> bool:
        """Whether this is a replay of the first: the same bytes under a new request id."""
        return (
            (self.status, self.body) == (first.status, first.body)
            and self.headers["Request-Id"] != first.headers["Request-Id"]
            and self._tells(
                first.headers["Idempotency-Key"],
                first.headers["Request-Id"],
                ((("Idempotent-Replayed", "true"), *STORED),),
            )
        )

    def _tells(self, key: str, original: str, endings: Any) -> bool:
        keyed = (("Idempotency-Key", key), ("Original-Request", original))
        return self.told[2:] in [(*keyed, *rest) for rest in endings]

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> dict[str, Any]:
        return {
            k: v for k, v in self.json["error"].items() if k not in ("doc_url", "request_log_url")
        }


class Steps:
    """One exchange between two effects: the client, the wire and the time are the test's."""

    def __init__(self, exchange: Exchange) -> None:
        self.exchange = exchange
        self.attempt = exchange.attempt
        self.effects: list[Effect] = []
        self._run = exchange.run()
        self._went_on(None)

    def _went_on(self, performed: Performed | None) -> None:
        try:
            effect = next(self._run) if performed is None else self._run.send(performed)
        except StopIteration:
            return
        self.effects.append(effect)

    @property
    def at(self) -> Effect:
        """The effect that the exchange waits for."""
        return self.effects[-1]

    def go_on(self, performed: Performed | None = None) -> "Steps":
        """Report the effect as performed; a reply is delivered if nothing else is said."""
        done = DELIVERED if isinstance(self.at, Send) else NOTHING
        self._went_on(done if performed is None else performed)
        return self

    def throw(self, problem: BaseException) -> "Steps":
        """Fail to perform the effect."""
        self.effects.append(self._run.throw(problem))
        return self

    def close(self) -> None:
        """Abandon the exchange, as a server does that is killed."""
        self._run.close()

    def to_the_end(self) -> "Steps":
        """Perform all that is left."""
        while self.attempt.ended_s is None:
            self.go_on()
        return self

    @property
    def answer(self) -> Answer:
        """The reply that was sent, or was to be sent."""
        return Answer(next(e.reply for e in reversed(self.effects) if isinstance(e, Send)))


class Account:
    """One account; its clock stands still until it is moved."""

    def __init__(self, name: str = "sk_test_x", customers: str = "strict") -> None:
        self.now = 1_785_715_411.0
        self.elapsed = 0.0
        journal = Journal(lambda: self.elapsed)
        self.bank = Bank(account_id(name), wall=lambda: self.now, journal=journal)
        self.bank.ledger.customers = customers
        self.profile: Profile = FAULT_FREE
        self.refusal: Any = None
        self.holder: Any = None

    @property
    def charges(self) -> list[Any]:
        """All charges of the ledger, oldest first."""
        collection = self.bank.ledger.collection("charge")
        return collection.at(collection.places(None))

    def fault(self, at: Any, *do: Fault, **when: Any) -> None:
        """Let faults strike at a point; where nothing is said, the first attempt of each step."""
        rule = Rule("p#0", at, do, when=When(**(when or {"attempt": (1,)})))
        self.profile = Profile("p", (rule,))
        self.bank.fired.clear()
        self.bank.matched.clear()

    def begin(
        self,
        form: str | bytes = BASE,
        key: str | None = None,
        path: str = "/v1/charges",
        method: str = "POST",
        query: str = "",
        **headers: str,
    ) -> Steps:
        """Begin an exchange; keyword names are headers, ``_`` for ``-``."""
        sent = {"content-type": "application/x-www-form-urlencoded", "idempotency-key": key}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        request = Request(
            method=method,
            path=path,
            query=query,
            headers={name: value for name, value in sent.items() if value is not None},
            body=form.encode() if isinstance(form, str) else form,
            connection=1,
            request_on_connection=1,
            digest="",
        )
        return Steps(Exchange(request, self.bank, self.profile, self.refusal, self.holder))

    def post(self, form: str | bytes = BASE, key: str | None = None, **rest: Any) -> Answer:
        """Send a POST and get its answer."""
        return self.begin(form, key, **rest).to_the_end().answer

    def get(self, path: str, query: str = "", **headers: str) -> Answer:
        """Send a GET and get its answer."""
        return self.begin(b"", path=path, method="GET", query=query, **headers).to_the_end().answer

    def delete(self, path: str, form: str = "", key: str | None = None, **rest: Any) -> Answer:
        """Send a DELETE and get its answer."""
        return self.post(form, key, path=path, method="DELETE", **rest)


@pytest.fixture
def account() -> Account:
    """An account that is stepped by hand."""
    return Account()


@pytest.fixture(scope="session")
def account_of() -> type[Account]:
    """Make an account of a name, or with lenient customers."""
    return Account


@pytest.fixture
def charge_form() -> str:
    """The form of a charge that succeeds."""
    return BASE
