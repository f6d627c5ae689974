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
PROFILES = ("commit-then-timeout", "reset-after-commit")
FLAGS = ("--intercept", "--max-hang", "6s")
PYTHON = ("requests", "httpx", "aiohttp", "urllib", "pycurl")
BRIEF = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
CLEAN = ("clean", 2, 1, (), (0,))


def twice(cause):
    """Return what is found of two attempts that made two charges, for one cause."""
    return "duplicate", 2, 2, (cause,), (0,)


def under(silence, reset):
    return dict(zip(PROFILES, (silence, reset), strict=True))


def habits(cause):
    return {"safe": under(CLEAN, CLEAN), "unsafe": under(twice(cause), twice(cause))}


HABITS = habits("fresh_key_per_attempt")
RESENT = {**HABITS, "unsafe": under(twice("fresh_key_per_attempt"), CLEAN)}
"""Where the stack sends a POST again after a reset, with the key that it had."""

NODE = {
    "stripe": RESENT,
    "stripe-18": {**RESENT, "keyless": under(twice("no_key"), twice("no_key"))},
    "stripe-fetch": HABITS,
    "fetch": HABITS,
    "axios": HABITS,
}
GO = habits("time_in_key")
"""A key that stripe-go makes has the time in it."""

JAVA = {
    "stripe": RESENT,
    "url": {**RESENT, "keyless": under(twice("no_key"), twice("transport_resend"))},
    "http": HABITS,
}
CURL = habits("attempt_in_key")
ONCE = "-Dsun.net.http.retryPost=false"
"""What keeps HttpURLConnection, and stripe-java on it, from resending."""


def rows(table):
    return [(stack, habit) for stack in table for habit in table[stack]]


@pytest.fixture
def told(tmp_path):
    """Check a program under both profiles; return what was found under each."""

    def of(*command, **environment):
        checked = check(
            map(str, command), tmp_path, profiles=PROFILES, flags=FLAGS, environment=environment
        )
        return {
            name: (run.verdict, run.attempts, run.charges, run.causes, run.exits)
            for name, run in checked.runs.items()
        }

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
    """Return the start of a program in Java, and its end."""
    jars = got(toolchain.java_jars, PROGRAMS / "java")
    return ("java", *BRIEF), ("-cp", f"{jars}/*:{jars}", "Program")


@pytest.mark.parametrize("habit", HABITS)
@pytest.mark.parametrize("transport", PYTHON)
def test_stripe_python(told, transport, habit):
    assert told(sys.executable, PROGRAMS / "pay.py", transport, habit) == HABITS[habit]


@pytest.mark.parametrize(("stack", "habit"), rows(NODE))
def test_node_which_reads_no_proxy_variable(told, got, stack, habit):
    modules = str(got(toolchain.node_modules))
    found = told("node", PROGRAMS / "pay.cjs", stack, habit, NODE_PATH=modules)

    assert found == NODE[stack][habit]


@pytest.mark.parametrize("habit", GO)
def test_stripe_go(told, got, habit):
    assert told(got(toolchain.go_program, PROGRAMS / "go"), habit) == GO[habit]


@pytest.mark.parametrize(("stack", "habit"), rows(JAVA))
def test_java(told, java, stack, habit):
    start, program = java

    assert told(*start, *program, stack, habit) == JAVA[stack][habit]


@pytest.mark.parametrize("habit", HABITS)
def test_stripe_java_where_http_url_connection_resends_nothing(told, java, habit):
    start, program = java

    assert told(*start, ONCE, *program, "stripe", habit) == HABITS[habit]


@pytest.mark.parametrize("habit", CURL)
def test_curl(told, unavailable, habit):
    if shutil.which("curl") is None:
        unavailable("curl is not installed")

    assert told("sh", PROGRAMS / "pay.sh", habit) == CURL[habit]
