"""Webhooks: signed as the SDK checks, after the commit, again where refused, never elsewhere."""

import json
import threading
from collections.abc import Iterator

import pytest
import requests
import stripe
from receiver import Receiver

from fakestripe.faults.kinds import Hang, Reset
from fakestripe.faults.rules import Profile, Rule, Settings, When
from fakestripe.protocol.declared import Webhook
from fakestripe.server.listener import Server

CHARGE = {"amount": "2000", "currency": "usd", "source": "tok_visa", "metadata[order_id]": "o1"}


def post(fakestripe, path: str = "/v1/charges", data: dict | None = None, **headers: str):
    return requests.post(
        f"{fakestripe.url}{path}",
        CHARGE if data is None else data,
        auth=(fakestripe.api_key, ""),
        headers={name.replace("_", "-"): value for name, value in headers.items()},
        timeout=10,
    )


def lines(fakestripe) -> list[dict]:
    """The journal's lines of deliveries, once nothing is under way."""
    fakestripe.verdict()
    return [line for line in fakestripe.journal if line["kind"] == "webhook"]


def test_an_event_arrives_signed_as_the_sdk_checks(fakestripe, receiver):
    endpoint = fakestripe.webhook(receiver.url)
    charge = post(fakestripe, Idempotency_Key="K1").json()
    [told] = receiver.wait_for(1)
    signed = told.headers["Stripe-Signature"]
    event = stripe.Webhook.construct_event(told.body, signed, endpoint.secret)
    listed = requests.get(f"{fakestripe.url}/v1/events", auth=(fakestripe.api_key, ""), timeout=5)

    assert (event.type, event.data.object.id) == ("charge.succeeded", charge["id"])
    assert event.request.idempotency_key == "K1"
    assert told.event["pending_webhooks"] == 1
    assert lines(fakestripe)[0]["event"] == event.id
    assert [each["id"] for each in listed.json()["data"]] == [event.id]
    assert told.headers["Content-Type"] == "application/json; charset=utf-8"
    assert told.body == json.dumps(told.event, indent=2, ensure_ascii=False).encode()
    assert endpoint.secret.startswith("whsec_")
    with pytest.raises(stripe.SignatureVerificationError):
        stripe.Webhook.construct_event(told.body + b" ", signed, endpoint.secret)
    with pytest.raises(stripe.SignatureVerificationError):
        stripe.Webhook.construct_event(told.body, signed, "whsec_other")


def test_one_s_own_secret_signs(fakestripe, receiver):
    fakestripe.webhook(receiver.url, secret="whsec_mine")
    post(fakestripe)
    [told] = receiver.wait_for(1)

    assert stripe.Webhook.construct_event(
        told.body, told.headers["Stripe-Signature"], "whsec_mine"
    )
    assert "whsec_mine" not in json.dumps(lines(fakestripe))


def test_only_what_an_endpoint_wants_is_told(fakestripe, receiver):
    fakestripe.webhook(receiver.url, ["charge.*", "customer.created"])
    fakestripe.webhook(f"{receiver.url}/refunds", ["refund.created"])
    charge = post(fakestripe).json()["id"]
    post(fakestripe, "/v1/customers", {"email": "a@example.com"})
    post(fakestripe, "/v1/refunds", {"charge": charge})
    told = receiver.wait_for(4)

    assert sorted((each.path, each.event["type"]) for each in told) == [
        ("/webhooks", "charge.refunded"),
        ("/webhooks", "charge.succeeded"),
        ("/webhooks", "customer.created"),
        ("/webhooks/refunds", "refund.created"),
    ]
    assert len(lines(fakestripe)) == 4


def test_a_replay_and_a_refusal_tell_nobody(fakestripe, receiver):
    fakestripe.webhook(receiver.url)
    for data in (CHARGE, CHARGE, {"amount": "x"}, {}):
        post(fakestripe, data=data, Idempotency_Key="K1")

    assert [line["type"] for line in lines(fakestripe)] == ["charge.succeeded"]


@pytest.mark.parametrize("fault", [Reset(), Hang(0.2)])
def test_an_event_is_told_whatever_becomes_of_the_answer(fakestripe, receiver, fault):
    fakestripe.webhook(receiver.url)
    fakestripe.use(Profile("p", (Rule("p#0", "committed", (fault,), when=When(nth=(1,))),)))
    with pytest.raises(requests.ConnectionError):
        post(fakestripe)
    [told] = receiver.wait_for(1)

    assert told.event["data"]["object"]["id"] == fakestripe.charges[0]["id"]


def test_what_was_not_committed_is_not_told(fakestripe, receiver):
    fakestripe.webhook(receiver.url)
    fakestripe.use(Profile("p", (Rule("p#0", "claimed", (Reset(),), when=When(nth=(1,))),)))
    with pytest.raises(requests.ConnectionError):
        post(fakestripe)

    assert (lines(fakestripe), receiver.received) == ([], [])


