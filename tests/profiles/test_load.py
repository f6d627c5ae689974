"""A right profile, as YAML and as JSON, becomes the values that the engine works with."""

import json

import pytest

from fakestripe.faults import kinds
from fakestripe.faults.rules import MONEY, Match, Profile, Rule, Settings, When
from fakestripe.profiles import parse
from fakestripe.protocol.declared import Intent

WHOLE = """\
# Everything that a profile can say.
# A correct client survives it.
name: whole
operation: customer + metadata.billing_period
settings:
  key_retention: 48h
  cache_write_window: 250ms
  clock: {start: 2026-01-31T09:00:00Z, frozen: true}
  seed: 7
  customers: any
intents:
  - {operation: ord_1, amount: 2000, currency: USD, count: 2, customer: cus_1}
  - operation: ord_2
    match: {params: {metadata.order_id: 17}}
rules:
  - match:
      method: post
      path: /v1/ch*
      params: {amount: 2000, metadata.order_id: ord_*}
      headers: {User-Agent: "Stripe/*"}
      idempotency_key: present
      account: acct_1
    when:
      attempt: [1, 2]
      operation: 3
      nth: 4
      times: 5
      connection: reused
      request_on_connection: 6
    at: committed
    do:
      - wait: 1.5s
      - {advance_clock: 25h}
      - lose_record
      - {barrier: {parties: 3, timeout: 2s, by: operation}}
      - reply:
          status: 503
          headers: {Retry-After: 0}
          body: |
            busy
  - match: any
    at: replying
    do: {truncate: {body: 50%, framing: chunked, then: hang, hang: 3s}}
  - at: received
    do: {reply: {stripe: rate_limit, headers: {Stripe-Should-Retry: "true"}}}
expect: [clean, orphan]
"""


def test_everything_that_a_profile_can_say_is_read():
    first = Rule(
        "whole#0",
        "committed",
        (
            kinds.Wait(1.5),
            kinds.AdvanceClock(90_000.0),
            kinds.LoseRecord(),
            kinds.Barrier(3, 2.0, "operation"),
            kinds.Reply(status=503, headers={"Retry-After": "0"}, body="busy\n"),
        ),
        Match(
            method="POST",
            path="/v1/ch*",
            params={"amount": "2000", "metadata.order_id": "ord_*"},
            headers={"User-Agent": "Stripe/*"},
            idempotency_key="present",
            account="acct_1",
        ),
        When(
            attempt=(1, 2),
            operation=3,
            nth=(4,),
            times=5,
            connection="reused",
            request_on_connection=6,
        ),
    )
    second = Rule(
        "whole#1",
        "replying",
        (kinds.Truncate(body=0.5, framing="chunked", then="hang", hang=3.0),),
        Match(any=True),
    )
    third = Rule(
        "whole#2",
        "received",
        (kinds.Reply(stripe="rate_limit", headers={"Stripe-Should-Retry": "true"}),),
    )

    assert parse(WHOLE, "whole.yaml") == Profile(
        name="whole",
        rules=(first, second, third),
        settings=Settings(
            172_800.0, 0.25, 1_769_850_000.0, clock_frozen=True, seed=7, customers="any"
        ),
        operation="customer+metadata.billing_period",
        intents=(
            Intent(operation="ord_1", amount=2000, currency="usd", count=2, customer="cus_1"),
            Intent(operation="ord_2", match={"params": {"metadata.order_id": "17"}}),
        ),
        expect=("clean", "orphan"),
        about="Everything that a profile can say.\nA correct client survives it.",
        source="whole.yaml",
    )


def test_what_is_left_out_is_the_default():
    least = parse("name: least\nrules:\n  - at: committed\n    do: close\n", "least.yaml")

    assert least == Profile(
        name="least",
        rules=(Rule("least#0", "committed", (kinds.Close(),), MONEY, When()),),
        source="least.yaml",
    )
    assert least.expect == ("clean",)


AS_JSON = {
    "name": "j",
    "rules": [
        {"match": {"params": {"amount": 2000}}, "at": "committed", "do": ["forget_key"]},
        {"when": {"attempt": [1, 2]}, "at": "received", "do": {"hang": "250ms"}},
    ],
    "settings": {"clock": {"frozen": True}},
}
AS_JSON["rules"][0]["at"] = "received"


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(AS_JSON),
        json.dumps(AS_JSON, indent=2),
        json.dumps(AS_JSON, indent="\t"),
        "\n  " + json.dumps(AS_JSON, separators=(",", ":")),
    ],
)
def test_json_is_read_as_the_yaml_it_is(text):
    read = parse(text, "profile")

    assert read.rules == (
        Rule("j#0", "received", (kinds.ForgetKey(),), Match(params={"amount": "2000"})),
        Rule("j#1", "received", (kinds.Hang(0.25),), MONEY, When(attempt=(1, 2))),
    )
    assert read.settings == Settings(clock_frozen=True)


def test_json_quotes_every_word_and_means_it():
    rules = [{"match": "any", "at": "sent", "do": "reset"}]
    (rule,) = parse(json.dumps({"name": "p", "rules": rules}), "profile").rules

    assert rule.match == Match(any=True)


def test_json_writes_characters_as_two_escapes():
    text = json.dumps({"name": "j", "rules": [{"at": "committed", "do": "close"}]})
    escaped = text.replace(
        '"close"', '{"reply": {"status": 200, "body": "\\ud83d\\ude00\\\\ud83d"}}'
    )

    assert parse(escaped, "profile").rules[0].do == (kinds.Reply(status=200, body="😀\\ud83d"),)


@pytest.mark.parametrize(
    ("start", "seconds"),
    [
        ("1700000000", 1_700_000_000.0),
        ("2026-01-31", 1_769_817_600.0),
        ("20260131", 1_769_817_600.0),
        ("2026-01-31T10:00:00+01:00", 1_769_850_000.0),
        ('"2026-01-31 09:00:00"', 1_769_850_000.0),
    ],
)
def test_a_clock_starts_at_a_date_or_at_epoch_seconds(start, seconds):
    text = f"name: c\nsettings: {{clock: {{start: {start}}}}}\n"

    assert parse(text, "c.yaml").settings == Settings(clock_start=seconds)


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("17", "17"),
        ("2026-01-31", "2026-01-31"),
        ("1e3", "1e3"),
        (".5", ".5"),
        ("true", "true"),
        ("'no'", "no"),
        ('"0123"', "0123"),
        ("'24:00'", "24:00"),
        ("+49", "+49"),
    ],
)
def test_a_bare_value_is_the_text_as_written(written, text):
    profile = parse(
        f"name: m\nrules:\n- match: {{params: {{x: {written}}}}}\n  at: received\n  do: close\n",
        "m",
    )

    assert profile.rules[0].match.params == {"x": text}


def test_profiles_without_rules_may_set_the_scene():
    scene = parse("name: s\nintents: [{operation: ord_1}]\n", "s.yaml")

    assert scene.rules == ()
    assert scene.intents == (Intent(operation="ord_1"),)


def test_a_profile_that_makes_the_server_forget_may_expect_a_duplicate():
    rule = "rules: [{at: committed, do: [lose_record, close]}]"

    assert parse(f"name: d\n{rule}\nexpect: [duplicate]\n", "d").expect == ("duplicate",)


def test_what_an_editor_is_told_is_no_part_of_the_opening_comment():
    modeline = "# yaml-language-server: $schema=../fakestripe.schema.json"
    text = f"{modeline}\n# The situation.\nname: e\nsettings: {{seed: 1}}\n"

    assert parse(text, "e.yaml").about == "The situation."
