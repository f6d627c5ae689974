"""``fakestripe profiles``: list, show, lint, and what it says to a wrong call."""

import pytest

from fakestripe.cli import main
from fakestripe.profiles import names, parse
from fakestripe.profiles.library import home

MISSING = "'rules' is missing: a profile says what goes wrong, and when"
OURS = "# Our own situation. It is ours.\nname: ours\nrules:\n  - at: committed\n    do: close\n"


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run the command in an empty folder: its status, what it printed, what it complained of."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("FAKESTRIPE_PROFILES", raising=False)

    def ran(*words):
        status = main(["profiles", *words])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return ran


@pytest.fixture
def ours(tmp_path):
    folder = tmp_path / "fault_profiles"
    folder.mkdir()
    (folder / "ours.yaml").write_text(OURS)
    return folder


def test_list_names_every_built_in_profile_with_its_situation(run):
    status, printed, _ = run("list")

    assert status == 0
    assert [line.split()[0] for line in printed.splitlines()] == list(names())
    assert printed.splitlines()[0] == (
        "commit-then-timeout         The charge commits, the answer never comes."
    )


def test_list_begins_with_ones_own_and_leaves_out_what_they_hide(run, ours):
    (ours / "late-commit.yaml").write_text(OURS.replace("name: ours", "name: late-commit"))

    lines = run("list")[1].splitlines()

    assert lines[0].startswith("late-commit (fault_profiles/late-commit.yaml)  Our own situation.")
    assert lines[1].startswith("ours (fault_profiles/ours.yaml)")
    assert len(lines) == len(names()) + 1


def test_show_prints_the_file_and_what_it_means_and_is_a_profile_again(run):
    status, printed, _ = run("show", "reset-after-commit")

    written = (home() / "reset-after-commit.yaml").read_text()
    assert status == 0
    assert printed == (
        f"{written}\n"
        "# In words:\n"
        "#\n"
        "# On the first attempt of each operation that moves money, once the outcome is recorded "
        "and not a\n"
        "# byte of it has been sent (at committed), the connection is reset (RST). "
        "The charge stays.\n"
        "#\n"
        "# A correct client gets: clean (charged once, and told so).\n"
        "#\n"
        f"# from {home() / 'reset-after-commit.yaml'}\n"
    )
    assert parse(printed, "again").rules == parse(written, "once").rules


def test_show_says_which_built_in_profile_is_hidden(run, ours):
    (ours / "late-commit.yaml").write_text(OURS)

    last = run("show", "late-commit")[1].splitlines()[-1]

    hidden = home() / "late-commit.yaml"
    assert last == f"# from fault_profiles/late-commit.yaml, hides the built-in {hidden}"


def test_lint_checks_the_folder_of_the_run(run, ours):
    assert run("lint") == (0, "1 profile, nothing wrong\n", "")


def test_lint_prints_each_problem_on_a_line_and_ends_with_2(run, ours):
    (ours / "b.yaml").write_text("name: c\nsettings: {seed: 1}\n")
    (ours / "a.yaml").write_text("name: a\nrules:\n  - at: sennt\n    do: resett\n")

    status, printed, complained = run("lint", "fault_profiles", "nowhere.yaml")

    assert (status, complained) == (2, "")
    assert printed.splitlines() == [
        "fault_profiles/a.yaml:3:9: rules[0].at: 'sennt' is no point; did you mean 'sent'?",
        "fault_profiles/a.yaml:4:9: rules[0].do: 'resett' is no fault; did you mean 'reset'?",
        "fault_profiles/b.yaml: name: the file is found as 'b', and says 'c'",
        "nowhere.yaml: no such file",
    ]


def test_links_in_a_circle_are_no_file(run, ours):
    (ours / "a.yaml").symlink_to("b.yaml")
    (ours / "b.yaml").symlink_to("a.yaml")
    status, printed, _ = run("lint")

    assert status == 2
    assert printed.count("this is no file; a profile is a text file\n") == 2


def test_lint_takes_a_folder_and_names(run, ours, tmp_path):
    ours.rename(tmp_path / "mine")

    assert run("lint", "ours", "late-commit", "--profiles", "mine") == (
        0,
        "2 profiles, nothing wrong\n",
        "",
    )


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (
            ["list", "x"],
            "fakestripe: profiles list takes no name (see: fakestripe profiles show NAME)\n",
        ),
        (
            ["schema", "late-commit"],
            "fakestripe: profiles schema takes no name: it is the same for every profile\n",
        ),
        (["show"], "fakestripe: profiles show needs a name (see: fakestripe profiles list)\n"),
        (
            ["show", "late-comit"],
            "fakestripe: 'late-comit': no profile of this name; did you mean late-commit?\n",
        ),
        (
            ["lint"],
            "fakestripe: profiles lint needs a path: there is no folder fault_profiles here\n",
        ),
        (
            ["list", "--profiles", "nowhere"],
            "fakestripe: --profiles nowhere: there is no such folder\n",
        ),
    ],
)
def test_a_wrong_call_is_one_line_and_ends_with_2(words, error, run):
    assert run(*words) == (2, "", error)


def test_an_unknown_verb_names_the_known_ones(run):
    status, _, complained = run("lst")

    assert status == 2
    assert complained.count("\n") == 1
    assert "'list', 'show', 'lint', 'schema'" in complained


def test_a_broken_profile_of_ones_own_is_named_by_list(run, ours):
    (ours / "broken.yaml").write_text("name: broken\n")

    assert run("list") == (
        2,
        "",
        f"fakestripe: fault_profiles/broken.yaml:1:1: {MISSING}\n",
    )
