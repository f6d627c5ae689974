"""What an answer says beyond its row: keys made by the server, snapshots, order of refusals."""

import re

import pytest

from fakestripe.faults.kinds import Reply

DECLINED = "amount=2000&currency=usd&source=tok_chargeDeclined"
INVALID = "amount=abc&currency=usd&source=tok_visa"
UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
OWN = ["Request-Id", "Stripe-Version"]
KEYED = [*OWN, "Idempotency-Key", "Original-Request"]


def test_a_gateways_page_is_html_and_knows_nothing_of_stripe(account, charge_form):
    account.fault("committed", Reply(status=502))
    page = account.post(charge_form, "K1")

    assert page.headers == {"Content-Type": "text/html"}
    assert page.body.startswith(b"<html>\r\n<head><title>502 Bad Gateway</title></head>")


def test_a_raw_answer_may_be_kept_in_place_of_the_truth(account, charge_form):
    account.fault("committed", Reply(status=500, body="{}", record="substitute"))
    failed = account.post(charge_form, "K1")
    again = account.post(charge_form, "K1")

    assert (failed.status, failed.headers, failed.body) == (500, {}, b"{}")
    assert (again.status, again.body) == (500, b"{}")
    assert again.headers["Idempotent-Replayed"] == "true"


@pytest.mark.parametrize(("key", "named"), [("K9", "): K9. Please"), (None, "): ")])
def test_a_conflict_by_fault_names_the_key_too(account, charge_form, key, named):
    account.fault("received", Reply(stripe="idempotency_key_in_use"))

    assert named in account.post(charge_form, key).error["message"]


def test_a_post_without_a_key_gets_one_that_protects_nobody(account, charge_form):
    one, other = account.post(charge_form), account.post(charge_form)

    assert re.fullmatch(UUID, one.headers["Idempotency-Key"])
    assert one.stored_under(one.headers["Idempotency-Key"])
    assert one.headers["Idempotency-Key"] != other.headers["Idempotency-Key"]
    assert len(account.charges) == 2


def test_a_keyless_refusal_gets_a_key_as_well(account):
    refused = account.post(INVALID)

    assert list(refused.headers) == KEYED
    assert re.fullmatch(UUID, refused.headers["Idempotency-Key"])


def test_a_server_made_key_is_a_key(account, charge_form):
    """Nobody does that, but who sends it back gets the first answer."""
    first = account.post(charge_form)

    assert account.post(charge_form, first.headers["Idempotency-Key"]).replays(first)


def test_a_key_has_no_effect_on_a_get(account, charge_form):
    """It is echoed, as stripe-ruby's DELETEs show; nothing else tells of it."""
    charge = account.post(charge_form).json["id"]
    first = account.get(f"/v1/charges/{charge}", idempotency_key="K1")
    account.post(charge_form, "K1")

    assert list(first.headers) == [*OWN, "Idempotency-Key"]
    assert list(account.get("/v1/charges").headers) == OWN
    assert account.get("/v1/charges", idempotency_key="K1").status == 200


def test_a_replay_is_a_snapshot(account, charge_form):
    """The charge has been captured since: the key's answer still shows it uncaptured."""
    form = f"{charge_form}&capture=false"
    first = account.post(form, "K1")
    account.post("", path=f"/v1/charges/{first.json['id']}/capture")

    assert account.post(form, "K1").replays(first)
    assert account.get(f"/v1/charges/{first.json['id']}").json["captured"] is True


def test_order_spelling_and_version_of_a_request_do_not_matter(account):
    first = account.post("amount=2000&currency=usd&source=tok_visa&expand[]=customer", "K1")
    again = account.post(
        "expand%5B0%5D=customer&source=tok_visa&currency=usd&amount=2000",
        "K1",
        stripe_version="2020-08-27",
    )

    assert again.replays(first)
    assert again.headers["Stripe-Version"] == "2020-08-27"


def test_expand_is_a_parameter_like_any_other(account, charge_form):
    account.post(charge_form, "K1")

    assert account.post(f"{charge_form}&expand[]=customer", "K1").error["type"] == (
        "idempotency_error"
    )


def test_a_mismatch_is_found_before_an_invalid_parameter(account, charge_form):
    account.post(charge_form, "K1")

    assert account.post(INVALID, "K1").error["type"] == "idempotency_error"


def test_every_account_has_its_own_keys(account_of, charge_form):
    accounts = [account_of("sk_test_a"), account_of("sk_test_b")]

    assert [each.post(charge_form, "K1").stored_under("K1") for each in accounts] == [True, True]
    assert [len(each.charges) for each in accounts] == [1, 1]


def test_an_invalid_version_is_refused_before_the_key_is_looked_up(account, charge_form):
    refused = account.post(charge_form, "K1", stripe_version="tomorrow")

    assert (refused.status, refused.headers["Stripe-Version"]) == (400, "2026-10-28.endive")
    assert refused.error["message"] == "Invalid Stripe API version: tomorrow"
    assert account.post(charge_form, "K1").stored_under("K1")


def test_bodies_are_pretty_and_only_errors_end_in_a_newline(account, charge_form):
    charge = account.post(charge_form)

    assert charge.body.startswith(b'{\n  "id": "ch_')
    assert charge.body.endswith(b'"transfer_group": null\n}')
    assert b'"metadata": {\n    "order_id": "ord_1"\n  }' in charge.body
    assert b'"fraud_details": {}' in charge.body
    assert account.post(INVALID).body.endswith(b"}\n")
    assert account.get("/v1/charges", "starting_after=ch_x").body.endswith(b"}\n")


def test_the_log_of_an_error_is_that_of_the_request_that_met_it(account):
    """Also on a replay, whose body is the first's to the byte."""
    first = account.post(DECLINED, "K1")
    url = first.json["error"]["request_log_url"]

    assert url == (
        f"https://dashboard.stripe.com/{account.bank.account}/test/workbench/logs"
        f"?object={first.headers['Request-Id']}"
    )
    assert account.post(DECLINED, "K1").json["error"]["request_log_url"] == url


def test_an_unknown_url_is_said_to_be_unsupported(account):
    answer = account.get("/v1/nonsense")

    assert (answer.status, list(answer.headers)) == (404, [*OWN, "Fakestripe-Unsupported"])
    assert account.bank.journal.attempts[-1].outcome == "unsupported"
