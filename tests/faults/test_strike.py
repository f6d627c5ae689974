"""What each fault does: to the wire, to memory, and in place of the answer."""

import pytest
from msgspec import json

from fakestripe.faults import kinds
from fakestripe.faults.rules import Profile, Rule, When
from fakestripe.faults.strike import substitute
from fakestripe.faults.wording import shown
from fakestripe.protocol.effects import Barrier, Cut, Hang, Wait
from fakestripe.protocol.errors import CANNED

DAY = 86_400.0

WORDS = [
    (kinds.Reset(), "reset"),
    (kinds.Close(), "close"),
    (kinds.Hang(), "hang"),
    (kinds.Hang(30.0), "hang 30s"),
    (kinds.Hang(90.0), "hang 90s"),
    (kinds.Hang(120.0), "hang 2m"),
    (kinds.Refuse(2.0), "refuse for 2s"),
    (kinds.Blackhole(2.0, 0.5), "blackhole for 2s after 500ms"),
    (kinds.Reset(body=0.5), "reset after 50% of the body"),
    (kinds.Close(body=100), "close after 100 bytes of the body"),
    (kinds.Hang(5.0, body=0), "hang 5s after 0 bytes of the body"),
    (kinds.Wait(30.0, until_left=True), "wait until the client has left"),
    (kinds.Resend(), "resend"),
    (kinds.Drip(10, 0.1), "drip 10 bytes every 100ms"),
    (kinds.Garble(), "garble 50%"),
    (kinds.ContentLength(1.5), "content_length 150%"),
    (kinds.ContentLength(10), "content_length 10"),
    (kinds.Swap(), "swap"),
    (kinds.Wait(0.25), "wait 250ms"),
    (kinds.Wait(1.5), "wait 1.5s"),
    (kinds.AdvanceClock(90_000.0), "advance_clock 25h"),
    (kinds.Reply(status=502), "reply 502"),
    (kinds.Reply(stripe="rate_limit"), "reply rate_limit"),
    (kinds.Reply(stripe="api_error", record="substitute"), "reply api_error recorded"),
    (kinds.Barrier(3), "barrier 3"),
    (kinds.Truncate(body=0.5), "truncate body 50% then close"),
    (kinds.Truncate(body=0), "truncate body 0 then close"),
    (kinds.Truncate(head=8, then="reset"), "truncate head 8 then reset"),
    (kinds.ForgetKey(), "forget_key"),
    (kinds.ExpireKey(), "expire_key"),
    (kinds.LoseRecord(), "lose_record"),
]


def of(*faults, at="committed", **when):
    do = tuple(faults)
    return Profile(name="p", rules=(Rule("p#0", at, do, when=When(**when or {"times": 1})),))


@pytest.mark.parametrize(("fault", "words"), WORDS)
def test_a_fault_is_shown_in_the_words_of_a_profile(fault, words):
    assert shown(fault) == words


def test_faults_of_a_list_happen_in_order(wire):
    profile = of(kinds.Wait(0.1), kinds.AdvanceClock(DAY), kinds.Hang(5.0))
    port = wire(profile)
    before = port.bank.clock.now()

    struck = port.arrive(key="K1")

    assert struck.effects == [Wait(0.1), Hang(5.0)]
    assert struck.attempt.faults == ("wait 100ms", "advance_clock 24h", "hang 5s")
    assert port.bank.clock.now() - before == DAY


def test_a_barrier_is_met_by_all_or_per_operation(wire):
    together = wire(of(kinds.Barrier(2), at="received")).arrive(key="K1")
    apart = wire(of(kinds.Barrier(2, by="operation"), at="received")).arrive(key="K1")

    assert together.effects[0] == Barrier("p#0", 2, 5.0, "p#0")
    assert apart.effects[0] == Barrier(f"p#0:{apart.attempt.operation}", 2, 5.0, "p#0")