def test_a_refused_delivery_comes_again_with_the_same_body(fakestripe, receiver):
    receiver.answers = [500, 302]
    endpoint = fakestripe.webhook(receiver.url)
    post(fakestripe)
    told = receiver.wait_for(3)
    tried = lines(fakestripe)

    assert len({each.body for each in told}) == 1
    assert [(line["attempt"], line["status"], line["delivered"]) for line in tried] == [
        (1, 500, False),
        (2, 302, False),
        (3, 200, True),
    ]
    assert {(line["url"], line["endpoint"]) for line in tried} == {(receiver.url, endpoint.id)}
    event = requests.get(
        f"{fakestripe.url}/v1/events/{tried[0]['event']}", auth=(fakestripe.api_key, ""), timeout=5
    )
    assert event.json()["pending_webhooks"] == 0


def test_what_nobody_takes_is_given_up_and_stays_pending(fakestripe):
    gone = Receiver()
    gone.close()
    fakestripe.webhook(gone.url.replace("//", "//user:secret@") + "?token=secret")
    post(fakestripe)
    tried = lines(fakestripe)
    event = requests.get(f"{fakestripe.url}/v1/events", auth=(fakestripe.api_key, ""), timeout=5)

    assert [line["attempt"] for line in tried] == [1, 2, 3, 4]
    assert {line["status"] for line in tried} == {None}
    assert all("ClientConnectorError" in line["problem"] for line in tried)
    assert event.json()["data"][0]["pending_webhooks"] == 1
    assert "secret" not in json.dumps(tried)


def test_an_event_is_of_the_version_that_the_endpoint_asks_for(fakestripe, receiver):
    """stripe-go and stripe-java read events of their own version only."""
    fakestripe.webhook(receiver.url, ["charge.succeeded"], api_version="2026-03-25.dahlia")
    fakestripe.webhook(receiver.url, ["charge.succeeded"])
    post(fakestripe)

    assert sorted(told.event["api_version"] for told in receiver.wait_for(2)) == [
        "2026-03-25.dahlia",
        "2026-10-28.endive",
    ]


def test_a_verdict_waits_for_what_a_receiver_does(fakestripe, receiver):
    fakestripe.webhook(receiver.url, ["customer.created"])
    receiver.does = lambda _: post(fakestripe) and None
    post(fakestripe, "/v1/customers", {})
    verdict = fakestripe.verdict()

    assert verdict.charges == 1


def test_a_profile_brings_its_webhooks_and_takes_them_along(fakestripe, receiver):
    asked = Webhook(url=receiver.url, enabled_events=("charge.*",), secret="whsec_p")
    fakestripe.use(Profile("p", settings=Settings(webhooks=(asked,))))
    post(fakestripe)
    receiver.wait_for(1)
    fakestripe.use(Profile("q"))
    post(fakestripe)

    assert len(lines(fakestripe)) == 1
    assert stripe.Webhook.construct_event(
        receiver.received[0].body, receiver.received[0].headers["Stripe-Signature"], "whsec_p"
    )


def test_the_events_of_an_account_that_another_acts_for_name_it(fakestripe, receiver):
    fakestripe.webhook(receiver.url)
    post(fakestripe, Stripe_Account="acct_1")
    post(fakestripe)
    post(fakestripe, Stripe_Account="acct_1")
    told = receiver.wait_for(3)

    assert sorted(each.event.get("account", "") for each in told) == ["", "acct_1", "acct_1"]


def test_a_fresh_test_is_told_nothing_of_the_last_one(fakestripe, receiver):
    fakestripe.webhook(receiver.url)
    fakestripe.reset()
    post(fakestripe)

    assert (lines(fakestripe), receiver.received) == ([], [])


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/webhooks",
        "http://10.0.0.1/",
        "http://[2001:db8::1]/",
        "https://127.0.0.1.example.com/",
        "ftp://127.0.0.1/",
        "127.0.0.1:8000",
        "http://",
        "http://[::1",
        "",
    ],
)
def test_nobody_elsewhere_is_called_by_accident(fakestripe, url):
    fakestripe.looked = True
    with pytest.raises(ValueError, match="webhook"):
        fakestripe.webhook(url)
    with pytest.raises(ValueError, match="webhook"):
        fakestripe.use(Profile("p", settings=Settings(webhooks=(Webhook(url=url),))))


@pytest.mark.parametrize(
    "url",
    ["http://localhost:1/", "http://app.localhost/", "http://[::1]:1/", "https://127.9.9.9/"],
)
def test_this_machine_is_called_by_any_of_its_names(fakestripe, url):
    fakestripe.looked = True

    assert fakestripe.webhook(url).url == url


def test_elsewhere_is_called_where_it_is_meant(fakestripe):
    fakestripe.looked = True

    assert fakestripe.webhook("http://app:8000/webhooks", anywhere=True).id.startswith("we_1")


