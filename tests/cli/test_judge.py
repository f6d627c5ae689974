"""``judge``, ``explain`` and ``demo``: verdicts told from evidence, and in words."""

import http.client
import json
import re
from urllib.parse import urlsplit

import pytest

FORM = {
    "Content-Type": "application/x-www-form-urlencoded",
    "Authorization": "Bearer sk_test_judged",
}
CHARGE = "amount=2000&currency=usd&source=tok_visa&metadata[order_id]=ord_1"


def post(url, key):
    """Charge, and return the charge's id, or None where the answer was lost."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=10)
    connection.request("POST", "/v1/charges", CHARGE, {**FORM, "Idempotency-Key": key})
    try:
        return json.loads(connection.getresponse().read())["id"]
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


@pytest.fixture
def doubled(served):
    """Return a server that lost an answer to a client with a key per attempt."""
    server = served("--journal", "j.jsonl", "--profile", "reset-after-commit")
    assert (post(server.url, "key-1"), post(server.url, "key-1x") is None) == (None, False)
    return server


def test_the_journal_of_a_killed_server_is_judged_whole(doubled, cli, tmp_path):
    doubled.process.kill()
    doubled.process.wait()
    journal = tmp_path / "j.jsonl"
    whole = cli("judge", "j.jsonl")
    with journal.open("ab") as file:
        file.write(b'{"kind":"attempt","arri')
    torn = cli("judge", "j.jsonl")

    assert whole.returncode == 1
    assert "duplicate (charged more often than intended)" in whole.stdout
    assert (torn.returncode, torn.stdout) == (1, whole.stdout)
    assert whole.stderr == ""
    assert torn.stderr.endswith(
        ": the last line is torn, as a killed server leaves it; what is before it is judged\n"
    )


def test_a_running_server_is_judged_by_its_url(doubled, cli):
    result = cli("judge", doubled.url)

    assert result.returncode == 1
    assert "duplicate (charged more often than intended)" in result.stdout


def test_a_verdict_is_written_for_programs_too(doubled, cli):
    result = cli("judge", "--format", "json", doubled.url)

    verdict = json.loads(result.stdout)
    assert result.returncode == 1
    assert list(verdict)[:4] == ["verdict", "reasons", "operations", "unfired_rules"]
    assert verdict["verdict"] == "duplicate"


def test_a_torn_line_in_the_middle_is_no_journal(cli, refused, tmp_path):
    (tmp_path / "j.jsonl").write_bytes(b'{"kind":"head\n{"kind":"header"}\n')

    assert refused(cli("judge", "j.jsonl")) == "j.jsonl:1: this is no line of a journal"


@pytest.mark.parametrize("content", [b"", b"\0" * 1000, b"[" * 20_000, b"\xff\xfe{}"])
def test_what_is_no_journal_is_one_line(cli, refused, tmp_path, content):
    (tmp_path / "j.jsonl").write_bytes(content)

    assert refused(cli("judge", "j.jsonl")).startswith("j.jsonl")


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:99999", "http://127.0.0.1:abc", "http://[::1", "ftp://127.0.0.1"]
)
def test_what_is_no_url_of_a_server_is_one_line(cli, refused, url):
    assert refused(cli("judge", url)).startswith(f"{url} is not the URL of a server")


def test_a_journal_without_a_request_proves_nothing(cli, tmp_path):
    (tmp_path / "j.jsonl").write_text('{"kind": "header", "fakestripe": "0.1.0"}\n')
    result = cli("judge", "j.jsonl")

    assert result.returncode == 3
    assert "no_request" in result.stdout


def test_a_journal_that_is_not_there_is_one_line(cli, refused):
    assert refused(cli("judge", "nowhere")) == "nowhere: No such file or directory"
    assert refused(cli("judge", "http://127.0.0.1:1")).startswith(
        "http://127.0.0.1:1 does not answer: "
    )
    assert refused(cli("judge", "ftp://x")) == (
        "ftp://x is not the URL of a server, such as http://127.0.0.1:12111"
    )


@pytest.mark.parametrize(
    "word",
    [
        "orphan",
        "client_hung",
        "fresh_key_per_attempt",
        "sdk_retry",
        "committed",
        "swap",
        "not exercised",
    ],
)
def test_every_kind_of_word_is_explained(cli, word):
    result = cli("explain", word)

    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith(word)
    assert len(result.stdout) > 60


def test_all_words_are_listed(cli):
    listed = cli("explain").stdout.splitlines()

    assert {"duplicate", "no_key", "replica", "received"} <= set(listed)
    assert len(set(listed)) == len(listed)


def test_an_unknown_word_gets_its_nearest(cli, refused):
    assert refused(cli("explain", "orphn")) == (
        "nothing is called 'orphn' (did you mean 'orphan'?); fakestripe explain lists all words"
    )


def test_the_demo_shows_both_verdicts(cli):
    result = cli("demo")

    assert (result.returncode, result.stderr) == (0, "")
    unsafe, safe = result.stdout.split("SAFE CLIENT\n\n", 2)[1:]
    assert "duplicate (charged more often than intended)" in unsafe
    made = re.findall(r"(ch_[AB]) = (ch_\w+)", unsafe)
    keys = re.findall(r"  key ([-0-9a-f]{36})\n", unsafe)
    assert [name for name, _ in made] == ["ch_A", "ch_B"]
    assert len({charge for _, charge in made}) == len(set(keys)) == 2
    assert "cause (fresh_key_per_attempt): ch_B" in unsafe
    assert "clean (each payment was made once" in safe
    assert "ch_B" not in safe
