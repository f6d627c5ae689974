"""Every flag of every command has a variable, and the variable says the same as the flag."""

from argparse import ArgumentParser, ArgumentTypeError
from importlib import import_module

import pytest

from fakestripe.cli import COMMANDS, flags

SAMPLES = ("7", "2", "3s", "12200-12215", "strict", "text", "fresh", "reset", "all")
"""Texts, of which each reader takes one."""


def parser_of(command):
    module = import_module(f"fakestripe.cli.{command}")
    parser = ArgumentParser(add_help=False, allow_abbrev=False)
    module.add_arguments(parser)
    return module, parser


def options():
    """Return command and option of all there are, but the flags that no value stands for."""
    return [
        (command, action.option_strings[-1])
        for command in COMMANDS
        for action in parser_of(command)[1]._actions
        if action.option_strings
    ]


def sample(flag):
    for text in SAMPLES:
        try:
            flag.read(text)
        except (ArgumentTypeError, ValueError):
            continue
        return text
    raise AssertionError(f"no sample fits {flag.name}")


@pytest.mark.parametrize(("command", "option"), options(), ids="".join)
def test_a_flag_and_its_variable_say_the_same(command, option, monkeypatch):
    module, parser = parser_of(command)
    (flag,) = (each for each in module.FLAGS if each.name == option)
    switch = flag.kind == "switch"
    text = "1" if switch else sample(flag)
    for each in module.FLAGS:
        monkeypatch.delenv(each.variable, raising=False)
    positional = [
        "x" for each in parser._actions if not each.option_strings and each.nargs is None
    ]
    if command == "profiles":
        positional = ["list"]
    by_flag = parser.parse_args([*positional, option, *([] if switch else [text])])
    flags.fill(by_flag, module.FLAGS)
    monkeypatch.setenv(flag.variable, text)
    by_variable = parser.parse_args(positional)
    flags.fill(by_variable, module.FLAGS)
    told, said = getattr(by_variable, flag.field), getattr(by_flag, flag.field)

    assert (tuple(told) == tuple(said)) if flag.kind == "several" else told == said
    assert flag.variable == "FAKESTRIPE_" + option[2:].upper().replace("-", "_")
    assert flag.variable in parser.format_help()
