"""Connections beyond the limits of an address that a known visitor used: each may show a token before it is refused.

Everybody behind the same router as a phone, and each program on the phone, has its address. While such a stranger uses
all connections that an address may have, the phone still gets in: its request is here as soon as the connection, and
has its cookie. The others of that address are closed, the oldest first when more wait than there is room for.

Over TLS nothing can be seen before a handshake, which costs more than all else. Such connections are refused at once.
"""

from __future__ import annotations

import re
import socket
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import suppress
from struct import pack

from msgspec import Struct

from web_panel.server.limits import ServerLimits
from web_panel.wsgi import Environ

COOKIE_LINE = re.compile(rb"\r\ncookie:[ \t]*([^\r\n]*)\r\n", re.IGNORECASE)
CLOSE_WITH_RESET = pack("ii", 1, 0)


class Waiting(Struct, frozen=True):
    """An accepted connection that has sent nothing yet. `admit` goes on with it as with any other."""

    line: socket.socket
    address: str
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

    def __contains__(self, line: socket.socket) -> bool:
        return line in self._waiting

    def add(self, waiting: Waiting) -> socket.socket | None:
        """Take one more in. Returns the oldest one, whose time is over, if there is no room for both."""
        self._waiting[waiting.line] = waiting
        return next(iter(self._waiting)) if len(self._waiting) > self._limits.waiting_connections else None

    def take(self, line: socket.socket) -> Waiting | None:
        """End the waiting of a connection. Returns it if what it has sent is a known visitor's; else it is to be
        closed."""
        waiting = self._waiting.pop(line)
        return waiting if self._shows_token(waiting) else None

    def _shows_token(self, waiting: Waiting) -> bool:
        """Whether the first packet is a known visitor's request. Nothing is taken from the socket."""
        try:
            sent = waiting.line.recv(self._limits.header_bytes, socket.MSG_PEEK)
        except OSError:
            return False
        cookies = COOKIE_LINE.search(sent)
        if cookies is None:
            return False
        return self._is_known({"REMOTE_ADDR": waiting.address, "HTTP_COOKIE": cookies[1].decode("latin-1")})

    def overdue(self, now_s: float) -> list[socket.socket]:
        """Those that have sent nothing for too long; they wait no more, and are to be closed."""
        over = [line for line, waiting in self._waiting.items() if now_s - waiting.since_s > self._limits.waiting_s]
        for line in over:
            del self._waiting[line]
        return over


def reset(line: socket.socket) -> None:
    """Close a connection at once, without a state in the kernel that waits for its peer."""
    with suppress(OSError):
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, CLOSE_WITH_RESET)
    line.close()
