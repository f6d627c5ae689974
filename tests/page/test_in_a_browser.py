"""The page and the report in a headless Chromium: wide and narrow, dark and light, by keyboard."""

import asyncio
import subprocess
import sys
from contextlib import suppress
from urllib.parse import urlsplit

import pytest
import requests

from fakestripe.server.listener import Server

pytestmark = pytest.mark.asyncio
TAB, ENTER = ("Tab", 9), ("Enter", 13, "\r")
LOOKS = [(width, scheme) for width in (1280, 400) for scheme in ("light", "dark")]
LONG = "k" * 200
WIDE = "document.documentElement.scrollWidth"
PAPER = "getComputedStyle(document.body).backgroundColor"
FOCUSED = "document.activeElement.textContent"
LIVE = "document.getElementById('status').textContent === ' live'"
CLIENT = """
import os, urllib.error, urllib.request
for attempt in range(3):
    request = urllib.request.Request(
        os.environ["STRIPE_API_BASE"] + "/v1/charges",
        b"amount=2000&currency=usd&source=tok_visa&metadata[order_id]=ord_1",
        {
            "Authorization": "Bearer " + os.environ["STRIPE_API_KEY"],
            "Idempotency-Key": str(attempt),
        },
    )
    try:
        urllib.request.urlopen(request, timeout=1)
        break
    except OSError:
        pass
"""


@pytest.fixture
def server():
    with Server(shared=False, mode="serve") as server:
        yield server


def pay(server, order, key=None, **sent):
    """Charge an order; its answer may be lost."""
    headers = {"Authorization": "Bearer sk_test_alice"}
    if key is not None:
        headers["Idempotency-Key"] = key
    form = {"amount": "2000", "currency": "usd", "source": "tok_visa", "metadata[order_id]": order}
    with suppress(requests.ConnectionError):
        requests.post(f"{server.url}/v1/charges", form | sent, headers=headers, timeout=15)


