"""The marker: one profile, several, all of them; and every way to get it wrong."""

from fakestripe.profiles import names

HEAD = "from client import pay, post\nimport pytest\n"
OWN = """
# A gateway stumbles once.
name: mine
rules:
  - at: committed
    when: {attempt: 1}
    do: close
"""


def test_a_marked_test_runs_under_its_profile(suite):
    report = suite.run(
        HEAD
        + """
@pytest.mark.fakestripe(profile="close-after-commit")
def test_it(fakestripe):
    assert fakestripe.profile.name == "close-after-commit"
    with fakestripe.paying("ord_1", 2000):
        pay(fakestripe.url, "k1", "k1")
    fakestripe.assert_clean()
"""
    )

    assert report.outcomes == {"passed": 1}


def test_a_marked_test_runs_once_under_each_of_several(suite):
    report = suite.run(
        HEAD
        + """
@pytest.mark.fakestripe(profiles=["close-after-commit", "reset-after-commit"])
@pytest.mark.parametrize("amount", [2000, 3000])
def test_it(amount, fakestripe):
    with fakestripe.paying("ord_1", amount):
        pay(fakestripe.url, "k1", "k1", amount=amount)
    fakestripe.assert_clean()
""",
        "-v",
    )

    assert report.outcomes == {"passed": 4}
    assert "test_it.py::test_it[close-after-commit-2000] PASSED" in report.text
    assert "test_it.py::test_it[reset-after-commit-3000] PASSED" in report.text


def test_all_are_the_library_and_the_projects_own(suite):
    suite.path.joinpath("fault_profiles").mkdir()
    suite.path.joinpath("fault_profiles/mine.yaml").write_text(OWN)
    suite.write(HEAD + '@pytest.mark.fakestripe(profiles="all")\ndef test_it(fakestripe): pass')
    items = suite.pytester.runpytest_inprocess("--collect-only", "-q").outlines

    found = [line.partition("[")[2].rstrip("]") for line in items if line.startswith("test_it")]
    assert found == [*names(), "mine"]


def test_a_profile_of_all_that_the_client_cannot_meet_is_skipped_with_its_reason(suite):
    """The client opens a connection for each request: none of its requests is on a reused one."""
    report = suite.run(
        HEAD
        + """
@pytest.mark.fakestripe(profiles="all")
def test_asks(fakestripe):
    pay(fakestripe.url, "k1")
    fakestripe.assert_clean()

@pytest.mark.fakestripe(profiles="all")
def test_never_asks(fakestripe):
    pay(fakestripe.url, "k1")
""",
        "-k",
        "stale-keep-alive",
    )

    assert report.outcomes == {"skipped": 2, "deselected": 2 * (len(names()) - 1)}
    said = (
        "the client paid and never met the profile stale-keep-alive: "
        "rule stale-keep-alive#0 (at received: reset) never fired"
    )
    assert report.skipped() == [said, said]


def test_a_race_that_the_client_came_to_alone_is_skipped_with_its_reason(suite):
    suite.path.joinpath("fault_profiles").mkdir()
    suite.path.joinpath("fault_profiles/alone.yaml").write_text(
        OWN.replace("close", "{barrier: {parties: 2, timeout: 50ms}}")
    )
    report = suite.run(
        HEAD
        + """
@pytest.mark.fakestripe(profiles="all")
def test_it(fakestripe):
    pay(fakestripe.url, "k1")
    fakestripe.assert_clean()
""",
        "-k",
        "alone",
    )

    assert report.outcomes == {"skipped": 1, "deselected": len(names())}
    (said,) = report.skipped()
    assert said == (
        "the client paid and never met the profile mine: "
        "a barrier waited for more requests than came, so the race never happened"
    )


def test_a_client_that_pays_nothing_is_never_passed_over(suite):
    report = suite.run(
        HEAD
        + """
@pytest.mark.fakestripe(profiles="all")
def test_broken(fakestripe):
    assert post(fakestripe.url, source="tok_none")[0] == 400

@pytest.mark.fakestripe(profiles="all")
def test_silent(fakestripe):
    pass
""",
        "-k",
        "stale-keep-alive",
    )

    assert report.outcomes["passed"] == 2
    assert report.outcomes["errors"] == 2
    assert "skipped" not in report.outcomes


def test_a_profile_named_by_the_test_is_never_passed_over(suite):
    report = suite.run(
        HEAD
        + """
@pytest.mark.fakestripe(profiles=["stale-keep-alive"])
def test_it(fakestripe):
    pay(fakestripe.url, "k1")
"""
    )

    assert report.outcomes == {"passed": 1, "errors": 1}


def test_a_mark_on_the_module_is_for_the_tests_that_use_the_fixture(suite):
    report = suite.run(
        HEAD
        + """
pytestmark = pytest.mark.fakestripe(profile="close-after-commit", customers="any")

def test_other(): pass

def test_it(fakestripe):
    pay(fakestripe.url, "k1", "k1", customer="cus_whoever", source=None)
    fakestripe.assert_clean()
"""
    )

    assert report.outcomes == {"passed": 2}


