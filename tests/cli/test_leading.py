"""What leads a program from outside: Stripe's name is ours in Node and in Python, nothing else is.

The programs here know no other server than api.stripe.com; a socket of the test stands for ours.
"""

import os
import shutil
import socket
import subprocess
import sys
import threading

import pytest

from fakestripe.cli.checking import led

PATIENCE = 60
WORDS, HELLO = b"hel", b"\x16\x03\x01"
"""How what comes to us begins: with the words of a program, or with the hello of TLS."""

NODE_STACKS = {
    "port and host": (WORDS, "require('net').connect(443, 'api.stripe.com').end('hello')"),
    "options": (
        WORDS,
        "require('net').connect({port: '443', host: 'api.stripe.com'}).end('hello')",
    ),
    "a socket of one's own": (
        WORDS,
        (
            "new (require('net').Socket)().connect(443, 'API.Stripe.com', "
            "function () { this.end('hello') })"
        ),
    ),
    "another name of Stripe's": (
        WORDS,
        "require('net').connect(8443, 'files.stripe.com').end('hello')",
    ),
    "a worker": (
        WORDS,
        (
            "new (require('worker_threads').Worker)"
            "(\"require('net').connect(443, 'api.stripe.com').end('hello')\", {eval: true})"
        ),
    ),
    "tls": (HELLO, "require('tls').connect(443, 'api.stripe.com').on('error', () => {})"),
    "https": (HELLO, "require('https').get('https://api.stripe.com/').on('error', () => {})"),
    "an agent": (
        HELLO,
        (
            "const https = require('https'); https.get('https://api.stripe.com/', "
            "{agent: new https.Agent({keepAlive: true})}).on('error', () => {})"
        ),
    ),
    "fetch": (HELLO, "fetch('https://api.stripe.com/').catch(() => {})"),
}
PYTHON_STACKS = {
    "socket": (
        WORDS,
        "import socket\nsocket.create_connection(('api.stripe.com', 443)).sendall(b'hello')",
    ),
    "a look-up": (
        WORDS,
        (
            "import socket\n"
            "found = socket.getaddrinfo(port='https', host='API.Stripe.com', family=2, type=1)\n"
            "one = socket.socket()\n"
            "one.connect(found[0][4])\n"
            "one.sendall(b'hello')"
        ),
    ),
    "another name of Stripe's": (
        WORDS,
        "import socket\nsocket.create_connection(('m.stripe.com.', 8443)).sendall(b'hello')",
    ),
    "asyncio": (
        WORDS,
        (
            "import asyncio\n"
            "async def go():\n"
            "    _, writer = await asyncio.open_connection('api.stripe.com', 443)\n"
            "    writer.write(b'hello')\n"
            "    writer.close()\n"
            "    await writer.wait_closed()\n"
            "asyncio.run(go())"
        ),
    ),
    "http.client": (
        HELLO,
        "import http.client\nhttp.client.HTTPSConnection('api.stripe.com').request('GET', '/')",
    ),
    "urllib3": (
        HELLO,
        (
            "import urllib3\n"
            "urllib3.PoolManager(retries=False).request('GET', 'https://api.stripe.com')"
        ),
    ),
    "httpx": (
        HELLO,
        "import httpx\nhttpx.Client(trust_env=False).get('https://api.stripe.com')",
    ),
}
THEIRS = {"PATH": os.environ["PATH"]}


@pytest.fixture
def node(unavailable):
    if shutil.which("node") is None:
        unavailable("node is not installed")
    return "node"


@pytest.fixture
def ours():
    """A listening socket in our place: where it is, and how what came to it began."""
    began = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def accept():
            client, _ = listening.accept()
            with client:
                began.append(client.recv(64)[:3])

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()

        def came():
            thread.join(PATIENCE)
            return began

        yield f"127.0.0.1:{listening.getsockname()[1]}", came


def ran(command, place="127.0.0.1:9", theirs=THEIRS, **more):
    """Run a program as it is led to a place; return its exit status and all that it printed."""
    variables = led.leading(theirs, f"http://{place}", "/ours/trust.p12")
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env={**theirs, **variables, "FAKESTRIPE_CA_FILE": "/ours/ca.pem", **more},
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def python(code):
    return [sys.executable, "-c", code]


@pytest.mark.parametrize("stack", NODE_STACKS)
def test_in_node_stripes_name_is_ours(node, ours, stack):
    place, came = ours
    first, code = NODE_STACKS[stack]
    ran([node, "-e", code], place)

    assert came() == [first]


@pytest.mark.parametrize("stack", PYTHON_STACKS)
def test_in_python_stripes_name_is_ours_without_a_proxy_too(ours, stack):
    place, came = ours
    first, code = PYTHON_STACKS[stack]
    ran(python(code), place, HTTPS_PROXY="", https_proxy="")

    assert came() == [first]


