"""The situation in a line, and files of one's own checked."""

import pytest

from fakestripe.profiles import ProfileError, parse
from fakestripe.profiles.lint import meant, mistakes
from fakestripe.profiles.told import situation

POINTS = "listen, accept, reading, received, claimed, committed, replying or sent"


ABOUT = "# The first thing. And more\n# about it.\nname: p\nsettings: {seed: 1}\n"


def test_the_situation_is_the_first_sentence_of_the_comment():
    assert situation(parse(ABOUT, "p")) == "The first thing."
    assert situation(parse("name: p\nsettings: {seed: 1}\n", "p")) == ""
    assert situation(parse("# One\n# line.\nname: p\nsettings: {seed: 1}\n", "p")) == "One line."


def test_lint_finds_every_problem_and_a_name_that_nobody_would_find(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.yaml").write_text("name: b\nsettings: {seed: 1}\n")
    (tmp_path / "c.yaml").write_text("name: c\nrules: [{at: x}]\n")
    (tmp_path / "d.yaml").write_text("name: d\nsettings: {seed: 1}\n")

    found = {path.name: [str(each) for each in mistakes(path)] for path in meant(".", [])}

    assert found == {
        "a.yaml": ["a.yaml: name: the file is found as 'a', and says 'b'"],
        "c.yaml": [
            "c.yaml:2:9: rules[0]: 'do' is missing",
            "c.yaml:2:14: rules[0].at: 'x' is no point; it may be " + POINTS,
        ],
        "d.yaml": [],
    }


def test_lint_takes_names_paths_and_folders_that_hold_some(tmp_path):
    (tmp_path / "a.yaml").write_text("")

    assert [path.name for path in meant("late-commit", [])] == ["late-commit.yaml"]
    assert meant(str(tmp_path / "a.yaml"), []) == [tmp_path / "a.yaml"]
    assert meant("a", [tmp_path]) == [tmp_path / "a.yaml"]
    (tmp_path / "none").mkdir()
    with pytest.raises(ProfileError, match="no profile in this folder"):
        meant(str(tmp_path / "none"), [])
