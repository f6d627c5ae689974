"""Too many attempts and retries without a pause: warnings with exact times, and never a word."""

from xml.etree import ElementTree as ET

import pytest
from history import BASE, ORDER

from fakestripe.verdict import exit_status, report
from fakestripe.verdict.explain import explain
from fakestripe.verdict.storms import THRESHOLDS

LASTS = 0.01
"""Seconds that an attempt lasts in these histories."""


def retried(history, *pauses, header=None, last=None, **facts):
    """A payment that was lost, and tried again so many seconds after the end of each attempt."""
    h = history(**(header or {}))
    h.profile("r#0", at="received")
    h.intent("ord_1")
    known = {"lost": True, "rule": "r#0", "last_point": "received", **facts}
    h.post("K1", **known)
    for pause in pauses:
        h.post("K1", after=LASTS + pause, **known)
    h.post("K1", after=LASTS + 1.0, charge="ch_A", **(last or {}))
    return h.judge()


def kinds(verdict):
    return [each.kind for each in verdict.warnings]


def test_ten_attempts_are_borne_and_the_eleventh_is_a_storm(history):
    ten, eleven = (retried(history, *[0.5] * number) for number in (8, 9))

    assert (kinds(ten), kinds(eleven)) == ([], ["storm"])
    assert eleven.warnings[0].told == "11 attempts at POST /v1/charges (arrivals 1 to 11)"
    assert (eleven.warnings[0].attempts, eleven.warnings[0].arrivals) == (11, (1, 11))


def test_a_warning_is_no_word_and_no_exit_status(history):
    verdict = retried(history, *[0.01] * 12)

    assert kinds(verdict) == ["storm", "no_back_off"]
    assert (verdict.word, verdict.hazard, exit_status(verdict, ["clean"])) == ("clean", None, 0)


def test_each_replica_may_try_as_often(history):
    assert kinds(retried(history, *[0.5] * 18, header={"replicas": 2})) == []
    assert kinds(retried(history, *[0.5] * 19, header={"replicas": 2})) == ["storm"]


def test_twenty_at_once_are_a_storm_though_nobody_lacked_a_pause(history):
    h = history()
    h.intent("ord_1")
    for _ in range(20):
        h.post("K1", after=0.001, lasts=0.3, charge=None, status=409, key_state="in_flight")

    assert kinds(h.judge()) == ["storm"]


def test_what_is_asked_for_again_once_it_was_told_is_no_storm(history):
    h = history()
    h.intent("ord_1")
    h.post("K1", charge="ch_A")
    for _ in range(20):
        h.post("K1", key_state="replay", ids=("ch_A",))

    assert kinds(h.judge()) == []


def test_other_payments_and_other_steps_are_counted_for_themselves(history):
    h = history()
    for number in range(12):
        h.post(f"K{number}", charge=f"ch_{number:02}", params={**BASE, "description": str(number)})
        h.post(None, path=f"/v1/charges/ch_{number:02}/capture", params={}, lost=True)

    assert kinds(h.judge()) == []


def test_payments_of_a_pool_are_counted_for_themselves(history):
    h = history()
    h.intent("a", count=12)
    for number in range(12):
        h.post(f"K{number}", charge=f"ch_{number:02}", params=BASE, lost=True, after=0.02)
        h.post(f"K{number}", after=0.02, key_state="replay", ids=(f"ch_{number:02}",), params=BASE)

    assert kinds(h.judge()) == []


def test_two_retries_without_a_pause_are_borne_and_the_third_is_not(history):
    assert kinds(retried(history, 0.01, 0.01)) == []
    found = retried(history, 0.01, 0.02, 0.03)

    assert kinds(found) == ["no_back_off"]
    assert found.warnings[0].told == (
        "3 retries of POST /v1/charges in a row without a pause, each within 30.0 ms of the end "
        "of the one before (arrivals 1 to 4)"
    )
    assert found.warnings[0].operation == "ord_1"


@pytest.mark.parametrize(("pause", "warned"), [(0.0, True), (0.049, True), (0.051, False)])
def test_fifty_milliseconds_are_a_pause(history, pause, warned):
    assert kinds(retried(history, pause, pause, pause)) == ["no_back_off"] * warned


def test_a_pause_between_breaks_the_row(history):
    assert kinds(retried(history, 0.01, 0.01, 0.5, 0.01, 0.01)) == []
    assert kinds(retried(history, 0.01, 0.5, 0.01, 0.01, 0.01)) == ["no_back_off"]


def test_the_longest_row_is_told(history):
    found = retried(history, 0.01, 0.01, 0.01, 0.5, 0.01, 0.01, 0.01, 0.01)

    assert found.warnings[0].arrivals == (5, 9)


def test_who_left_after_a_timeout_and_comes_back_at_once_has_not_paused(history):
    h = history()
    h.intent("ord_1")
    for number in range(4):
        left = {} if number == 3 else {"left_s": h.elapsed + (2.01 if number else 1.0) + 2.0}
        h.post("K1", after=2.01 if number else 1.0, lasts=30.0, lost=True, **left)

    assert kinds(h.judge()) == ["no_back_off"]


