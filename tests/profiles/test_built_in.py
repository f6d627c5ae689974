"""Every built-in situation, met by clients that are stepped by hand.

The careful client sends one key and never changes it; the careless one makes a key per attempt.
What they get is the reason why a profile expects what it expects.
"""

import re

import pytest

from fakestripe.bank import Bank
from fakestripe.bank.journal import Journal
from fakestripe.exchange import Exchange
from fakestripe.faults import kinds
from fakestripe.faults.kinds import LEGAL
from fakestripe.faults.plan import EARLY
from fakestripe.profiles import library, names, parse
from fakestripe.profiles.library import home
from fakestripe.profiles.told import situation
from fakestripe.protocol.effects import Barrier, Hang, Performed, Resend, Send, Wait
from fakestripe.protocol.points import POINTS
from fakestripe.protocol.request import Request

NOON = 1_700_000_000.0
BODY = b"amount=2000&currency=usd&customer=cus_1&metadata[order_id]=ord_1"
ATTEMPTS = 4
PROFILES = pytest.mark.parametrize("profile", library(), ids=lambda profile: profile.name)

README = (home() / "README.md").read_text()
NEVER_TOLD = {"replica-race", "slow-commit", "stored-500"}
"""Situations in which four attempts in a row tell nothing: held all the while, or stored so."""

CARELESS_CHARGES_ONCE = {
    "503-before-commit",
    "dead-on-accept",
    "gateway-502-before-commit",
    "lock-timeout",
    "proxy-resends",
    "rate-limited",
    "refused-at-first",
    "reset-before-commit",
    "reset-while-sending",
    "stale-keep-alive",
    "swallowed-at-first",
    "unauthorized",
    "webhook-before-answer",
    "webhook-late",
    "webhook-never",
    "webhook-twice",
    "webhooks-out-of-order",
}
"""Situations in which nothing is charged at first, or in which the answer is there.

A proxy that resends needs a key, any key: it sends the same one again.
"""


class Client:
    """Sends one payment until it is told of a charge; ``key`` makes the key of an attempt."""

    def __init__(self, profile, key):
        self.seconds = 0.0
        journal = Journal(lambda: self.seconds)
        self.bank = Bank("acct_test", wall=lambda: NOON, journal=journal, customers="any")
        self.bank.idempotency.write_window = profile.settings.cache_write_window
        self.profile, self.key, self.held = profile, key, []

    def pay(self):
        """Return how often the customer was charged, and whether the client was told."""
        told = any(self.attempt(number) for number in range(1, ATTEMPTS + 1))
        for steps, performed in self.held:
            self.finish(steps, performed)
        return len(self.bank.ledger.collection("charge").order), told

    def attempt(self, number):
        """Send once, on a kept connection; return whether a charge was answered."""
        self.seconds += 1
        headers = {"authorization": "Bearer sk_test_x", "idempotency-key": self.key(number)}
        self.request = Request(
            method="POST",
            path="/v1/charges",
            query="",
            headers=headers,
            body=BODY,
            connection=number,
            request_on_connection=2 if number == 1 else 1,
            digest=str(number),
        )
        return self.arrive()

    def arrive(self):
        return self.run(Exchange(self.request, self.bank, self.profile).run())

    def run(self, steps):
        told = False
        try:
            effect = next(steps)
            while True:
                if isinstance(effect, Wait | Barrier):
                    self.held.append((steps, Performed(left=True)))
                    return False
                if isinstance(effect, Resend):
                    steps.close()
                    return self.arrive()
                if isinstance(effect, Send):
                    told = bool(effect.reply.ids) and not effect.reply.altered
                    effect = steps.send(Performed(bytes_sent=1, delivered=True))
                else:
                    effect = steps.send(Performed(left=isinstance(effect, Hang)))
        except StopIteration:
            return told

    def finish(self, steps, performed):
        """Let a held exchange go on after its client has left."""
        try:
            while True:
                steps.send(performed)
                performed = Performed(left=True)
        except StopIteration:
            return


def careful(profile):
    return Client(profile, lambda _: "K1")


def careless(profile):
    return Client(profile, lambda number: f"K{number}")


def test_there_are_twenty_five_and_more():
    assert len(names()) >= 25


@PROFILES
def test_the_readme_says_of_each_what_its_file_says(profile):
    expected = ", ".join(profile.expect)
    row = f"| [`{profile.name}`]({profile.name}.yaml) | {situation(profile)} | {expected} |"

    assert README.count(row) == 1


@pytest.mark.parametrize("point", POINTS)
def test_the_readme_has_the_table_of_faults_and_points(point):
    striking = " ".join(f"`{name}`" for name, points in LEGAL.items() if point in points)

    assert README.count(f"| `{point}` | {POINTS[point]} | {striking} |") == 1


def test_the_profile_of_the_readme_is_one():
    (written,) = re.findall(r"```yaml\n(.*?)```", README, re.DOTALL)

    assert parse(written, "README.md").name == "second-attempt-502"


def test_at_least_eight_of_the_first_ten_expect_clean_alone():
    assert [p.expect for p in library()[:10]].count(("clean",)) >= 8


@PROFILES
def test_a_built_in_profile_is_named_for_its_file_and_says_what_a_correct_client_does(profile):
    assert (home() / f"{profile.name}.yaml").is_file()
    assert 20 < len(situation(profile)) < 100
    assert "correct" in profile.about
    assert "clean" in profile.expect


@PROFILES
def test_a_built_in_fault_depends_on_the_order_of_arrival_only_where_nothing_else_is_known(
    profile,
):
    counted = [rule.at for rule in profile.rules if rule.when.nth or rule.when.times]

    assert set(counted) <= EARLY


@PROFILES
def test_every_rule_of_a_built_in_profile_fires_for_a_client_that_retries(profile):
    """Those that strike before a request is read are met through sockets."""
    client = careful(profile)

    client.pay()

    assert set(client.bank.fired) == {r.name for r in profile.rules if r.at not in EARLY}


@PROFILES
def test_one_key_is_charged_once_unless_the_server_forgets_it(profile):
    charges, _ = careful(profile).pay()

    assert charges == (2 if "duplicate" in profile.expect else 1)


@PROFILES
def test_a_client_that_keeps_its_key_is_told_unless_it_must_look_the_charge_up(profile):
    _, told = careful(profile).pay()

    assert told is (profile.name not in NEVER_TOLD)


@PROFILES
def test_a_new_key_per_attempt_is_charged_again_after_every_commit(profile):
    charges, _ = careless(profile).pay()

    assert (charges > 1) is (profile.name not in CARELESS_CHARGES_ONCE)


@PROFILES
def test_no_built_in_profile_holds_a_client_longer_than_half_a_minute(profile):
    def seconds(fault):
        match fault:
            case kinds.Wait(length) | kinds.Hang(length):
                return length
            case kinds.Truncate(then="hang", hang=length):
                return length
            case kinds.Barrier(timeout=timeout):
                return timeout
            case kinds.Refuse(length) | kinds.Blackhole(length):
                return length
            case kinds.Drip(size, every):
                return every * 4096 / size
        return 0.0

    held = [seconds(fault) for rule in profile.rules for fault in rule.do]

    assert max(held, default=0.0) <= 30.0
