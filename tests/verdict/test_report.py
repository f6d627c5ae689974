"""A verdict for its readers: the text of a good test failure, the public JSON, JUnit, Markdown."""

import xml.etree.ElementTree as ET

import pytest
from history import BASE, ORDER
from msgspec import json

from fakestripe.protocol.attempt import Moved
from fakestripe.verdict import report


def doubled(history):
    h = history()
    h.profile("lost#0", source="fault_profiles/lost.yaml")
    h.intent("ord_1")
    lost = {"lost": True, "rule": "lost#0", "faults": ("hang 30s",), "left_s": 3.0, "lasts": 2.0}
    h.post("a1b2c3d4e5f6", charge="ch_1", **lost)
    h.post("f6e5d4c3b2a1", charge="ch_2", after=2.5, connection=1, request_on_connection=2)
    h.outcome("ord_1", "paid", "ch_2")
    return h.judge()


def test_a_duplicate_reads_like_a_test_failure(history):
    assert (
        report.text(doubled(history), replay="fakestripe check -- pay")
        == """\
duplicate (charged more often than intended)

ord_1: duplicate (charged more often than intended)
  intended 1 of 2000; charged 2; believed paid
  #1     +0.0 ms  POST /v1/charges  connection 1 (fresh)  key a1b2c3d4e5f6
                  lost#0: hang 30s at committed, no answer, the client left after 2.0 s
                  ch_A = ch_1
  #2      +2.5 s  POST /v1/charges  connection 1 (its request 2)  key f6e5d4c3b2a1
                  answered 200
                  ch_B = ch_2
                  sent again by the application
  difference: idempotency key 'a1b2c3d4e5f6' became 'f6e5d4c3b2a1'
  cause (fresh_key_per_attempt): ch_B (ch_2) was created beside ch_A (ch_1), because the
    idempotency key changed between attempt 1 and attempt 2.
  remedy: Make the key once per payment, outside whatever is retried, and pass it in.

exercised: 1 of 1 operations
profile: p (fault_profiles/lost.yaml)
again: fakestripe check -- pay"""
    )


def test_a_path_that_is_given_is_shown(history):
    assert "profile: p (mine.yaml)\n" in report.text(doubled(history), profile="mine.yaml") + "\n"


def test_a_run_in_doubt_says_why_and_what_to_do(history):
    h = history(declared=True)
    h.profile("r#0")
    h.intent("ord_1")
    h.post(None, charge="ch_1")

    assert (
        report.text(h.judge())
        == """\
inconclusive (nothing red was seen, and nothing was proven)
  rule_never_fired: a fault never struck, so it tested nothing.
    remedy: Use a profile whose rules match what this client sends, or send what they match;
      without a profile, choose one such as commit-then-timeout.

ord_1: inconclusive (nothing red was seen, and nothing was proven)
  intended 1 of 2000; charged 1; believed unknown
  #1     +0.0 ms  POST /v1/charges  connection 1 (fresh)  no key
                  answered 200
                  ch_A = ch_1
  Charged as intended (ch_1) in one attempt. But a fault never struck, so it tested nothing.

exercised: 0 of 1 operations
never fired: r#0
profile: p"""
    )


def test_a_hazard_is_told_under_its_word(history):
    h = history()
    h.profile("r#0")
    h.intent("ord_1")
    h.post("a1b2c3d4e5f6", lost=True, rule="r#0", faults=("reset",))
    h.post("f6e5d4c3b2a1", charge="ch_1")
    text = report.text(h.judge())

    assert text.startswith("clean (each payment was made once, under a fault")
    assert "\n  hazard (fresh_key_per_attempt): another fault would make a second charge: " in text


