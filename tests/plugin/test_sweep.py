"""A sweep within a test: the client is a function, sync or async, and the report is the same."""

HEAD = """
import asyncio, http.client, uuid
import pytest
from client import post

LOST = (OSError, http.client.HTTPException, ValueError)

def settled(stripe, key):
    status, body = post(stripe.url, key, timeout=1)
    if status >= 500 or status in (409, 429):
        raise ConnectionError(status)
    return status

def pay(stripe, key_of=lambda: "k1"):
    for _ in range(3):
        try:
            assert settled(stripe, key_of()) == 200
            return
        except LOST:
            pass
    raise ConnectionError("nobody knows")

def pay_anew(stripe):
    pay(stripe, lambda: str(uuid.uuid4()))
"""


def test_a_safe_function_passes_every_fault(suite):
    report = suite.run(
        HEAD
        + """
def test_it(fakestripe_sweep):
    fakestripe_sweep(pay, max_hang="1500ms")
"""
    )

    assert report.outcomes == {"passed": 1}


def test_an_unsafe_one_fails_with_the_report_of_the_command(suite):
    report = suite.run(
        HEAD
        + """
def test_it(fakestripe_sweep):
    fakestripe_sweep(pay_anew, faults=["reset-before", "reset-after", "502-after"])
"""
    )

    assert report.outcomes == {"failed": 1}
    lines = report.told("test_it").splitlines()
    assert lines[0] == "1  POST /v1/charges, attempt 1"
    assert "1  duplicate  duplicate" in lines
    assert "cause (fresh_key_per_attempt)" in "".join(lines)
    assert (
        "again: fakestripe_sweep(client, faults=['reset-after'])  # charges-1-reset-after" in lines
    )
    assert "red: 2 of 3 runs found what a correct client would not do" in lines
    assert lines[lines.index("name: charges-1-reset-after") :][:6] == [
        "name: charges-1-reset-after",
        "rules:",
        "  - match: {method: POST, path: /v1/charges}",
        "    when: {attempt: 1, times: 1}",
        "    at: committed",
        "    do: reset",
    ]
    assert "Traceback" not in report.text


def test_an_async_client_is_swept_from_either_kind_of_test(suite):
    report = suite.run(
        HEAD
        + """
async def safe(stripe):
    await asyncio.to_thread(pay, stripe)

async def unsafe(stripe):
    await asyncio.to_thread(pay_anew, stripe)

FAULTS = ["503-before", "close-after"]

def test_sync(fakestripe_sweep):
    fakestripe_sweep(safe, faults=FAULTS)

@pytest.mark.asyncio
async def test_async(fakestripe_sweep):
    await fakestripe_sweep.swept(safe, faults=FAULTS)

@pytest.mark.asyncio
async def test_red(fakestripe_sweep):
    with pytest.raises(pytest.fail.Exception, match="red: 1 of 2 runs"):
        await fakestripe_sweep.swept(unsafe, faults=FAULTS)

@pytest.mark.asyncio
async def test_unawaited(fakestripe_sweep):
    with pytest.raises(pytest.fail.Exception, match="write await fakestripe_sweep.swept"):
        fakestripe_sweep(safe, faults=FAULTS)
"""
    )

    assert report.outcomes == {"passed": 4}


def test_two_faults_find_what_one_does_not(suite):
    report = suite.run(
        HEAD
        + """
def pay_twice_alike(stripe):
    keys = iter(["k1", "k1", "k2"])
    pay(stripe, lambda: next(keys))

def test_one(fakestripe_sweep):
    fakestripe_sweep(pay_twice_alike, faults=["reset-after", "reset-before"])

def test_two(fakestripe_sweep):
    fakestripe_sweep(pay_twice_alike, faults=["reset-after", "reset-before"], depth=2)
"""
    )

    assert report.outcomes == {"passed": 1, "failed": 1}
    assert "again: fakestripe_sweep(client, faults=['reset-before', 'reset-after'], depth=2)" in (
        report.text
    )


def test_what_cannot_be_swept_is_said(suite):
    report = suite.run(
        HEAD
        + """
import itertools
amounts = itertools.count(2000)

def different(stripe):
    post(stripe.url, "k1", amount=next(amounts))

def broken(stripe):
    raise LookupError("no such order")

def test_silent(fakestripe_sweep):
    with pytest.raises(pytest.fail.Exception, match="no request reached fakestripe"):
        fakestripe_sweep(lambda stripe: None)

def test_different(fakestripe_sweep):
    with pytest.raises(pytest.fail.Exception, match="charges of 2000 usd: 1 in the first run, 0"):
        fakestripe_sweep(different)

def test_broken(fakestripe_sweep):
    with pytest.raises(LookupError, match="no such order"):
        fakestripe_sweep(broken)

def test_unknown(fakestripe_sweep):
    with pytest.raises(ValueError, match="did you mean 'reset-after'"):
        fakestripe_sweep(pay, faults=["reset-afer"])
"""
    )

    assert report.outcomes == {"passed": 4}
