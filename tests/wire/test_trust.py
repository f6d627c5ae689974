"""How clients come to trust and find a server: its authority, the JVM's store, a script."""

import json
import os
import shutil
import ssl
import subprocess
import warnings
from urllib.parse import urlsplit

import pytest
import trustme
from cryptography import x509

from fakestripe.server.edge.tls import Identity
from fakestripe.server.intercept import trust
from fakestripe.server.listener import Server

CLIENTS = ("curl", "go", "java", "node", "python")
PROGRAM = """\
import java.io.FileInputStream;
import java.net.*;
import java.security.KeyStore;

class Store {
  public static void main(String[] words) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(new FileInputStream(words[0]), "changeit".toCharArray());
    int trusted = 0;
    for (String alias : java.util.Collections.list(store.aliases()))
      if (store.isCertificateEntry(alias)) trusted++;
    HttpURLConnection call =
        (HttpURLConnection) new URL("https://api.stripe.com/v1/balance").openConnection();
    call.setRequestProperty("Authorization", "Bearer sk_test_jvm");
    System.out.println(trusted + " " + call.getResponseCode());
  }
}
"""


@pytest.fixture(scope="module")
def proxy():
    """A server that is a proxy."""
    with Server(intercept=True) as server:
        yield server


def fetched(server, path: str, *options: str) -> subprocess.CompletedProcess[bytes]:
    url = f"{server.url}/_fakestripe/{path}"
    return subprocess.run(["curl", "-sS", *options, url], capture_output=True, check=True)


def lead(server, asked: str, command: str, shell="sh", **more: str) -> str:
    """Return what a command prints in a shell that has sourced the script."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME")}
    sourced = f"""eval "$(curl -fsS '{server.url}/_fakestripe/env?for={asked}')" """
    done = subprocess.run(
        [shell, "-euc", f"{sourced}\n{command}"],
        capture_output=True,
        text=True,
        timeout=60,
        env={**kept, **more},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_authority_is_the_one_that_answers(proxy) -> None:
    pem = fetched(proxy, "ca.pem").stdout

    assert ssl.create_default_context(cadata=pem.decode()).cert_store_stats()["x509_ca"] == 1


def test_the_store_is_read_by_a_real_jvm_and_leads_it_here(proxy, tmp_path, unavailable) -> None:
    if shutil.which("java") is None:
        unavailable("java is not installed")
    (tmp_path / "Store.java").write_text(PROGRAM)
    (tmp_path / "ca.p12").write_bytes(fetched(proxy, "ca.p12").stdout)
    command = f"java {tmp_path}/Store.java {tmp_path}/ca.p12"
    trusted, status = lead(proxy, "java", command, TMPDIR=str(tmp_path)).split()

    assert status == "200"
    assert int(trusted) == 1 + readable(proxy)


def readable(proxy) -> int:
    """Return how many public authorities of this machine can be read."""
    found = 0
    with warnings.catch_warnings(action="ignore"):
        for pem in trust.public():
            x509.load_pem_x509_certificate(pem)
            found += 1
    return found


@pytest.mark.parametrize("asked", [*CLIENTS, "all"])
@pytest.mark.parametrize("shell", ["sh", "bash"])
def test_a_shell_that_sources_the_script_has_what_it_names(proxy, asked, shell, tmp_path) -> None:
    """Twice, since a service may be started by another that did."""
    again = f"""eval "$(curl -fsS '{proxy.url}/_fakestripe/env?for={asked}')" """
    printed = lead(proxy, asked, f"{again}; env", shell, TMPDIR=str(tmp_path))
    named = dict(line.partition("=")[::2] for line in printed.splitlines())
    files = [value for name, value in named.items() if value.startswith(f"{tmp_path}/")]

    assert all(os.path.exists(each) for each in files if ":" not in each)  # noqa: PTH110
    assert named["FAKESTRIPE_CA_FILE"] in files
    assert not any("fakestripe_" in name for name in named)


def test_curl_is_led_here(proxy, tmp_path) -> None:
    said = lead(
        proxy,
        "curl",
        "curl -sS -u sk_test_x: https://api.stripe.com/_fakestripe/health",
        TMPDIR=str(tmp_path),
    )

    assert json.loads(said)["status"] == "ok"


def test_what_the_user_has_set_stays_but_for_what_lets_stripe_pass(proxy, tmp_path) -> None:
    command = 'echo "$NO_PROXY $NODE_OPTIONS"'
    kept = lead(
        proxy, "node", command, TMPDIR=str(tmp_path), NO_PROXY="db", NODE_OPTIONS="--no-warnings"
    )
    freed = lead(proxy, "node", command, TMPDIR=str(tmp_path), NO_PROXY="db,.stripe.com")

    assert kept.startswith("db,localhost,127.0.0.1,::1 --no-warnings --require ")
    assert freed.startswith("localhost,127.0.0.1,::1 --require ")


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("env?for=perl", "for=perl: there are curl, go, java, node, python, all"),
        ("env?lang=java", "lang is no parameter; there are: scope, for"),
    ],
)
def test_what_cannot_be_asked_is_said(proxy, path, said) -> None:
    assert json.loads(fetched(proxy, path).stdout) == {"error": said}


@pytest.mark.parametrize("host", ["x$(id)", "a'b", "a b", "`id`:1"])
def test_no_script_has_a_host_in_it_that_is_none(proxy, host) -> None:
    said = fetched(proxy, "env", "-H", f"Host: {host}").stdout

    assert list(json.loads(said)) == ["error"]


def test_the_script_names_the_server_as_its_caller_did(proxy) -> None:
    said = fetched(proxy, "env?for=curl", "-H", "Host: stripe:8080").stdout.decode()

    assert 'export HTTPS_PROXY="http://stripe:8080"\n' in said
    assert 'localhost,127.0.0.1,::1,stripe"\n' in said


@pytest.mark.parametrize("path", ["ca.pem", "ca.p12", "env"])
def test_a_server_without_an_authority_says_how_to_get_one(path) -> None:
    with Server() as plain:
        said = json.loads(fetched(plain, path).stdout)

    assert said == {
        "error": (
            "an authority of its own is what serve --intercept, --https-port or --tls gives this "
            "server; it has none"
        )
    }


def test_a_second_port_is_found_by_hooks_and_no_proxy_is_named() -> None:
    with Server(https_port=0) as server:
        said = fetched(server, "env?for=python").stdout.decode()
        place = urlsplit(server.https_url).netloc

    assert f'export FAKESTRIPE_LED_TO="{place}"\n' in said
    assert "HTTPS_PROXY" not in said


def test_certificates_of_ones_own_are_not_handed_out(tmp_path) -> None:
    made = trustme.CA().issue_cert("127.0.0.1")
    made.private_key_and_cert_chain_pem.write_to_path(tmp_path / "own.pem")
    own = Identity.given(tmp_path / "own.pem", tmp_path / "own.pem")
    with Server(https_port=0, identity=own) as server:
        said = json.loads(fetched(server, "ca.pem").stdout)

    assert said == {"error": "the certificate is one of your own (--tls-cert): trust it"}
