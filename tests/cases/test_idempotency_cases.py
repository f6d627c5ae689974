"""Cases D01, D02, D03, D17, D20: what the server answers, with the values of the cases."""

import pytest

from fakestripe.faults.kinds import Close, Reply, Reset, Wait
from fakestripe.protocol.headers import refused_key

MINUTE, HOUR = 60.0, 3600.0
OTHER_PARAMETERS = "Keys for idempotent requests can only be used with the same parameters"


@pytest.fixture
def base(charge_form):
    return charge_form


class TestD01:
    """Stable key, drifting body."""

    @pytest.fixture
    def lost(self, account, base):
        """Step 1: attempt_at=1000 under K1, committed, the answer lost."""
        account.fault("committed", Close(), nth=(1,))
        account.begin(f"{base}&metadata[attempt_at]=1000", "K1").go_on()
        return account

    def test_another_body_under_the_key_is_refused_and_creates_nothing(self, lost, base):
        step2 = lost.post(f"{base}&metadata[attempt_at]=1001", "K1")

        assert (step2.status, step2.error["type"]) == (400, "idempotency_error")
        assert step2.error["message"].startswith(OTHER_PARAMETERS)
        assert "'K1'" in step2.error["message"]
        assert len(lost.charges) == 1

    def test_the_first_body_still_gets_the_first_charge(self, lost, base):
        lost.post(f"{base}&metadata[attempt_at]=1001", "K1")
        step3 = lost.post(f"{base}&metadata[attempt_at]=1000", "K1")

        assert (step3.status, step3.json["id"]) == (200, lost.charges[0].id)
        assert step3.headers["Idempotent-Replayed"] == "true"

    def test_another_key_makes_another_charge(self, lost, base):
        step4 = lost.post(f"{base}&metadata[attempt_at]=1001", "K2")

        assert (step4.status, step4.json["id"]) == (200, lost.charges[1].id)
        assert len(lost.charges) == 2


class TestD02:
    """A decline is replayed; a new card needs a new key."""

    DECLINED = "amount=2000&currency=usd&source=tok_chargeDeclined&metadata[order_id]=ord_1"

    def test_the_decline_is_replayed_to_the_byte(self, account):
        step1, step2 = (account.post(self.DECLINED, "K1") for _ in range(2))

        assert (step1.status, step1.error["charge"]) == (402, account.charges[0].id)
        assert step2.replays(step1)
        assert len(account.charges) == 1

    def test_a_new_card_needs_a_new_key(self, account, base):
        account.post(self.DECLINED, "K1")

        assert account.post(base, "K1").error["type"] == "idempotency_error"
        assert account.post(base, "K2").status == 200
        assert [charge.status for charge in account.charges] == ["failed", "succeeded"]


class TestD03:
    """Key reused after retention."""

    @pytest.fixture
    def lost(self, account, base):
        """Step 1: at t=0 the charge is committed, the answer lost."""
        account.fault("committed", Reset(), nth=(1,))
        account.begin(base, "K1").go_on()
        return account

    def test_after_23_h_59_min_it_is_a_replay(self, lost, base):
        lost.bank.clock.advance(23 * HOUR + 59 * MINUTE)
        step2 = lost.post(base, "K1")

        assert (step2.json["id"], step2.headers["Idempotent-Replayed"]) == (
            lost.charges[0].id,
            "true",
        )

    @pytest.mark.parametrize("more", ["", "&description=changed"])
    def test_after_24_h_1_s_it_is_a_new_charge_whatever_the_body(self, lost, base, more):
        """Steps 3 and 4: no replay header, no mismatch error."""
        lost.bank.clock.advance(24 * HOUR + 1)
        late = lost.begin(f"{base}{more}", "K1").to_the_end()

        assert late.answer.stored_under("K1")
        assert late.answer.json["id"] == lost.charges[1].id
        assert (late.attempt.key_state, late.attempt.replayed_from) == ("expired", 1)
        assert late.attempt.at - lost.bank.journal.attempts[0].at == 24 * HOUR + 1

    def test_retention_is_configurable(self, lost, base):
        lost.bank.idempotency.retention = 60.0
        lost.bank.clock.advance(61.0)

        assert lost.post(base, "K1").stored_under("K1")


class TestD17:
    """A 429 to the retry says nothing about the first send."""

    @pytest.mark.parametrize("variant", ["429", "401", "409", "mismatch"])
    def test_a_refusal_leaves_the_record_of_the_key_untouched(self, account, base, variant):
        account.fault("committed", Reset(), nth=(1,))
        account.begin(base, "K1").go_on()
        account.bank.clock.advance(15 * MINUTE)
        form = base
        if variant == "429":
            account.fault("received", Reply(stripe="rate_limit"), times=1)
        elif variant == "409":
            account.fault("received", Reply(stripe="idempotency_key_in_use"), times=1)
        elif variant == "401":
            account.refusal = refused_key(None)
        else:
            form = f"{base}&description=changed"
        refused = account.post(form, "K1")
        account.refusal = None
        retry = account.post(base, "K1")

        assert refused.status == {"mismatch": 400}.get(variant) or int(variant)
        assert "Idempotent-Replayed" not in refused.headers
        assert retry.headers["Idempotent-Replayed"] == "true"
        assert retry.json["id"] == account.charges[0].id

    def test_another_key_days_later_is_another_charge(self, account, base):
        account.fault("committed", Reset(), nth=(1,))
        account.begin(base, "K1").go_on()
        account.bank.clock.advance(72 * HOUR)

        assert account.post(base, "K2").stored_under("K2")
        assert account.charges[1].created - account.charges[0].created == 72 * HOUR

    def test_a_429_on_the_first_send_executes_nothing(self, account, base):
        account.fault("received", Reply(stripe="rate_limit"), nth=(1,))
        account.post(base, "K1")
        account.bank.clock.advance(72 * HOUR)

        assert account.post(base, "K2").status == 200
        assert len(account.charges) == 1


class TestD20:
    """Same key in flight."""

    def test_of_twenty_in_parallel_exactly_one_executes(self, account, base):
        account.fault("claimed", Wait(0.3), nth=(1,))
        steps = [account.begin(base, "K1") for _ in range(20)]
        early = [each.answer.status for each in steps[1:]]
        first = steps[0].to_the_end().answer

        assert early == [409] * 19
        assert (first.status, len(account.charges)) == (200, 1)
        assert account.post(base, "K1").replays(first)

    def test_the_first_endpoint_binds_the_key(self, account, base):
        account.fault("claimed", Wait(0.3), nth=(1,))
        first = account.begin(base, "K1")

        assert account.post(base, "K1", path="/v1/customers").status == 409

        first.to_the_end()
        later = account.post(base, "K1", path="/v1/customers")

        assert (later.status, later.error["type"]) == (400, "idempotency_error")

    @pytest.mark.parametrize("fault", [Reset(), Close(), Reply(status=503)])
    def test_a_failure_before_the_commit_releases_the_key(self, account, base, fault):
        account.fault("claimed", fault, nth=(1,))
        account.begin(base, "K1").to_the_end()

        assert account.charges == []
        assert account.post(base, "K1").stored_under("K1")
