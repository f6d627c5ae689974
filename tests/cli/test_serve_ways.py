"""``serve`` with a second port and as a proxy: what it says, what it refuses, how it ends."""

import http.client
import json
import socket
import ssl
import subprocess
import sys
from urllib.parse import urlsplit

import pytest

REFUSED = {
    "files.stripe.com": "'files.stripe.com': nothing ever tunnels to stripe.com",
    "pypi/org": "'pypi/org' names no host",
    "pypi.org:x": "'pypi.org:x' is not HOST:PORT",
}


def ready(folder):
    return json.loads((folder / "ready-0.json").read_text())


def asked(url, ca, host=None):
    """Return the status of a health call under TLS, through a proxy where a host is given."""
    parts, context = urlsplit(url), ssl.create_default_context(cafile=ca)
    connection = http.client.HTTPSConnection(parts.hostname, parts.port, context=context)
    if host is not None:
        connection.set_tunnel(host, 443)
    connection.request("GET", "/_fakestripe/health")
    status = connection.getresponse().status
    connection.close()
    return status


def test_the_ready_line_and_file_say_both(served, tmp_path):
    server = served("--https-port", 0, "--intercept")
    told, lines = ready(tmp_path), server.process.stdout
    url, second = told["url"], told["https_url"]

    assert sorted(told) == ["ca", "https_url", "pid", "url"]
    assert lines.readline() == f"fakestripe listens on {url} and {second}\n"
    assert lines.readline() == f"it is https://api.stripe.com to clients with HTTPS_PROXY={url}\n"
    assert lines.readline() == f"clients trust it by {told['ca']} (SSL_CERT_FILE={told['ca']})\n"
    assert asked(second, told["ca"]) == 200
    assert asked(url, told["ca"], "api.stripe.com") == 200
    server.process.terminate()
    assert server.process.wait(10) == 0


def test_a_port_under_tls_is_a_proxy_in_the_clear_and_says_so(served, tmp_path):
    server = served("--tls", "--intercept")
    told, lines = ready(tmp_path), server.process.stdout
    proxy = f"http://{urlsplit(told['url']).netloc}"

    assert lines.readline() == f"fakestripe listens on {told['url']}\n"
    assert lines.readline() == (
        f"it is https://api.stripe.com to clients with HTTPS_PROXY={proxy}\n"
    )
    assert asked(proxy, told["ca"], "api.stripe.com") == 200


def test_a_server_that_is_not_asked_serves_http_alone(served, tmp_path):
    served()

    assert sorted(ready(tmp_path)) == ["pid", "url"]


def test_variables_ask_for_both(served, tmp_path):
    served(FAKESTRIPE_HTTPS_PORT="0", FAKESTRIPE_INTERCEPT="1", FAKESTRIPE_ALLOW="pypi.org, *.x")
    told = ready(tmp_path)

    assert told["url"].startswith("http://")
    assert asked(told["https_url"], told["ca"]) == 200


def test_the_certificate_goes_where_it_is_asked_to_and_the_port_stays_plain(served, tmp_path):
    served("--intercept", "--tls-ca-file", "trust.pem")

    assert ready(tmp_path)["url"].startswith("http://")
    assert ready(tmp_path)["ca"] == str(tmp_path / "trust.pem")


def test_with_tls_the_port_itself_is_secure_and_a_proxy_all_the_same(served, tmp_path):
    served("--tls", "--intercept")
    told = ready(tmp_path)

    assert asked(told["url"], told["ca"]) == 200
    assert asked(told["url"], told["ca"], "api.stripe.com") == 200


def test_a_second_port_that_is_taken_is_named(cli, refused):
    with socket.create_server(("127.0.0.1", 0)) as other:
        number = other.getsockname()[1]
        said = refused(cli("serve", "--port", 0, "--https-port", number))

    assert said == (
        f"127.0.0.1:{number} is in use by another program; choose another --https-port, "
        "or 0 for a free one"
    )


@pytest.mark.parametrize("flags", [("--intercept",), ("--https-port", 0)])
def test_without_trustme_the_remedy_is_said(cli, refused, tmp_path, flags):
    (tmp_path / "trustme.py").write_text("raise ImportError\n")
    done = cli("serve", "--port", 0, *flags, PYTHONPATH=str(tmp_path))

    assert refused(done) == (
        "TLS needs trustme, which is not installed: pip install 'fakestripe[tls]'"
    )


def test_hosts_are_opened_by_a_proxy_alone(cli, refused):
    assert refused(cli("serve", "--allow", "pypi.org")) == (
        "--allow opens hosts to clients of the proxy: give --intercept too"
    )


@pytest.mark.parametrize("host", REFUSED)
def test_what_cannot_be_allowed_is_one_line(cli, refused, host):
    assert REFUSED[host] in refused(cli("serve", "--intercept", "--allow", host))


def test_nothing_of_trust_is_loaded_unless_it_is_asked_for(cli, tmp_path):
    """A start is measured in milliseconds, and cryptography is a tenth of a second."""
    (tmp_path / "look.py").write_text(
        "import sys\n"
        "from fakestripe.server.listener import Server\n"
        "with Server() as server:\n"
        "    pass\n"
        "rooms = ('trustme', 'cryptography', 'fakestripe.server.intercept')\n"
        "print([name for name in sys.modules if name.startswith(rooms)])\n"
    )
    done = subprocess.run(
        [sys.executable, "look.py"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