class TestTheAdminSide:
    """Endpoints over HTTP, for a sidecar."""

    @pytest.fixture
    def server(self) -> Iterator[Server]:
        with Server(shared=False, mode="serve") as running:
            yield running

    def call(self, server: Server, method: str, body: object = None, key: str = "sk_test_a"):
        return requests.request(
            method,
            f"{server.url}/_fakestripe/webhooks",
            json=body,
            auth=(key, ""),
            timeout=5,
        )

    def test_an_endpoint_is_one_account_s(self, server, receiver):
        [made] = self.call(server, "POST", {"url": receiver.url, "enabled_events": ["*"]}).json()
        for key in ("sk_test_b", "sk_test_a"):
            requests.post(f"{server.url}/v1/charges", CHARGE, auth=(key, ""), timeout=5)
        [told] = receiver.wait_for(1)

        assert stripe.Webhook.construct_event(
            told.body, told.headers["Stripe-Signature"], made["secret"]
        )
        assert self.call(server, "GET").json() == [made]
        assert list(made) == ["id", "url", "enabled_events", "secret", "copies", "api_version"]
        assert self.call(server, "GET", key="sk_test_b").json() == []

    def test_an_endpoint_shows_how_its_events_go_wrong_in_the_words_it_was_given(
        self, server, receiver
    ):
        asked = {"url": receiver.url, "copies": 2, "late": "250ms", "only": ["charge.*"]}
        [made] = self.call(server, "POST", {**asked, "secret": None}).json()

        assert {name: made[name] for name in asked} == asked
        assert made["secret"].startswith("whsec_")
        [never] = self.call(server, "POST", {"url": receiver.url, "never": True}).json()
        assert never["never"] is True

    def test_a_verdict_waits_for_no_event_of_a_neighbour(self, server, receiver):
        self.call(server, "POST", {"url": receiver.url, "late": "1h"})
        for key in ("sk_test_a", "sk_test_b"):
            requests.post(f"{server.url}/v1/charges", CHARGE, auth=(key, ""), timeout=5)
        verdict = requests.get(
            f"{server.url}/_fakestripe/verdict", auth=("sk_test_b", ""), timeout=5
        ).json()

        assert server.port.accounts.courier.busy()
        assert len(verdict["operations"]) == 1

    def test_endpoints_are_forgotten(self, server, receiver):
        self.call(server, "POST", [{"url": receiver.url}, {"url": receiver.url}])

        assert len(self.call(server, "GET").json()) == 2
        assert self.call(server, "DELETE").json() == []
        assert self.call(server, "GET").json() == []

    @pytest.mark.parametrize(
        ("body", "said"),
        [
            ({"url": "http://example.com/"}, "serve --webhook-host example.com"),
            ({}, "url"),
            ({"url": "http://127.0.0.1/", "events": ["*"]}, "events"),
            ({"url": "http://127.0.0.1/", "late": 5}, "late: '5' is not a duration"),
            ({"url": "http://127.0.0.1/", "copies": 0}, "copies: must be 1 or more"),
            (
                [{"url": "http://127.0.0.1/"}, {"url": "http://127.0.0.1/", "nver": True}],
                "[1].nver: 'nver' is no field; did you mean 'never'?",
            ),
            ("http://127.0.0.1/", "expected a mapping"),
        ],
    )
    def test_what_is_no_endpoint_is_refused(self, server, body, said):
        refused = self.call(server, "POST", body)

        assert refused.status_code == 400
        assert said in refused.json()["error"]

    def test_hosts_that_the_server_is_told_of_may_be_called(self, server):
        server.port.accounts.webhook_hosts = ("app",)

        assert self.call(server, "POST", {"url": "http://app/"}).status_code == 200
        assert self.call(server, "POST", {"url": "http://other/"}).status_code == 400

    def test_a_profile_with_webhooks_elsewhere_is_refused(self, server):
        profile = "name: p\nsettings: {webhooks: [{url: http://example.com/}]}"
        refused = requests.put(
            f"{server.url}/_fakestripe/profile", profile, auth=("sk_test_a", ""), timeout=5
        )

        assert refused.status_code == 400
        assert "not on this machine" in refused.json()["error"]


def test_the_end_of_a_server_leaves_nothing_under_way():
    """A delivery that hangs, and one that waits for its next attempt, end with it."""
    hanging, refusing = Receiver(), Receiver()
    hangs = threading.Event()
    hanging.does = lambda _: hangs.wait(10) and None
    refusing.answers = [500] * 10
    server = Server().start()
    account = server.port.accounts.named("shared")
    for url in (hanging.url, refusing.url):
        server.call(lambda url=url: account.webhook(Webhook(url=url)))
    requests.post(f"{server.url}/v1/charges", CHARGE, auth=("sk_test_a", ""), timeout=5)
    hanging.wait_for(1)
    refusing.wait_for(2)
    server.stop()

    assert not server.port.accounts.courier.busy()
    hangs.set()
    hanging.close()
    refusing.close()
