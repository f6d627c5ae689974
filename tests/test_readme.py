"""The README is true: its snippets run, its tables are those of the code, its commands are CI's.

A comment before a block says what to do with it: ``file: NAME`` writes it, ``run`` runs its ``$``
lines and compares what they print (times and random keys apart, and ``…`` stands for anything),
``run: 22`` expects the last of them to end with 22, ``serve`` is a run with a server at ``$URL``,
``profile`` loads it, ``script`` is run whole. A ``workflow`` and a ``compose`` fit their schemas,
and what they run is run.
"""

import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from fakestripe import load_profile, profiles
from fakestripe.faults.kinds import LEGAL
from fakestripe.profiles import parse
from fakestripe.protocol.headers import API_VERSION
from fakestripe.protocol.points import ORDER
from fakestripe.resources import routes
from fakestripe.server.admin.routes import VERBS
from fakestripe.verdict.words import WORDS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
BLOCK = re.compile(r"^(?:<!-- (.*?) -->\n)?```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
BLOCKS = [(mark or "", language, text) for mark, language, text in BLOCK.findall(README)]


def marked(kind):
    """Return argument and text of the blocks marked for one treatment."""
    parts = [(mark.partition(": "), text) for mark, _, text in BLOCKS]
    return [(argument, text) for (found, _, argument), text in parts if found == kind]


def rows(heading):
    """Return the cells of the first table below a heading, without its head."""
    section = README.partition(f"\n{heading}\n")[2]
    lines = section[section.index("\n| ") + 1 :].split("\n\n")[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


def ticked(text):
    return re.findall(r"`([^`]+)`", text)


# --- snippets


@pytest.fixture
def sandbox(tmp_path):
    for name, text in marked("file"):
        (tmp_path / name).write_text(text)
    # pytest-asyncio, where it is installed, wants to be told
    (tmp_path / "pytest.ini").write_text("[pytest]\nasyncio_default_fixture_loop_scope=function\n")
    return tmp_path


@pytest.fixture
def environment():
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("FAKESTRIPE", "PYTEST"))}
    here = os.pathsep.join([str(Path(sys.executable).parent), kept["PATH"]])
    return {**kept, "PATH": here, "COLUMNS": "80", "PY_COLORS": "0"}


@pytest.fixture
def served(environment):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "fakestripe", "serve", "--port", str(port)]
    server = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    assert server.stdout.readline() == f"fakestripe listens on http://127.0.0.1:{port}\n"
    yield {**environment, "URL": f"http://127.0.0.1:{port}"}
    server.terminate()
    server.communicate()


def steps(text):
    """Return the commands of a console block, each with what it prints."""
    parts = re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
    return [part.partition("\n")[::2] for part in parts]


def pattern(printed):
    """Return what output must match: a line of ``…`` is any lines, else it is part of a line."""
    lines = [
        ".*" if line == "…\n" else re.escape(line).replace("…", "[^\n]*")
        for line in steady(printed).splitlines(keepends=True)
    ]
    return re.compile("".join(lines), re.DOTALL)


def steady(text):
    """Return a text without what is another each time: random keys and measured times."""
    text = re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "<key>", text)
    return re.sub(r" *\+?\b[0-9.]+ ?m?s\b", " <time>", text)


def play(text, status, cwd, environment):
    """Run a console block; its last command ends with ``status``, the others with 0."""
    played = steps(text)
    for number, (command, printed) in enumerate(played, 1):
        if command.startswith("curl") and not shutil.which("curl"):
            (pytest.fail if os.environ.get("CI") else pytest.skip)("curl is not installed")
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=cwd,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
            check=False,
        )
        found = pattern(printed).fullmatch(steady(done.stdout))
        assert found, f"{command} printed:\n{done.stdout}"
        assert done.returncode == (status if number == len(played) else 0), done.stdout


RUNS = [(int(status or 0), text) for status, text in marked("run")]
SERVED = [(int(status or 0), text) for status, text in marked("serve")]