def test_of_many_operations_the_worst_are_shown_and_the_rest_is_counted(history):
    h = history()
    for number in range(1, 7):
        h.intent(f"ord_{number}")
    for number in range(1, 7):
        params = {**BASE, "metadata[order_id]": f"ord_{number}"}
        h.post(f"K{number}", charge=f"ch_{number}", lost=number == 5, params=params)
        if number == 5:
            h.post("a1b2c3d4e5f6", charge="ch_9", params=params)
    text = report.text(h.judge())

    shown = [line for line in text.splitlines() if line.startswith("ord_")]
    assert [line.partition(":")[0] for line in shown] == ["ord_5", "ord_1", "ord_2"]
    assert "3 more operations: 3 inconclusive (nothing red was seen, and nothing" in text


def test_quiet_operations_are_only_counted(history):
    h = history()
    h.profile("r#0")
    h.intent("ord_1")
    h.intent("ord_2")
    h.post("K1", charge="ch_1", lost=True, rule="r#0")
    h.post("K1", key_state="replay", ids=("ch_1",))
    h.post("K2", charge="ch_2", params={**BASE, "metadata[order_id]": "ord_2"})
    text = report.text(h.judge())

    assert "\nord_1: clean" in text
    assert "\n1 more operation: 1 clean (each payment was made once" in text
    assert "\nord_2" not in text


def test_of_many_attempts_the_first_are_shown(history):
    h = history()
    h.intent("ord_1")
    for number in range(15):
        h.post("K1", lost=True, charge="ch_1" if number == 0 else None)
    h.outcome("ord_1", "failed")

    assert "\n  … and 3 more attempts\n" in report.text(h.judge())


def test_without_an_operation_there_is_little_to_tell(history):
    text = report.text(history().judge())

    assert text.endswith("\n\nexercised: 0 of 0 operations")
    assert "no_request: no request that moves money arrived." in text


def test_what_was_never_sent_has_no_timeline(history):
    h = history()
    h.intent("ord_1", None)
    h.outcome("ord_1", "failed")

    assert "  intended 1; charged 0; believed failed\n" in report.text(h.judge())


def test_a_refund_is_counted_as_one(history):
    h = history()
    h.post("K1", charge="ch_1", params=BASE)
    moved = Moved(kind="refund", id="re_1", amount=500, currency="usd", charge="ch_1")
    h.post("R1", path="/v1/refunds", params={"charge": "ch_1"}, moved=moved, ids=("re_1",))

    text = report.text(h.judge())
    assert "  no intent declared; refunded 1; believed unknown\n" in text
    assert "\n                  refund re_1\n" in text


LINES = {
    "answered 200": {"delivery": "intact"},
    "answered 402, card_declined": {
        "delivery": "intact",
        "status": 402,
        "error_type": "card_error",
        "error_code": "card_declined",
    },
    "answered 400, idempotency_error": {
        "delivery": "intact",
        "status": 400,
        "error_type": "idempotency_error",
    },
    "x#0: reply 502, answered 502, which is not the true answer": {
        "delivery": "altered",
        "status": 502,
        "faults": ("reply 502",),
        "rules": ("x#0",),
    },
    "x#0: truncate body 50%, its answer was cut after 700 bytes": {
        "delivery": "partial",
        "bytes_sent": 700,
        "faults": ("truncate body 50%",),
        "rules": ("x#0",),
    },
    "x#0: advance_clock 25h, then reset at received, no answer": {
        "delivery": "none",
        "faults": ("advance_clock 25h", "reset"),
        "rules": ("x#0",),
    },
    "no answer, and no end": {"delivery": "none", "lasts": None},
}


@pytest.mark.parametrize("line", LINES)
def test_what_happened_to_an_attempt_is_one_line(history, line):
    h = history()
    h.profile("x#0", at="received")
    h.intent("ord_1")
    h.post("K1", **{"status": 200, **LINES[line]})
    h.post("K1", lost=True)

    assert f"\n                  {line}\n" in report.text(h.judge())


