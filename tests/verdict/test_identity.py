"""The eight rules of identity, each where it alone decides (design: which operation)."""

import pytest
from history import BASE, ORDER, History

from fakestripe.bank.operations import Operations
from fakestripe.protocol.attempt import Attempt, Moved
from fakestripe.protocol.lesson import Identity, Lesson

OTHER = {**BASE, "metadata[order_id]": "ord_2"}
SHAPE = "POST /v1/charges"
PAIRS = (("amount", "2000"), ("currency", "usd"), ("source", "tok_visa"))


def names(history, **configured):
    return [operation for operation, _, _ in history.placed(**configured)]


def test_reads_and_other_posts_belong_to_no_operation(history):
    h = history()
    h.get()
    h.arrive("POST", "/v1/customers", status=200, delivery="intact")

    assert h.placed() == [(None, 0, "first"), (None, 0, "first")]


def test_a_step_on_an_object_belongs_to_the_operation_that_made_it(history):
    h = history()
    h.post("K1", charge="ch_1", params=OTHER)
    h.post("K2", charge="ch_2")
    h.post("K3", path="/v1/charges/ch_1/capture", params={})
    h.post("K4", path="/v1/refunds", params={"charge": "ch_2"})
    h.post("K5", path="/v1/charges/ch_1/capture", params={})

    assert names(h) == ["op_1", "op_2", "op_1", "op_2", "op_1"]
    assert [a.attempt for a in h.attempts] == [1, 1, 1, 1, 2]


def test_an_object_that_nobody_made_decides_nothing(history):
    h = history()
    h.post("K1", path="/v1/charges/ch_unknown/capture", params={})
    h.post("K2", path="/v1/refunds", params={"charge": "ch_unknown"})

    assert names(h) == ["op_1", "op_2"]


def test_an_object_in_metadata_decides_nothing(history):
    h = history()
    h.post("K1", charge="ch_1")
    h.post("K2", charge="ch_2", params={**OTHER, "metadata[previous]": "ch_1"})

    assert names(h) == ["op_1", "op_2"]


def test_an_object_is_known_as_soon_as_it_is_made():
    """A server places a capture while the charge's own answer still hangs."""
    operations, first = Operations(), _arrival(1)
    operations.place(first)
    unknown = _arrival(2, path="/v1/charges/ch_1/capture", form=b"")
    operations.place(unknown)
    first.moved = Moved(kind="charge", id="ch_1", amount=2000, currency="usd")
    known = _arrival(3, path="/v1/charges/ch_1/capture", form=b"")
    operations.place(known)

    assert (unknown.operation, known.operation) == ("op_2", "op_1")


def _arrival(number, path="/v1/charges", form=b"amount=2000", **facts):
    return Attempt(
        arrival=number,
        account="acct_1",
        at=0.0,
        connection=number,
        request_on_connection=1,
        method="POST",
        path=path,
        form=form,
        step="create",
        started_s=float(number),
        **facts,
    )


def test_a_selector_names_operations(history):
    h = history()
    h.post("K1", charge="ch_1")
    h.post("K2", charge="ch_2", params=OTHER)
    h.post("K3", charge="ch_3", params={**ORDER, "amount": "2500"})
    h.post("K4", charge="ch_4", params=BASE)

    assert names(h, selector="metadata.order_id") == ["ord_1", "ord_2", "ord_1", "op_3"]


def test_a_selector_of_two_parts_needs_both(history):
    h = history()
    h.post("K1", params={**BASE, "customer": "cus_1", "metadata[period]": "2026-11"})
    h.post("K2", params={**BASE, "customer": "cus_1"})

    assert names(h, selector="customer + metadata.period") == ["cus_1+2026-11", "op_2"]


def test_the_one_intent_whose_name_a_parameter_has(history):
    h = history()
    h.intent("ord_1")
    h.intent("ord_2")
    h.post("K1")
    h.post("K2", params=OTHER)
    h.post("K3", params={**ORDER, "description": "ord_2"})

    assert names(h) == ["ord_1", "ord_2", "op_3"]


@pytest.mark.parametrize("parameter", ["amount", "currency", "source"])
def test_no_intent_is_named_by_what_is_paid_or_by_which_card(history, parameter):
    h = history()
    h.intent("x", 999)
    h.post("K1", params={**BASE, parameter: "x"})

    assert names(h) == ["op_1"]


