"""``check --intercept`` at the command line: who is led here, whom it may reach, what is said."""

import json
import sys
from pathlib import Path

import pytest

CLIENT = str(Path(__file__).parent / "clients" / "hardwired.py")
PROFILE = ("--profile", "reset-after-commit")
ELSEWHERE = "registry.example.net"
REFUSED = (
    "refused while your command ran, under --intercept:\n"
    f"  fakestripe opens no tunnel to {ELSEWHERE}:443: --allow {ELSEWHERE} opens it"
)
USAGE = (
    (
        ("--allow", "example.com"),
        "--allow opens hosts to who is led here: give --intercept too",
    ),
    (
        ("--intercept", "--tls-cert", "a.pem", "--tls-key", "b.pem"),
        (
            "--intercept needs certificates of a throw-away authority: leave out --tls-cert and "
            "--tls-key"
        ),
    ),
    (
        ("--intercept", "--allow", "api.stripe.com"),
        (
            "check: argument --allow: 'api.stripe.com': nothing ever tunnels to stripe.com "
            "(see: fakestripe check --help)"
        ),
    ),
)
ALONE = {"HTTPS_PROXY": "", "https_proxy": "", "NO_PROXY": "", "no_proxy": ""}
"""No proxy of the machine's own."""


def hardwired(habit):
    return [sys.executable, CLIENT, habit]


@pytest.fixture
def led(cli):
    """Run ``check --intercept`` over the client of some habit."""

    def run(habit, *flags, **more):
        return cli(
            "check", "--intercept", *PROFILE, *flags, "--", *hardwired(habit), **{**ALONE, **more}
        )

    return run


@pytest.mark.parametrize(
    ("habit", "status", "row"),
    [("safe", 0, "2        1  clean"), ("unsafe", 1, "2        2  duplicate")],
)
def test_a_client_of_stripes_own_host_is_judged_and_replayed(led, habit, status, row):
    result = led(habit)

    assert (result.returncode, result.stderr) == (status, "")
    assert f"reset-after-commit         {row}" in result.stdout
    if status:
        again = f"again: fakestripe check {' '.join(PROFILE)} --intercept -- "
        assert again in result.stdout


def test_a_host_that_was_refused_is_told_at_the_end_with_what_opens_it(led):
    result = led("elsewhere")

    assert result.returncode == 0
    assert f"\n\n{REFUSED}\n\nnothing red under 1 of 1 profiles\n" in result.stdout


def test_a_host_that_was_refused_is_told_where_nothing_could_be_learned(led):
    result = led("needy")

    assert result.returncode == 2
    assert result.stderr.endswith(f"{REFUSED}\n")


def test_what_may_be_reached_is_said_to_a_replay(led):
    result = led("unsafe", "--allow", "*.example.com", "--allow", "example.org:8443")

    assert (
        f"again: fakestripe check {' '.join(PROFILE)} --intercept --allow '*.example.com' "
        "--allow example.org:8443 -- "
    ) in result.stdout


def test_a_proxy_of_the_user_is_replaced_and_its_url_is_not_shown(led):
    result = led("safe", HTTPS_PROXY="http://me:secret@127.0.0.1:9", NO_PROXY="*")

    assert result.returncode == 0
    assert result.stdout.splitlines()[0] == (
        "HTTPS_PROXY names another proxy, and is replaced for your command"
    )
    assert "secret" not in result.stdout


def test_a_client_that_comes_by_no_name_stops_it_and_the_variable_is_named(led, refused):
    assert refused(led("idle")).endswith(
        ", neither by that name nor by Stripe's, so nothing more was run: does its stack ignore "
        "PYTHONPATH, or does it set a proxy, a host or an environment of its own?"
    )


@pytest.mark.parametrize(("flags", "said"), USAGE)
def test_flags_that_do_not_go_together_are_one_line(cli, refused, flags, said):
    assert refused(cli("check", *flags, "--", *hardwired("safe"))) == said


def test_a_live_key_is_refused_as_ever(cli, refused):
    line = refused(cli("check", "--intercept", "--", *hardwired("safe"), KEY="sk_live_x"))

    assert line.startswith("the environment variable KEY holds a live Stripe key")


def told(result):
    """Return what a client was told that prints its environment, and then pays nobody."""
    (line,) = (line for line in result.stderr.splitlines() if line.startswith("{"))
    return json.loads(line)


def test_the_client_is_told_all_by_its_environment_and_the_files_are_gone_afterwards(led):
    environment = told(led("tells", SSL_CERT_FILE="", NODE_OPTIONS="--theirs"))
    place = environment["HTTPS_PROXY"].removeprefix("http://")
    bundle, ours = environment["SSL_CERT_FILE"], environment["FAKESTRIPE_CA_FILE"]

    assert environment["https_proxy"] == f"http://{place}"
    assert environment["STRIPE_API_BASE"] == f"http://{place}"
    assert environment["NO_PROXY"] == "localhost,127.0.0.1,::1"
    assert environment["FAKESTRIPE_LED_TO"] == place
    assert environment["REQUESTS_CA_BUNDLE"] == environment["CURL_CA_BUNDLE"] == bundle != ours
    assert environment["NODE_EXTRA_CA_CERTS"] == ours
    assert environment["NODE_OPTIONS"].startswith("--theirs --require ")
    assert "-Djavax.net.ssl.trustStore=" in environment["JAVA_TOOL_OPTIONS"]
    assert not Path(bundle).exists()
    assert not Path(ours).exists()


def test_beside_tls_the_port_itself_speaks_it_too(led):
    assert told(led("tells", "--tls"))["STRIPE_API_BASE"].startswith("https://127.0.0.1:")
    assert led("safe", "--tls").returncode == 0


def test_a_sweep_leads_its_client_alike(cli):
    result = cli(
        "sweep", "--intercept", "--fault", "reset-after", "--", *hardwired("unsafe"), **ALONE
    )

    assert result.returncode == 1
    assert "duplicate" in result.stdout
    assert "fakestripe check --profile" in result.stdout
    assert "--intercept -- " in result.stdout
