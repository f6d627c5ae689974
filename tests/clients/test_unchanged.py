"""Clients with Stripe's own host in them, unchanged: ``check --intercept`` leads each one here.

A program gets nothing but its environment. Each answer is lost after the commit, once in silence
and once by a reset. A shop with one key per order is clean, one with a key per attempt is not,
unless what it stands on resends by itself, and so under one key, before the shop learns of it.
"""

import shutil
import sys
from pathlib import Path

import pytest
import toolchain
from checking import check

PROGRAMS = Path(__file__).parent / "unchanged"
SILENCE, RESET = PROFILES = ("commit-then-timeout", "reset-after-commit")
FLAGS = ("--intercept", "--max-hang", "2s")
PYTHON = ("requests", "httpx", "aiohttp", "urllib", "pycurl")
BRIEF = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
CLEAN = ("clean", 2, 1, (), (0,))


def twice(cause):
    """Return what is found of two attempts that made two charges, for one cause."""
    return "duplicate", 2, 2, (cause,), (0,)


ANEW = twice("fresh_key_per_attempt")
HABITS = {"safe": {SILENCE: CLEAN, RESET: CLEAN}, "unsafe": {SILENCE: ANEW, RESET: ANEW}}
RESENT = {**HABITS, "unsafe": {SILENCE: ANEW, RESET: CLEAN}}
"""Where the stack sends a POST again after a reset, with the key that it had."""

NODE = {
    "stripe": RESENT,
    "stripe-18": {**RESENT, "keyless": {SILENCE: twice("no_key"), RESET: twice("no_key")}},
    "stripe-fetch": HABITS,
    "fetch": HABITS,
    "axios": HABITS,
}
KEYLESS = {SILENCE: twice("no_key"), RESET: twice("transport_resend")}
JAVA = {"stripe": RESENT, "url": {**RESENT, "keyless": KEYLESS}, "http": HABITS}
ONCE = "-Dsun.net.http.retryPost=false"
"""What keeps HttpURLConnection, and stripe-java on it, from resending."""


def rows(table):
    return [(stack, habit, name) for stack in table for habit in table[stack] for name in PROFILES]


@pytest.fixture
def told(tmp_path):
    """Check a program under a profile; return what was found."""

    def of(profile, *command, **environment):
        checked = check(
            map(str, command), tmp_path, profiles=[profile], flags=FLAGS, environment=environment
        )
        run = checked.runs[profile]
        return run.verdict, run.attempts, run.charges, run.causes, run.exits

    return of


@pytest.fixture
def got(unavailable):
    """Return what a language needs, or say why this machine does not have it."""

    def make(maker, *arguments):
        try:
            return maker(*arguments)
        except toolchain.Unavailable as reason:
            return unavailable(str(reason))

    return make


@pytest.fixture
def java(got):
    """Return the start of a program in Java."""
    jars = got(toolchain.java_jars, PROGRAMS / "java")
    return ("java", *BRIEF), ("-cp", f"{jars}/*:{jars}", "Program")


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("habit", HABITS)
@pytest.mark.parametrize("transport", PYTHON)
def test_stripe_python(told, transport, habit, profile):
    found = told(profile, sys.executable, PROGRAMS / "pay.py", transport, habit)

    assert found == HABITS[habit][profile]


@pytest.mark.parametrize(("stack", "habit", "profile"), rows(NODE))
def test_node_which_reads_no_proxy_variable(told, got, stack, habit, profile):
    modules = str(got(toolchain.node_modules))
    found = told(profile, "node", PROGRAMS / "pay.cjs", stack, habit, NODE_PATH=modules)

    assert found == NODE[stack][habit][profile]


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    ("habit", "expected"), [("safe", CLEAN), ("unsafe", twice("time_in_key"))]
)
def test_stripe_go(told, got, habit, expected, profile):
    """A new key of stripe-go has the time in it."""
    assert told(profile, got(toolchain.go_program, PROGRAMS / "go"), habit) == expected


@pytest.mark.parametrize(("stack", "habit", "profile"), rows(JAVA))
def test_java(told, java, stack, habit, profile):
    start, program = java

    assert told(profile, *start, *program, stack, habit) == JAVA[stack][habit][profile]


@pytest.mark.parametrize("habit", HABITS)
def test_stripe_java_where_http_url_connection_resends_nothing(told, java, habit):
    start, program = java

    assert told(RESET, *start, ONCE, *program, "stripe", habit) == HABITS[habit][RESET]


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    ("habit", "expected"), [("safe", CLEAN), ("unsafe", twice("attempt_in_key"))]
)
def test_curl(told, unavailable, habit, expected, profile):
    if shutil.which("curl") is None:
        unavailable("curl is not installed")

    assert told(profile, "sh", PROGRAMS / "pay.sh", habit) == expected
