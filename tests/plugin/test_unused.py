"""A project that has the plugin and uses none of it pays for none of it."""

import subprocess
import sys


def test_an_unused_plugin_imports_nothing_heavy(suite):
    suite.write("def test_it(): pass")
    code = (
        "import sys, pytest\n"
        "status = pytest.main(['-q', '-p', 'fakestripe.pytest_plugin'])\n"
        "heavy = ('aiohttp', 'msgspec', 'yaml', 'faker', 'fakestripe.server')\n"
        "print(status, [name for name in heavy if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=suite.path,
        env={"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": "-c /dev/null"},
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.splitlines()[-1] == "0 []"


def test_the_fixtures_are_listed(suite):
    suite.write("")
    listed = suite.pytester.runpytest_inprocess("--fixtures").outlines

    at = next(n for n, line in enumerate(listed) if line.startswith("fakestripe -- "))
    assert listed[at + 1].strip().startswith("Give a fresh Stripe that loses answers on purpose")
    assert any(line.startswith("fakestripe_server [session scope] -- ") for line in listed)
    assert any(line.startswith("fakestripe_factory -- ") for line in listed)


def test_the_marker_is_listed(suite):
    suite.write("")
    listed = suite.pytester.runpytest_inprocess("--markers").outlines

    assert any(
        line.startswith(
            "@pytest.mark.fakestripe(profile=None, profiles=None, customers=None, tls=None): "
        )
        for line in listed
    )
