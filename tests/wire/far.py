"""A host beyond the proxy: it says back what it hears, or nothing, in the clear or under TLS."""

import socket
import ssl
import threading
from contextlib import suppress


class Far:
    """A listening server in threads; ``silent`` takes what comes and says nothing."""

    def __init__(self, context: ssl.SSLContext | None = None, *, silent: bool = False) -> None:
        self._context, self._silent = context, silent
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.port = self._listening.getsockname()[1]
        self.heard = bytearray()
        self.taken: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                self.taken.append(client)
                if not self._silent:
                    self._threads.append(threading.Thread(target=self._echo, args=(client,)))
                    self._threads[-1].start()

    def _echo(self, client: socket.socket) -> None:
        with suppress(OSError):
            if self._context is None:
                self._say_back(client)
            else:
                with self._context.wrap_socket(client, server_side=True) as secure:
                    self._say_back(secure)

    def _say_back(self, client: socket.socket) -> None:
        while said := client.recv(65536):
            self.heard += said
            client.sendall(said)
        client.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """End what is open, and return when nothing of it runs."""
        self._listening.shutdown(socket.SHUT_RDWR)
        self._threads[0].join()
        self._listening.close()
        for client in self.taken:
            with suppress(OSError):
                client.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        for client in self.taken:
            client.close()
