"""What ``check`` refuses: one line, exit status 2, and never a word to the real Stripe."""

import sys

import pytest

PROFILES = {
    "misspelt.yaml": (
        "name: x\nrules:\n  - at: committed\n    do: reest\n",
        "./misspelt.yaml:4:9: ",
        "did you mean 'reset'?",
    ),
    "impossible.yaml": (
        "name: x\nrules:\n  - at: sent\n    do: {hang: 3s}\n",
        "./impossible.yaml:4:9: ",
        "",
    ),
    "twice.yaml": (
        "name: x\nrules:\n  - at: committed\n    at: received\n    do: reset\n",
        "./twice.yaml:4:5: ",
        "",
    ),
}


@pytest.mark.parametrize("name", PROFILES)
def test_a_profile_with_a_mistake_is_one_line_with_its_place(cli, refused, client, tmp_path, name):
    text, place, hint = PROFILES[name]
    (tmp_path / name).write_text(text)

    line = refused(cli("check", "--profile", f"./{name}", "--", *client("safe")))
    assert line.startswith(place.removeprefix("./"))
    assert hint in line


def test_a_profile_that_is_not_there_is_one_line(cli, refused, client):
    line = refused(cli("check", "--profile", "./nowhere.yaml", "--", *client("safe")))

    assert line.startswith("nowhere.yaml: no such file")


def test_a_misspelt_profile_gets_its_nearest(cli, refused, client):
    line = refused(cli("check", "--profile", "reset-after-comit", "--", *client("safe")))

    assert "did you mean reset-after-commit" in line


def test_a_folder_of_profiles_that_is_not_there_is_one_line(cli, refused, client):
    assert refused(cli("check", "--profiles", "nowhere", "--", *client("safe"))) == (
        "--profiles nowhere: there is no such folder"
    )


@pytest.mark.parametrize("words", [(), ("--",)])
def test_no_command_is_one_line(cli, refused, words):
    assert refused(cli("check", *words)) == (
        "check: which command? Write it behind --, such as: fakestripe check -- python pay.py"
    )


def test_a_command_that_does_not_exist_is_one_line(cli, refused):
    assert refused(cli("check", "--", "no-such-program")) == "no such command: no-such-program"


def test_a_command_that_is_not_executable_is_one_line(cli, refused, tmp_path):
    (tmp_path / "pay.sh").write_text("true\n")
    (tmp_path / "folder").mkdir()

    assert refused(cli("check", "--", "./pay.sh")) == (
        "./pay.sh is not executable (chmod +x, or name its interpreter)"
    )
    assert refused(cli("check", "--", "./folder")) == "./folder is a folder, not a program"
    (tmp_path / "pay.sh").chmod(0o755)
    assert refused(cli("check", "--", "./pay.sh")) == ("./pay.sh cannot be run: Exec format error")


def test_a_report_that_cannot_be_written_is_one_line(cli, refused, client, tmp_path):
    assert refused(cli("check", "--report", "x.pdf", "--", *client("safe"))) == (
        "--report x.pdf: the ending says the format; there are .json, .xml, .md, .txt, .html"
    )
    assert refused(cli("check", "--report", "no/x.json", "--", *client("safe"))) == (
        "--report no/x.json: there is no folder no"
    )
    (tmp_path / "folder.json").mkdir()
    assert refused(cli("check", "--report", "folder.json", "--", *client("safe"))) == (
        "--report folder.json: it cannot be written"
    )


@pytest.mark.parametrize("prefix", ["sk_live_", "rk_live_"])
def test_a_live_key_in_the_environment_stops_everything(cli, refused, client, tmp_path, prefix):
    line = refused(
        cli("check", "--setup", "touch ran", "--", *client("safe"), PAYMENTS=f"{prefix}51abc")
    )

    assert line.startswith("the environment variable PAYMENTS holds a live Stripe key")
    assert "51abc" not in line
    assert not (tmp_path / "ran").exists()


def test_a_live_key_in_the_command_stops_everything(cli, refused, client):
    line = refused(cli("check", "--", *client("safe", 1, "--key=sk_live_51abc")))

    assert line == "word 5 of the command holds a live Stripe key; nothing was run"


def test_a_client_that_sends_nothing_here_is_run_once_and_no_more(cli, refused, client, tmp_path):
    line = refused(cli("check", "--setup", "echo ran >> ran", "--", *client("silent")))

    assert line.startswith("the first fault-free run sent no request to http://127.0.0.1:")
    assert "does the client still call api.stripe.com" in line
    assert (tmp_path / "ran").read_text() == "ran\n"


def test_a_client_that_fails_without_faults_shows_its_last_words(cli, client):
    script = '"$@"; echo the database is away; exit 4'
    result = cli("check", "--", "sh", "-c", script, "-", *client("safe"))

    assert result.returncode == 2
    assert result.stderr.splitlines() == [
        "fakestripe: fault-free run 1 failed with exit status 4",
        "the database is away",
    ]


def test_a_client_that_never_ends_without_faults_is_one_line(cli, refused, client):
    script = '"$@"; sleep 600'
    words = ["--timeout", "1s", "--", "sh", "-c", script, "-", *client("safe")]

    assert refused(cli("check", *words)) == "fault-free run 1 did not end within --timeout 1.0 s"


def test_two_runs_that_differ_teach_nothing(cli, client):
    result = cli("check", "--", *client("drifting"))

    assert result.returncode == 2
    first, *rest = result.stderr.splitlines()
    assert first.startswith("fakestripe: the two fault-free runs differ")
    assert rest != []


def test_an_endpoint_that_we_do_not_have_is_named(cli, refused, client):
    assert refused(cli("check", "--", *client("unsupported"))) == (
        "the client needs what fakestripe does not have: POST /v1/shipping_rates"
    )


def test_a_client_that_moves_no_money_is_one_line(cli, refused):
    ask = (
        "import os, urllib.request as u; u.urlopen(u.Request("
        "os.environ['STRIPE_API_BASE'] + '/v1/charges',"
        "headers={'Authorization': 'Bearer ' + os.environ['STRIPE_API_KEY']}))"
    )

    assert refused(cli("check", "--", sys.executable, "-c", ask)) == (
        "fault-free run 1 moved no money: requests came, and none that charges"
    )
