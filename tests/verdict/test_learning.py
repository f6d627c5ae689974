"""What two fault-free runs teach, and how a run under faults is judged by it."""

import pytest
from history import BASE, ORDER, History

from fakestripe import verdict
from fakestripe.protocol.lesson import Identity, Lesson

SHAPE = "POST /v1/charges"
PAIRS = (("amount", "2000"), ("currency", "usd"), ("source", "tok_visa"))


def run(*payments, selector=None, keys=None):
    """A fault-free run of some payments, each told at once."""
    h = History(mode="check", client_exits=[0], selector=selector)
    for number, params in enumerate(payments, 1):
        key = keys[number - 1] if keys else None
        h.post(key, charge=f"ch_{number}", params=params)
    return h


def learn(first, second):
    return verdict.learn(first.records(), second.records())


def judged(lesson, *posts, exits=(0,), **header):
    h = History(mode="check", lesson=lesson, client_exits=list(exits), **header)
    h.profile("r#0")
    for post in posts:
        h.post(**post)
    return h.judge()


def ref(value, **more):
    return {**BASE, "metadata[ref]": value, **more}


def test_what_both_runs_sent_alike_is_an_identity():
    lesson = learn(run(ORDER), run(ORDER))

    assert lesson.identities == (
        Identity(
            shape=SHAPE,
            parameters=(*PAIRS[:2], ("metadata.order_id", "ord_1"), PAIRS[2]),
            count=1,
            amount=2000,
            currency="usd",
        ),
    )
    assert (lesson.count, lesson.total, lesson.volatile[SHAPE]) == (1, {"usd": 2000}, ())


def test_what_differs_between_the_runs_is_volatile():
    lesson = learn(run(ref("a1b2")), run(ref("c3d4")))

    assert lesson.volatile == {SHAPE: ("metadata.ref",)}
    assert [one.parameters for one in lesson.identities] == [PAIRS]


def test_the_same_values_in_another_order_are_stable():
    orders = [{**BASE, "metadata[order_id]": name} for name in ("ord_1", "ord_2")]

    assert learn(run(*orders), run(*reversed(orders))).volatile == {SHAPE: ()}


def test_amount_and_currency_are_never_volatile():
    lesson = learn(run({**BASE, "amount": "2000"}), run({**BASE, "amount": "3000"}))

    assert lesson.volatile == {SHAPE: ()}
    assert lesson.identities[0].amount == 2000


def test_what_differs_in_every_payment_is_a_name():
    lesson = learn(run(ref("a1"), ref("a2"), ref("a3")), run(ref("b1"), ref("b2"), ref("b3")))

    assert [(one.count, one.names) for one in lesson.identities] == [(3, ("metadata.ref",))]


@pytest.mark.parametrize(
    "second",
    [
        (ref("b1"), ref("b1"), ref("b3")),
        (ref("b1"), ref("b2"), BASE),
        (ref("1700000001"), ref("1700000002"), ref("1700000003")),
    ],
    ids=["one of them twice", "one of them without", "times"],
)
def test_what_does_not_tell_every_payment_apart_is_no_name(second):
    lesson = learn(run(ref("a1"), ref("a2"), ref("a3")), run(*second))

    assert lesson.identities[0].names == ()


def test_a_single_payment_needs_no_name():
    assert learn(run(ref("a1")), run(ref("b1"))).identities[0].names == ()


def test_the_count_is_of_charges_and_not_of_requests():
    def declined_first():
        h = run()
        h.post("K1", charge="ch_1", status=402, params={**BASE, "source": "tok_chargeDeclined"})
        h.post("K2", charge="ch_2", params=BASE)
        return h

    lesson = learn(declined_first(), declined_first())
    assert [(one.count, one.amount) for one in lesson.identities] == [(0, 2000), (1, 2000)]


def test_a_request_without_an_amount_has_none():
    def confirmed():
        h = run()
        h.post("K1", path="/v1/payment_intents/pi_0/confirm", params={}, status=404)
        return h

    assert learn(confirmed(), confirmed()).identities[0].amount is None


def test_keys_that_both_runs_used_are_known():
    lesson = learn(run(BASE, BASE, keys=["A", "x"]), run(BASE, BASE, keys=["A", "y"]))

    assert lesson.keys == ("A",)