def test_a_mark_without_the_fixture_is_refused(suite):
    report = suite.run(
        HEAD + '@pytest.mark.fakestripe(profile="close-after-commit")\ndef test_it(): pass'
    )

    assert report.outcomes == {"errors": 1}
    assert report.told("ERROR at setup of test_it") == (
        "test_it.py::test_it is marked fakestripe and does not use the fixture, "
        "so no fault would strike: add fakestripe to its arguments"
    )


WRONG = {
    'profiles="al"': "profiles='al': write a list of profiles, or \"all\"",
    "profiles=[]": 'profiles=[]: write a list of profiles, or "all"',
    '"late-commit"': "the marker fakestripe takes profile, profiles, customers or tls by name, "
    "not 'late-commit'",
    'profil="late-commit"': "the marker fakestripe takes profile, profiles, customers or tls by "
    "name, not profil",
    'profile="late-commit", profiles="all"': "the marker fakestripe takes profile or profiles, "
    "not both",
    'customers="some"': "customers='some': write strict or any, or how many there are",
}


def test_a_wrong_argument_is_one_line_with_its_remedy(suite):
    for arguments, said in WRONG.items():
        report = suite.run(
            HEAD + f"@pytest.mark.fakestripe({arguments})\ndef test_it(fakestripe): pass"
        )

        assert report.outcomes == {"errors": 1}
        assert report.told("ERROR collecting test_it.py") == f"test_it.py::test_it: {said}"


def test_profiles_on_one_parameter_are_refused(suite):
    report = suite.run(
        HEAD
        + """
@pytest.mark.parametrize("n", [pytest.param(1, marks=pytest.mark.fakestripe(profiles="all"))])
def test_it(n, fakestripe): pass
"""
    )

    assert report.outcomes == {"errors": 1}
    assert report.told("ERROR at setup of test_it[1]") == (
        "profiles= makes several tests of one: mark the test function with it"
    )


def test_a_misspelt_profile_is_one_line_with_the_nearest_names(suite):
    report = suite.run(
        HEAD
        + """
@pytest.mark.fakestripe(profile="reset-after-comit")
def test_marked(fakestripe): pass

def test_used(fakestripe):
    fakestripe.use("reset-after-comit")
"""
    )

    assert report.outcomes == {"errors": 1, "failed": 1}
    said = "'reset-after-comit': no profile of this name; did you mean reset-after-commit?"
    assert report.told("ERROR at setup of test_marked") == said
    assert f"E       fakestripe.profiles.problems.ProfileError: {said}" in report.lines
    assert "library.py" not in report.text


def test_a_profile_of_ones_own_that_hides_a_built_in_one_is_told(suite):
    suite.path.joinpath("fault_profiles").mkdir()
    suite.path.joinpath("fault_profiles/late-commit.yaml").write_text(OWN)
    report = suite.run(
        HEAD
        + """
@pytest.mark.fakestripe(profile="late-commit")
def test_it(fakestripe):
    assert fakestripe.profile.name == "late-commit"
"""
    )

    assert report.outcomes == {"failed": 1}
    assert "fault_profiles/late-commit.yaml stands before the built-in" in report.text


def test_a_path_leads_from_the_tests_file(suite):
    suite.path.joinpath("deep").mkdir()
    suite.path.joinpath("deep/mine.yaml").write_text(OWN)
    suite.path.joinpath("deep/test_deep.py").write_text(
        "import pytest\n"
        '@pytest.mark.fakestripe(profile="./mine.yaml")\n'
        "def test_it(fakestripe):\n"
        '    assert fakestripe.profile.name == "mine"\n'
        "    fakestripe.begin(None)\n"
        "    assert fakestripe.charges == []\n"
    )
    report = suite.run("")

    assert report.outcomes == {"passed": 1}


def test_ini_options_name_a_folder_cap_hangs_and_admit_customers(suite):
    suite.ini(
        "fakestripe_profiles = faults\nfakestripe_max_hang = 300ms\nfakestripe_customers = any"
    )
    suite.path.joinpath("faults").mkdir()
    suite.path.joinpath("faults/mine.yaml").write_text(OWN.replace("close", "{hang: 30s}"))
    report = suite.run(
        HEAD
        + """
@pytest.mark.fakestripe(profile="mine")
def test_it(fakestripe):
    assert fakestripe.profile.rules[0].do[0].seconds == 0.3
    pay(fakestripe.url, "k1", "k1", customer="cus_whoever", source=None)
    fakestripe.assert_clean()
"""
    )

    assert report.outcomes == {"passed": 1}


def test_a_wrong_ini_option_is_one_line(suite):
    wrong = {
        "fakestripe_max_hang = soon": "fakestripe_max_hang: 'soon' is not a duration: "
        "write a number and a unit, such as 30s, 250ms or 25h",
        "fakestripe_customers = some": "fakestripe_customers='some': write strict or any, or how "
        "many there are",
    }
    for option, said in wrong.items():
        suite.ini(option)
        report = suite.run("def test_it(fakestripe): pass")

        assert report.outcomes == {"errors": 1}
        assert report.told("ERROR at setup of test_it") == said