@pytest.mark.parametrize(
    ("answer", "warned"),
    [
        ({"status": 503}, True),
        ({"status": 409, "key_state": "in_flight"}, True),
        ({"status": 429}, True),
        ({"status": 200, "delivery": "altered"}, True),
        ({"status": 402}, False),
        ({"status": 400}, False),
        ({"status": 401}, False),
    ],
    ids=str,
)
def test_only_what_was_not_settled_or_limited_is_retried(history, answer, warned):
    found = retried(history, 0.01, 0.01, 0.01, lost=False, **answer)

    assert kinds(found) == ["no_back_off"] * warned


def test_attempts_that_overlap_are_no_retries(history):
    h = history()
    h.intent("ord_1")
    for _ in range(6):
        h.post("K1", after=0.01, lasts=5.0, lost=True)

    assert kinds(h.judge()) == []


def test_an_attempt_that_never_ended_was_not_followed_by_a_retry(history):
    h = history()
    h.intent("ord_1")
    for _ in range(6):
        h.post("K1", after=0.01, lasts=None, lost=True)

    assert kinds(h.judge()) == []


@pytest.mark.parametrize("agent", ["curl/8.5.0", "Go-http-client/1.1", "okhttp/4.12"])
def test_what_a_stack_sent_by_itself_is_nobodys_haste(history, agent):
    stack = {"user_agent": agent, "request_on_connection": 2, "digest": "same"}

    assert kinds(retried(history, *[0.01] * 12, **stack)) == []


def test_what_a_proxy_sent_once_more_is_nobodys_haste(history):
    assert kinds(retried(history, *[0.01] * 12, resent=True)) == []


def test_the_same_haste_of_an_application_over_that_stack_is_told(history):
    fresh = {"user_agent": "Go-http-client/1.1", "request_on_connection": 1, "digest": "same"}

    assert kinds(retried(history, 0.01, 0.01, 0.01, **fresh)) == ["no_back_off"]


SDKS = {
    "stripe-python": (0.5, 0.5),
    "stripe-node": (0.5, 0.5),
    "stripe-ruby": (0.5, 0.5),
    "stripe-php": (0.5, 0.5),
    "stripe-go": (0.75, 1.875),
    "stripe-java": (0.5, 0.75),
    "stripe-dotnet": (0.5, 0.75),
}
"""The shortest pauses of the official SDKs with two retries, their default or more (section 7)."""


@pytest.mark.parametrize("sdk", SDKS)
@pytest.mark.parametrize("rounds", [1, 3])
def test_no_official_sdk_is_warned_of_even_in_a_loop_that_does_not_wait(history, sdk, rounds):
    """Three calls, one at once after the other, of three attempts each."""
    pauses = [*SDKS[sdk], *[pause for _ in range(rounds - 1) for pause in (0.0, *SDKS[sdk])]]
    attempts = 1 + len(pauses)

    assert attempts == 3 * rounds
    assert kinds(retried(history, *pauses)) == []


def test_a_refund_storms_as_well(history):
    h = history()
    h.post("K1", charge="ch_A")
    for _ in range(11):
        h.post("R1", path="/v1/refunds", params={"charge": "ch_A"}, lost=True)

    assert [(w.operation, w.kind) for w in h.judge().warnings] == [("op_1 (refund)", "storm")]


def test_warnings_of_all_accounts_are_told(history):
    h = history(mode="serve")
    for account in ("acct_1", "acct_2"):
        for _ in range(4):
            h.post("K1", account=account, after=LASTS + 0.01, lost=True)

    assert kinds(h.judge()) == ["no_back_off", "no_back_off"]


def hasty(history, orders=1):
    h = history()
    for number in range(orders):
        params = {**ORDER, "metadata[order_id]": f"ord_{number}"}
        for _ in range(4):
            h.post(f"K{number}", params=params, after=LASTS + 0.01, lost=True)
    return h.judge()


def test_text_and_markdown_tell_each_kind_once_and_count_the_rest(history):
    said = report.text(hasty(history, 3))
    begin = said.index("warning (no_back_off)")

    assert said[begin:] == (
        "warning (no_back_off): op_1: 3 retries of POST /v1/charges in a row without a pause, "
        "each within\n"
        "  10.0 ms of the end of the one before (arrivals 1 to 4)\n"
        "  … and 2 more operations like it\n"
        "  remedy: Wait before each retry, longer each time and not all for the same time "
        "(Stripe's SDKs:\n"
        "    0.5 s at first, doubled, up to 5 s, times a random part)."
    )
    assert "  … and 1 more operation like it\n" in report.markdown(hasty(history, 2))


def test_json_has_the_warnings(history):
    assert report.as_json(hasty(history))["warnings"] == [
        {
            "kind": "no_back_off",
            "operation": "op_1",
            "attempts": 4,
            "arrivals": [1, 4],
            "told": "3 retries of POST /v1/charges in a row without a pause, each within 10.0 ms "
            "of the end of the one before (arrivals 1 to 4)",
            "remedy": THRESHOLDS["no_back_off"].remedy,
        }
    ]


def test_junit_has_the_warnings_as_output_of_the_suite(history):
    found = ET.fromstring(report.junit(hasty(history))).find("testsuite/system-out")

    assert found.text.startswith("warning (no_back_off): op_1: 3 retries")


def test_without_a_warning_nothing_is_said_of_any(history):
    verdict = retried(history, 0.5)

    assert verdict.warnings == ()
    assert "warning" not in report.text(verdict) + report.junit(verdict)


@pytest.mark.parametrize("kind", THRESHOLDS)
def test_every_warning_can_be_explained(kind):
    assert explain(kind).startswith(f"{kind}: a warning; it changes no word.\n\n")