def test_ids_made_in_a_run_stand_for_their_request():
    def with_customer(made):
        h = run()
        created = {"status": 200, "delivery": "intact", "ids": (made,)}
        h.arrive("POST", "/v1/customers", params={"email": "a@b.c"}, **created)
        h.post("K", charge="ch_1", params={"amount": "5", "customer": made})
        return h

    identity = learn(with_customer("cus_1"), with_customer("cus_2")).identities[0]
    assert identity.parameters == (
        ("amount", "5"),
        ("customer", "<POST /v1/customers email=a@b.c>"),
    )


def test_refunds_are_counted_beside_their_payment(history):
    lesson = learn(refunding(history), refunding(history))
    assert [(one.count, one.refunds) for one in lesson.identities] == [(1, 1)]

    again = refunding(history, lesson=lesson)
    again.post("R2", path="/v1/refunds", params={"charge": "ch_1"})
    again.attempts[-1].moved = _refund("re_2")
    found = {one.operation: one.verdict for one in again.judge().operations}
    assert found == {"K": "inconclusive", "K (refund)": "duplicate"}


def _refund(made):
    from fakestripe.protocol.attempt import Moved

    return Moved(kind="refund", id=made, amount=2000, currency="usd", charge="ch_1")


def refunding(history, **header):
    h = history(mode="check", client_exits=[0], **header)
    h.post("K", charge="ch_1", params=BASE)
    h.post("R", path="/v1/refunds", params={"charge": "ch_1"}, moved=_refund("re_1"))
    return h


def test_a_selector_learns_each_name_and_takes_one_charge_as_meant():
    twice = [ORDER, ORDER, {**ORDER, "metadata[order_id]": "ord_2"}]
    first, second = (run(*twice, selector="metadata.order_id") for _ in range(2))
    lesson = learn(first, second)

    assert lesson.named == {"ord_1": 1, "ord_2": 1}
    assert lesson.count == 2
    assert lesson.warnings == (
        "without any fault, ord_1 was charged 2 times; once is taken as meant",
    )
    posts = [{"key": f"K{n}", "charge": f"ch_{n}", "params": p} for n, p in enumerate(twice)]
    found = judged(lesson, *posts, selector="metadata.order_id")
    assert [(one.operation, one.verdict) for one in found.operations] == [
        ("ord_1", "duplicate"),
        ("ord_2", "inconclusive"),
    ]
    assert found.notes == lesson.warnings


def test_a_name_that_never_came_is_missing():
    orders = [ORDER, {**ORDER, "metadata[order_id]": "ord_2"}]
    twins = [{**order, "metadata[run]": "a"} for order in orders]
    again = [{**order, "metadata[run]": "b"} for order in orders]
    selector = "metadata.order_id"
    lesson = learn(run(*twins, selector=selector), run(*again, selector=selector))
    random = Lesson(
        identities=(Identity(shape=SHAPE, parameters=PAIRS, count=2, amount=2000),),
        volatile={SHAPE: ("metadata.order_id", "metadata.run")},
        named={"ord_1": 1, "ord_2": 1},
    )
    post = {"key": "K", "charge": "ch_1", "params": {**ORDER, "metadata[order_id]": "ord_9"}}

    assert [one.count for one in lesson.identities] == [1, 1]
    found = judged(random, post, selector=selector)
    assert [(one.operation, one.verdict) for one in found.operations] == [
        ("ord_9", "inconclusive"),
        ("POST /v1/charges 2000 None, never sent", "missing"),
    ]


def test_money_is_summed_by_currency():
    dollars, euros = learnt(2).identities[0], learnt(3).identities[0]
    nothing = Identity(shape=SHAPE, parameters=(), count=0)
    lesson = Lesson(identities=(dollars, euros, nothing))

    assert (lesson.count, lesson.total) == (5, {"usd": 10000})


def test_replays_without_a_fault_make_the_lesson_doubtful(history):
    def replayed():
        h = run(BASE, keys=["K"])
        h.post("K", key_state="replay", params=BASE, ids=("ch_1",))
        return h

    lesson = learn(replayed(), replayed())
    assert lesson.replayed
    lost = {"key": "K", "charge": "ch_1", "params": BASE, "lost": True, "rule": "r#0"}
    again = {"key": "K", "params": BASE, "key_state": "replay", "ids": ("ch_1",)}
    other = {"key": "L", "charge": "ch_2", "params": BASE}
    assert judged(lesson, lost, again).reasons == ("repeated_without_fault",)
    assert judged(lesson, lost, other).word == "duplicate"


