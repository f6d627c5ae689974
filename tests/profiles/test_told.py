"""A profile in sentences: which requests, when, what happens, what is charged, what to expect."""

import pytest

from fakestripe.faults.kinds import LEGAL
from fakestripe.profiles import parse
from fakestripe.profiles.happening import CLAUSES, MOMENTS
from fakestripe.profiles.told import EXPECTED, explained, in_words
from fakestripe.profiles.whom import ordinal
from fakestripe.protocol.points import POINTS

COMMITTED = "once the outcome is recorded and not a byte of it has been sent (at committed), "
RECEIVED = "once it is fully read and nothing is decided or recorded (at received), "
ENDS = "the connection is closed (FIN). This attempt charges nothing."

FAULTS = [
    (
        "listen",
        "{refuse: 2s}",
        "Connections are refused for 2 s, from when the profile takes effect",
    ),
    (
        "listen",
        "{blackhole: {for: 250ms, after: 1s}}",
        "Connecting takes for ever for 250 ms, 1 s after the profile takes effect",
    ),
    ("committed", "reset", "the connection is reset (RST)"),
    (
        "reading",
        "{close: {body: 50%}}",
        "the connection is closed (FIN), once 50% of its body has come",
    ),
    (
        "reading",
        "{reset: {body: 1}}",
        "the connection is reset (RST), once 1 byte of its body has come",
    ),
    ("committed", "hang", "the connection stays silent until the client leaves"),
    (
        "reading",
        "{hang: {body: 10, for: 5s}}",
        (
            "the connection stays silent for 5 s, or until the client leaves, "
            "once 10 bytes of its body have come"
        ),
    ),
    (
        "received",
        "{wait: 2s}",
        "it is held for 2 s, whether the client stays or leaves, and then it goes on",
    ),
    (
        "received",
        "{wait: {until: client_left}}",
        "it is held until the client has left, for 30 s at most, and then it goes on",
    ),
    (
        "received",
        "resend",
        (
            "a proxy loses the answer and delivers the same request once more, "
            "and the client gets the answer to that"
        ),
    ),
    ("committed", "{reply: {status: 502}}", "502 is answered, with the HTML page of a gateway"),
    ("committed", "{reply: {status: 200}}", "200 is answered, with an empty body"),
    (
        "committed",
        "{reply: {status: 503, headers: {Retry-After: 0}, body: x}}",
        "503 is answered with Retry-After, with a body of the profile's own",
    ),
    (
        "committed",
        "{reply: {stripe: api_error, record: substitute}}",
        "Stripe's error api_error (500) is answered, and the key keeps this answer",
    ),
    (
        "replying",
        "{truncate: {body: 50%}}",
        "only 50% of its body is sent, and then the connection is closed (FIN)",
    ),
    (
        "replying",
        "{truncate: {head: 10, then: hang, hang: 3s}}",
        "only 10 bytes of its head is sent, and then nothing more comes for 3 s",
    ),
    (
        "replying",
        "{truncate: {body: 5, framing: chunked, then: reset}}",
        "only 5 bytes of its body is sent in chunks, and then the connection is reset (RST)",
    ),
    (
        "replying",
        "{drip: {bytes: 10, every: 100ms}}",
        "it comes in pieces of 10 bytes, 100 ms apart",
    ),
    (
        "replying",
        "garble",
        "its JSON breaks off after 50% of the body, under a length that says so",
    ),
    (
        "replying",
        "{content_length: 150%}",
        "its head announces 150% of the body's true length",
    ),
    ("replying", "{content_length: 10}", "its head announces a body of 10 bytes"),
    ("replying", "swap", "it carries the body of another charge"),
    (
        "received",
        "{barrier: {parties: 3, by: operation}}",
        (
            "it is held until 3 such requests of its operation are there, for 5 s at most, "
            "and then it goes on"
        ),
    ),
    (
        "committed",
        "[{advance_clock: 25h}, close]",
        "the account's clock goes 25 h ahead, and then the connection is closed (FIN)",
    ),
    ("received", "forget_key", "the server forgets its key, and then it goes on"),
    (
        "received",
        "expire_key",
        "the server takes its key for one that is too old, and then it goes on",
    ),
    (
        "committed",
        "[lose_record, close]",
        (
            "the server loses the record of its key, as in a crash, "
            "and then the connection is closed (FIN)"
        ),
    ),
]

