"""Files that ``serve`` writes, where they cannot be written: one line, and never a guess."""

import json
import resource
import signal
from contextlib import suppress
from urllib.request import Request, urlopen

import pytest

CHARGE = b"amount=2000&currency=usd&source=tok_visa"
KEY = {"Authorization": "Bearer sk_test_files"}


def charged(url):
    with urlopen(Request(f"{url}/v1/charges", CHARGE, KEY), timeout=10) as answer:
        return json.loads(answer.read())


def journal(path):
    whole, _, _ = path.read_bytes().rpartition(b"\n")
    return [json.loads(line) for line in whole.splitlines()]


def test_a_disk_that_is_full_from_the_start_is_one_line(cli, refused):
    assert refused(cli("serve", "--port", 0, "--journal", "/dev/full")) == (
        "--journal /dev/full: No space left on device"
    )


@pytest.mark.parametrize("ready", ["/proc/ready.json", "/sys/ready.json"])
def test_a_folder_in_which_nothing_can_be_written_is_one_line(cli, refused, ready):
    assert refused(cli("serve", "--port", 0, "--ready-file", ready)).startswith(
        f"--ready-file {ready}: "
    )


def test_a_journal_may_be_no_regular_file(served):
    server = served("--journal", "/dev/null")

    assert charged(server.url)["paid"]
    server.process.send_signal(signal.SIGTERM)
    _, errors = server.process.communicate(timeout=10)
    assert (server.process.returncode, errors) == (0, "")


def test_a_disk_that_fills_up_ends_the_server_with_one_line(served, tmp_path):
    server = served("--journal", "j.jsonl")
    charge = charged(server.url)
    written = (tmp_path / "j.jsonl").stat().st_size
    limit = (written + 100, resource.RLIM_INFINITY)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, limit)

    with suppress(OSError):  # the end may come before the answer
        charged(server.url)

    _, errors = server.process.communicate(timeout=10)
    assert server.process.returncode == 2
    assert errors == (
        "fakestripe: --journal j.jsonl: File too large; the server has stopped, and what "
        "happened last is not in it\n"
    )
    assert journal(tmp_path / "j.jsonl")[-1]["charge"] == charge["id"]


@pytest.mark.parametrize("name", ["http://stripe.example.com", "*", "", "stripe.example.com:80"])
def test_a_name_of_the_admin_side_is_a_bare_name(cli, refused, name):
    assert refused(cli("serve", "--port", 0, "--admin-host", name)) == (
        f"serve: argument --admin-host: {name!r} is no name such as stripe.example.com "
        "(see: fakestripe serve --help)"
    )


def test_a_name_of_the_admin_side_in_a_variable_is_read_alike(cli, refused):
    assert refused(cli("serve", "--port", 0, FAKESTRIPE_ADMIN_HOST="ok.example.com,a/b")) == (
        "FAKESTRIPE_ADMIN_HOST: 'a/b' is no name such as stripe.example.com"
    )
