"""A receiver of webhooks, on a real socket, that does as a test tells it and keeps what came."""

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Received:
    """One request to a receiver."""

    def __init__(self, path: str, headers: dict[str, str], body: bytes) -> None:
        self.path, self.headers, self.body = path, headers, body

    @property
    def event(self) -> dict:
        return json.loads(self.body)


class Receiver:
    """A server that is told of events; ``answers`` are the statuses it begins with."""

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.answers: list[int] = []
        self.does: Callable[[Received], None] = lambda _: None
        self._some = threading.Condition()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                told = Received(self.path, dict(self.headers), body)
                status = receiver.take(told)
                receiver.does(told)
                self.send_response(status)
                self.send_header("Content-Length", "0")
                if status == 302:
                    self.send_header("Location", "/elsewhere")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/webhooks"
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.01,), daemon=True
        )
        self._thread.start()

    def take(self, told: Received) -> int:
        with self._some:
            self.received.append(told)
            self._some.notify_all()
            return self.answers.pop(0) if self.answers else 200

    def wait_for(self, count: int) -> list[Received]:
        """Return what was received once it is so much."""
        with self._some:
            assert self._some.wait_for(lambda: len(self.received) >= count, timeout=10)
            return list(self.received)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