def test_an_intent_may_say_how_its_request_looks(history):
    h = history()
    h.intent("first", match={"params": {"description": "Order *"}, "path": "/v1/charges"})
    h.intent("second", match={"idempotency_key": "absent", "moves": "money"})
    h.intent("third", match={"headers": {"User-Agent": "curl/*"}, "account": "acct_1"})
    h.intent("fourth", match={"headers": {"X-Unseen": "*"}})
    h.post("K1", params={**BASE, "description": "Order 7"})
    h.post(None, params=BASE)
    h.post("K3", params=BASE, user_agent="curl/8.5.0")
    h.post("K4", params={**BASE, "amount": "1"})

    assert names(h) == ["first", "second", "third", "op_4"]


def test_an_intent_for_any_request_takes_the_first_that_comes(history):
    h = history()
    h.intent("it", match={"any": True})
    h.post("K1")

    assert names(h) == ["it"]


def test_an_intent_for_what_moves_money_is_not_about_the_rest(history):
    h = history()
    h.intent("it", 999, match={"moves": "money"})
    h.post("K1").moves = False

    assert names(h) == ["op_1"]


def test_an_intent_declared_twice_is_one(history):
    h = history()
    h.intent("ord_1", 1000)
    h.intent("ord_1", 2000)
    h.post("K1", charge="ch_1")

    assert h.judge().operations[0].intended.amount == 2000


def test_a_key_names_its_operation_within_one_step_of_one_account(history):
    h = history()
    h.post("K1", charge="ch_1")
    h.post("K1", key_state="mismatch", status=400, params=OTHER)
    h.post("K1", path="/v1/payment_intents", params=OTHER)
    h.post("K1", account="acct_2", params=OTHER)

    assert names(h) == ["op_1", "op_1", "op_2", "op_3"]


def test_a_key_of_both_fault_free_runs_names_an_operation_of_its_own(history):
    lesson = Lesson(
        identities=(Identity(shape=SHAPE, parameters=PAIRS, count=1),), keys=("A", "B")
    )
    h = history()
    h.post("A", lost=True, params=BASE)
    h.post("B", lost=True, params=BASE)
    h.post("C", lost=True, params=BASE)
    h.post("A", account="acct_2", params=BASE)

    assert names(h, lesson=lesson) == ["A", "B", "A", "A"]


def test_a_lost_operation_takes_the_next_of_its_identity(history):
    h = history()
    h.post("K1", lost=True)
    h.post("K2", lost=True, params=OTHER)
    h.post("K3", charge="ch_3", params=OTHER)
    h.post("K4", charge="ch_4")
    h.post("K5", charge="ch_5")

    assert names(h) == ["op_1", "op_2", "op_2", "op_1", "op_3"]


def test_the_order_of_parameters_and_their_spelling_are_no_identity(history):
    h = history()
    h.post(None, lost=True, params=ORDER)
    h.post(None, lost=True, params=dict(reversed(ORDER.items())))
    spelt = "&".join(f"{name}={value}" for name, value in ORDER.items()).encode()
    h.post(None, lost=True, form=spelt)

    assert names(h) == ["op_1", "op_1", "op_1"]


def test_an_operation_in_flight_takes_nothing(history):
    h = history()
    h.post("K1", lasts=5.0, lost=True)
    h.post("K2", lasts=None, lost=True)
    h.post("K3", after=10.0, lost=True)

    assert names(h) == ["op_1", "op_2", "op_1"]


def test_an_answer_that_was_delivered_is_over_though_the_exchange_is_not():
    """A fault at ``sent`` still has to end the connection."""
    operations, first, second = Operations(), _arrival(1), _arrival(2)
    operations.place(first)
    first.status, first.delivery = 200, "intact"
    operations.place(second)

    assert (second.operation, second.label) == ("op_2", "first")


def test_a_client_that_left_has_lost_its_operation(history):
    h = history()
    h.post("K1", lasts=30.0, left_s=3.0, lost=True)
    h.post("K2", after=2.5)

    assert names(h) == ["op_1", "op_1"]


