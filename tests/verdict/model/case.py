"""One account of the model under a profile, and programs that call it: what a case is made of."""

from calls import Call, Sleep
from faults import FAULTS
from line import TRIP
from msgspec import to_builtins
from world import World

from fakestripe import verdict
from fakestripe.protocol.declared import Intent, Outcome

BASE = {
    "amount": "2000",
    "currency": "usd",
    "source": "tok_visa",
    "metadata[order_id]": "ord_1",
}
HOUR = 3600.0


class Case:
    """One account under a profile, and programs that call it."""

    def __init__(self, profile=FAULTS["none"], *intents, **header):
        self.world = World(profile)
        self.bank = self.world.bank("sk_test_a")
        self.answers = []
        self.bank.journal.note("header", {"mode": "fixture", **header})
        for name in intents:
            intent = Intent(operation=name, amount=2000)
            self.bank.operations.declare(intent)
            self.bank.journal.note("intent", to_builtins(intent))

    def run(self, *steps):
        """Send calls one after another, a number being seconds to sleep."""

        def program():
            for step in steps:
                if isinstance(step, Call):
                    self.answers.append((yield step))
                else:
                    yield Sleep(step)
            return 0

        self.world.spawn(program())
        self.world.run()

    def submit(self, *calls):
        """Send calls at once."""

        def once(call):
            self.answers.append((yield call))
            return 0

        for call in calls:
            self.world.spawn(once(call))
        self.world.run()

    def wait_until(self, seconds):
        """Move the account's clock: the next arrival comes so long after the first one."""
        begun = self.bank.journal.attempts[0].at
        seconds += begun - TRIP - self.bank.clock.now()
        self.bank.clock.advance(seconds)
        self.bank.journal.note("clock", {"advance": seconds, "by": "test"})

    def outcome(self, name, outcome, charge=None):
        said = Outcome(operation=name, outcome=outcome, charge=charge)
        self.bank.journal.note("outcome", to_builtins(said))

    def judge(self):
        journals = [bank.journal for bank in self.world.banks.values()]
        return verdict.judge(verdict.records_of(*journals))

    @property
    def lines(self):
        """The journal of all accounts, in order of time."""
        for bank in self.world.banks.values():
            bank.place()
        lines = [line for bank in self.world.banks.values() for line in bank.lines()]
        return sorted(lines, key=lambda line: line.get("elapsed_s", line.get("started_s", 0.0)))

    @property
    def statuses(self):
        return [answer.status for answer in self.answers]


def charge(key=None, params=None, **more):
    return Call(params={**BASE, **(params or {})}, key=key, **more)
