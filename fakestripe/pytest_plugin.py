"""The pytest plugin: three fixtures, a marker, ini options.

No package but pytest is imported at the top, so that a suite which uses no fixture pays for
nothing. What a test's end complains of is decided in ``server/closing.py``; here pytest is told.
"""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from fakestripe.faults.rules import Profile
    from fakestripe.server.control import Control
    from fakestripe.server.marked import Place

MARKER: Final = (
    "fakestripe(profile=None, profiles=None, customers=None): run the test under a fault profile, "
    'or once under each of several, or of "all"; customers is "strict", "any" or a number'
)
OPTIONS: Final = (
    ("fakestripe_profiles", "the folder of your own profiles", "fault_profiles"),
    ("fakestripe_max_hang", "the longest hang of any profile, such as 3s", ""),
    ("fakestripe_customers", 'which customers exist: "strict", "any" or how many', "strict"),
)
LIVE: Final = ("sk_live_", "rk_live_")
UNSUPPORTED: Final = "fakestripe_unsupported"
"""The user property that carries unsupported endpoints to the summary, from workers too."""

_controls = pytest.StashKey[list["Control"]]()
_passed = pytest.StashKey[bool]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the ini options."""
    parser.addini(
        "fakestripe_profiles", "the folder of your own profiles", default="fault_profiles"
    )
    parser.addini("fakestripe_max_hang", "the longest hang of any profile, such as 3s", default="")
    which = 'which customers exist: "strict", "any" or how many'
    parser.addini("fakestripe_customers", which, default="strict")


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    config.addinivalue_line("markers", MARKER)


def _failure(text: str) -> BaseException:
    """Return a failure whose text says all: no traceback of ours belongs beside it."""
    return pytest.fail.Exception(text, pytrace=False)


# Which tests run, and under which profiles


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test once under each profile that its marker lists."""
    test = metafunc.definition
    _bring_in(metafunc.fixturenames, test)
    if test.get_closest_marker("fakestripe") is None or "fakestripe" not in metafunc.fixturenames:
        return
    try:
        wanted = _marked(test).get("profiles")
    except ValueError as wrong:
        raise pytest.Collector.CollectError(f"{test.nodeid}: {wrong}") from None
    if wanted is not None:
        several = _place(metafunc.config, test.path).several(wanted)
        names = [str(getattr(profile, "name", profile)) for profile in several]
        params = [(profile, wanted == "all") for profile in several]
        metafunc.parametrize("fakestripe", params, ids=names, indirect=True)


def _marked(test: pytest.Item) -> dict[str, Any]:
    """Return the arguments of a test's marker; raises ``ValueError`` for wrong ones."""
    mark = test.get_closest_marker("fakestripe")
    if mark is None:
        return {}
    from fakestripe.server.marked import arguments  # noqa: PLC0415

    return arguments(mark.args, mark.kwargs)


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
        raise _failure(
            f"{item.nodeid} is marked fakestripe and does not use the fixture, so no fault would "
            "strike: add fakestripe to its arguments"
        )


# The fixtures


@pytest.fixture
def fakestripe(request: pytest.FixtureRequest) -> Iterator["Control"]:
    """Give a fresh Stripe that loses answers on purpose; what it saw is judged at the end.

    In a test that also uses ``fakestripe_server`` it is that server, emptied before the test.
    """
    with ExitStack() as servers:
        if "fakestripe_server" in request.fixturenames:
            control = request.getfixturevalue("fakestripe_server")
        else:
            control = servers.enter_context(_served())
        with _refusals():
            profile, one_of_all = _wanted(request)
            _begin(request, control, profile, _marked(request.node).get("customers"))
        control.pass_over = pytest.skip if one_of_all else None
        yield control
        _end(request.node, [control])


@pytest.fixture(scope="session")
def fakestripe_server() -> Iterator["Control"]:
    """Give one server for the whole session, for a client that is made once.

    Every test that uses it, itself or through a client, begins with an empty account and is
    judged alone, as with ``fakestripe``: in such a test the two are one object.
    """
    with _served() as control:
        yield control


