"""What the table cannot show: many customers, a late replica, a holder that dies, a spend cap.

A scenario is one form of one system in one situation; what came of it is a line of text.
"""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from checking import Run
from msgspec import Struct
from running import HANGS, SLOWLY, Bench

PROFILES: Final = Path(__file__).parent / "profiles"
AT_ONCE: Final = str(PROFILES / "replicas-at-once.yaml")
TWO_AT_ONCE: Final = str(PROFILES / "two-replicas-at-once.yaml")
WINDOW: Final = str(PROFILES / "within-the-write-window.yaml")
CAPPED: Final = str(PROFILES / "capped.yaml")
MANY: Final = {"BILLING_CUSTOMERS": "500", "BILLING_TIMEOUT": "60000"}
PATIENT: Final = {"BILLING_TIMEOUT": "10000"}
SCENARIOS_AT_ONCE: Final = 2

DYING: Final = (
    "sh",
    "-c",
    '[ "$FAKESTRIPE_PROFILE" = fault-free ] || BILLING_DIES="$BILLING_DEATH" "$@"; exec "$@"',
    "-",
)
"""Runs a program that dies and then once more; only where nothing is to be learned."""


class Scenario(Struct, frozen=True):
    """One form of a system, and the situation that it is put in.

    ``steady`` is what is the same each time beside the word: else threads decide it.
    """

    system: str
    form: str
    profile: str
    replicas: int = 1
    environment: Mapping[str, str] = {}
    wrapped: tuple[str, ...] = ()
    steady: tuple[str, ...] = ("causes", "charges")


def _late(form: str, hours: str) -> Scenario:
    late = {"BILLING_LATE": "3", "BILLING_LATE_BY": hours}
    return Scenario("scheduler", form, TWO_AT_ONCE, 3, {**MANY, **late})


def _dying(form: str, when: str) -> Scenario:
    death = {"BILLING_DEATH": when}
    return Scenario("scheduler", form, "reset-after-commit", 1, death, DYING)


SCENARIOS: Final[dict[str, Scenario]] = {
    "many-unsafe": Scenario("scheduler", "unsafe", AT_ONCE, 3, MANY),
    "many-stable": Scenario("scheduler", "stable", AT_ONCE, 3, MANY),
    "many-guarded": Scenario("scheduler", "remedied", AT_ONCE, 3, MANY),
    "late-23h-stable": _late("stable", "23h"),
    "late-25h-stable": _late("stable", "25h"),
    "late-25h-guarded": _late("remedied", "25h"),
    "dies-before-charge-skipping": _dying("skipping", "before-charge"),
    "dies-before-charge-guarded": _dying("remedied", "before-charge"),
    "dies-after-charge-guarded": _dying("remedied", "after-charge"),
    "write-window-stable": Scenario("scheduler", "stable", WINDOW, 2, PATIENT),
    "write-window-guarded": Scenario("scheduler", "remedied", WINDOW, 2, PATIENT),
    "capped-unsafe": Scenario("scheduler", "unsafe", CAPPED, 3, MANY),
    "capped-guarded": Scenario("scheduler", "remedied", CAPPED, 3, MANY),
    "callback-of-the-request": Scenario("undertow-callback", "published", "reset-after-commit"),
    "kept-connection-reset": Scenario("undertow-helper", "published", "reset-after-commit"),
    "kept-connection-502": Scenario("undertow-helper", "published", "gateway-502-after-commit"),
    "compare-and-set": Scenario("xnio-reference", "compare-and-set", "commit-then-timeout"),
    "not-dispatched": Scenario("xnio-recursion", "undispatched", "503-before-commit"),
    "interceptor-as-provider": Scenario(
        "cxf-async", "provider", "reset-after-commit", steady=("causes",)
    ),
    "shared-client": Scenario("cxf-async", "shared", "reset-after-commit", 2, steady=("charges",)),
    "shared-proxy": Scenario("jaxws-singleton", "shared", "reset-after-commit"),
}


def became(bench: Bench, scenario: Scenario) -> str:
    """Run a scenario and return what came of it."""
    found = bench.checked(
        (scenario.system, scenario.form),
        [scenario.profile],
        *("--replicas", str(scenario.replicas), "--timeout", "150s", *HANGS),
        environment={**SLOWLY, **scenario.environment},
        wrapped=scenario.wrapped,
    )
    [run] = found.runs.values()
    return told(run, scenario.steady)


def told(run: Run, steady: tuple[str, ...]) -> str:
    """Return a run as a line: its word, its causes, and how often each payment was made."""
    causes = sorted(set(run.causes)) if "causes" in steady else []
    word = f"{run.verdict} ({', '.join(causes)})" if causes else run.verdict
    if "charges" not in steady:
        return word
    charges = "1 charge" if run.charges == 1 else f"{run.charges} charges"
    payments = "1 payment" if len(run.made) == 1 else f"{len(run.made)} payments"
    line = f"{word}; {charges} for {payments}"
    unequal = min(run.made) == 0 and max(run.made) > 1
    return f"{line}, some made {max(run.made)} times and some never" if unequal else line


def outcomes(bench: Bench, names: list[str]) -> dict[str, str]:
    """Return what came of each scenario, by name."""
    with ThreadPoolExecutor(SCENARIOS_AT_ONCE) as pool:
        found = pool.map(lambda name: became(bench, SCENARIOS[name]), names)
        return dict(zip(names, found, strict=True))