@pytest.mark.parametrize(
    ("fault", "head", "body"),
    [
        (kinds.Truncate(body=0.5), None, lambda size: size // 2),
        (kinds.Truncate(body=10), None, lambda _: 10),
        (kinds.Truncate(body=10**9), None, lambda size: size),
        (kinds.Truncate(body=0), None, lambda _: 0),
        (kinds.Truncate(head=12), 12, lambda _: 0),
        (kinds.Truncate(head=0.5), 0.5, lambda _: 0),
    ],
)
def test_a_cut_is_measured_in_bytes_or_as_a_part(fault, head, body, wire):
    cut = wire(of(fault, at="replying")).arrive(key="K1").effects[-1]

    assert isinstance(cut, Cut)
    assert (cut.head, cut.body) == (head, body(len(cut.reply.body)))


def test_a_cut_keeps_its_framing_its_ending_and_the_length_of_its_silence(wire):
    fault = kinds.Truncate(body=1, framing="chunked", then="hang", hang=3.0)

    cut = wire(of(fault, at="replying")).arrive(key="K1").effects[-1]

    assert (cut.framing, cut.then, cut.hang) == ("chunked", "hang", 3.0)


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_a_bare_gateway_status_is_answered_with_a_page(status):
    page = substitute(kinds.Reply(status=status))

    assert (page.status, page.origin, page.altered) == (status, "edge", True)
    assert page.headers == (("Content-Type", "text/html"),)
    assert page.body.startswith(f"<html>\r\n<head><title>{status} ".encode())


def test_a_raw_reply_is_as_written():
    reply = substitute(kinds.Reply(status=503, headers={"Retry-After": "0"}, body="busy"))

    assert (reply.status, reply.body) == (503, b"busy")
    assert reply.headers == (("Retry-After", "0"),)


def test_an_empty_200_has_no_body():
    assert substitute(kinds.Reply(status=200)).body == b""


@pytest.mark.parametrize("name", CANNED)
def test_every_stripe_error_can_be_answered(name, wire):
    reply = wire(of(kinds.Reply(stripe=name), at="received")).arrive(key="K1").reply

    assert reply.status == CANNED[name].status
    assert json.decode(reply.body)["error"].get("code") == CANNED[name].code
    assert reply.altered


def test_a_stripe_error_may_carry_further_headers(wire):
    fault = kinds.Reply(stripe="rate_limit", headers={"Stripe-Should-Retry": "true"})

    reply = wire(of(fault, at="received")).arrive(key="K1").reply

    assert ("Stripe-Should-Retry", "true") in reply.headers


def test_a_gateway_page_after_the_commit_leaves_the_truth_under_the_key(wire):
    port = wire(of(kinds.Reply(status=502)))

    assert [port.arrive(key="K1").reply.status for _ in range(2)] == [502, 200]
    assert len(port.charges) == 1


def test_a_stored_500_is_replayed_for_ever(wire):
    port = wire(of(kinds.Reply(stripe="api_error", record="substitute")))

    replies = [port.arrive(key="K1").reply for _ in range(3)]

    assert [reply.status for reply in replies] == [500, 500, 500]
    assert len({reply.body for reply in replies[1:]}) == 1
    heads = [reply.head(date="", keep_alive=True, framing="") for reply in replies]
    assert all(b"\r\nStripe-Should-Retry: false\r\n" in head for head in heads)
    assert len(port.charges) == 1


@pytest.mark.parametrize(("name", "later"), [("api_error", 500), ("lock_timeout", 200)])
def test_only_a_500_sticks_to_a_claimed_key(name, later, wire):
    port = wire(of(kinds.Reply(stripe=name), at="claimed"))

    assert port.arrive(key="K1").reply.status == CANNED[name].status
    assert port.arrive(key="K1").reply.status == later


@pytest.mark.parametrize(
    ("faults", "at", "key_state", "forgotten_by"),
    [
        ((kinds.LoseRecord(), kinds.Close()), "committed", "new", "server_lost_record"),
        ((kinds.AdvanceClock(DAY + 1), kinds.Close()), "committed", "expired", None),
    ],
)
def test_a_key_that_the_server_forgets_executes_again(faults, at, key_state, forgotten_by, wire):
    port = wire(of(*faults, at=at))
    port.arrive(key="K1")

    again = port.arrive(key="K1")

    assert (again.attempt.key_state, again.attempt.forgotten_by) == (key_state, forgotten_by)
    assert len(port.charges) == 2


@pytest.mark.parametrize(
    ("fault", "key_state", "forgotten_by"),
    [
        (kinds.ForgetKey(), "new", "server_lost_record"),
        (kinds.ExpireKey(), "expired", None),
    ],
)
def test_a_key_can_be_forgotten_before_it_is_looked_up(fault, key_state, forgotten_by, wire):
    port = wire(of(fault, at="received", attempt=(2,)))
    port.arrive(key="K1")

    again = port.arrive(key="K1")

    assert (again.attempt.key_state, again.attempt.forgotten_by) == (key_state, forgotten_by)
    assert len(port.charges) == 2


def test_a_store_of_keys_may_show_a_record_later(wire):
    port = wire()
    port.bank.idempotency.write_window = 2.0
    port.arrive(key="K1")

    early = port.arrive(key="K1")
    port.bank.clock.advance(2.0)
    late = port.arrive(key="K1")

    assert (early.attempt.key_state, early.attempt.forgotten_by) == ("new", "cache_write_window")
    assert (late.attempt.key_state, late.attempt.forgotten_by) == ("replay", None)
    assert len(port.charges) == 2


def sent(fault, wire):
    """Return the effect that sends the reply to one charge, and the charge as it is."""
    port = wire(of(fault, at="replying"))
    effect = port.arrive(key="K1").effects[-1]
    port.profile = Profile(name="none")
    return effect, port.arrive(key="K1").reply


def test_a_dripping_reply_is_whole_and_unaltered(wire):
    effect, truth = sent(kinds.Drip(10, 0.1), wire)

    assert (effect.size, effect.every) == (10, 0.1)
    assert (effect.reply.body, effect.reply.altered) == (truth.body, False)


@pytest.mark.parametrize(
    ("body", "left"), [(0.5, lambda size: size // 2), (10, lambda _: 10), (10**9, lambda n: n)]
)
def test_broken_json_is_altered_where_something_is_missing(body, left, wire):
    effect, truth = sent(kinds.Garble(body), wire)

    size = left(len(truth.body))
    assert effect.reply.body == truth.body[:size]
    assert effect.reply.altered is (size < len(truth.body))


def test_a_wrong_length_is_announced_over_the_whole_body(wire):
    effect, truth = sent(kinds.ContentLength(1.5), wire)

    assert (effect.reply.body, effect.reply.altered) == (truth.body, True)
    assert effect.length == int(len(truth.body) * 1.5)


def test_a_length_that_happens_to_be_true_alters_nothing(wire):
    _, truth = sent(kinds.Swap(), wire)
    effect, _ = sent(kinds.ContentLength(len(truth.body)), wire)

    assert not effect.reply.altered


def test_a_swapped_reply_is_that_of_another_charge(wire):
    port = wire()
    port.arrive(key="K1", order="ord_1")
    port.profile = of(kinds.Swap(), at="replying")

    reply = port.arrive(key="K2", order="ord_2").reply

    assert json.decode(reply.body)["metadata"] == {"order_id": "ord_1"}
    assert (reply.ids, reply.altered) == ((port.charges[0],), True)


def test_where_there_is_no_other_charge_a_swapped_reply_is_of_nobody(wire):
    effect, truth = sent(kinds.Swap(), wire)

    swapped, own = json.decode(effect.reply.body), json.decode(truth.body)
    assert swapped["id"] not in (None, own["id"])
    assert (swapped["customer"], swapped["metadata"]) == (None, {})
    assert list(swapped) == list(own)


def test_an_answer_about_no_charge_cannot_be_swapped(wire):
    port = wire(of(kinds.Swap(), at="replying"))

    refused = port.arrive(key="K1", body=b"amount=x")

    assert not refused.reply.altered
