"""A profile told to people, and files checked for them."""

import pytest

from fakestripe.profiles import ProfileError, parse
from fakestripe.profiles.lint import meant, mistakes
from fakestripe.profiles.told import in_words, situation

THIRD = "operation 3 alone, on a reused connection"
FOURTH = "match 4, at most 2 times, request 3 on its connection"
POINTS = "listen, accept, reading, received, claimed, committed, replying or sent"
RULES = """\
# The first thing. And more
# about it.
name: p
rules:
  - match: any
    at: received
    do: [{wait: 1s}, close]
  - when: {attempt: [1, 2], operation: 3, connection: reused}
    at: committed
    do: reset
  - match: {method: POST, path: /v1/*, params: {amount: 5}, idempotency_key: absent}
    when: {nth: 4, times: 2, request_on_connection: 3}
    at: sent
    do: close
"""


def test_the_situation_is_the_first_sentence_of_the_comment():
    assert situation(parse(RULES, "p")) == "The first thing."
    assert situation(parse("name: p\nsettings: {seed: 1}\n", "p")) == ""
    assert situation(parse("# One\n# line.\nname: p\nsettings: {seed: 1}\n", "p")) == "One line."


def test_a_rule_is_told_in_words():
    assert [in_words(rule) for rule in parse(RULES, "p").rules] == [
        (
            "every request",
            "received: the request is fully read, nothing is decided, nothing is recorded",
            "wait 1s, then close",
        ),
        (
            "requests that move money, attempt 1 and 2 of each operation, " + THIRD,
            "committed: the outcome is recorded and not a byte of it has been sent",
            "reset",
        ),
        (
            "requests with method POST, path /v1/*, idempotency key absent, amount 5, " + FOURTH,
            "sent: the reply was delivered, the connection is idle",
            "close",
        ),
    ]


def test_lint_finds_every_problem_and_a_name_that_nobody_would_find(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.yaml").write_text("name: b\nsettings: {seed: 1}\n")
    (tmp_path / "c.yaml").write_text("name: c\nrules: [{at: x}]\n")
    (tmp_path / "d.yaml").write_text("name: d\nsettings: {seed: 1}\n")

    found = {path.name: [str(each) for each in mistakes(path)] for path in meant(".", [])}

    assert found == {
        "a.yaml": ["a.yaml: name: the file is found as 'a', and says 'b'"],
        "c.yaml": [
            "c.yaml:2:9: rules[0]: 'do' is missing",
            "c.yaml:2:14: rules[0].at: 'x' is no point; it may be " + POINTS,
        ],
        "d.yaml": [],
    }


def test_lint_takes_names_paths_and_folders_that_hold_some(tmp_path):
    (tmp_path / "a.yaml").write_text("")

    assert [path.name for path in meant("late-commit", [])] == ["late-commit.yaml"]
    assert meant(str(tmp_path / "a.yaml"), []) == [tmp_path / "a.yaml"]
    assert meant("a", [tmp_path]) == [tmp_path / "a.yaml"]
    (tmp_path / "none").mkdir()
    with pytest.raises(ProfileError, match="no profile in this folder"):
        meant(str(tmp_path / "none"), [])
