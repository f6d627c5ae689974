"""Who sent a repeat: the table of stacks that resend by themselves, and three other senders."""

import pytest
from history import BASE

from fakestripe.protocol import labels

CURL, OKHTTP, JAVA, GO = "curl/8.5.0", "okhttp/3.13.1", "Java/17.0.9", "Go-http-client/1.1"
REUSED = {"request_on_connection": 2}


def second(history, agent, *, key=None, first=None, **repeat):
    """Return the label of a repeat that comes 1 ms after the end of a first, lost one."""
    h = history()
    told = {"lasts": 0.01, "faults": ("reset",), **(first or {})}
    lost = "status" not in told
    h.post(key, params=BASE, user_agent=agent, digest="same", lost=lost, **told)
    again = {"user_agent": agent, "digest": "same", "after": 0.011, **repeat}
    h.post(key, params=BASE, **again)
    return h.placed()[1][2]


@pytest.mark.parametrize(
    ("agent", "key", "first", "resent"),
    [
        (CURL, None, REUSED, True),
        (CURL, "K", REUSED, True),
        (CURL, None, {}, False),
        ("Stripe/v1 PhpBindings/17.6.0", None, REUSED, True),
        ("PycURL/7.45.3 libcurl/8.5.0", None, REUSED, True),
        (OKHTTP, None, REUSED, True),
        (OKHTTP, None, {}, False),
        (OKHTTP, None, {"status": 408, "delivery": "altered"}, True),
        (OKHTTP, None, {"status": 503, "delivery": "altered"}, True),
        (OKHTTP, None, {"status": 502, "delivery": "altered"}, False),
        (OKHTTP, None, {**REUSED, "delivery": "partial", "faults": ("truncate head 20",)}, True),
        (OKHTTP, None, {**REUSED, "delivery": "partial", "faults": ("truncate body 50%",)}, False),
        (CURL, None, {**REUSED, "delivery": "partial", "faults": ("truncate head 20",)}, False),
        (JAVA, None, {}, True),
        (JAVA, "K", {}, True),
        (JAVA, None, {"delivery": "partial", "faults": ("truncate head 20",)}, True),
        (GO, "K", REUSED, True),
        (GO, None, REUSED, False),
        (GO, "K", {}, False),
        ("python-requests/2.34", None, REUSED, False),
        ("Stripe/v1 PythonBindings/16.1.0", "K", REUSED, False),
    ],
    ids=str,
)
def test_a_stack_is_accused_only_where_it_resends(history, agent, key, first, resent):
    own = "sdk_retry" if key else "app_retry"

    assert second(history, agent, key=key, first=first) == ("transport_resend" if resent else own)


@pytest.mark.parametrize(
    "repeat",
    [
        {"digest": "other"},
        {"digest": ""},
        {"after": 0.12},
        {"user_agent": "python-requests/2.34"},
    ],
    ids=str,
)
def test_a_copy_that_is_late_or_another_is_no_resend(history, repeat):
    assert second(history, CURL, first=REUSED, **repeat) == "app_retry"


def test_a_client_that_left_by_itself_was_not_cut_off(history):
    first = {**REUSED, "lasts": 0.01, "left_s": 1.0}

    assert second(history, CURL, first=first) == "app_retry"


def test_an_attempt_that_never_ended_was_not_cut_off(history):
    first = {**REUSED, "lasts": None, "left_s": 1.0}

    assert second(history, CURL, first=first) == "app_retry"


def test_an_overlap_with_one_that_had_not_failed_is_a_replica(history):
    h = history()
    h.intent("ord_1")
    h.post("K1", lasts=5.0, charge="ch_1")
    h.post("K2", lasts=5.0, charge="ch_2")
    h.post("K1", after=4.5, key_state="in_flight", status=409)
    h.post("K1", after=10.0, key_state="replay")
    h.post("K3", after=10.0)

    assert [said for _, _, said in h.placed()] == [
        "first",
        "replica",
        "replica",
        "sdk_retry",
        "app_retry",
    ]


def test_every_stack_of_the_table_is_known_by_its_agents():
    known = {agent: stack.name for stack in labels.STACKS for agent in stack.agents}

    assert {agent: labels.stack_of(f"{agent}1.0").name for agent in known} == known
    assert labels.stack_of("python-httpx/0.28") is None


@pytest.mark.parametrize("agent", ["", CURL, "python-requests/2.34", "Stripe/v1 PythonBindings/1"])
def test_what_a_proxy_sent_once_more_is_no_doing_of_the_client(history, agent):
    assert second(history, agent, resent=True) == "transport_resend"


def test_a_proxy_is_named_where_its_copy_made_the_second_charge(history):
    h = history()
    h.profile("proxy#0")
    h.intent("ord_1")
    h.post(charge="ch_A", lost=True, rule="proxy#0", digest="same")
    h.post(charge="ch_B", digest="same", resent=True, ids=("ch_B",))

    (found,) = h.judge().operations
    assert (found.verdict, found.cause) == ("duplicate", "transport_resend")
    assert "a proxy on the way sent the request again by itself" in found.explanation
