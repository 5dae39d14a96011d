"""Limits of the server: what one address, and all of them together, may use."""

from __future__ import annotations

import resource

from msgspec import Struct

from web_panel.security.request_guard import MAX_BODY_BYTES

OTHER_FILES = 100
"""Open files besides connections: journal, board, libraries."""


class ServerLimits(Struct, frozen=True):
    """Limits of connections, requests, bytes and times.

    A *known* visitor is a paired phone, or the board's own computer. Strangers are limited for each address, and give
    way to known visitors when a limit of the whole server is reached.
    """

    connections: int = 512
    """Connections of all visitors. One more closes the quietest of the stranger who has the most."""
    connections_of_stranger: int = 48
    """For each address, at that of a known visitor too. A browser opens 6 and a stream for each tab."""
    connects_per_s: float = 30.0
    """New connections of a stranger's address. More are closed at once."""
    connects_at_once: int = 100
    waiting_connections: int = 64
    """Refused at the address of a known visitor, but kept until their first packet: it may show that it is theirs."""
    waiting_s: float = 2.0
    refusals: int = 20
    """Of one address between two sweeps. One more, and the kernel drops its packets for `dropped_s`."""
    dropped_s: float = 5.0

    workers: int = 8
    """Threads that run the application."""
    workers_for_strangers: int = 2
    """Their requests share one processor with the host: more threads would not answer them sooner."""
    requests_at_once: int = 4
    """Requests of one address that run at the same time."""
    requests_per_s: float = 30.0
    """Requests of a stranger's address. More wait: a first visit takes 20."""
    requests_in_a_burst: int = 90

    header_bytes: int = 8 * 1024
    body_bytes: int = MAX_BODY_BYTES
    receive_bytes: int = 4 * 1024
    """Read from a socket at once, and so the most that waits behind the request that is being answered."""
    unread_bytes: int = 2 << 20
    """Answers that visitors have not read yet, of all of them. One byte more closes the connection of the visitor that
    has the most."""
    unread_bytes_of_stranger: int = 256 << 10
    unread_bytes_of_connection: int = 512 << 10
    """The application waits for the reader of a longer answer, such as a copy of all games."""
    unread_bytes_of_strangers_connection: int = 192 << 10
    """The same for a stranger: more than any page has, and less than `unread_bytes_of_stranger`."""
    send_buffer_bytes: int = 64 << 10
    """Of the kernel, for each socket. By default it grows to 4 MiB."""

    idle_s: float = 20.0
    """Between two requests, and before the first."""
    idle_of_known_s: float = 120.0
    """The same for a known visitor: a phone needs few new connections while strangers use its address."""
    handshake_s: float = 10.0
    header_s: float = 10.0
    """From the first byte of a request to the end of its headers."""
    body_s: float = 20.0
    """From the first byte of a request to its end."""
    unread_s: float = 10.0
    """Longest time in which a visitor takes no byte of an answer."""
    slowest_bytes_per_s: float = 4096.0
    """A visitor who reads an answer more slowly than this on average is cut off after `unread_s`."""
    linger_s: float = 2.0
    """How long input is discarded after an error was answered: closing at once could destroy the answer."""
    sweep_s: float = 0.5
    """How often times are checked."""


def connections_possible(wanted: int) -> int:
    """`wanted`, or fewer if this process may not have as many open files. Raises the soft limit if necessary."""
    needed = wanted + OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < needed:
        soft = min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return min(wanted, soft - OTHER_FILES)
