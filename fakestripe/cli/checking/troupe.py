"""What every run of a check shares: what was asked, the processes, the progress, who is told."""

from collections.abc import Callable

from msgspec import Struct

from fakestripe.cli.checking.asked import Asked
from fakestripe.cli.checking.children import Nursery
from fakestripe.cli.checking.progress import Progress
from fakestripe.cli.checking.trial import Ran, Trial, run


class Troupe(Struct, frozen=True):
    """Makes runs, from any thread, and tells of them as they begin and end.

    ``refused`` comes to hold a sentence for each host that their processes could not reach.
    """

    asked: Asked
    nursery: Nursery
    progress: Progress
    say: Callable[[str], None]
    refused: dict[str, None] = {}

    def perform(self, trial: Trial) -> Ran:
        """Make one run."""
        name = trial.profile.name
        self.progress.begin(name)
        ran = run(self.asked, trial, self.nursery)
        self.progress.end(name)
        self.refused.update(dict.fromkeys(ran.refused))
        if self.asked.verbose:
            self.tell(f"--- {name} printed:\n{ran.performed.output}")
        return ran

    def tell(self, text: str) -> None:
        """Say something where the line of progress stood."""
        self.progress.clear()
        self.say(text)
