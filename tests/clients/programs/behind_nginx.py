"""One charge with curl through an nginx that stands before the server, and is gone afterwards.

``--resends`` lets nginx send a POST to its next upstream on an error, a time-out or a 503: both
of its upstreams are the one server. ``--told FILE`` gets a line: the status, the charge.
"""

import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

CONFIGURATION = """
daemon off;
master_process off;
pid {folder}/pid;
error_log stderr crit;
events {{ worker_connections 16; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    upstream stripe {{
        server {server};
        server {server};
    }}
    server {{
        listen unix:{folder}/nginx.sock;
        location / {{
            proxy_pass http://stripe;
            proxy_read_timeout 2s;
            {resends}
        }}
    }}
}}
"""
RESENDS = "proxy_next_upstream error timeout http_503 non_idempotent;"
PATIENCE = 10.0


@contextmanager
def nginx(server: str, resends: str) -> Iterator[str]:
    """Run nginx before a server; yields the path of its socket once it listens."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "nginx.conf"
        file.write_text(CONFIGURATION.format(folder=folder, server=server, resends=resends))
        running = subprocess.Popen(["nginx", "-p", folder, "-c", str(file), "-e", "stderr"])
        try:
            path = f"{folder}/nginx.sock"
            _await(path)
            yield path
        finally:
            running.terminate()
            running.wait()


def _await(path: str) -> None:
    give_up = time.monotonic() + PATIENCE
    while True:
        with socket.socket(socket.AF_UNIX) as trying:
            try:
                trying.connect(path)
            except OSError:
                if time.monotonic() > give_up:
                    raise
            else:
                return
        time.sleep(0.01)


def charge(path: str, key: str | None) -> tuple[int, str]:
    """Return the status of a charge through a socket, and its body."""
    words = ["curl", "--silent", "--max-time", "10", "--unix-socket", path]
    words += ["--user", f"{os.environ['STRIPE_API_KEY']}:", "--write-out", "\n%{http_code}"]
    words += ["--data", "amount=2000&currency=usd&source=tok_visa&metadata[order_id]=ord_1"]
    words += ["--header", f"Idempotency-Key: {key}"] if key else []
    ran = subprocess.run(
        [*words, "http://stripe/v1/charges"], check=True, capture_output=True, text=True
    )
    body, _, status = ran.stdout.rpartition("\n")
    return int(status), body


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--resends", action="store_true")
    parser.add_argument("--key")
    parser.add_argument("--told", type=Path, required=True)
    asked = parser.parse_args()
    server = urlsplit(os.environ["STRIPE_API_BASE"]).netloc
    with nginx(server, RESENDS if asked.resends else "") as path:
        status, body = charge(path, asked.key)
    paid = json.loads(body)["id"] if status == 200 else "nothing"
    with asked.told.open("a", encoding="utf-8") as told:
        told.write(f"{status} {paid}\n")
    return 0 if status == 200 else 1


if __name__ == "__main__":
    sys.exit(main())
