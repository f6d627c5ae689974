"""Pages of other origins change and read nothing; the token is asked for where one is set."""

import http.client

import pytest

from fakestripe.server.guard import Guard
from fakestripe.server.listener import Server

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
CHARGE = "amount=2000&currency=usd&source=tok_visa"
FOREIGN = "a page of another origin may neither read nor change anything here"


@pytest.fixture
def server():
    with Server() as server:
        yield server


def ask(server, method, path, headers, body=None):
    connection = http.client.HTTPConnection(server.url.removeprefix("http://"), timeout=10)
    connection.putrequest(method, path, skip_host="Host" in headers)
    content = (body or "").encode()
    for name, value in {**headers, "Content-Length": str(len(content))}.items():
        connection.putheader(name, value)
    connection.endheaders(content)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer, text


BROWSER = {
    "another origin": {"Origin": "https://evil.example"},
    "no origin at all": {"Origin": "null"},
    "another port": {"Origin": "http://127.0.0.1:1"},
    "an image": {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"},
    "another port's image": {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors"},
    "a frame": {
        "Sec-Fetch-Site": "cross-site",
        "Sec-Fetch-Mode": "navigate",
        "Sec-Fetch-Dest": "iframe",
    },
    "a form that leads here": {
        "Origin": "https://evil.example",
        "Sec-Fetch-Site": "cross-site",
        "Sec-Fetch-Mode": "navigate",
        "Sec-Fetch-Dest": "document",
    },
}
ASKED = {
    "a charge": ("POST", "/v1/charges", CHARGE),
    "a profile": ("PUT", "/_fakestripe/profile", '{"name": "reset-after-commit"}'),
    "a reset": ("POST", "/_fakestripe/reset", ""),
    "the journal": ("GET", "/_fakestripe/journal", None),
    "the charges": ("GET", "/v1/charges", None),
    "a preflight": ("OPTIONS", "/v1/charges", None),
}


@pytest.mark.parametrize("browser", BROWSER)
@pytest.mark.parametrize("asked", ASKED)
def test_what_a_foreign_page_asks_for_is_refused_and_leaves_no_trace(server, asked, browser):
    method, path, body = ASKED[asked]
    headers = {**FORM, **BROWSER[browser], "Authorization": "Bearer sk_test_a"}
    answer, text = ask(server, method, path, headers, body)

    assert (answer.status, text) == (403, f'{{"error": "{FOREIGN}"}}')
    assert answer.getheader("Access-Control-Allow-Origin") is None
    account = server.port.accounts.anyone()
    assert (account.bank.journal.attempts, account.profile.name) == ([], "fault-free")


LINK = {
    "Sec-Fetch-Site": "cross-site",
    "Sec-Fetch-Mode": "navigate",
    "Sec-Fetch-Dest": "document",
}


def test_a_link_leads_to_the_page_and_to_nothing_that_would_note_it(server):
    assert ask(server, "GET", "/_fakestripe/", LINK)[0].status == 200
    assert ask(server, "GET", "/v1/charges", LINK)[0].status == 403
    assert server.port.accounts.anyone().bank.journal.attempts == []


@pytest.mark.parametrize("path", ["/v1/charges", "/_fakestripe/journal"])
@pytest.mark.parametrize("headers", [{"Origin": "http://["}, {"Origin": "x", "Host": "[::1"}])
def test_an_origin_or_host_that_is_none_is_refused(server, path, headers):
    assert ask(server, "GET", path, headers)[0].status == 403


def test_a_page_of_ours_asks_as_it_likes(server):
    own = {"Origin": server.url, "Sec-Fetch-Site": "same-origin", "Authorization": "Bearer x"}

    assert ask(server, "GET", "/_fakestripe/journal", own)[0].status == 200


def test_a_person_may_come_by_a_link(server):
    headers = {
        "Sec-Fetch-Site": "cross-site",
        "Sec-Fetch-Mode": "navigate",
        "Sec-Fetch-Dest": "document",
    }

    assert ask(server, "GET", "/_fakestripe/", headers)[0].status == 200


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1:1", "[::1]:1", "localhost", "stripe:12111", "a.localhost", "api.stripe.com"],
)
def test_the_admin_side_answers_by_names_that_no_stranger_can_own(server, host):
    assert ask(server, "GET", "/_fakestripe/journal", {"Host": host})[0].status == 200


@pytest.mark.parametrize("host", ["evil.example:12111", "127.0.0.1.evil.example", "evil.example."])
def test_by_another_name_it_says_which_flag_lets_it(server, host):
    answer, text = ask(server, "GET", "/_fakestripe/journal", {"Host": host})
    name = host.partition(":")[0].rstrip(".")

    assert answer.status == 403
    assert f"does not answer by the name {name}: add --admin-host {name}" in text


def test_a_name_that_was_given_is_ours(server):
    server.port.accounts.guard = Guard(hosts=frozenset({"pay.example"}))

    assert ask(server, "GET", "/_fakestripe/health", {"Host": "pay.example"})[0].status == 200


def test_an_sdk_may_call_stripe_by_any_name(server):
    headers = {**FORM, "Host": "pay.example", "Authorization": "Bearer sk_test_a"}

    assert ask(server, "POST", "/v1/charges", headers, CHARGE)[0].status == 200


def test_a_page_that_made_its_own_name_ours_is_refused(server):
    headers = {**FORM, "Host": "evil.example", "Origin": "http://evil.example"}
    answer, text = ask(server, "POST", "/v1/charges", headers, CHARGE)

    assert (answer.status, "--admin-host evil.example" in text) == (403, True)
    assert server.port.accounts.anyone().bank.journal.attempts == []


@pytest.fixture
def locked(server):
    server.port.accounts.guard = Guard(token="open-sesame")
    return server


@pytest.mark.parametrize("given", [{}, {"Fakestripe-Admin-Token": "wrong"}])
def test_without_the_token_the_admin_side_does_nothing(locked, given):
    answer, text = ask(locked, "POST", "/_fakestripe/reset", given)

    assert answer.status == 401
    assert "this server asks for its admin token: send it as Fakestripe-Admin-Token" in text


def test_with_the_token_it_does(locked):
    given = {"Fakestripe-Admin-Token": "open-sesame"}

    assert ask(locked, "POST", "/_fakestripe/reset", given)[0].status == 200


def test_health_and_stripe_need_no_token(locked):
    headers = {**FORM, "Authorization": "Bearer sk_test_a"}

    assert ask(locked, "GET", "/_fakestripe/health", {})[0].status == 200
    assert ask(locked, "POST", "/v1/charges", headers, CHARGE)[0].status == 200


def test_a_browser_is_asked_for_the_token_and_keeps_it_in_a_cookie(locked):
    asked, form = ask(locked, "GET", "/_fakestripe/", {"Accept": "text/html"})
    given, _ = ask(locked, "POST", "/_fakestripe/", FORM, "token=open-sesame")
    cookie = given.getheader("Set-Cookie")
    seen, _ = ask(locked, "GET", "/_fakestripe/", {"Cookie": cookie.partition(";")[0]})

    assert (asked.status, 'type="password"' in form) == (401, True)
    assert (given.status, given.getheader("Location")) == (303, "/_fakestripe/")
    assert cookie.endswith("; Path=/_fakestripe/; HttpOnly; SameSite=Strict")
    assert seen.status == 200


def test_a_wrong_token_gives_no_cookie(locked):
    given, _ = ask(locked, "POST", "/_fakestripe/", FORM, "token=wrong")

    assert (given.status, given.getheader("Set-Cookie")) == (401, None)
