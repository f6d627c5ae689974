"""A spend cap cannot leak: whatever is charged, lost, retried, refunded, whenever a day ends.

Random requests of two capped keys and of a secret key are begun, struck at every point, held,
killed and let go on, in any order. Beside them stands a model that knows nothing of what is
counted: it reads the ledger, and who made each charge on which day.
"""

from hypothesis import given, settings
from hypothesis import strategies as st

from fakestripe.faults.kinds import Close, Hang, LoseRecord, Reply, Resend, Reset, Wait
from fakestripe.protocol.effects import NOTHING, Performed
from fakestripe.protocol.further_key import key_of

CAP = 2000
DAY = 86_400
LEFT = Performed(left=True)
FAULTS = {
    "received": (Reset(), Close(), Hang(), Wait(1.0), Reply(status=503), Resend()),
    "claimed": (Reset(), Close(), Hang(), Wait(1.0), Reply(status=503), Reply(stripe="api_error")),
    "committed": (Reset(), Hang(), Wait(1.0), Reply(status=502), LoseRecord()),
}
STANDS = ("claimed", Wait(1.0))
STRIKES = [
    None,
    None,
    None,
    STANDS,
    STANDS,
    *((point, fault) for point, found in FAULTS.items() for fault in found),
]
IDS = st.integers(0, 5)
WHO = st.integers(0, 2)
ASKED = st.tuples(
    st.sampled_from([500, 700, 1300]),
    st.booleans(),
    st.sampled_from(["tok_visa", "tok_visa", "tok_chargeDeclined"]),
)
KEYS = st.sampled_from([None, "K1", "K2", "K3", "K4"])
CHARGE = st.tuples(st.just("charge"), WHO, ASKED, KEYS, st.sampled_from(STRIKES))
INTENT = st.tuples(
    st.just("intent"), WHO, st.sampled_from([500, 1300]), st.booleans(), st.booleans()
)
CONFIRM = st.tuples(st.just("confirm"), WHO, IDS, st.sampled_from(STRIKES))
DEEDS = st.one_of(
    *[CHARGE] * 4,
    INTENT,
    *[CONFIRM] * 2,
    st.tuples(st.just("confirm amended"), WHO, IDS, st.sampled_from([500, 1300, 1900])),
    st.tuples(st.just("amend"), IDS, st.sampled_from([500, 1300, 1900])),
    st.tuples(st.just("cancel"), IDS),
    st.tuples(st.just("refund"), WHO, IDS, st.sampled_from([None, 100, 400])),
    st.tuples(st.just("capture"), IDS, st.sampled_from([None, 100, 400])),
    st.tuples(st.just("go on"), IDS, st.booleans()),
    st.tuples(st.just("kill"), IDS),
    st.tuples(st.just("clock"), st.sampled_from([-DAY, -7 * 3600, 3600, 7 * 3600, DAY])),
)


