"""A selector names operations; names that nobody learnt are counted with the payments meant."""

from history import BASE, History

from fakestripe import verdict
from fakestripe.protocol.lesson import Identity, Lesson

PAIRS = (("amount", "2000"), ("currency", "usd"), ("source", "tok_visa"))
SELECTOR = "metadata.order_id"


def order(name, **more):
    return {**BASE, "metadata[order_id]": name, **more}


def plain(*names, selector=SELECTOR):
    h = History(mode="check", client_exits=[0], selector=selector)
    for number, name in enumerate(names, 1):
        h.post(f"k-{name}", charge=f"ch_{number}", params=order(name))
    return h.records()


def lesson(first, second=None, **more):
    return verdict.learn(plain(*first, **more), plain(*(second or first), **more))


def run(lesson, replicas=1, selector=SELECTOR):
    exits = [0] * replicas
    h = History(
        mode="check", lesson=lesson, client_exits=exits, replicas=replicas, selector=selector
    )
    h.profile("r#0")
    return h


def words(found):
    return [(one.operation, one.verdict) for one in found.operations]


def test_a_new_name_per_attempt_charges_twice():
    h = run(lesson(["a"], ["b"]))
    h.post("k-c", charge="ch_1", params=order("c"), lost=True, rule="r#0")
    h.post("k-d", charge="ch_2", params=order("d"))

    assert words(h.judge()) == [("c", "duplicate")]
    assert h.judge().worst.charges == ("ch_1", "ch_2")


def test_a_new_name_on_the_retry_of_a_known_one_charges_twice():
    h = run(lesson(["ord_1", "ord_2"]))
    h.post("k1", charge="ch_1", params=order("ord_1"), lost=True, rule="r#0")
    h.post("k2", charge="ch_2", params=order("ord_1-again"))
    h.post("k3", charge="ch_3", params=order("ord_2"))

    assert h.judge().word == "duplicate"


def test_a_new_name_after_a_loss_that_charged_nothing_is_a_hazard():
    h = run(lesson(["a"], ["b"]))
    h.post("k-c", params=order("c"), lost=True, rule="r#0")
    h.post("k-d", charge="ch_1", params=order("d"))

    assert words(h.judge()) == [("c", "clean")]
    assert h.judge().hazard is not None


def test_a_new_name_stands_for_the_known_one_that_was_not_charged():
    h = run(lesson(["ord_1", "ord_2"]))
    h.post("k1", charge="ch_1", params=order("ord_1"))
    h.post("k2", params=order("ord_2"), lost=True, rule="r#0")
    h.post("k3", charge="ch_2", params=order("ord_2-again"))

    assert words(h.judge()) == [("ord_1", "clean"), ("ord_2", "clean")]


def test_more_names_than_payments_are_too_many_charges_where_several_were_meant():
    h = run(lesson(["a", "b"], ["c", "d"]))
    for number, name in enumerate("efg", 1):
        h.post(f"k-{name}", charge=f"ch_{number}", params=order(name), rule="r#0")

    assert h.judge().word == "duplicate"


def test_a_name_charged_twice_stays_a_duplicate_beside_too_many_names():
    h = run(lesson(["a", "b"], ["c", "d"]), replicas=2)
    for number, name in enumerate("effg", 1):
        h.post(f"k-{number}", charge=f"ch_{number}", params=order(name), rule="r#0")

    assert h.judge().word == "duplicate"


def test_without_any_learnt_name_a_selected_one_charged_twice_holds_its_excess():
    identity = Identity(shape="POST /v1/charges", parameters=PAIRS, count=2, amount=2000)
    volatile = {"POST /v1/charges": ("metadata.order_id",)}
    learnt = Lesson(identities=(identity,), volatile=volatile, named={"a": 1, "b": 1})
    h = run(learnt)
    for number, name in enumerate("eefa", 1):
        h.post(f"k-{number}", charge=f"ch_{number}", params=order(name), rule="r#0")
    found = {one.operation: one.verdict for one in h.judge().operations}

    assert found["e"] == "duplicate"


