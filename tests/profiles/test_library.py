"""Where a profile is found: by name or by path, one's own before the built-in ones."""

import shutil
from pathlib import Path

import pytest

from fakestripe.profiles import ProfileError, library, load_profile, names
from fakestripe.profiles.library import HOMES, home, is_path, locate, of_folder

OWN = "# Ours.\nname: {name}\nrules:\n  - at: committed\n    do: close\n"


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path, name=None):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(OWN.format(name=name or path.stem))
    return path


def refused(source, **places):
    with pytest.raises(ProfileError) as caught:
        load_profile(source, **places)
    return str(caught.value)


def test_a_built_in_profile_is_found_by_name(here):
    found = load_profile("commit-then-timeout")

    assert found.name == "commit-then-timeout"
    assert found.source == str(home() / "commit-then-timeout.yaml")
    assert found.shadows is None


def test_a_name_is_looked_up_in_the_folder_of_the_run_first(here):
    write(here / "fault_profiles" / "ours.yaml")

    assert load_profile("ours").source == "fault_profiles/ours.yaml"


def test_a_name_is_looked_up_in_the_given_folders_in_order(here):
    second = write(here / "b" / "ours.yaml")
    assert load_profile("ours", roots=[here / "a", here / "b"]).source == "b/ours.yaml"

    write(here / "a" / "ours.yaml")
    assert load_profile("ours", roots=[Path("a"), second.parent]).source == "a/ours.yaml"


def test_given_folders_replace_the_one_of_the_run(here):
    write(here / "fault_profiles" / "ours.yaml")

    assert refused("ours", roots=[here / "a"]) == (
        "'ours': no profile of this name (see: fakestripe profiles list)"
    )


def test_a_profile_of_ones_own_shadows_the_built_in_one_and_says_so(here):
    write(here / "fault_profiles" / "rate-limited.yaml")

    found = load_profile("rate-limited")

    assert found.source == "fault_profiles/rate-limited.yaml"
    assert found.shadows == str(home() / "rate-limited.yaml")


def test_the_built_in_folder_shadows_nothing(monkeypatch):
    monkeypatch.chdir(home().parent)

    assert load_profile("rate-limited", roots=[home()]).shadows is None


def test_other_endings_are_found_too(here):
    shutil.copy(write(here / "x.yaml", "ours"), here / "fault.yml")
    write(here / "fault_profiles" / "ours.yml")

    assert load_profile("ours").source == "fault_profiles/ours.yml"
    assert load_profile("fault.yml").name == "ours"


@pytest.mark.parametrize(
    ("source", "path"),
    [("a/b", True), ("./b", True), ("b.yaml", True), ("b.json", True), ("b", False)],
)
def test_a_slash_or_an_ending_makes_a_path(source, path):
    assert is_path(source) is path


def test_a_path_leads_from_the_test_then_from_the_root_of_the_run(here):
    test = write(here / "tests" / "test_pay.py")
    near = write(here / "tests" / "faults" / "ours.yaml")
    write(here / "faults" / "ours.yaml")

    assert locate("faults/ours.yaml", base=test).path == near
    assert locate("faults/ours.yaml", base=test.parent).path == near
    assert locate("faults/ours.yaml").path == here / "faults" / "ours.yaml"
    near.unlink()
    assert locate("faults/ours.yaml", base=test).path == here / "faults" / "ours.yaml"


def test_the_root_of_the_run_may_be_another_than_the_current_folder(here):
    write(here / "root" / "fault_profiles" / "ours.yaml")

    found = load_profile("ours", root=here / "root")
    same = load_profile("fault_profiles/ours.yaml", root=here / "root")

    assert found.source == same.source == "root/fault_profiles/ours.yaml"


def test_a_path_object_is_a_path_without_slash_or_ending(here):
    write(here / "ours")

    assert load_profile(Path("ours")).name == "ours"


@pytest.mark.parametrize(
    ("source", "error"),
    [
        (
            "comit-then-timeout",
            "'comit-then-timeout': no profile of this name; did you mean commit-then-timeout?",
        ),
        (
            "commit_then_timeout",
            "'commit_then_timeout': no profile of this name; did you mean commit-then-timeout?",
        ),
        ("nothing", "'nothing': no profile of this name (see: fakestripe profiles list)"),
        ("", "'': no profile of this name (see: fakestripe profiles list)"),
        ("a\0b", "'a\\x00b': no profile of this name (see: fakestripe profiles list)"),
        ("x" * 999, f"'{'x' * 60}…': no profile of this name (see: fakestripe profiles list)"),
        (
            "late-comit.yaml",
            "late-comit.yaml: no such file; did you mean the built-in late-commit?",
        ),
        ("/nowhere/x.yaml", "/nowhere/x.yaml: no such file"),
        ("x" * 999 + "/y", f"{'x' * 999}/y: no such file"),
    ],
)
def test_what_is_not_found_is_refused_with_the_nearest_name(source, error, here):
    assert refused(source) == error


def test_the_nearest_name_may_be_one_of_ones_own(here):
    write(here / "fault_profiles" / "double-trouble.yaml")

    assert refused("double-troubel") == (
        "'double-troubel': no profile of this name; did you mean double-trouble?"
    )


def test_a_file_without_the_ending_of_a_profile_is_pointed_at(here):
    (here / "zzz.txt").write_text("x")

    assert refused("zzz.txt") == "'zzz.txt': no profile of this name; write ./zzz.txt for the file"


def test_a_folder_a_binary_and_an_empty_file_are_refused(here):
    (here / "folder.yaml").mkdir()
    (here / "latin.yaml").write_bytes("name: p\n# caf\xe9\n".encode("latin-1"))
    (here / "empty.yaml").write_bytes(b"")

    assert refused("folder.yaml") == "folder.yaml: this is a folder; a profile is a text file"
    assert refused("latin.yaml") == "latin.yaml:2:6: this is not UTF-8"
    assert refused("empty.yaml") == "empty.yaml:1:1: empty: a profile has a name and rules"


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="no /proc")
def test_a_file_that_cannot_be_read_says_why(here):
    assert refused("/proc/self/mem") == "/proc/self/mem: cannot be read: input/output error"


def test_a_device_is_no_file(here):
    assert refused("/dev/null") == "/dev/null: this is no file; a profile is a text file"


def test_a_byte_order_mark_is_no_part_of_the_text(here):
    text = OWN.format(name="bom").encode()
    (here / "bom.yaml").write_bytes(b"\xef\xbb\xbf" + text)

    assert load_profile("./bom.yaml").about == "Ours."


def test_the_library_is_in_order():
    assert names()[:10] == (
        "commit-then-timeout",
        "reset-after-commit",
        "close-after-commit",
        "reset-before-commit",
        "gateway-502-after-commit",
        "stored-500",
        "truncated-reply",
        "late-commit",
        "stale-keep-alive",
        "rate-limited",
    )
    assert list(names()[10:]) == sorted(names()[10:])
    assert tuple(profile.name for profile in library()) == names()


def test_the_built_in_profiles_are_in_the_wheel_or_beside_the_package():
    inside, beside = HOMES

    assert inside.parts[-2:] == ("fakestripe", "_fault_profiles")
    assert beside.name == "fault_profiles"
    assert home() in HOMES


def test_a_folder_of_ones_own_is_read_whole_and_the_built_in_one_is_not(here):
    write(here / "mine" / "b.yaml")
    write(here / "mine" / "a.yml")
    (here / "mine" / "README.md").write_text("x")

    assert [profile.name for profile in of_folder(here / "mine")] == ["a", "b"]
    assert of_folder(home()) == ()
    assert of_folder(here / "nowhere") == ()
