"""Events late, before the answer, twice at once, out of order or never, as receivers see it.

A log is written by client and receiver alike: what stands in it came in that order.
"""

import threading

import pytest
import requests
from receiver import Received, Receiver

from fakestripe.faults.kinds import Reset
from fakestripe.faults.rules import Profile, Rule, Settings, When
from fakestripe.protocol.declared import Delivery, Webhook
from fakestripe.server.listener import Server

BASE = {"amount": "2000", "currency": "usd", "source": "tok_visa"}


def pay(fakestripe, order: str, key: str | None = None) -> dict:
    """Pay for an order; ``key`` is the idempotency key, if one is sent."""
    return requests.post(
        f"{fakestripe.url}/v1/charges",
        {**BASE, "metadata[order_id]": order},
        auth=(fakestripe.api_key, ""),
        headers={} if key is None else {"Idempotency-Key": key},
        timeout=10,
    ).json()


def order_of(told: Received) -> str:
    return told.event["data"]["object"]["metadata"]["order_id"]


def lines(fakestripe) -> list[dict]:
    """The journal's lines of deliveries, once nothing is under way."""
    fakestripe.verdict()
    return [line for line in fakestripe.journal if line["kind"] == "webhook"]


def said(fakestripe, *names: str) -> list[tuple]:
    return [tuple(line[name] for name in names) for line in lines(fakestripe)]


def charging(fakestripe, key_of):
    """A receiver's deed: charge the rest of an order for each event of its deposit."""

    def charge(told: Received) -> None:
        if order_of(told) == "deposit":
            pay(fakestripe, "rest", key_of(told.event))

    return charge


def keyless(_: dict) -> None:
    return None


def event_id(event: dict) -> str:
    return event["id"]


RECEIVERS = pytest.mark.parametrize(
    ("key_of", "word", "count"), [(keyless, "duplicate", 3), (event_id, "clean", 1)]
)


class TestD22:
    """One event delivered several times at once."""

    @RECEIVERS
    def test_three_deliveries_in_parallel_charge_once_under_the_event_s_id(
        self, fakestripe, receiver, key_of, word, count
    ):
        receiver.does = charging(fakestripe, key_of)
        fakestripe.webhook(receiver.url, ["charge.succeeded"], copies=3)
        fakestripe.intend("deposit", 2000)
        fakestripe.intend("rest", 2000)
        deposit = pay(fakestripe, "deposit", "K1")
        verdict = fakestripe.verdict()
        rest = next(each for each in verdict.operations if each.operation == "rest")
        told = [each for each in receiver.received if order_of(each) == "deposit"]
        listed = requests.get(
            f"{fakestripe.url}/v1/events", auth=(fakestripe.api_key, ""), timeout=5
        ).json()["data"]
        of_deposit = [e["id"] for e in listed if e["data"]["object"]["id"] == deposit["id"]]

        assert len(told) == 3
        assert [each.event["id"] for each in told] == of_deposit * 3
        assert (rest.verdict, len(rest.charges), verdict.word) == (word, count, word)

    def test_the_three_are_under_way_at_the_same_time(self, fakestripe, receiver):
        """None of them is answered before all of them have come."""
        together = threading.Barrier(3, timeout=10)
        receiver.does = lambda _: together.wait() and None
        fakestripe.webhook(receiver.url, copies=3)
        pay(fakestripe, "ord_1")

        assert said(fakestripe, "status", "faults") == [(200, ["copies 3"])] * 3

    @RECEIVERS
    def test_the_profile_finds_the_same_receiver_out(
        self, fakestripe, receiver, key_of, word, count
    ):
        receiver.does = charging(fakestripe, key_of)
        fakestripe.use("webhook-twice")
        fakestripe.webhook(receiver.url)
        fakestripe.intend("deposit", 2000)
        fakestripe.intend("rest", 2000)
        pay(fakestripe, "deposit", "K1")
        verdict = fakestripe.verdict()

        assert (verdict.word, verdict.charges) == (word, min(count, 2) + 1)
        assert verdict.fired_rules == ("webhook-twice#deliveries",)