@pytest.fixture
def page(server):
    """A server that has seen a charge made twice, and a key that is longer than a telephone."""
    requests.put(
        f"{server.url}/_fakestripe/profile",
        json={"name": "reset-after-commit"},
        headers={"Authorization": "Bearer sk_test_alice"},
        timeout=15,
    ).raise_for_status()
    for _ in range(2):
        pay(server, "ord_1")
        pay(server, LONG, LONG, description=LONG)
    return f"{server.url}/_fakestripe/"


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    names = ("commit-then-timeout", "reset-after-commit", "reset-before-commit")
    profiles = [word for name in names for word in ("--profile", name)]
    words = ["check", *profiles, "--jobs", "2", "--report", str(path), "--"]
    done = subprocess.run(
        [sys.executable, "-m", "fakestripe", *words, sys.executable, "-c", CLIENT],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    return path.as_uri()


async def unfold(tab):
    await tab.ask("document.querySelectorAll('details').forEach((each) => each.open = true)")


def light(colour):
    """Return whether a colour of a style, rgb(…), is nearer to white than to black."""
    return sum(map(int, colour[4:-1].split(","))) > 384


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
async def test_the_report_fits_every_width_in_both_colours(tab, report, width, scheme):
    await tab.look(width, scheme)
    await tab.open(report)
    await unfold(tab)

    assert await tab.ask(WIDE) == width
    assert light(await tab.ask(PAPER)) == (scheme == "light")
    assert (tab.complaints, set(tab.requests)) == ([], {report})


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
async def test_the_page_fits_every_width_in_both_colours(tab, page, width, scheme):
    await tab.look(width, scheme)
    await tab.open(page)
    await tab.until(LIVE)
    await unfold(tab)

    assert await tab.ask(WIDE) == width
    assert light(await tab.ask(PAPER)) == (scheme == "light")
    assert tab.complaints == []
    assert {urlsplit(each).netloc for each in tab.requests} == {urlsplit(page).netloc}


async def test_a_new_attempt_appears_and_what_was_open_and_focused_stays_so(tab, server, page):
    await tab.look(1280, "light")
    await tab.open(page)
    await tab.ask(
        """(() => {
          window.kept = [...document.querySelectorAll('.operation')].at(-1);
          kept.open = true;
          kept.querySelector('summary').focus();
          document.querySelector('.operation').open = false;
        })()"""
    )
    await tab.until(LIVE)
    await asyncio.to_thread(pay, server, "ord_3", "late-comer")
    await tab.until("document.body.textContent.includes('late-comer')")

    assert await tab.ask("kept.isConnected && kept.open")
    assert await tab.ask("document.activeElement === kept.querySelector('summary')")
    assert await tab.ask("document.querySelector('.operation.red').open") is False
    assert tab.complaints == []


async def test_it_says_when_the_server_is_gone(tab, server, page):
    await tab.open(page)
    await tab.until(LIVE)
    await asyncio.to_thread(server.stop)

    await tab.until("document.getElementById('status').textContent.includes('saw last')")
    assert await tab.ask("document.querySelectorAll('.lane').length > 0")


async def test_the_report_can_be_walked_by_keyboard(tab, report):
    """Links of the table, then what folds: every stop is seen, and Enter opens and closes."""
    await tab.look(1280, "dark")
    await tab.open(report)
    names = []
    for _ in range(4):
        await tab.press(*TAB)
        names.append(await tab.ask(FOCUSED))
        assert await tab.ask("getComputedStyle(document.activeElement).outlineStyle") == "solid"

    assert sorted(names[:3]) == [
        "commit-then-timeout",
        "reset-after-commit",
        "reset-before-commit",
    ]
    assert await tab.ask("document.activeElement.tagName") == "SUMMARY"
    before = await tab.ask("document.activeElement.parentElement.open")
    await tab.press(*ENTER)
    assert await tab.ask("document.activeElement.parentElement.open") is not before


async def test_a_link_of_the_table_opens_the_run_that_it_is_about(tab, report):
    await tab.open(report)
    await tab.ask("[...document.querySelectorAll('tbody a')].at(-1).focus()")
    assert await tab.ask("document.querySelector('.run:last-child').open") is False
    await tab.press(*ENTER)

    await tab.until("document.querySelector('.run:last-child').open")


async def test_a_printed_report_shows_what_is_folded(tab, report):
    await tab.open(report)
    await tab.tell("Emulation.setEmulatedMedia", media="print")
    lanes = "[...document.querySelectorAll('.lane')]"

    assert await tab.ask(f"{lanes}.every((each) => each.getBoundingClientRect().height > 20)")


async def test_headings_and_lists_tell_the_same_to_who_cannot_see_it(tab, page):
    await tab.open(page)

    assert await tab.ask("document.querySelectorAll('h1').length") == 1
    assert await tab.ask("document.documentElement.lang") == "en"
    assert (
        await tab.ask(
            "document.querySelectorAll('svg:not([aria-hidden], [aria-hidden] *)').length"
        )
        == 0
    )
    assert await tab.ask("document.querySelector('[role=status]') !== null")
    assert await tab.ask("document.querySelector('ol.lanes > li.lane code') !== null")


async def test_many_attempts_stay_few_on_the_page(tab, server):
    await asyncio.to_thread(many, server)
    await tab.open(f"{server.url}/_fakestripe/")
    await tab.until(LIVE)

    assert await tab.ask("document.querySelectorAll('.operation').length") == 40
    assert await tab.ask("document.body.textContent.includes('160 more')")


def many(server):
    with requests.Session() as session:
        session.headers["Authorization"] = "Bearer sk_test_alice"
        for number in range(200):
            form = {"amount": "2000", "currency": "usd", "source": "tok_visa"}
            form["metadata[order_id]"] = f"order_{number}"
            session.post(f"{server.url}/v1/charges", form, timeout=15).raise_for_status()