def test_a_bug_of_ours_never_looks_like_stripe_failing(history):
    h = history()
    h.intent("ord_1")
    h.post("K1", status=500, delivery="altered", outcome="bug", note="KeyError: 'x'")
    text = " ".join(report.text(h.judge()).split())

    assert "which is a bug of fakestripe, not of your client (KeyError: 'x')" in text


KEYS = {
    "key K1 (replayed)": {"key_state": "replay"},
    "key K1 (in flight already)": {"key_state": "in_flight"},
    "key K1 (refused: bound to other parameters)": {"key_state": "mismatch"},
    "key K1 (forgotten, too old)": {"key_state": "expired"},
    "key K1 (forgotten by the server)": {"forgotten_by": "server_lost_record"},
    "key K1 (refused: no legal key)": {"key_state": "refused"},
}


@pytest.mark.parametrize("shown", KEYS)
def test_the_state_of_a_key_stands_beside_it(history, shown):
    h = history()
    h.intent("ord_1")
    h.post("K1", **KEYS[shown])
    h.post("K1", lost=True)

    assert f"  {shown}\n" in report.text(h.judge())


def test_a_long_key_is_shortened_in_its_middle(history):
    h = history()
    h.intent("ord_1")
    h.post("k" * 200 + "the-end!", lost=True)

    assert f"  key {'k' * 62}…the-end!\n" in report.text(h.judge())


def test_the_account_clock_counts_where_it_was_moved(history):
    h = history()
    h.intent("ord_1")
    h.post("K1", charge="ch_1", lost=True)
    h.advance(86_400)
    h.post("K1", charge="ch_2", key_state="expired")

    assert "  #2   +24 h 1 s  POST" in report.text(h.judge())


def test_labels_are_said_in_words(history):
    h = history()
    h.intent("ord_1")
    curl = {"user_agent": "curl/8.5.0", "digest": "x", "request_on_connection": 2}
    h.post(None, lost=True, **curl)
    h.post(None, after=0.02, lost=True, **curl)
    h.post(None, lost=True, user_agent="python-requests/2.34")
    h.post("K", charge="ch_1", lasts=5.0)
    h.post("K", key_state="in_flight", status=409)
    h.post("K", key_state="replay", after=9.0)
    text = report.text(h.judge())

    for label in (
        "a byte-identical copy that libcurl sent by itself",
        "sent again by your code or its HTTP library",
        "sent again by the application",
        "sent while an earlier one was in flight: another replica, thread or submit",
        "a retry under the same key",
    ):
        assert f"\n                  {label}\n" in text


def test_what_an_attempt_made_is_named(history):
    h = history()
    h.intent("ord_1")
    h.post("K1", charge="ch_0", status=402)
    h.post("K2", charge="ch_1", params={**ORDER, "capture": "false"})
    moved = Moved(kind="capture", id="ch_1", amount=2000, currency="usd", charge="ch_1")
    h.post("K3", path="/v1/charges/ch_1/capture", params={}, moved=moved)
    text = report.text(h.judge())

    for made in ("charge ch_0 (failed)", "ch_A = ch_1", "capture ch_1"):
        assert f"\n                  {made}\n" in text


def test_letters_give_way_to_numbers_after_z(history):
    h = history()
    h.intent("ord_1")
    for number in range(28):
        h.post(f"K{number}", charge=f"ch_{number:02}", lost=number < 27)
    found = h.judge().operations[0]

    from fakestripe.verdict import timeline

    made = [line.made for line in timeline.lines(found, {})]
    assert (made[25], made[26]) == ("ch_Z = ch_25", "ch_27 = ch_26")


