"""Words, exit statuses and explanations."""

import pytest

from fakestripe.verdict import OperationVerdict, Verdict, exit_status, explain, words
from fakestripe.verdict.causes import CAUSES
from fakestripe.verdict.explaining import REMEDIES, TELLERS


def one(word, *flags, hazard=None):
    return OperationVerdict(operation="ord_1", verdict=word, flags=flags, hazard=hazard)


def of(*operations):
    word = words.worst(each.verdict for each in operations)
    return Verdict(word=word, operations=operations)


def test_the_words_are_worst_first():
    assert list(words.WORDS) == [
        "duplicate",
        "overcharged",
        "missing",
        "orphan",
        "undercharged",
        "cap_exceeded",
        "inconclusive",
        "unpaid",
        "clean",
    ]
    assert words.worst(["clean", "orphan", "inconclusive"]) == "orphan"
    assert words.worst([]) == "clean"


def test_red_is_what_is_worse_than_doubt():
    red = [word for word in words.WORDS if words.is_red(word)]

    assert red == list(words.WORDS)[:6]


def test_a_word_is_never_printed_bare():
    assert words.shown("orphan") == "orphan (charged, but the client was told it failed)"


@pytest.mark.parametrize(
    ("operations", "expect", "status"),
    [
        ([one("clean")], ["clean"], 0),
        ([one("unpaid")], ["clean"], 0),
        ([one("clean"), one("unpaid")], ["clean"], 0),
        ([one("orphan")], ["clean"], 1),
        ([one("orphan")], ["clean", "orphan"], 0),
        ([one("undercharged")], ["undercharged"], 0),
        ([one("duplicate")], ["clean", "duplicate"], 1),
        ([one("duplicate", "compensated")], ["duplicate"], 1),
        ([one("duplicate", "server_made")], ["duplicate"], 0),
        ([one("duplicate", "server_made")], ["clean"], 1),
        ([one("overcharged")], ["overcharged"], 1),
        ([one("missing")], ["missing"], 1),
        ([one("inconclusive")], ["clean"], 3),
        ([one("inconclusive")], ["clean", "inconclusive"], 3),
        ([one("orphan"), one("inconclusive")], ["clean", "orphan"], 3),
        ([one("clean", hazard="no_key")], ["clean"], 3),
        ([one("orphan", hazard="no_key")], ["orphan"], 3),
        ([one("duplicate"), one("inconclusive")], ["clean"], 1),
    ],
    ids=str,
)
def test_exit_statuses(operations, expect, status):
    assert exit_status(of(*operations), expect) == status


def test_a_run_in_doubt_is_no_pass_though_its_operations_are_clean():
    assert exit_status(Verdict(word="inconclusive", operations=(one("clean"),)), ["clean"]) == 3


def test_what_is_red_and_unexpected_is_listed():
    found = of(one("orphan"), one("duplicate"), one("clean"))

    assert [each.verdict for each in words.unexpected(found, ["orphan"])] == ["duplicate"]


def test_a_verdict_names_its_worst_operation_its_cause_and_its_hazard():
    found = of(one("clean", hazard="no_key"), one("orphan"))

    assert (found.worst.verdict, found.cause, found.hazard) == ("orphan", None, "no_key")
    assert Verdict(word="inconclusive").worst is None


def test_every_word_has_a_sentence_and_a_remedy():
    assert TELLERS.keys() == words.WORDS.keys()
    assert REMEDIES.keys() == words.WORDS.keys() - {"inconclusive"}


def test_everything_that_a_verdict_says_can_be_explained():
    terms = explain.terms()

    assert {*words.WORDS, *words.REASONS, *CAUSES, "sdk_retry", "server_made"} <= set(terms)
    assert all(explain.explain(term).startswith(f"{term}: ") for term in terms)
    assert len(terms) == len(set(terms))
    assert explain.explain("charged twice") is None


@pytest.mark.parametrize(
    ("term", "beginning", "part"),
    [
        ("orphan", "orphan: charged, but the client was told it failed.", "nobody delivers"),
        ("rule_never_fired", "rule_never_fired: a reason for inconclusive.", "Remedy: Use"),
        ("replicas", "replicas: a cause.", "Remedy: Derive"),
        ("no_key", "no_key: a cause.", "As a reason: a request that moves money"),
        ("transport_resend", "transport_resend: a cause.", "Some HTTP stacks resend"),
        ("app_retry", "app_retry: a label of an attempt.", "application code"),
        ("compensated", "compensated: a flag.", "refunded"),
    ],
)
def test_an_explanation_says_what_kind_of_word_it_is(term, beginning, part):
    text = explain.explain(term)

    assert text.startswith(beginning)
    assert part in text
