"""The pytest plugin: four fixtures, a marker, ini options.

No package but pytest is imported at the top, so that a suite which uses no fixture pays for
nothing. What a test's end complains of is decided in ``server/control/closing.py``; here pytest
is told.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final

import pytest

from fakestripe.pytest_plugin import beginning, ending
from fakestripe.pytest_plugin.ending import UNSUPPORTED
from fakestripe.pytest_plugin.serving import asks_tls, failure, refusals, served

if TYPE_CHECKING:
    from fakestripe.faults.rules import Profile
    from fakestripe.pytest_plugin.sweeping import Sweeper
    from fakestripe.server.control.control import Control

MARKER: Final = (
    "fakestripe(profile=None, profiles=None, customers=None, tls=None): run the test under a "
    'fault profile, or once under each of several, or of "all"; customers is "strict", "any" or '
    "a number; tls is True or False"
)
OPTIONS: Final = (
    ("fakestripe_profiles", "the folder of your own profiles", "fault_profiles"),
    ("fakestripe_max_hang", "the longest hang of any profile, such as 3s", ""),
    ("fakestripe_customers", 'which customers exist: "strict", "any" or how many', "strict"),
)
OTHER: Final = (
    "tls={asked}: the server of the session is there already; set the ini option fakestripe_tls, "
    "or use the fixture fakestripe alone"
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the ini options."""
    for name, about, default in OPTIONS:
        parser.addini(name, about, default=default)
    about = "serve HTTPS, by a throw-away authority that clients trust by ca_file"
    parser.addini("fakestripe_tls", about, type="bool", default=False)


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    config.addinivalue_line("markers", MARKER)


# Which tests run, and under which profiles


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test once under each profile that its marker lists."""
    test = metafunc.definition
    _bring_in(metafunc.fixturenames, test)
    if test.get_closest_marker("fakestripe") is None or "fakestripe" not in metafunc.fixturenames:
        return
    try:
        wanted = beginning.marked(test).get("profiles")
    except ValueError as wrong:
        raise pytest.Collector.CollectError(f"{test.nodeid}: {wrong}") from None
    if wanted is not None:
        several = beginning.place_for(metafunc.config, test.path).several(wanted)
        names = [str(getattr(profile, "name", profile)) for profile in several]
        params = [(profile, wanted == "all") for profile in several]
        metafunc.parametrize("fakestripe", params, ids=names, indirect=True)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Give every test on the session-wide server a verdict of its own."""
    _bring_in(getattr(item, "fixturenames", []), item)


def _bring_in(names: list[str], item: Any) -> None:
    """Where ``fakestripe_server`` is used, empty it before any fixture of the test's own runs."""
    if "fakestripe_server" not in names:
        return
    if "fakestripe" in names:
        names.remove("fakestripe")
    # the only way that pytest offers to know a scope before set-up
    known = item._fixtureinfo.name2fixturedefs  # noqa: SLF001
    scopes = {name: found[-1].scope for name, found in known.items()}
    own = (place for place, name in enumerate(names) if scopes.get(name) == "function")
    names.insert(next(own, len(names)), "fakestripe")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Refuse a marker that could have no effect."""
    marked = any(mark.name == "fakestripe" for mark in item.own_markers)
    if marked and "fakestripe" not in getattr(item, "fixturenames", ()):
        raise failure(
            f"{item.nodeid} is marked fakestripe and does not use the fixture, so no fault would "
            "strike: add fakestripe to its arguments"
        )


# The fixtures


@pytest.fixture
def fakestripe(request: pytest.FixtureRequest) -> Iterator["Control"]:
    """Give a fresh Stripe that loses answers on purpose; what it saw is judged at the end.

    In a test that also uses ``fakestripe_server`` it is that server, emptied before the test.
    """
    with refusals():
        marked = beginning.marked(request.node)
    with ExitStack() as servers:
        if "fakestripe_server" in request.fixturenames:
            _check_session(request.config, marked.get("tls"))
            control = request.getfixturevalue("fakestripe_server")
        else:
            control = servers.enter_context(served(request.config, tls=marked.get("tls")))
        with refusals():
            profile, one_of_all = beginning.wanted(request)
            beginning.begin(request, control, profile, marked.get("customers"))
        control.pass_over = pytest.skip if one_of_all else None
        yield control
        ending.end(request.node, [control])


def _check_session(config: pytest.Config, tls: Any) -> None:
    with refusals():
        if asks_tls(config, tls) != asks_tls(config, None):
            raise ValueError(OTHER.format(asked=tls))


@pytest.fixture(scope="session")
def fakestripe_server(pytestconfig: pytest.Config) -> Iterator["Control"]:
    """Give one server for the whole session, for a client that is made once.

    Every test that uses it, itself or through a client, begins with an empty account and is
    judged alone, as with ``fakestripe``: in such a test the two are one object.
    """
    with served(pytestconfig) as control:
        yield control


@pytest.fixture
def fakestripe_factory(request: pytest.FixtureRequest) -> Iterator[Callable[..., "Control"]]:
    """Give ``fakestripe_factory(profile=None, customers=None, tls=None)``: one server a call."""
    made: list[Control] = []
    with ExitStack() as servers:

        def make(
            profile: "str | Profile | None" = None,
            *,
            customers: "str | int | None" = None,
            tls: bool | None = None,
        ) -> "Control":
            __tracebackhide__ = True
            made.append(servers.enter_context(served(request.config, tls=tls)))
            with refusals():
                beginning.begin(request, made[-1], profile, customers)
            return made[-1]

        yield make
        ending.end(request.node, made)


@pytest.fixture
def fakestripe_sweep(pytestconfig: pytest.Config) -> "Sweeper":
    """Give ``fakestripe_sweep(client)``: strike each request of a function with every fault."""
    from fakestripe.pytest_plugin.sweeping import Sweeper  # noqa: PLC0415

    return Sweeper(pytestconfig)


# How a test ends


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Explain a failure, and pass a test over whose client cannot meet a profile of all."""
    try:
        yield
        for control in item.stash.get(ending.CONTROLS, []):
            if control.pass_over is not None and not control.asked:
                control.excuse(control.ended())
    except (Exception, pytest.fail.Exception) as problem:
        ending.explain(item, str(problem))
        raise
    failed = getattr(item, "_excinfo", None)  # where unittest keeps a failure
    item.stash[ending.PASSED] = not failed


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Name the endpoints that clients called and fakestripe does not have."""
    reports = [each for found in terminalreporter.stats.values() for each in found]
    hit = {
        (value, report.nodeid)
        for report in reports
        for name, value in getattr(report, "user_properties", ())
        if name == UNSUPPORTED
    }
    if hit:
        terminalreporter.section("fakestripe: endpoints it does not have")
        for endpoint, test in sorted(hit):
            terminalreporter.line(f"{endpoint} ({test})")