def test_declared_intents_speak_louder_than_a_doubtful_lesson():
    lesson = Lesson(identities=(Identity(shape=SHAPE, parameters=PAIRS, count=1),), replayed=True)
    h = History(mode="check", lesson=lesson, client_exits=[0])
    h.profile("r#0")
    h.intent("it")
    h.post("K", charge="ch_1", params=BASE, lost=True, rule="r#0")
    h.post("K", params=BASE, key_state="replay", ids=("ch_1",))

    assert h.judge().word == "clean"


def learnt(count, *, names=(), amount=2000):
    identity = Identity(
        shape=SHAPE, parameters=PAIRS, count=count, amount=amount, currency="usd", names=names
    )
    return Lesson(identities=(identity,), volatile={SHAPE: names})


def test_an_identity_of_one_payment_is_one_operation_whatever_its_keys_are_called():
    lesson = Lesson(
        identities=(Identity(shape=SHAPE, parameters=PAIRS, count=1, amount=2000),),
        keys=("req-1", "req-2"),
    )
    found = judged(
        lesson,
        {"key": "req-1", "charge": "ch_A", "params": BASE, "lost": True, "rule": "r#0"},
        {"key": "req-2", "charge": "ch_B", "params": BASE},
    )

    assert [(one.operation, one.verdict) for one in found.operations] == [("req-1", "duplicate")]
    assert [seen.number for seen in found.operations[0].attempts] == [1, 2]


def test_what_nobody_sent_is_missing_where_the_client_ended_well():
    found = judged(learnt(1))

    assert (found.word, found.operations[0].operation) == (
        "missing",
        "POST /v1/charges 2000 usd, never sent",
    )


def test_a_lack_is_carried_by_what_was_tried_and_the_rest_was_never_sent():
    found = judged(
        learnt(3),
        {"key": "K1", "charge": "ch_1", "params": BASE},
        {"key": "K2", "params": BASE, "lost": True, "rule": "r#0"},
        exits=[1],
    )

    assert [(one.operation, one.verdict, one.intended.count) for one in found.operations] == [
        ("op_1", "inconclusive", 1),
        ("op_2", "unpaid", 1),
        ("POST /v1/charges 2000 usd, never sent", "unpaid", 1),
    ]


def test_an_excess_is_blamed_on_the_operation_that_holds_it():
    found = judged(
        learnt(2),
        {"key": "a1b2c3d4e5f6", "charge": "ch_1", "params": BASE},
        {"key": "b2c3d4e5f6a1", "charge": "ch_2", "params": BASE, "lost": True, "rule": "r#0"},
        {"key": "c3d4e5f6a1b2", "charge": "ch_3", "params": BASE},
    )

    assert [(one.operation, one.verdict) for one in found.operations] == [
        ("op_1", "clean"),
        ("op_2", "duplicate"),
    ]
    assert found.notes == ("identical requests that nothing names were numbered by arrival",)


def test_an_excess_that_no_operation_holds_alone_is_the_last_ones():
    """Three keys of the fault-free runs name three operations where two payments were meant."""
    lesson = Lesson(identities=learnt(2).identities, keys=("A", "B", "C"))
    posts = [{"key": key, "charge": f"ch_{key}", "params": BASE} for key in "ABC"]
    found = judged(lesson, *posts)

    assert [(one.operation, one.verdict) for one in found.operations][2] == ("C", "duplicate")
    assert found.worst.charges == ("ch_B", "ch_C")


def test_two_charges_of_one_name_are_a_duplicate_however_few_there_are():
    found = judged(
        learnt(3, names=("metadata.ref",)),
        {"key": "a1b2c3d4e5f6", "charge": "ch_1", "params": ref("r1")},
        {"key": "b2c3d4e5f6a1", "charge": "ch_2", "params": ref("r1")},
    )

    assert found.word == "duplicate"
    assert [one.verdict for one in found.operations] == ["inconclusive", "duplicate", "missing"]


def test_with_replicas_a_name_of_each_run_proves_nothing():
    posts = [
        {"key": f"K{n}", "charge": f"ch_{n}", "params": ref(f"r{n}"), "rule": "r#0"}
        for n in range(3)
    ]
    lesson = learnt(2, names=("metadata.ref",))
    found = judged(lesson, *posts, replicas=3, exits=[0, 0, 0])

    assert (found.word, found.reasons[-1]) == ("inconclusive", "use_operation")
    assert judged(lesson, *posts).word == "duplicate"