WHOM = [
    ("match: any", "every request"),
    ("match: {moves: money}", "every request that moves money"),
    (
        "when: {attempt: [1, 2]}",
        "the first and second attempts of each operation that moves money",
    ),
    (
        "when: {attempt: 1, operation: 3, connection: reused}",
        "the first attempt of the third operation that moves money, on a kept connection",
    ),
    ("when: {operation: 22}", "every attempt of the 22nd operation that moves money"),
    (
        "match: {moves: money, path: /v1/charges}\n    when: {attempt: 2}",
        "the second attempt of each operation that moves money, in a request to /v1/charges",
    ),
    (
        "match: {path: /v1/refunds}\n    when: {attempt: 2}",
        "the second attempt of each operation, where it is a request to /v1/refunds",
    ),
    ("match: any\n    when: {attempt: 1}", "the first attempt of each operation"),
    (
        (
            "match: {method: POST, path: /v1/*, params: {amount: 5, metadata.x: a*}, "
            "idempotency_key: absent}\n    when: {nth: 4, times: 2, request_on_connection: 3}"
        ),
        (
            "the fourth POST request to /v1/* whose amount is 5 and whose metadata.x is "
            "like a* and without an idempotency key, as the third request of its connection, "
            "2 times at most"
        ),
    ),
    (
        (
            "match: {headers: {User-Agent: 'Stripe/*'}, idempotency_key: K1, account: acct_1}\n"
            "    when: {times: 1, connection: fresh}"
        ),
        (
            "every request whose header User-Agent is like Stripe/* and whose idempotency key "
            "is K1 and of account acct_1, on a new connection, once"
        ),
    ),
]


def only(at, do, more=""):
    text = f"name: p\nrules:\n  - at: {at}\n    do: {do}\n" + (f"    {more}\n" if more else "")
    return in_words(parse(text, "p.yaml").rules[0])


def test_every_fault_and_every_point_can_be_told():
    told = {each.__struct_config__.tag for each in CLAUSES}
    written = {do.strip("[{").split(":")[0].split(",")[0] for _, do, _ in FAULTS}

    assert told == set(LEGAL)
    assert told - {"advance_clock"} <= written | {"content_length"}
    assert set(POINTS) - set(MOMENTS) == {"listen", "accept"}


@pytest.mark.parametrize(("at", "do", "clause"), FAULTS)
def test_a_fault_is_told(at, do, clause):
    assert clause + ("." if at != "listen" else " (at listen).") in only(at, do)


@pytest.mark.parametrize(("more", "who"), WHOM)
def test_whom_a_rule_strikes_is_told(more, who):
    assert only("received", "close", more) == f"On {who}, {RECEIVED}{ENDS}"


def test_connections_are_told_by_their_number():
    assert only("accept", "reset", "when: {nth: [1, 3]}") == (
        "On the first and third connections since the profile took effect, "
        "before anything is read of it (at accept), the connection is reset (RST)."
    )
    assert only("accept", "hang").startswith("On every connection, before anything is read")


@pytest.mark.parametrize(
    ("at", "do", "more", "outcome"),
    [
        ("received", "close", "", " This attempt charges nothing."),
        ("received", "resend", "", " The first delivery charges nothing."),
        ("received", "{wait: 1s}", "", ""),
        ("claimed", "close", "", " This attempt charges nothing, and frees the key."),
        (
            "claimed",
            "{reply: {stripe: api_error}}",
            "",
            " This attempt charges nothing, and the key keeps it.",
        ),
        ("committed", "close", "", " The charge stays."),
        ("replying", "swap", "match: any", " What was recorded stays."),
    ],
)
def test_what_is_charged_and_kept_is_told(at, do, more, outcome):
    sentence = only(at, do, more)

    assert sentence.partition(".")[2] == outcome


