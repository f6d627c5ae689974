"""What the kernel knows of a connection, and what only it can do: asked by a number, not a loop.

Every function takes a socket, or what a transport gives for one, and answers at once. A socket
that is gone is no mistake here: the client left.
"""

import array
import fcntl
import select
import socket
import struct
import sys
from typing import Any, Final

LINUX: Final = sys.platform == "linux"
_LINGER: Final = struct.pack("ii", 1, 0)
_UNSENT: Final = 0x894B  # SIOCOUTQNSD: bytes in the kernel's queue that were not sent yet
_QUEUE_AT: Final = 24  # tcpi_unacked and tcpi_sacked: of a listening socket, queue and backlog
_INFO_ROOM: Final = 256
_SENT_AT: Final = 200  # tcpi_bytes_sent in struct tcp_info, since Linux 4.19
_GONE: Final = select.POLLHUP | select.POLLERR | select.POLLNVAL | getattr(select, "POLLRDHUP", 0)


def linger(sock: Any) -> None:
    """Let the end of the connection be a RST, once it is aborted or closed."""
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER)
    except (OSError, ValueError, AttributeError):
        return  # the client left during the gap


def unsent(sock: Any) -> int:
    """Return how many bytes the kernel has not sent yet; 0 where it does not tell."""
    if not LINUX:
        return 0
    queue = array.array("i", [0])
    try:
        fcntl.ioctl(sock.fileno(), _UNSENT, queue)
    except (OSError, ValueError, AttributeError):
        return 0
    return queue[0]


def sent(sock: Any) -> int:
    """Return how many bytes were ever sent on a connection; 0 where the kernel does not tell."""
    if not LINUX:
        return 0
    try:
        info = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _INFO_ROOM)
    except (OSError, AttributeError):
        return 0
    if len(info) < _SENT_AT + 8:
        return 0
    (count,) = struct.unpack_from("Q", info, _SENT_AT)
    return int(count)


def gone(sock: Any) -> bool:
    """Return whether the client has closed its end, whatever of it is still unread."""
    return _polled(sock, getattr(select, "POLLRDHUP", 0), _GONE)


def readable(sock: Any) -> bool:
    """Return whether there is something to read, the end of the connection included."""
    return _polled(sock, select.POLLIN, select.POLLIN | _GONE)


def writable(sock: Any) -> bool:
    """Return whether the kernel would take more bytes."""
    return _polled(sock, select.POLLOUT, select.POLLOUT | _GONE)


def _polled(sock: Any, asked: int, found: int) -> bool:
    """Return whether one of some events is there now, or the socket is gone."""
    poll = select.poll()
    try:
        poll.register(sock.fileno(), asked)
        return any(event & found for _, event in poll.poll(0))
    except (OSError, ValueError, AttributeError):
        return True


def full(listening: socket.socket) -> bool:
    """Return whether the queue of a listening socket has no room; False where nobody tells."""
    if not LINUX:
        return False
    info = listening.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _INFO_ROOM)
    waiting, room = struct.unpack_from("II", info, _QUEUE_AT)
    return bool(waiting > room)
