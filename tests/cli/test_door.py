"""The door: help is cheap, mistakes are one line."""

import subprocess
import sys

import pytest


def loaded_by(*words):
    """Return the modules that a command loads."""
    code = f"""
import sys
from fakestripe.cli import main
try:
    main({list(words)!r})
except SystemExit:
    pass
print(*sys.modules, file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


@pytest.mark.parametrize("words", [("--help",), ("check", "--help"), ("serve", "--help")])
def test_help_does_not_pay_for_the_server(words):
    assert loaded_by(*words) & {"aiohttp", "asyncio", "faker"} == set()


@pytest.mark.parametrize("chosen", ["serve", "health", "explain", "doctor"])
def test_a_command_imports_no_other(chosen):
    commands = {"serve", "check", "judge", "explain", "demo", "profiles", "health", "doctor"}
    loaded = loaded_by(chosen, "--help")

    assert {name for name in commands if f"fakestripe.cli.{name}" in loaded} == {chosen}


def test_help_names_every_command_and_the_exit_statuses(cli):
    shown = cli("--help")

    assert shown.returncode == 0
    rows = [line for line in shown.stdout.splitlines() if line[:3].strip() and line[:2] == "  "]
    listed = [row.split()[0] for row in rows]
    assert listed == [
        *("check", "sweep", "serve", "judge", "explain", "demo", "profiles", "health", "doctor"),
    ]
    assert "exit status: 0 nothing red" in shown.stdout


def test_no_command_at_all_shows_the_help_and_fails(cli):
    shown = cli()

    assert shown.returncode == 2
    assert "usage: fakestripe COMMAND" in shown.stdout


def test_the_version_is_told(cli):
    from fakestripe import __version__

    assert cli("--version").stdout == f"fakestripe {__version__}\n"


def test_a_misspelt_command_is_one_line(cli, refused):
    assert refused(cli("chek")).startswith("no command 'chek' (did you mean 'check'?); there are")


def test_an_unknown_flag_is_one_line(cli, refused):
    assert refused(cli("serve", "--prot", "1")) == (
        "serve: unrecognized arguments: --prot 1 (see: fakestripe serve --help)"
    )


def test_a_flag_that_cannot_be_read_is_one_line(cli, refused):
    assert refused(cli("serve", "--port", "99999")) == (
        "serve: argument --port: '99999' is not a whole number from 0 to 65535 "
        "(see: fakestripe serve --help)"
    )


def test_a_variable_that_cannot_be_read_is_named(cli, refused):
    assert refused(cli("serve", FAKESTRIPE_MAX_HANG="3")) == (
        "FAKESTRIPE_MAX_HANG: '3' is not a duration: write a number and a unit, "
        "such as 30s, 250ms or 25h"
    )


def test_a_word_outside_a_choice_gets_its_nearest(cli, refused):
    assert "'anny' is none of strict, any (did you mean 'any'?)" in refused(
        cli("serve", "--customers", "anny")
    )


def test_windows_is_refused(tmp_path):
    code = (
        "import sys; sys.platform = 'win32'\n"
        "from fakestripe.cli import main\n"
        "sys.exit(main(['check', '--', 'true']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False
    )

    assert done.returncode == 2
    assert done.stderr == (
        "fakestripe: Windows is not supported; use WSL or the container image\n"
    )


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path):
    explain = subprocess.Popen(
        [sys.executable, "-m", "fakestripe", "explain"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
    )
    explain.stdout.close()

    assert (explain.wait(), explain.stderr.read()) == (141, b"")
    explain.stderr.close()


def test_a_terminal_without_our_letters_is_no_error(cli):
    shown = cli("--help", PYTHONIOENCODING="ascii")

    assert (shown.returncode, shown.stderr) == (0, "")
    assert "usage: fakestripe COMMAND ?" in shown.stdout
