"""A page of another origin, in a real browser, tries all that a page can: nothing comes of it."""

import asyncio
import http.server
import json
import threading

import pytest
import requests

from fakestripe.server.listener import Server

pytestmark = pytest.mark.asyncio
PAGE = b"""<!doctype html><meta charset="utf-8"><title>elsewhere</title><body></body>"""
TRY = """(async () => {
  const base = %s, got = [];
  const key = {Authorization: 'Bearer sk_test_alice'};
  const form = {'Content-Type': 'application/x-www-form-urlencoded'};
  const charge = 'amount=2000&currency=usd&source=tok_visa';
  const tries = [
    ['/_fakestripe/journal', {}],
    ['/_fakestripe/journal', {headers: key}],
    ['/_fakestripe/charges', {mode: 'no-cors'}],
    ['/_fakestripe/reset', {method: 'POST', mode: 'no-cors'}],
    ['/_fakestripe/reset', {method: 'POST', headers: key}],
    ['/_fakestripe/profile', {method: 'PUT', body: '{"name": "reset-after-commit"}'}],
    ['/_fakestripe/profile', {method: 'DELETE'}],
    ['/_fakestripe/clock', {method: 'POST', mode: 'no-cors', body: '{"advance": "25h"}'}],
    ['/_fakestripe/outcomes', {method: 'POST', mode: 'no-cors', body: '[]'}],
    ['/_fakestripe/ports', {method: 'POST', mode: 'no-cors'}],
    ['/v1/charges', {}],
    ['/v1/charges', {headers: key}],
    ['/v1/charges', {method: 'POST', mode: 'no-cors', body: charge, headers: form}],
    ['/v1/charges', {method: 'POST', body: charge, headers: {...form, ...key}}],
  ];
  for (const [path, options] of tries) {
    try {
      const answer = await fetch(base + path, options);
      got.push(answer.type === 'opaque' ? 'opaque' : await answer.text());
    } catch (wrong) {
      got.push(wrong.name);
    }
  }
  const gone = (element) => new Promise((done) => {
    element.onload = () => done('loaded');
    element.onerror = () => done('error');
    document.body.append(element);
  });
  const put = (name, fields) => gone(Object.assign(document.createElement(name), fields));
  got.push('image ' + await put('img', {src: base + '/_fakestripe/journal'}));
  got.push('script ' + await put('script', {src: base + '/_fakestripe/charges'}));
  const events = new EventSource(base + '/_fakestripe/journal');
  got.push('events ' + await new Promise((done) => {
    events.onmessage = events.onopen = () => done('open');
    events.onerror = () => done('error');
  }));
  const socket = new WebSocket(base.replace('http', 'ws') + '/_fakestripe/');
  got.push('socket ' + await new Promise((done) => {
    socket.onopen = () => done('open');
    socket.onerror = () => done('error');
  }));
  const frame = Object.assign(document.createElement('iframe'), {name: 'frame'});
  frame.src = base + '/_fakestripe/';
  await gone(frame);
  let inside;
  try { inside = frame.contentDocument ? 'read' : 'closed'; } catch (wrong) { inside = 'closed'; }
  got.push('frame ' + inside);
  const sent = Object.assign(document.createElement('form'),
    {method: 'post', action: base + '/_fakestripe/reset?scope=port', target: 'frame'});
  document.body.append(sent);
  const back = new Promise((done) => { frame.onload = done; });
  sent.submit();
  await back;
  return got;
})()"""
FETCHED = ["TypeError"] * 14
OPAQUE = {2, 3, 7, 8, 9, 12}
"""Which of the attempts a browser sends without letting the page see an answer."""


class Elsewhere(http.server.BaseHTTPRequestHandler):
    """A page of nobody's on a port of its own."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(PAGE)))
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture
def elsewhere():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def pay(server):
    requests.post(
        f"{server.url}/v1/charges",
        {"amount": "2000", "currency": "usd", "source": "tok_visa"},
        headers={"Authorization": "Bearer sk_test_alice"},
        timeout=15,
    ).raise_for_status()


def journal(server):
    lines = requests.get(f"{server.url}/_fakestripe/journal", timeout=15).text.splitlines()
    return [json.loads(line) for line in lines]


def state(server):
    account = server.port.accounts.anyone()
    return journal(server), account.profile.name, [each.url for each in server.ports]


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
@pytest.mark.parametrize("shared", [True, False])
async def test_nothing_comes_of_what_a_foreign_page_tries(tab, elsewhere, name, shared):
    with Server(shared=shared, mode="serve") as server:
        await asyncio.to_thread(pay, server)
        before = await asyncio.to_thread(state, server)
        await tab.open(f"http://{name}:{elsewhere}/")
        got = await tab.ask(TRY % json.dumps(server.url))
        for path in ("/v1/charges", "/_fakestripe/journal"):
            await tab.leave(server.url + path)
            await tab.until(
                f"location.pathname === {json.dumps(path)} && document.readyState === 'complete'"
            )
            assert "another origin" in await tab.ask("document.body.textContent")
            await tab.open(f"http://{name}:{elsewhere}/")
        after = await asyncio.to_thread(state, server)

    assert got == [
        *("opaque" if each in OPAQUE else tried for each, tried in enumerate(FETCHED)),
        "image error",
        "script error",
        "events error",
        "socket error",
        "frame closed",
    ]
    assert after == before