class World:
    """One account with its keys, the exchanges under way, and who let whom in on which day."""

    def __init__(self, account, window):
        self.account, self.keys = account, account.bank.keys
        account.bank.idempotency.write_window = window
        rules = [
            key_of({"daily_usd_cap": "20.00", "refunds_give_back": back}) for back in (False, True)
        ]
        self.holders = [self.keys.add(each, f"vk_{n}") for n, each in enumerate(rules)]
        self.open = []
        self.days = {}
        self.prices = {}

    def do(self, name, *told):
        getattr(self, name.replace(" ", "_"))(*told)
        self.check()

    # what may happen

    def charge(self, who, asked, key, strike):
        amount, capture, source = asked
        form = f"amount={amount}&currency=usd&source={source}&capture={str(capture).lower()}"
        self.begin(who, strike, ("/v1/charges", form, key), amount)

    def intent(self, who, amount, confirm, manual):
        form = f"amount={amount}&currency=usd&payment_method=pm_card_visa"
        form += f"&confirm={str(confirm).lower()}&capture_method="
        form += "manual" if manual else "automatic"
        self.begin(who, None, ("/v1/payment_intents", form, None))

    def confirm(self, who, number, strike):
        name = self.one("payment_intent", number)
        intent = self.account.bank.ledger.get("payment_intent", name)
        price = intent.amount if intent and intent.status == "requires_confirmation" else 0
        self.begin(who, strike, (f"/v1/payment_intents/{name}/confirm", "", None), price)

    def confirm_amended(self, who, number, amount):
        """Change what an intent is about while its confirmation stands at ``claimed``."""
        self.confirm(who, number, STANDS)
        self.amend(number, amount)
        self.check()
        self.go_on(len(self.open) - 1, False)

    def amend(self, number, amount):
        path = f"/v1/payment_intents/{self.one('payment_intent', number)}"
        self.begin(2, None, (path, f"amount={amount}", None))

    def cancel(self, number):
        path = f"/v1/payment_intents/{self.one('payment_intent', number)}/cancel"
        self.begin(2, None, (path, "", None))

    def refund(self, who, number, amount):
        form = f"charge={self.one('charge', number)}" + (f"&amount={amount}" if amount else "")
        self.begin(who, None, ("/v1/refunds", form, None))

    def capture(self, number, amount):
        name = self.one("charge", number)
        form = f"amount={amount}" if amount else ""
        self.begin(2, None, (f"/v1/charges/{name}/capture", form, None))
        intent = self.one("payment_intent", number)
        form = f"amount_to_capture={amount}" if amount else ""
        self.begin(2, None, (f"/v1/payment_intents/{intent}/capture", form, None))

    def go_on(self, number, leaves):
        if self.open:
            steps = self.open[number % len(self.open)]
            self.stepped(steps, lambda: steps.go_on(LEFT if leaves else NOTHING))

    def kill(self, number):
        if self.open:
            steps = self.open[number % len(self.open)]
            self.stepped(steps, steps.close)

    def clock(self, seconds):
        self.account.now += seconds

    # how it is done

    def one(self, kind, number):
        order = self.account.bank.ledger.collection(kind).order
        return order[number % len(order)] if order else "none"

    def begin(self, who, strike, request, price=0):
        path, form, key = request
        account = self.account
        account.holder = self.holders[who] if who < len(self.holders) else None
        account.profile = account.quiet
        if strike is not None:
            account.fault(strike[0], strike[1], nth=(1,))
        steps = account.begin(form, key, path)
        self.open.append(steps)
        self.prices[steps.attempt.arrival] = price
        self.stepped(steps, lambda: None)

    def stepped(self, steps, deed):
        """Do one step; a request counts on the day of its first."""
        self.days.setdefault(steps.attempt.arrival, int(self.account.now // DAY))
        deed()
        if steps.attempt.ended_s is not None:
            self.open.remove(steps)

    # what must hold

    def check(self):
        spent = self.spent_by_the_ledger()
        held = self.held_by_the_journal()
        for holder in self.holders:
            for day, found in self.keys.days(holder):
                assert found.committed == spent.pop((holder.shown, day), 0)
                assert found.reserved == held.pop((holder.shown, day), 0)
                assert found.committed >= 0
                assert found.committed + found.reserved <= CAP
        assert not any(spent.values())
        assert not any(held.values())

    def spent_by_the_ledger(self):
        """Return what each key has spent on each day, from charges and who made them."""
        spent = {}
        for attempt in self.account.bank.journal.attempts:
            moved = attempt.moved
            if attempt.api_key is None or moved is None or moved.kind != "charge":
                continue
            charge = self.account.bank.ledger.get("charge", moved.id)
            back = attempt.api_key == self.holders[1].shown
            where = attempt.api_key, self.days[attempt.arrival]
            spent[where] = spent.get(where, 0) + counts(charge, back=back)
        return spent

    def held_by_the_journal(self):
        held = {}
        for steps in self.open:
            attempt = steps.attempt
            if attempt.api_key is not None and attempt.last_point == "claimed":
                where = attempt.api_key, self.days[attempt.arrival]
                held[where] = held.get(where, 0) + self.prices[attempt.arrival]
        return held


def counts(charge, *, back):
    """Return how much of a cap a charge takes, as it stands in the ledger."""
    if charge.status == "failed":
        return 0
    if not charge.captured:
        return 0 if charge.refunded else charge.amount
    refunded = charge.amount_refunded - (charge.amount - charge.amount_captured)
    return charge.amount_captured - (refunded if back else 0)


@settings(max_examples=300, deadline=None)
@given(deeds=st.lists(DEEDS, min_size=20, max_size=60), window=st.sampled_from([0.0, 0.0, 600.0]))
def test_no_order_of_anything_lets_more_through_than_the_cap(account_of, deeds, window):
    account = account_of()
    account.quiet = account.profile
    world = World(account, window)
    for deed in deeds:
        world.do(*deed)
    while world.open:
        world.do("go on", 0, False)

    assert all(day.reserved == 0 for each in world.holders for _, day in world.keys.days(each))


def test_the_machine_meets_what_it_is_for(account_of):
    """A cap that bites, a charge given back, and one that another day has room for."""
    account = account_of()
    account.quiet = account.profile
    world = World(account, 0.0)
    for _ in range(6):
        world.do("charge", 1, (400, True, "tok_visa"), None, None)
    world.do("refund", 1, 0, 100)
    world.do("clock", DAY)
    world.do("charge", 1, (1000, True, "tok_visa"), None, None)

    policies = [attempt.policy for attempt in account.bank.journal.attempts]
    assert policies == [*["allowed"] * 5, "daily_usd_cap_exceeded", "allowed", "allowed"]
    assert [day.committed for _, day in world.keys.days(world.holders[1])] == [1900, 1000]