class TestBeforeTheAnswer:
    """The receiver has answered before the client is answered."""

    @pytest.mark.parametrize("key_of", [keyless, event_id])
    def test_a_receiver_that_charges_has_its_charge_before_the_client_has_its_own(
        self, fakestripe, receiver, key_of
    ):
        log = []

        def charge(told: Received) -> None:
            order = order_of(told)
            if order == "deposit":
                pay(fakestripe, "rest", key_of(told.event))
            log.append(f"{order} told")

        receiver.does = charge
        fakestripe.use("webhook-before-answer")
        fakestripe.webhook(receiver.url)
        fakestripe.intend("deposit", 2000)
        fakestripe.intend("rest", 2000)
        pay(fakestripe, "deposit", "K1")
        log.append("deposit answered")

        assert log == ["rest told", "deposit told", "deposit answered"]
        assert fakestripe.verdict().word == "clean"
        assert (
            said(fakestripe, "faults", "rules", "delivered")
            == [(["before_answer"], ["webhook-before-answer#deliveries"], True)] * 2
        )

    def test_a_receiver_that_refuses_has_answered_too(self, fakestripe, receiver):
        receiver.answers = [500]
        fakestripe.webhook(receiver.url, before_answer=True)
        pay(fakestripe, "ord_1")
        at_the_answer = len(receiver.received)

        assert at_the_answer == 1
        assert said(fakestripe, "attempt", "status", "faults") == [
            (1, 500, ["before_answer"]),
            (2, 200, []),
        ]

    def test_a_receiver_that_never_answers_holds_the_client_for_a_while_only(
        self, fakestripe, receiver
    ):
        """It goes on when the client has its answer, so it was not before it: nothing is said."""
        answered = threading.Event()
        receiver.does = lambda _: answered.wait(10) and None
        fakestripe.webhook(receiver.url, before_answer="50ms")
        pay(fakestripe, "ord_1")
        answered.set()

        assert said(fakestripe, "status", "faults") == [(200, [])]

    def test_nobody_who_is_there_to_be_told_holds_nothing(self, fakestripe):
        gone = Receiver()
        gone.close()
        fakestripe.webhook(gone.url, before_answer=True)

        assert pay(fakestripe, "ord_1")["status"] == "succeeded"
        assert said(fakestripe, "attempt", "faults")[0] == (1, ["before_answer"])

    def test_an_answer_that_is_lost_is_lost_after_the_event(self, fakestripe, receiver):
        log = []
        receiver.does = lambda told: log.append("told")
        fakestripe.use("webhook-then-reset")
        fakestripe.webhook(receiver.url)
        fakestripe.intend("ord_1", 2000)
        with pytest.raises(requests.ConnectionError):
            pay(fakestripe, "ord_1", "K1")
        log.append("reset")
        pay(fakestripe, "ord_1", "K1")

        assert log == ["told", "reset"]
        assert fakestripe.charges[0]["metadata"] == {"order_id": "ord_1"}
        fakestripe.assert_clean()

    def test_a_reset_of_the_account_lets_an_answer_go_that_waits(self, fakestripe, receiver):
        going = threading.Event()
        receiver.does = lambda _: going.wait(10) and None
        fakestripe.webhook(receiver.url, before_answer="1h")
        failed = []

        def client() -> None:
            try:
                pay(fakestripe, "ord_1")
            except requests.ConnectionError:
                failed.append(True)

        paying = threading.Thread(target=client)
        paying.start()
        receiver.wait_for(1)
        fakestripe.reset()
        paying.join(10)
        going.set()

        assert failed == [True]


class TestLate:
    """The event sets out when the client has long had its answer."""

    @RECEIVERS
    def test_a_receiver_that_charges_does_so_after_the_client_was_answered(
        self, fakestripe, receiver, key_of, word, count
    ):
        receiver.does = charging(fakestripe, key_of)
        fakestripe.webhook(receiver.url, late="100ms", copies=3, only=["charge.*"])
        fakestripe.intend("deposit", 2000)
        fakestripe.intend("rest", 2000)
        pay(fakestripe, "deposit", "K1")
        verdict = fakestripe.verdict()
        journal = [line for line in fakestripe.journal if line["kind"] == "webhook"]
        deposit = next(each for each in fakestripe.journal if each["kind"] == "attempt")
        event = journal[0]["event"]
        of_deposit = [line for line in journal if line["event"] == event]

        assert [line["attempt"] for line in of_deposit] == [0, 1, 1, 1]
        assert {tuple(line["faults"]) for line in of_deposit} == {("copies 3", "late 100ms")}
        assert of_deposit[0]["elapsed_s"] <= deposit["ended_s"] < of_deposit[1]["elapsed_s"]
        assert (verdict.word, verdict.charges) == (word, count + 1)

    @pytest.mark.parametrize(("again", "word"), [("K2", "duplicate"), ("K1", "clean")])
    def test_a_client_that_takes_its_books_for_the_truth_pays_twice(
        self, fakestripe, receiver, again, word
    ):
        """Its answer is lost, and nobody has told its books of the charge yet."""
        paid = set()
        receiver.does = lambda told: paid.add(order_of(told))
        lost = Rule("p#0", "committed", (Reset(),), when=When(attempt=(1,)))
        settings = Settings(deliveries=Delivery(late=1.0))
        fakestripe.use(Profile("p", (lost,), settings))
        fakestripe.webhook(receiver.url)
        fakestripe.intend("ord_1", 2000)
        with pytest.raises(requests.ConnectionError):
            pay(fakestripe, "ord_1", "K1")
        books = set(paid)
        pay(fakestripe, "ord_1", again)

        assert books == set()
        assert fakestripe.verdict().word == word
        assert paid == {"ord_1"}