def test_a_changed_amount_is_over_or_undercharged():
    for amount, word in (("2500", "overcharged"), ("1500", "undercharged")):
        post = {"key": "K", "charge": "ch_1", "params": {**BASE, "amount": amount}}

        assert judged(learnt(1), post).word == word


def test_a_request_belongs_to_the_identity_that_it_differs_least_from():
    """Where every differing value is new: an attempt number, a retry's timestamp."""
    orders = [{**BASE, "metadata[order_id]": name} for name in ("ord_1", "ord_2")]
    lesson = learn(run(*orders), run(*orders))
    found = judged(
        lesson,
        {"key": "K1", "charge": "ch_1", "params": orders[0]},
        {"key": "K2", "charge": "ch_2", "params": orders[1], "lost": True, "rule": "r#0"},
        {"key": "K3", "charge": "ch_3", "params": {**orders[1], "metadata[try]": "2"}},
    )

    assert [(one.verdict, one.charges) for one in found.operations] == [
        ("clean", ("ch_1",)),
        ("duplicate", ("ch_2", "ch_3")),
    ]


def test_a_request_on_another_path_belongs_to_one_of_equal_amount():
    found = judged(
        learnt(1),
        {"key": "K1", "charge": "ch_1", "params": BASE, "lost": True, "rule": "r#0"},
        {
            "key": "K2",
            "charge": "ch_2",
            "path": "/v1/payment_intents",
            "params": {"amount": "2000", "currency": "usd", "payment_method": "pm_card_visa"},
        },
    )

    assert [one.verdict for one in found.operations] == ["duplicate"]


def test_a_charge_that_resembles_nothing_doubles_one_of_its_amount_or_is_in_doubt():
    other = {"amount": "2000", "currency": "eur", "source": "tok_visa"}
    dear = {"amount": "9000", "currency": "eur", "source": "tok_visa"}
    seen = Identity(shape=SHAPE, parameters=(("currency", "eur"),), count=0)
    lesson = Lesson(identities=(*learnt(1).identities, seen))
    for params, word in ((other, "inconclusive"), (dear, "inconclusive")):
        found = judged(
            lesson,
            {"key": "K1", "charge": "ch_1", "params": BASE},
            {"key": "K2", "charge": "ch_2", "params": {**params, "description": "new"}},
        )

        assert found.operations[-1].verdict == word


def test_a_drifted_copy_that_resembles_nothing_is_a_duplicate_by_its_amount():
    """The retry has a value that another payment had in the fault-free runs."""
    first, second = {**BASE, "description": "a"}, {**BASE, "amount": "700", "description": "b"}
    lesson = learn(run(first, second), run(first, second))
    found = judged(
        lesson,
        {"key": "K1", "charge": "ch_1", "params": first, "lost": True, "rule": "r#0"},
        {"key": "K2", "charge": "ch_2", "params": {**first, "description": "b"}},
        {"key": "K3", "charge": "ch_3", "params": second},
    )

    assert found.operations[1].verdict == "duplicate"


def test_twin_runs_differ_in_nothing():
    assert verdict.differences(run(ORDER).records(), run(ORDER).records()) == ()


def test_runs_that_differ_are_told_apart_in_sentences():
    more = run(ORDER, BASE)
    more.post("C", path="/v1/charges/ch_1/capture", params={}, status=400)

    assert verdict.differences(run({**ORDER, "amount": "500"}).records(), more.records()) == (
        "POST /v1/charges: 1 requests in the first run, 2 in the second",
        "POST /v1/charges/{id}/capture: 0 requests in the first run, 1 in the second",
        "charges of 500 usd: 1 in the first run, 0 in the second",
        "charges of 2000 usd: 0 in the first run, 2 in the second",
    )


def test_a_lesson_travels_in_the_header_of_a_journal():
    lesson = learn(run(ORDER), run(ORDER))
    h = History(mode="check", lesson=lesson, client_exits=[0])

    assert h.records().header.lesson == lesson


def test_payments_that_were_asked_for_and_refused_were_sent():
    posts = [
        {"key": f"K{n}", "params": BASE, "status": 401, "rule": "r#0", "charge": None}
        for n in range(2)
    ]
    found = judged(learnt(2), *posts, exits=[1])

    assert not any("never sent" in one.operation for one in found.operations)


def test_a_charge_is_counted_once_however_many_share_its_blame():
    posts = [{"key": f"K{n}", "charge": f"ch_{n}", "params": BASE} for n in range(3)]

    assert judged(learnt(2), *posts).charges == 3