def test_with_replicas_a_stray_charge_of_a_meant_amount_may_be_another_part_of_the_work():
    first, second = {**BASE, "description": "a"}, {**BASE, "amount": "700", "description": "b"}
    plain = []
    for _ in range(2):
        h = History(mode="check", client_exits=[0])
        h.post("K1", charge="ch_1", params=first)
        h.post("K2", charge="ch_2", params=second)
        plain.append(h.records())
    h = run(verdict.learn(*plain), replicas=2, selector=None)
    h.post("K3", charge="ch_1", params={**first, "metadata[part]": "1"}, rule="r#0")
    stray = {**first, "description": "b", "metadata[part]": "2"}
    h.post("K4", charge="ch_2", params=stray)
    found = {one.charges: one for one in h.judge().operations}

    assert (found["ch_2",].verdict, found["ch_2",].reasons) == ("inconclusive", ("use_operation",))


def test_names_that_replicas_made_up_are_never_clean():
    h = run(lesson(["a"], ["b"]), replicas=3)
    for number, name in enumerate("cde", 1):
        h.post(f"k-{name}", charge=f"ch_{number}", params=order(name), rule="r#0")

    assert (h.judge().word, h.judge().reasons[-1]) == ("inconclusive", "use_operation")


def test_replicas_that_charge_one_name_twice_are_a_duplicate():
    h = run(lesson(["ord_1"]), replicas=2)
    h.post("k1", charge="ch_1", params=order("ord_1"), rule="r#0")
    h.post("k2", charge="ch_2", params=order("ord_1"))

    assert h.judge().word == "duplicate"


def test_replicas_that_divide_the_work_need_an_operation():
    learnt = lesson(["ord_101"], selector=None)
    h = run(learnt, replicas=3, selector=None)
    for number in (1, 2, 3):
        h.post(f"k-{number}", charge=f"ch_{number}", params=order(f"ord_10{number}"), rule="r#0")

    assert (h.judge().word, h.judge().reasons[-1]) == ("inconclusive", "use_operation")
    assert h.judge().hazard is None


def test_replicas_that_send_the_same_charge_twice_despite_the_clock():
    h1, h2 = (History(mode="check", client_exits=[0]) for _ in range(2))
    for h, at in ((h1, "1700000001"), (h2, "1700000061")):
        h.post("k", charge="ch_1", params=order("ord_1", **{"metadata[at]": at}))
    h = run(verdict.learn(h1.records(), h2.records()), replicas=2, selector=None)
    for number, at in ((1, "1700000121"), (2, "1700000122")):
        params = order("ord_1", **{"metadata[at]": at})
        h.post(f"k-{number}", charge=f"ch_{number}", params=params, rule="r#0")

    assert h.judge().word == "duplicate"


def test_replicas_of_which_two_make_the_same_charge_are_a_duplicate():
    h = run(lesson(["ord_101"], selector=None), replicas=3, selector=None)
    for number, name in enumerate(("ord_101", "ord_102", "ord_102"), 1):
        h.post(f"k-{number}", charge=f"ch_{number}", params=order(name), rule="r#0")

    assert h.judge().word == "duplicate"


def test_a_selector_resolves_what_a_replay_without_a_fault_leaves_open():
    def replayed(selector):
        h = History(mode="check", client_exits=[0], selector=selector)
        h.post("K", charge="ch_1", params=order("ord_1"))
        h.post("K", key_state="replay", params=order("ord_1"), ids=("ch_1",))
        return h.records()

    assert verdict.learn(replayed(None), replayed(None)).replayed
    learnt = verdict.learn(replayed(SELECTOR), replayed(SELECTOR))
    assert not learnt.replayed
    h = run(learnt)
    h.post("K", charge="ch_1", params=order("ord_1"), lost=True, rule="r#0")
    h.post("K", key_state="replay", params=order("ord_1"), ids=("ch_1",))
    assert h.judge().word == "clean"


def test_a_key_refused_without_a_fault_is_a_warning_and_never_clean():
    def reused():
        h = History(mode="check", client_exits=[0], selector=SELECTOR)
        h.post("K", charge="ch_1", params=order("ord_1"))
        h.post("K", key_state="mismatch", status=400, params=order("ord_2"))
        return h.records()

    learnt = verdict.learn(reused(), reused())
    assert learnt.refused
    assert [warning.partition(" and was")[0] for warning in learnt.warnings] == [
        "without any fault, the key 'K' came again with other parameters"
    ]
    h = run(learnt)
    h.post("K", charge="ch_1", params=order("ord_1"), lost=True, rule="r#0")
    h.post("K", key_state="replay", params=order("ord_1"), ids=("ch_1",))
    assert (h.judge().word, h.judge().reasons) == ("inconclusive", ("refused_without_fault",))