@pytest.mark.parametrize(
    ("answer", "joined"),
    [
        ({"status": 200}, False),
        ({"status": 402}, False),
        ({"status": 400}, False),
        ({"status": 404}, False),
        ({"status": 400, "error_type": "idempotency_error"}, True),
        ({"status": 401}, True),
        ({"status": 403}, True),
        ({"status": 429}, True),
        ({"status": 409}, True),
        ({"status": 500}, True),
        ({"status": 502, "delivery": "altered"}, True),
        ({"status": 200, "delivery": "altered"}, True),
        ({"status": 200, "delivery": "partial"}, True),
    ],
    ids=str,
)
def test_what_a_client_was_told_closes_an_operation_or_leaves_it_open(history, answer, joined):
    h = history()
    h.post("K1", **answer)
    h.post("K2")

    assert names(h) == ["op_1", "op_1" if joined else "op_2"]


def test_a_refusal_closes_only_the_keys_that_it_answers(history):
    """K1 is lost, K2 is declined: K1's outcome is still open."""
    h = history()
    h.post("K1", lost=True)
    h.post("K2", status=402)
    h.post("K3", status=402)
    h.post("K1", status=402)
    h.post("K4")

    assert names(h) == ["op_1", "op_1", "op_1", "op_1", "op_2"]


def test_a_closed_operation_opens_again_with_a_new_key(history):
    h = history()
    h.intent("ord_1")
    h.post("K1", status=402)
    h.get()
    h.post("K2", lost=True)
    h.post("K3", charge="ch_3")

    assert names(h) == ["ord_1", None, "ord_1", "ord_1"]
    assert [a.attempt for a in h.attempts] == [1, 0, 2, 3]


def test_no_more_operations_than_intended_for_a_pool(history):
    h = history()
    h.intent("a")
    h.intent("b")
    h.post("K1", charge="ch_1", params=BASE)
    h.post("K2", charge="ch_2", params=BASE)
    h.post("K3", charge="ch_3", params=BASE)
    h.post("K4", charge="ch_4", params={**BASE, "amount": "3000"})

    assert names(h) == ["op_1", "op_2", "op_2", "op_3"]


def test_the_oldest_open_operation_takes_what_is_too_many(history):
    h = history()
    h.intent("a")
    h.intent("b")
    h.post("K1", lasts=None, lost=True, params=BASE)
    h.post("K2", charge="ch_2", params=BASE)
    h.post("K3", charge="ch_3", params=BASE)
    h.post("K4", charge="ch_4", params={**BASE, "description": "drifted"})

    assert names(h) == ["op_1", "op_2", "op_1", "op_2"]


def test_an_intent_that_a_request_names_leaves_the_pool(history):
    h = history()
    h.intent("ord_1")
    h.intent("ord_2")
    h.post("K1", charge="ch_1")
    h.post("K2", charge="ch_2", params=BASE)
    h.post("K3", charge="ch_3", params=BASE)

    assert names(h) == ["ord_1", "op_2", "op_2"]


def test_a_pool_is_the_most_exact_that_fits(history):
    h = history()
    h.intent("hers", customer="cus_1", currency="USD")
    h.intent("any", None)
    h.post("K1", charge="ch_1", params={**BASE, "customer": "cus_1"})
    h.post("K2", charge="ch_2", params={**BASE, "amount": "7"})
    h.post("K3", charge="ch_3", params={**BASE, "customer": "cus_1"})
    h.post("K4", charge="ch_4", params={**BASE, "amount": "8"})

    assert names(h) == ["op_1", "op_2", "op_1", "op_2"]


def named_lesson(count=2):
    identity = Identity(shape=SHAPE, parameters=PAIRS, count=count, names=("metadata.ref",))
    return Lesson(identities=(identity,), volatile={SHAPE: ("metadata.ref",)})


def ref(value):
    return {**BASE, "metadata[ref]": value}


def test_a_name_finds_its_operation_among_equals(history):
    h = history()
    h.post("K1", lost=True, params=ref("r1"))
    h.post("K2", lost=True, params=ref("r2"))
    h.post("K3", lost=True, params=ref("r2"))
    h.post("K4", lost=True, params=ref("r1"))
    h.post("K5", lost=True, params=ref("r3"))

    assert names(h, lesson=named_lesson()) == ["op_1", "op_2", "op_2", "op_1", "op_1"]


