"""Connections beyond the limits of an address that a known visitor used: each may show whose it is, or is refused.

Everybody behind the same router as a phone, and each program on the phone, has its address. While such a stranger uses
all connections that an address may have, the phone still gets in: its request is here as soon as the connection, and
has its cookie. The board's own computer gets in by its loopback name: a script may connect anew for each request. The
others of that address are closed, the oldest first when more wait than there is room for.

Over TLS nothing can be seen before a handshake, which costs more than all else. Such connections are refused at once.
"""

from __future__ import annotations

import re
import socket
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from struct import pack

from msgspec import Struct

from web_panel.server.limits import ServerLimits
from web_panel.wsgi import Environ

HEADER_LINE = re.compile(rb"\r\n([A-Za-z-]+):[ \t]*([^\r\n]*)(?=\r\n)")
CLOSE_WITH_RESET = pack("ii", 1, 0)


class Waiting(Struct, frozen=True):
    """An accepted connection that has sent nothing yet. `ends` are its two ends, as in the environment of a request;
    `admit` goes on with it as with any other."""

    sock: socket.socket
    ends: Mapping[str, str]
    admit: Callable[[], None]
    since_s: float


class WaitingRoom:
    """The connections that wait. For the thread of the server."""

    def __init__(self, limits: ServerLimits, is_known: Callable[[Environ], bool]) -> None:
        self._limits = limits
        self._is_known = is_known
        self._waiting = OrderedDict[socket.socket, Waiting]()

    def __iter__(self) -> Iterator[socket.socket]:
        return iter(list(self._waiting))

    def __contains__(self, sock: socket.socket) -> bool:
        return sock in self._waiting

    def add(self, waiting: Waiting) -> socket.socket | None:
        """Take one more in. Returns the oldest one, whose time is over, if there is no room for both."""
        self._waiting[waiting.sock] = waiting
        return next(iter(self._waiting)) if len(self._waiting) > self._limits.waiting_connections else None

    def take(self, sock: socket.socket) -> Waiting | None:
        """End the waiting of a connection. Returns it if what it has sent is a known visitor's; else it is to be
        closed."""
        waiting = self._waiting.pop(sock)
        return waiting if self._is_known_visitors(waiting) else None

    def _is_known_visitors(self, waiting: Waiting) -> bool:
        """Whether the first packet is a known visitor's request. Nothing is taken from the socket."""
        try:
            sent = waiting.sock.recv(self._limits.header_bytes, socket.MSG_PEEK)
        except OSError:
            return False
        headers = headers_in(sent)
        return bool(headers) and self._is_known({**waiting.ends, **headers})

    def overdue(self, now_s: float) -> list[socket.socket]:
        """Those that have sent nothing for too long; they wait no more, and are to be closed."""
        over = [sock for sock, waiting in self._waiting.items() if now_s - waiting.since_s > self._limits.waiting_s]
        for sock in over:
            del self._waiting[sock]
        return over


def headers_in(packet: bytes) -> Environ:
    """The headers in the first packet of a request that are there as a whole, as the environment has them."""
    head, end, _ = packet.partition(b"\r\n\r\n")
    lines = HEADER_LINE.findall(head + end)
    return {f"HTTP_{name.decode().upper().replace('-', '_')}": value.decode("latin-1") for name, value in lines}


def reset(sock: socket.socket) -> None:
    """Close a connection at once, without a state in the kernel that waits for its peer."""
    with suppress(OSError):
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, CLOSE_WITH_RESET)
    sock.close()
