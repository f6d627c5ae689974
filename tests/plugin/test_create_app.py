"""fakestripe as an application in the test's own loop, under pytest-aiohttp's fixtures."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import aiohttp
import httpx
import pytest

import fakestripe
from fakestripe.faults.kinds import Hang, Wait
from fakestripe.faults.rules import Profile, Rule

pytestmark = pytest.mark.asyncio

FORM = {
    "amount": "2000",
    "currency": "usd",
    "source": "tok_visa",
    "metadata[order_id]": "ord_1",
}


def headers(key):
    return {"Authorization": "Bearer sk_test_app", "Idempotency-Key": key}


def profile(at, *faults):
    return Profile(name="made", rules=(Rule("made#0", at, faults),))


async def test_a_client_of_the_tests_loop_meets_a_reset(aiohttp_client):
    app = fakestripe.create_app("reset-after-commit")
    control = app[fakestripe.CONTROL]
    client = await aiohttp_client(app)
    with control.paying("ord_1", 2000):
        with pytest.raises(aiohttp.ClientConnectionError):
            await client.post("/v1/charges", data=FORM, headers=headers("k1"))
        answer = await client.post("/v1/charges", data=FORM, headers=headers("k1"))

    assert answer.status == 200
    assert answer.headers["Idempotent-Replayed"] == "true"
    assert [charge["id"] for charge in control.charges] == [(await answer.json())["id"]]
    control.assert_clean()


async def test_a_server_of_the_tests_loop_serves_any_client(aiohttp_server):
    app = fakestripe.create_app(customers="any")
    server = await aiohttp_server(app)
    async with httpx.AsyncClient(base_url=str(server.make_url("/"))) as client:
        form = FORM | {"customer": "cus_whoever"}
        del form["source"]
        answer = await client.post("/v1/charges", data=form, headers=headers("k1"))

    assert answer.status_code == 200
    assert [charge["customer"] for charge in app[fakestripe.CONTROL].charges] == ["cus_whoever"]


async def test_parallel_posts_of_one_key_are_refused_but_one(aiohttp_client):
    app = fakestripe.create_app(profile("claimed", Wait(0.5)))
    client = await aiohttp_client(app)
    app[fakestripe.CONTROL].intend("ord_1", 2000)

    async def post():
        answer = await client.post("/v1/charges", data=FORM, headers=headers("k1"))
        return answer.status

    assert sorted(await asyncio.gather(*[post() for _ in range(5)])) == [200, 409, 409, 409, 409]
    assert len(app[fakestripe.CONTROL].charges) == 1


async def test_a_test_in_the_serving_loop_waits_for_what_still_runs(aiohttp_client):
    app = fakestripe.create_app(profile("claimed", Wait(0.2)))
    control = app[fakestripe.CONTROL]
    client = await aiohttp_client(app)
    with pytest.raises(TimeoutError):
        await client.post(
            "/v1/charges",
            data=FORM,
            headers=headers("k1"),
            timeout=aiohttp.ClientTimeout(total=0.05),
        )

    await control.settled()
    assert control.verdict().charges == 1


async def test_the_control_is_called_from_other_threads_too(aiohttp_client):
    app = fakestripe.create_app()
    control = app[fakestripe.CONTROL]
    control.intend("ord_1", 2000)
    client = await aiohttp_client(app)
    await client.post("/v1/charges", data=FORM, headers=headers("k1"))
    with ThreadPoolExecutor(1) as pool:
        verdict = await asyncio.get_running_loop().run_in_executor(pool, control.verdict)

    assert verdict.charges == 1


async def test_the_address_is_known_to_who_serves_it():
    app = fakestripe.create_app()

    with pytest.raises(RuntimeError) as asked:
        app[fakestripe.CONTROL].url  # noqa: B018

    assert str(asked.value) == (
        "this fakestripe is an application: ask who serves it for the address, "
        'client.make_url("/") of aiohttp_client or server.make_url("/") of aiohttp_server'
    )


async def test_it_ends_while_a_fault_hangs_and_starts_no_thread(aiohttp_client):
    before = threading.enumerate()
    app = fakestripe.create_app(profile("committed", Hang(30)))
    client = await aiohttp_client(app)
    hung = asyncio.create_task(client.post("/v1/charges", data=FORM, headers=headers("k1")))
    while not app[fakestripe.CONTROL].charges:  # noqa: ASYNC110  # nothing tells a client
        await asyncio.sleep(0)
    await client.server.close()

    with pytest.raises(aiohttp.ClientConnectionError):
        await hung
    assert threading.enumerate() == before


async def test_a_misspelt_profile_is_refused_before_anything_serves():
    with pytest.raises(fakestripe.ProfileError, match="did you mean reset-after-commit"):
        fakestripe.create_app("reset-after-comit")
