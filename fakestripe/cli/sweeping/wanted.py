"""What the command line of ``sweep`` asked for, as a value, and how to make one run again."""

from pathlib import Path

from msgspec import Struct, structs

from fakestripe.cli.checking.asked import Asked
from fakestripe.faults.rules import Profile
from fakestripe.sweeping.plans import Conditions, Plan, profile_of
from fakestripe.sweeping.rounds import Scope


class Wanted(Struct, frozen=True, kw_only=True):
    """The program and its conditions as ``check`` has them, and what is swept.

    ``folder`` is where the profiles of what is red go; ``timeout`` of one run and ``max_time`` of
    all are seconds.
    """

    asked: Asked
    scope: Scope
    conditions: Conditions
    folder: Path
    timeout: float | None = None
    max_time: float | None = None

    def path(self, plan: Plan) -> Path:
        """Return where the profile of a plan is, if it is written."""
        return self.folder / f"{plan.name}.yaml"

    def source(self, plan: Plan) -> str:
        """Return the path of a profile as a command line names it."""
        path = str(self.path(plan))
        return path if "/" in path else f"./{path}"

    def profile(self, plan: Plan) -> Profile:
        """Return the profile of a plan."""
        return profile_of(plan, self.conditions, self.source(plan))

    def again(self, plan: Plan) -> str:
        """Return the command that makes a run again, keys masked."""
        source = self.source(plan)
        asked = structs.replace(self.asked, sources={plan.name: source})
        return asked.again(Profile(name=plan.name))