class TestNever:
    """The event is in the list, and nobody is told."""

    def test_an_event_that_never_comes_is_listed_and_pending(self, fakestripe, receiver):
        fakestripe.use("webhook-never")
        fakestripe.webhook(receiver.url)
        pay(fakestripe, "ord_1")
        told = said(fakestripe, "type", "attempt", "status", "delivered", "faults")
        listed = requests.get(
            f"{fakestripe.url}/v1/events", auth=(fakestripe.api_key, ""), timeout=5
        ).json()["data"]

        assert told == [("charge.succeeded", 0, None, False, ["never"])]
        assert [(each["type"], each["pending_webhooks"]) for each in listed] == [
            ("charge.succeeded", 1)
        ]
        assert receiver.received == []

    def test_only_some_types_never_come(self, fakestripe, receiver):
        fakestripe.webhook(receiver.url, never=True, only=["charge.refunded"])
        charge = pay(fakestripe, "ord_1")["id"]
        requests.post(
            f"{fakestripe.url}/v1/refunds",
            {"charge": charge},
            auth=(fakestripe.api_key, ""),
            timeout=5,
        )
        withheld = [line["type"] for line in lines(fakestripe) if line["faults"]]

        assert withheld == ["charge.refunded"]
        assert sorted(told.event["type"] for told in receiver.received) == [
            "charge.succeeded",
            "refund.created",
        ]

    def test_who_reads_the_charge_back_does_without_the_event(self, fakestripe, receiver):
        fakestripe.use("webhook-never")
        fakestripe.webhook(receiver.url)
        fakestripe.intend("ord_1", 2000)
        charge = pay(fakestripe, "ord_1", "K1")["id"]
        sat_out = fakestripe.verdict()
        requests.get(
            f"{fakestripe.url}/v1/charges/{charge}", auth=(fakestripe.api_key, ""), timeout=5
        )

        assert (sat_out.word, sat_out.reasons) == ("inconclusive", ("event_unmet",))
        fakestripe.assert_clean()


class TestOutOfOrder:
    """Of every two events the later one comes first."""

    def test_every_two_change_places_and_the_last_one_comes_alone(self, fakestripe, receiver):
        fakestripe.webhook(receiver.url, out_of_order="10s")
        for pair in (("a", "b"), ("c", "d")):
            for order in pair:
                pay(fakestripe, order)
            receiver.wait_for(2 if "a" in pair else 4)

        assert [order_of(told) for told in receiver.received] == ["b", "a", "d", "c"]
        assert said(fakestripe, "faults") == [(["out_of_order"],)] * 4

    def test_all_copies_of_the_later_one_come_first(self, fakestripe, receiver):
        fakestripe.webhook(receiver.url, out_of_order="10s", copies=2)
        pay(fakestripe, "a")
        pay(fakestripe, "b")

        assert [order_of(told) for told in receiver.wait_for(4)] == ["b", "b", "a", "a"]
        assert said(fakestripe, "faults") == [(["copies 2", "out_of_order"],)] * 4

    def test_one_that_no_other_follows_comes_after_a_while_and_met_nothing(
        self, fakestripe, receiver
    ):
        fakestripe.webhook(receiver.url, out_of_order="50ms")
        pay(fakestripe, "a")
        alone = said(fakestripe, "faults", "delivered")
        pay(fakestripe, "b")

        assert alone == [([], True)]
        assert said(fakestripe, "faults", "delivered") == [([], True)] * 2
        assert [order_of(told) for told in receiver.received] == ["a", "b"]

    def test_each_endpoint_has_an_order_of_its_own(self, fakestripe, receiver):
        fakestripe.webhook(receiver.url)
        fakestripe.webhook(f"{receiver.url}/swapped", out_of_order="10s")
        pay(fakestripe, "a")
        receiver.wait_for(1)
        pay(fakestripe, "b")
        told = receiver.wait_for(4)

        assert [order_of(each) for each in told if each.path == "/webhooks"] == ["a", "b"]
        assert [order_of(each) for each in told if each.path != "/webhooks"] == ["b", "a"]

    def test_the_profile_is_met_by_who_answers(self, fakestripe, receiver):
        fakestripe.use("webhooks-out-of-order")
        fakestripe.webhook(receiver.url)
        for order in ("a", "b"):
            fakestripe.intend(order, 2000)
            pay(fakestripe, order, order)

        assert fakestripe.verdict().word == "clean"
        assert [order_of(told) for told in receiver.received] == ["b", "a"]


