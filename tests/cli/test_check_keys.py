"""Under a profile with keys of its own, the program is given the first of them."""

import json

KEYED = """
name: nightly
settings:
  keys: [{key: vk_test_nightly_run, daily_usd_cap: 450.00, allowed_endpoints: [/v1/charges]}]
rules:
  - {at: committed, when: {attempt: 1}, do: reset}
"""


def test_a_program_pays_with_the_key_of_its_profile(cli, client, tmp_path):
    (tmp_path / "nightly.yaml").write_text(KEYED)
    asked = ("--profile", "./nightly.yaml", "--report", "x.json", "--", *client("safe"))
    result = cli("check", *asked)
    report = (tmp_path / "x.json").read_text()
    [run] = json.loads(report)["runs"]
    attempts = [each for found in run["operations"] for each in found["attempts"]]

    assert (result.returncode, run["verdict"]) == (0, "clean")
    assert {(each["api_key"], each["policy"]) for each in attempts} == {
        ("vk_test_*******_run", "allowed")
    }
    assert "vk_test_nightly_run" not in report + result.stdout + result.stderr


def test_a_program_may_have_the_key_written_in_it(cli, client, tmp_path):
    (tmp_path / "nightly.yaml").write_text(KEYED)
    program = ["env", "STRIPE_API_KEY=vk_test_nightly_run", *client("safe")]
    asked = ("--profile", "./nightly.yaml", "--profile", "reset-after-commit")
    result = cli("check", *asked, "--", *program)

    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.count("clean") >= 2


def test_a_server_for_many_takes_no_profile_with_keys(cli, tmp_path):
    (tmp_path / "nightly.yaml").write_text(KEYED)
    result = cli("serve", "--port", "0", "--profile", "./nightly.yaml")

    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == (
        "fakestripe: profile nightly: settings.keys: a key belongs to one account, and this port "
        "has many: set the profile with the Authorization of one, or open a port of your own "
        "(POST /_fakestripe/ports)\n"
    )