def test_json_has_the_public_fields(history):
    found = report.as_json(doubled(history))

    assert list(found) == [
        "verdict",
        "reasons",
        "operations",
        "unfired_rules",
        "near_misses",
        "warnings",
        "caps",
    ]
    operation = found["operations"][0]
    assert {name: operation[name] for name in operation if name != "attempts"} == {
        "operation": "ord_1",
        "verdict": "duplicate",
        "flags": [],
        "reasons": [],
        "intended": {"count": 1, "amount": 2000, "currency": None},
        "believed": "paid",
        "charges": ["ch_1", "ch_2"],
        "cause": "fresh_key_per_attempt",
        "hazard": None,
        "danger": "",
        "explanation": "ch_B (ch_2) was created beside ch_A (ch_1), because the idempotency key "
        "changed between attempt 1 and attempt 2.",
        "remedy": "Make the key once per payment, outside whatever is retried, and pass it in.",
        "difference": "idempotency key 'a1b2c3d4e5f6' became 'f6e5d4c3b2a1'",
        "pair": [1, 2],
    }


def test_an_attempt_in_json_is_as_the_verdict_placed_it(history):
    second = report.as_json(doubled(history))["operations"][0]["attempts"][1]

    wanted = (
        "arrival account at connection request_on_connection method path parameters "
        "idempotency_key key_state operation step attempt label rules last_point status charge "
        "bytes_sent client_left_at user_agent outcome"
    )
    assert set(wanted.split()) <= second.keys()
    assert (second["operation"], second["attempt"], second["label"]) == ("ord_1", 2, "app_retry")
    assert second["parameters"]["metadata"] == {"order_id": "ord_1"}


@pytest.mark.parametrize("name", report.FORMATS)
def test_every_format_writes_text(history, name):
    chosen = report.FORMATS[name]
    written = chosen.write(doubled(history))

    assert "duplicate" in written
    assert chosen.content_type.partition("/")[0] in ("application", "text")


def test_the_json_format_is_pretty_and_whole(history):
    written = report.FORMATS["json"].write(doubled(history))

    assert written.startswith('{\n  "verdict": "duplicate"')
    assert json.decode(written) == report.as_json(doubled(history))


def test_markdown_begins_with_the_word(history):
    lines = report.markdown(doubled(history)).splitlines()

    assert lines[0] == "**duplicate (charged more often than intended)**"
    assert (lines[2], lines[-1]) == ("```", "```")


def suite(verdict):
    return ET.fromstring(report.junit(verdict)).find("testsuite")


def test_junit_fails_for_red(history):
    found = suite(doubled(history))

    assert found.attrib == {"name": "p", "tests": "1", "failures": "1", "errors": "0"}
    failure = found.find("testcase/failure")
    assert failure.get("message") == "duplicate (charged more often than intended)"
    assert failure.text.startswith("cause (fresh_key_per_attempt): ch_B (ch_2) was created")


def test_junit_passes_what_the_profile_expects(history):
    h = history()
    h.profile("r#0", expect=["clean", "orphan"])
    h.intent("ord_1")
    h.post("K1", charge="ch_1", lost=True, rule="r#0")
    h.outcome("ord_1", "failed")
    found = suite(h.judge())

    assert (found.get("failures"), found.get("errors")) == ("0", "0")
    assert found.find("testcase/system-out").text.startswith("orphan (charged, but the client")


def test_junit_takes_danger_for_an_error(history):
    h = history()
    h.profile("r#0")
    h.intent("ord_1")
    h.post("K1", lost=True, rule="r#0")
    h.post("K2", charge="ch_1")

    assert "hazard (attempt_in_key): another" in suite(h.judge()).find("testcase/error").text


def test_junit_has_a_case_for_a_run_of_nothing(history):
    found = suite(history().judge())

    assert found.get("name") == "fakestripe"
    assert found.find("testcase").get("name") == "run"
    assert found.find("testcase/error").text.startswith("no request that moves money arrived; ")


def test_junit_leaves_out_what_xml_cannot_say(history):
    h = history()
    h.intent("ord\x01_<1>")
    h.outcome("ord\x01_<1>", "paid")

    assert suite(h.judge()).find("testcase").get("name") == "ord_<1>"