@pytest.fixture
def fakestripe_factory(request: pytest.FixtureRequest) -> Iterator[Callable[..., "Control"]]:
    """Give ``fakestripe_factory(profile=None, customers=None)``: one more server a call."""
    made: list[Control] = []
    with ExitStack() as servers:

        def make(
            profile: "str | Profile | None" = None, *, customers: "str | int | None" = None
        ) -> "Control":
            __tracebackhide__ = True
            made.append(servers.enter_context(_served()))
            with _refusals():
                _begin(request, made[-1], profile, customers)
            return made[-1]

        yield make
        _end(request.node, made)


@contextmanager
def _refusals() -> Iterator[None]:
    """Fail with the text of what is wrong with a marker, an option or a profile."""
    from fakestripe.profiles import ProfileError  # noqa: PLC0415

    try:
        yield
    except (ProfileError, ValueError) as wrong:
        raise _failure(str(wrong)) from None


@contextmanager
def _served() -> Iterator["Control"]:
    """Serve in a thread, unless a live key is near."""
    if sys.platform == "win32":
        raise _failure("fakestripe does not run on Windows: use WSL or the container image")
    for name, value in os.environ.items():
        if value.strip().startswith(LIVE):
            raise _failure(
                f"the environment variable {name} holds a live Stripe key, so fakestripe does not "
                "start: unset it for the tests, or give it a key that begins with sk_test_"
            )
    from fakestripe.server.control import Control  # noqa: PLC0415
    from fakestripe.server.listener import Server  # noqa: PLC0415

    with Server() as server:
        yield Control(server.port, server)


def _wanted(request: pytest.FixtureRequest) -> tuple[Any, bool]:
    """Return the profile of this test, and whether it is one of the whole library."""
    param = getattr(request, "param", None)
    if isinstance(param, tuple):
        return param
    given = _marked(request.node)
    if "profiles" in given:
        raise ValueError("profiles= makes several tests of one: mark the test function with it")
    return param or given.get("profile"), False


def _begin(
    request: pytest.FixtureRequest, control: "Control", profile: Any, customers: "str | int | None"
) -> None:
    """Empty the account and set the profile."""
    from fakestripe.server.marked import check_customers  # noqa: PLC0415

    request.node.stash.setdefault(_controls, []).append(control)
    name = "fakestripe_customers"
    if customers is None:
        customers = check_customers(name, request.config.getini(name))
    control.begin(None, check_customers("customers", customers))
    control.load, control.replay = _loader(request), f"pytest '{request.node.nodeid}'"
    if profile is not None:
        control.use(profile)


def _loader(request: pytest.FixtureRequest) -> Callable[..., "Profile"]:
    """Return how this test finds profiles; one of its own that hides another is in the report."""
    place = _place(request.config, request.path)

    def load(source: "str | Path | Profile") -> "Profile":
        found = place.load(source)
        if found.shadows is not None:
            text = f"{found.source} stands before the built-in {found.shadows}"
            request.node.add_report_section("call", "fakestripe", text)
        return found

    return load


def _place(config: pytest.Config, test: Path) -> "Place":
    from fakestripe.server.marked import place_of  # noqa: PLC0415

    ini = config.getini
    return place_of(test, config.rootpath, ini("fakestripe_profiles"), ini("fakestripe_max_hang"))


# How a test ends


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Explain a failure, and pass a test over whose client cannot meet a profile of all."""
    try:
        yield
        for control in item.stash.get(_controls, []):
            if control.pass_over is not None and not control.asked:
                control.excuse(control.ended())
    except (Exception, pytest.fail.Exception) as failure:
        _explain(item, str(failure))
        raise
    item.stash[_passed] = not getattr(item, "_excinfo", None)  # where unittest keeps a failure


def _explain(item: pytest.Item, known: str) -> None:
    """Add the verdict to the report of a failed test that does not hold it yet."""
    for control in item.stash.get(_controls, []):
        text = control.explained()
        if text is not None and text not in known:
            item.add_report_section("call", "fakestripe", text)


def _end(item: pytest.Item, controls: Sequence["Control"]) -> None:
    """Fail a test that passed without proving what it seems to; name what is not supported."""
    from fakestripe.server import closing  # noqa: PLC0415

    found: list[str] = []
    for control in controls:
        ended = control.ended()
        item.user_properties += [(UNSUPPORTED, each) for each in closing.unsupported(ended)]
        if item.stash.get(_passed, False):
            found += closing.complaints(ended, control.url)
        else:
            found += closing.bugs(ended)
    if found:
        raise _failure("\n\n".join(found))


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