class TestWhoseFault:
    """A profile strikes every endpoint; what an endpoint says of itself goes before."""

    def test_what_an_endpoint_says_of_itself_goes_before_what_a_profile_does(
        self, fakestripe, receiver
    ):
        fakestripe.use(Profile("p", settings=Settings(deliveries=Delivery(copies=2))))
        fakestripe.webhook(f"{receiver.url}/profile")
        fakestripe.webhook(f"{receiver.url}/own", copies=3)
        pay(fakestripe, "ord_1")
        receiver.wait_for(5)
        told = sorted(said(fakestripe, "url", "rules"))

        assert (
            told
            == [(f"{receiver.url}/own", [])] * 3
            + [(f"{receiver.url}/profile", ["p#deliveries"])] * 2
        )

    def test_the_endpoints_of_a_profile_are_struck_as_any(self, fakestripe, receiver):
        asked = Webhook(url=receiver.url)
        fakestripe.use(
            Profile("p", settings=Settings(webhooks=(asked,), deliveries=Delivery(copies=2)))
        )
        pay(fakestripe, "ord_1")

        assert said(fakestripe, "faults") == [(["copies 2"],)] * 2

    def test_the_next_profile_tells_as_it_should_be(self, fakestripe, receiver):
        fakestripe.webhook(receiver.url)
        fakestripe.use(Profile("p", settings=Settings(deliveries=Delivery(copies=2))))
        pay(fakestripe, "a")
        fakestripe.use(Profile("q"))
        pay(fakestripe, "b")

        assert sorted(said(fakestripe, "faults")) == [([],), (["copies 2"],), (["copies 2"],)]

    @pytest.mark.parametrize(
        ("asked", "refusal"),
        [
            ({"late": "soon"}, "late: 'soon' is not a duration"),
            ({"late": "5s", "never": True}, "never: one event cannot be both late and never"),
            ({"copies": 0}, "copies: must be 1 or more, got 0"),
            ({"only": ["charge.*"]}, "only: 'only' narrows a fault"),
            ({"enabled_events": "charge.*"}, "enabled_events: expected a list of types"),
        ],
    )
    def test_what_cannot_happen_is_refused_by_the_call_s_name(self, fakestripe, asked, refusal):
        fakestripe.looked = True
        with pytest.raises(ValueError, match=r"fakestripe\.webhook\('http://") as refused:
            fakestripe.webhook("http://127.0.0.1:1/", **asked)

        assert f"…): {refusal}" in str(refused.value)


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
def test_the_end_of_a_server_calls_back_what_is_late_held_or_waited_for(new_loops, receiver, loop):
    """Nothing waits for an hour: no task is left, no thread, and nobody was told."""
    late, held, ahead = (
        Delivery(late=3600.0),
        Delivery(out_of_order=3600.0),
        Delivery(before_answer=3600.0),
    )
    hangs = threading.Event()
    receiver.does = lambda _: hangs.wait(10) and None
    before = threading.active_count()
    server = Server(new_loop=new_loops[loop]).start()
    account = server.port.accounts.named("shared")
    for delivery in (late, held, ahead):
        asked = Webhook(url=receiver.url, delivery=delivery)
        server.call(lambda asked=asked: account.webhook(asked))
    client = threading.Thread(target=_fails, args=(server.url,))
    client.start()
    receiver.wait_for(1)
    server.stop()
    client.join(10)
    hangs.set()

    assert not client.is_alive()
    assert not server.port.accounts.courier.busy()
    assert len(receiver.received) == 1
    assert threading.active_count() <= before + 1  # the receiver's own, which hung


def _fails(url: str) -> None:
    try:
        requests.post(f"{url}/v1/charges", BASE, auth=("sk_test_a", ""), timeout=10)
    except requests.ConnectionError:
        return