def test_an_unknown_name_is_a_new_operation_while_fewer_exist_than_intended(history):
    h = history()
    h.post("K1", lost=True, params=ref("r1"))
    h.post("K2", lost=True, params=ref("r2"))

    assert names(h, lesson=named_lesson()) == ["op_1", "op_2"]


def test_an_unknown_name_is_the_oldest_lost_once_all_exist(history):
    h = history()
    h.post("K1", lost=True, params=ref("r1"))
    h.post("K2", params=ref("r2"))
    h.post("K3", params=ref("r9"))

    assert names(h, lesson=named_lesson()) == ["op_1", "op_2", "op_1"]


def test_twins_without_names_are_numbered_by_arrival(history):
    lesson = Lesson(identities=(Identity(shape=SHAPE, parameters=PAIRS, count=2),))
    h = history()
    for key in ("K1", "K2", "K3"):
        h.post(key, params=BASE)

    assert names(h, lesson=lesson) == ["op_1", "op_2", "op_2"]


def test_ids_made_in_the_run_stand_for_the_request_that_made_them(history):
    """The customer's id is another one in every run; its request is the same."""
    customer = ("customer", "<POST /v1/customers email=a@b.c>")
    identity = Identity(shape=SHAPE, parameters=(("amount", "5"), customer), count=1)
    lesson = Lesson(identities=(identity,))
    h = history()
    made = {"status": 200, "delivery": "intact", "ids": ("cus_7",)}
    h.arrive("POST", "/v1/customers", params={"email": "a@b.c"}, **made)
    h.post("K1", lost=True, params={"amount": "5", "customer": "cus_7"})
    h.post("K2", params={"amount": "5", "customer": "cus_7", "metadata[try]": "2"})

    assert names(h, lesson=lesson) == [None, "op_1", "op_1"]


def test_an_id_is_learnt_when_its_request_has_ended():
    """Until then its customer is nobody's, and the request resembles the first identity."""
    identities = tuple(
        Identity(shape=SHAPE, parameters=(("customer", f"<POST /v1/customers {who}>"),), count=1)
        for who in ("email=x@y.z", "email=a@b.c")
    )
    operations = Operations()
    operations.configure(lesson=Lesson(identities=identities))
    customer = _arrival(1, "/v1/customers", b"email=a@b.c")
    customer.step = None
    operations.place(customer)
    operations.place(_arrival(2, form=b"customer=cus_7"))
    customer.ids, customer.ended_s = ("cus_7",), 1.5
    later = _arrival(3, form=b"customer=cus_7")
    operations.place(later)

    assert later.operation == "op_2"


def test_every_operation_has_its_place_in_the_order_of_arrival(history):
    h = history()
    h.intent("ord_2")
    h.post("K1")
    h.post("K2", params=OTHER)
    operations = Operations()
    for attempt in h.attempts:
        operations.place(attempt)
    operations.configure(selector="metadata.order_id")
    named = _arrival(9, form=b"metadata[order_id]=ord_9")
    operations.place(named)

    known = ("op_1", "op_2", "ord_9", "op_x", "never", None)
    assert [operations.number(name) for name in known] == [1, 2, 3, None, None, None]


def test_what_is_settled_is_let_go():
    """A thousand payments, each told at once: two remain to be looked at."""
    operations = Operations()
    for number in range(1, 1001):
        attempt = _arrival(number, form=b"amount=%d" % number, idempotency_key=f"K{number}")
        operations.place(attempt)
        attempt.status, attempt.delivery, attempt.ended_s = 200, "intact", number + 0.5

    assert operations.count == 1000
    assert len(operations._open) == len(operations._identities._groups) == 1


def test_a_journal_placed_later_is_placed_as_the_server_did(history):
    """One definition: the rules read only what was over when an arrival came."""
    h = history()
    h.post("K1", lasts=5.0, lost=True)
    h.post("K2", lost=True)
    h.post("K3", after=10.0)
    live, later = h.placed(), History()
    later.attempts = h.attempts

    assert (
        later.placed()
        == live
        == [
            ("op_1", 1, "first"),
            ("op_2", 1, "first"),
            ("op_1", 2, "app_retry"),
        ]
    )