@pytest.mark.parametrize(("status", "text"), RUNS, ids=lambda value: str(value)[2:32])
def test_a_snippet_prints_what_the_readme_shows(status, text, sandbox, environment):
    play(text, status, sandbox, environment)


@pytest.mark.parametrize(("status", "text"), SERVED, ids=lambda value: str(value)[2:32])
def test_a_snippet_against_a_server_prints_what_the_readme_shows(status, text, sandbox, served):
    play(text, status, sandbox, served)


@pytest.mark.parametrize("text", [text for _, text in marked("profile")])
def test_a_profile_in_the_readme_loads(text):
    assert parse(text, "README.md").rules


def test_there_are_snippets_of_each_kind():
    kinds = {mark.partition(":")[0] for mark, _, _ in BLOCKS}

    assert kinds == {"", "file", "run", "serve", "profile", "script", "workflow", "compose"}


# --- the two commands


def commands():
    first, second = [text for mark, language, text in BLOCKS if language == "console"][:2]
    return first.strip().removeprefix("$ "), second.strip().removeprefix("$ ")


def test_the_readme_opens_with_the_two_commands():
    setup, tests = commands()

    assert setup.endswith(" && .venv/bin/fakestripe demo")
    assert tests.endswith(" && .venv/bin/pytest")
    assert README.index(tests) < README.index("\n## ")


def test_ci_calls_the_command_that_passes_the_tests():
    _, tests = commands()

    assert f"\n  {tests}\n" in (ROOT / ".ci" / "run").read_text()
    assert f"$ {tests}\n" in (ROOT / ".github" / "CONTRIBUTING.md").read_text()


# --- tables


def test_the_lifecycle_table_is_the_one_that_profiles_are_checked_by():
    shown = {ticked(point)[0]: set(ticked(faults)) for point, _, faults in rows(LOST)}
    legal = {p: {fault for fault, points in LEGAL.items() if p in points} for p in ORDER}

    assert shown == {point: faults for point, faults in legal.items() if faults}


LOST = "## Where an answer can get lost"


def test_every_fault_is_explained():
    explained = {
        word for fault, _ in rows("## The faults") for word in re.findall(r"`\{?(\w+)", fault)
    }

    assert explained == set(LEGAL)


def test_the_words_are_those_of_the_verdict_worst_first():
    shown = [(ticked(word)[0], meaning) for word, meaning in rows("## Reading a verdict")]

    assert shown == [(word, found.meaning) for word, found in WORDS.items()]


def test_the_profiles_shown_are_the_first_of_the_library():
    shown = [(ticked(name)[0], tuple(ticked(expect))) for name, _, expect in rows("## Profiles")]

    assert shown == [(name, load_profile(name).expect) for name in profiles.names()[:10]]


def test_the_endpoints_are_those_that_are_served():
    shown = [endpoint for _, each in rows("## What is emulated") for endpoint in ticked(each)]
    served = {f"{type(route).__name__.upper()} {route.pattern}" for route in routes.ROUTES}

    assert sorted(shown) == sorted(served)
    assert f"API version `{API_VERSION}`" in README


def test_the_admin_calls_are_those_that_are_answered():
    """A row has calls (`GET wait`), or methods and what they share (`PUT` `GET` `profile`)."""
    shown = set()
    for cell, _ in rows("## Formats"):
        words = " ".join(ticked(cell)).split()
        methods = [word for word in words if word.isupper()]
        nouns = [re.sub(r"/\d+", "/N", word) for word in words if not word.isupper()]
        nouns = [noun.removeprefix("/") for noun in nouns]  # `GET /` is the page
        shown |= set(zip(methods, nouns * len(methods) if len(nouns) == 1 else nouns, strict=True))

    assert shown == set(VERBS)


def test_files_that_the_readme_links_to_exist():
    links = [link for link in re.findall(r"\]\(([^)]+)\)", README) if "://" not in link]

    assert [link for link in links if not (ROOT / link).exists()] == []