def test_the_preload_is_there_for_an_ecmascript_module(node, ours, tmp_path):
    place, came = ours
    main = tmp_path / "main.mjs"
    main.write_text("import { connect } from 'node:net';\nconnect(443, 'api.stripe.com').end('h')")
    ran([node, str(main)], place)

    assert came() == [b"h"]


@pytest.mark.parametrize(
    "options",
    [
        "{port: PORT}",
        "{port: PORT, host: '127.0.0.1'}",
        (
            "{port: PORT, host: 'notstripe.com', lookup: (name, options, done) => options.all "
            "? done(null, [{address: '127.0.0.1', family: 4}]) : done(null, '127.0.0.1', 4)}"
        ),
    ],
)
def test_in_node_every_other_host_and_port_is_as_it_was(node, ours, options):
    place, came = ours
    port = place.rpartition(":")[2]
    code = f"require('net').connect({options.replace('PORT', port)}).end('hello')"

    assert ran([node, "-e", code]) == (0, "")
    assert came() == [WORDS]


def test_a_program_of_node_that_is_no_client_is_none(node):
    assert ran([node, "-p", "1 + 1"]) == (0, "2\n")


def test_what_the_user_has_in_node_options_stays(node):
    theirs = {**THEIRS, "NODE_OPTIONS": "--title=theirs"}

    assert ran([node, "-p", "process.title"], theirs=theirs) == (0, "theirs\n")


def test_a_program_in_python_that_is_no_client_is_none():
    """Nothing is imported for it, either."""
    code = "import sys; print({'socket', 'ssl', 'stripe', 'aiohttp'} & sys.modules.keys())"

    assert ran(python(code)) == (0, "set()\n")


def test_the_sitecustomize_of_the_user_is_run_as_ever(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("here = 'theirs'")
    theirs = {**THEIRS, "PYTHONPATH": str(tmp_path)}

    assert ran(python("import sitecustomize as s; print(s.here)"), theirs=theirs) == (
        0,
        "theirs\n",
    )


def test_a_sitecustomize_that_fails_is_told_as_pythons_own_site_tells_it(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("raise ValueError('theirs')")
    status, printed = ran(python("print(1)"), theirs={**THEIRS, "PYTHONPATH": str(tmp_path)})

    assert (status, printed.splitlines()[0]) == (0, "1")
    assert "ValueError: theirs" in printed


def test_stripe_python_trusts_us_unless_the_program_says_whom():
    code = "import stripe; print(stripe.ca_bundle_path); stripe.ca_bundle_path = 'x'"

    assert ran(python(code)) == (0, "/ours/ca.pem\n")


def test_a_session_of_aiohttp_reads_proxy_variables_unless_it_says_otherwise():
    code = (
        "import asyncio, aiohttp\n"
        "async def go():\n"
        "    async with aiohttp.ClientSession() as one:\n"
        "        async with aiohttp.ClientSession(trust_env=False) as other:\n"
        "            print(one.trust_env, other.trust_env)\n"
        "asyncio.run(go())"
    )

    assert ran(python(code)) == (0, "True False\n")


def test_a_package_may_be_looked_for_and_another_of_its_name_is_left_as_it_is(tmp_path):
    """A module named stripe that is none of Stripe's is not broken by us."""
    (tmp_path / "aiohttp.py").write_text("mine = 1")
    code = (
        "import importlib.util as u; print(u.find_spec('stripe') is None); "
        "import aiohttp; print(aiohttp.mine)"
    )
    theirs = {**THEIRS, "PYTHONPATH": str(tmp_path)}

    assert ran(python(code), theirs=theirs) == (0, "False\n1\n")


def test_the_hosts_of_the_user_stay_direct_and_stripe_never_is():
    theirs = {
        "NO_PROXY": "db.internal, .corp,*,stripe.com",
        "no_proxy": "api.stripe.com:443,10.0.0.0/8",
    }
    found = led.leading(theirs, "http://127.0.0.1:9", "/ours/trust.p12")

    assert found["NO_PROXY"] == "localhost,127.0.0.1,::1,db.internal,.corp,10.0.0.0/8"
    assert found["no_proxy"] == found["NO_PROXY"]
    assert (
        "-Dhttp.nonProxyHosts=localhost|127.*|[::1]|db.internal|*.corp "
        in (found["JAVA_TOOL_OPTIONS"])
    )


def test_what_a_user_has_set_for_the_jvm_comes_first_and_stays():
    theirs = {"JAVA_TOOL_OPTIONS": "-Dx=y"}
    found = led.leading(theirs, "http://127.0.0.1:9", "/our own/trust.p12")["JAVA_TOOL_OPTIONS"]

    assert found.startswith("-Dx=y -Dhttps.proxyHost=127.0.0.1 -Dhttps.proxyPort=9 ")
    assert found.endswith(
        '-Djavax.net.ssl.trustStore="/our own/trust.p12" '
        "-Djavax.net.ssl.trustStorePassword=changeit"
    )
