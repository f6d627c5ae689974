"""How long a check can take, told before it begins, with what would make it shorter."""

import pytest


@pytest.mark.parametrize(
    ("longest", "hint"), [("2s", " (shorter with --max-hang 1s)"), ("500ms", "")]
)
def test_only_what_makes_it_shorter_is_advised(cli, client, longest, hint):
    flags = ("--profile", "commit-then-timeout", "--max-hang", longest)
    result = cli("check", *flags, "--", *client("safe"))

    (told,) = (line for line in result.stdout.splitlines() if " under faults, " in line)
    assert told.rpartition(", can hold your client for ")[2].partition("s")[2] == hint
