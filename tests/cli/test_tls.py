"""TLS at the command line: who the server is, how clients come to trust it, what is refused."""

import http.client
import json
import shlex
import ssl
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import trustme

FORM = {"Content-Type": "application/x-www-form-urlencoded", "Authorization": "Bearer sk_test_x"}
REFUSED = (
    ("--tls-cert cert.pem", "--tls-cert and --tls-key are a pair: give both, or --tls alone"),
    ("--tls-key key.pem", "--tls-cert and --tls-key are a pair: give both, or --tls alone"),
    (
        "--tls-cert cert.pem --tls-key other.pem",
        "other.pem is not the key of the certificate in cert.pem",
    ),
    (
        "--tls-cert cert.pem --tls-key locked.pem",
        "locked.pem is locked with a password: give a key without one",
    ),
    ("--tls-cert cert.pem --tls-key no.pem", "no.pem: No such file or directory"),
    (
        "--tls-cert cert.pem --tls-key key.pem --tls-ca-file x.pem",
        (
            "--tls-ca-file is where the certificate of a throw-away authority goes; "
            "with --tls-cert there is none"
        ),
    ),
    ("--tls-ca-file nowhere/ca.pem", "nowhere/ca.pem: No such file or directory"),
)
TRUSTED = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "CURL_CA_BUNDLE")


def charged(url, ca_file, name=None):
    """Return the status of a charge by a client that trusts one authority and checks the name."""
    parts = urlsplit(url)
    context = ssl.create_default_context(cafile=ca_file)
    if name is not None:
        context.check_hostname = False
    connection = http.client.HTTPSConnection(parts.hostname, parts.port, context=context)
    connection.request("POST", "/v1/charges", "amount=2000&currency=usd&source=tok_visa", FORM)
    status = connection.getresponse().status
    connection.close()
    return status


@pytest.fixture(scope="session")
def files(tmp_path_factory):
    """A certificate and its key, the authority that made it, and a key of somebody else."""
    folder = tmp_path_factory.mktemp("tls")
    authority = trustme.CA()
    made, other = authority.issue_cert("127.0.0.1"), authority.issue_cert("127.0.0.1")
    contents = {
        "ca.pem": authority.cert_pem,
        "cert.pem": made.cert_chain_pems[0],
        "key.pem": made.private_key_pem,
        "other.pem": other.private_key_pem,
    }
    for name, blob in contents.items():
        blob.write_to_path(folder / name)
    locked = ["openssl", "pkcs8", "-topk8", "-in", "key.pem", "-out", "locked.pem"]
    subprocess.run([*locked, "-passout", "pass:x"], cwd=folder, check=True)
    return folder


def test_serve_says_where_its_authority_is_and_forgets_it_at_the_end(served):
    server = served("--tls")

    assert server.url.startswith("https://127.0.0.1:")
    assert server.process.stdout.readline() == f"fakestripe listens on {server.url}\n"
    assert server.process.stdout.readline() == (
        f"clients trust it by {server.ca} (SSL_CERT_FILE={server.ca})\n"
    )
    assert charged(server.url, server.ca) == 200
    server.process.terminate()
    _, errors = server.process.communicate(timeout=10)
    assert (server.process.returncode, errors, Path(server.ca).exists()) == (0, "", False)


def test_the_certificate_goes_where_it_is_asked_to_and_stays(served, tmp_path):
    server = served("--tls-ca-file", "trust.pem")
    server.process.terminate()
    server.process.communicate(timeout=10)

    assert server.ca == str(tmp_path / "trust.pem")
    assert (tmp_path / "trust.pem").read_text().startswith("-----BEGIN CERTIFICATE-----")


def test_a_variable_asks_for_tls_and_health_asks_there(served, cli):
    server = served(FAKESTRIPE_TLS="1")
    port = urlsplit(server.url).port

    assert charged(server.url, server.ca) == 200
    assert cli("health", server.url).returncode == 0
    assert cli("health", FAKESTRIPE_TLS="1", FAKESTRIPE_PORT=str(port)).returncode == 0


def test_given_files_are_served_and_nobody_is_told_whom_to_trust(served, files):
    server = served("--tls-cert", files / "cert.pem", "--tls-key", files / "key.pem")

    assert charged(server.url, files / "ca.pem") == 200
    assert not hasattr(server, "ca")


def test_a_running_server_is_judged_over_tls(served, cli):
    server = served("--tls")
    charged(server.url, server.ca)

    judged = cli("judge", server.url)
    assert (judged.returncode, judged.stdout.split()[0]) == (3, "inconclusive")


@pytest.mark.parametrize("row", REFUSED, ids=lambda row: row[1][:40])
@pytest.mark.parametrize("command", ["serve", "check"])
def test_what_cannot_be_served_is_one_line(cli, refused, files, command, row):
    (flags, said), program = row, {"check": ["--", "true"], "serve": ["--port", 0]}[command]
    within = [files / flag if flag.endswith(".pem") else flag for flag in flags.split()]

    assert refused(cli(command, *within, *program)).replace(f"{files}/", "") == said


def test_files_that_are_no_certificate_are_told(cli, refused, tmp_path):
    (tmp_path / "text.pem").write_text("hello")

    assert refused(cli("serve", "--tls-cert", "text.pem", "--tls-key", "text.pem")) == (
        "text.pem and text.pem are no certificate and its key, in PEM"
    )


@pytest.mark.parametrize("command", ["serve", "check"])
def test_without_trustme_the_remedy_is_said(cli, refused, tmp_path, command):
    (tmp_path / "trustme.py").write_text("raise ImportError\n")
    program = ["--", "true"] if command == "check" else ["--port", 0]

    assert refused(cli(command, "--tls", *program, PYTHONPATH=str(tmp_path))) == (
        "TLS needs trustme, which is not installed: pip install 'fakestripe[tls]'"
    )


def test_a_server_without_tls_loads_nothing_for_it():
    code = (
        "import sys; from fakestripe import Server; Server().start().stop();"
        "print([name for name in ('trustme', 'cryptography') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "[]\n"


def test_a_client_is_checked_over_tls(cli, client, tmp_path):
    told = "import json, os; json.dump(dict(os.environ), open('told.json', 'w'))"
    setup = shlex.join([sys.executable, "-c", told])
    asked = ["--tls", "--profile", "reset-after-commit", "--setup", setup]
    result = cli("check", *asked, "--", *client("unsafe"))

    assert (result.returncode, result.stderr) == (1, "")
    assert "duplicate (charged more often than intended)" in result.stdout
    assert shlex.join(["check", "--profile", "reset-after-commit", "--setup", setup, "--tls"]) in (
        result.stdout
    )
    known = json.loads((tmp_path / "told.json").read_text())
    assert known["STRIPE_API_BASE"].startswith("https://127.0.0.1:")
    assert {known[name] for name in TRUSTED} == {known["FAKESTRIPE_CA_FILE"]}
    assert not Path(known["FAKESTRIPE_CA_FILE"]).exists()


def test_the_command_line_of_a_client_may_name_the_authority(cli, tmp_path):
    code = "import shutil, sys; shutil.copy(sys.argv[1], 'kept.pem')"
    cli("check", "--tls", "--", sys.executable, "-c", code, "{ca}")

    assert (tmp_path / "kept.pem").read_text().startswith("-----BEGIN CERTIFICATE-----")
