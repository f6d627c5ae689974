"""The fixture makes further keys: a client by one of them is capped or restricted as it says."""

import pytest
import requests

import fakestripe as package
from fakestripe.server.control.control import Control
from fakestripe.server.listener import Server

FORM = {"amount": "1000", "currency": "usd", "source": "tok_visa"}


@pytest.fixture
def control():
    with Server() as server:
        yield Control(server.port, server)


def charged(control, key, **headers):
    headers["Authorization"] = f"Bearer {key}"
    return requests.post(f"{control.url}/v1/charges", FORM, headers=headers, timeout=15)


def test_a_capped_key_stops_at_its_cap_and_the_accounts_own_goes_on(control):
    key = control.key(daily_usd_cap="25.00", allowed_endpoints=["/v1/charges"])
    statuses = [charged(control, key).status_code for _ in range(3)]

    assert statuses == [200, 200, 429]
    assert charged(control, control.api_key).status_code == 200
    assert len(control.charges) == 3


def test_the_next_day_has_room_again(control):
    key = control.key(daily_usd_cap="10.00")
    charged(control, key)
    before = charged(control, key).status_code
    control.clock.advance("24h")

    assert (before, charged(control, key).status_code) == (429, 200)


def test_a_key_ends(control):
    control.clock.set(1_700_000_000)
    key = control.key(expires_at=1_700_000_060)
    before = charged(control, key).status_code
    control.clock.advance("1m")

    assert (before, charged(control, key).status_code) == (200, 401)


def test_a_restricted_key_may_do_what_it_names(control):
    key = control.key("rk_test_reports_only", permissions={"charges": "read"})

    assert (key, charged(control, key).status_code) == ("rk_test_reports_only", 403)


def test_a_reset_forgets_the_keys(control):
    key = control.key()
    control.reset()

    assert charged(control, key).status_code == 401


def test_the_keys_of_its_profile_are_there_after_a_reset(control, tmp_path):
    (tmp_path / "p.yaml").write_text(
        "name: p\nsettings: {keys: [{key: vk_test_nightly_run, daily_usd_cap: 10.00}]}\n"
    )
    control.use(tmp_path / "p.yaml")
    control.reset()

    assert [charged(control, "vk_test_nightly_run").status_code for _ in range(2)] == [200, 429]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"daily_usd_cap": 450.0}, "daily_usd_cap: write dollars as a text with two decimals"),
        ({"key": "sk_live_x"}, "key: live keys are refused"),
        ({"allowed_endpoints": "charges"}, "allowed_endpoints: write a list of paths"),
        (
            {"permissions": {"chargs": "read"}},
            "permissions.chargs: chargs is no resource (did you",
        ),
    ],
)
def test_what_can_be_no_key_is_refused_by_the_name_of_the_call(control, asked, said):
    with pytest.raises(ValueError, match=r"^fakestripe\.key\(…\): ") as wrong:
        control.key(**asked)

    assert str(wrong.value).startswith(f"fakestripe.key(…): {said}")


@pytest.mark.asyncio
async def test_an_application_has_keys_too(aiohttp_client):
    app = package.create_app()
    client = await aiohttp_client(app)
    key = app[package.CONTROL].key(daily_usd_cap="10.00")
    statuses = []
    for _ in range(2):
        headers = {"Authorization": f"Bearer {key}"}
        statuses.append((await client.post("/v1/charges", data=FORM, headers=headers)).status)

    assert statuses == [200, 429]