def test_the_scene_and_what_is_expected_are_told():
    text = """\
name: p
operation: metadata.order_id
settings:
  key_retention: 48h
  cache_write_window: 250ms
  clock: {start: 2026-01-31, frozen: true}
  seed: 7
  customers: 3
  webhooks: [{url: "http://127.0.0.1/hook", enabled_events: [charge.*], copies: 2, late: 5s}]
  deliveries: {never: true, only: [refund.*]}
intents:
  - {operation: ord_1, amount: 2000, currency: usd, count: 2, customer: cus_1}
  - {operation: ord_2}
expect: [clean, duplicate]
"""
    assert explained(parse(text, "p.yaml")) == (
        (
            "A key is kept for 48 h. "
            "A stored key stays invisible for 250 ms. "
            "The account's clock starts at 2026-01-31T00:00:00Z. "
            "The account's clock stands still until somebody moves it. "
            "Ids and people are made from the seed 7. "
            "3 people are there as customers. "
            "Events (charge.*) are told to http://127.0.0.1/hook; "
            "on its way, an event comes 2 times at once and comes 5 s late. "
            "On its way to a webhook, an event (refund.*) never comes. "
            "An operation is named by metadata.order_id. "
            "The client sets out to make 2 payments of 2000 usd by cus_1 named ord_1. "
            "The client sets out to make one payment named ord_2."
        ),
        (
            "A correct client gets: clean (charged once, and told so), "
            "or duplicate (charged twice, because the server itself forgot the key)."
        ),
    )


@pytest.mark.parametrize(
    ("key", "told"),
    [
        (
            (
                "key: vk_test_nightly_run, daily_usd_cap: 450.00, allowed_endpoints: "
                "[/v1/charges], expires_at: 2026-12-31, refunds_give_back: true"
            ),
            (
                "vk_test_*******_run is a vault key, good for 450.00 USD a day, at /v1/charges, "
                "until 2026-12-31T00:00:00Z; a refund gives back of it."
            ),
        ),
        ("key: vk_test_x", "vk_test_* is a vault key, good for any sum a day, anywhere."),
        (
            "key: rk_test_x, permissions: {charges: write, customers: read}",
            "rk_test_* is a restricted key: write charges, read customers.",
        ),
        ("key: rk_test_x", "rk_test_* is a restricted key: it may do nothing."),
        ("key: sk_test_x", "sk_test_* is a second secret key of the account."),
    ],
)
def test_what_a_further_key_may_do_is_told(key, told):
    assert explained(parse(f"name: p\nsettings: {{keys: [{{{key}}}]}}\n", "p"))[0] == told


@pytest.mark.parametrize(
    ("customers", "told"),
    [
        ("any", "Any customer is there."),
        ("strict", "Only customers that were created are there."),
        ("1", "1 person is there as customers."),
    ],
)
def test_who_is_there_is_told(customers, told):
    assert explained(parse(f"name: p\nsettings: {{customers: {customers}}}\n", "p"))[0] == told


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (
            "before_answer: 2s",
            "comes before its request is answered, which waits for the receiver 2 s at most",
        ),
        ("out_of_order: true", "comes after one that was made later, held for 2 s at most"),
    ],
)
def test_what_befalls_an_event_is_told(asked, told):
    text = f"name: p\nsettings: {{deliveries: {{{asked}}}}}\n"

    assert explained(parse(text, "p"))[0] == f"On its way to a webhook, an event {told}."


def test_every_word_that_may_be_expected_can_be_told():
    assert set(EXPECTED) == {
        *("clean", "unpaid", "inconclusive", "cap_exceeded"),
        *("undercharged", "orphan", "duplicate"),
    }


def test_places_in_a_row():
    assert [ordinal(n) for n in (1, 10, 11, 12, 13, 21, 22, 23, 24, 111, 121)] == [
        *("first", "tenth", "11th", "12th", "13th", "21st"),
        *("22nd", "23rd", "24th", "111th", "121st"),
    ]
