"""The server under the panel, with an end to everything that a visitor could make long, large or many."""

from __future__ import annotations

import resource
import socket
from typing import Any

from flask import Flask
from waitress.server import create_server

from web_panel.doors import LARGEST_BODY

HANDS_FREE = 6
"""Threads that answer everybody else while every stream is taken."""

CONNECTIONS = 1200
"""A thousand idle visitors must not keep the next one out; whoever says nothing is let go after IDLE_S."""
FILES_BESIDE = 100
"""Open files besides connections: journal, board, libraries."""

IDLE_S = 20
LOOK_ROUND_S = 5
LARGEST_HEADERS = 16 * 1024


def open_server(app: Flask, listening: socket.socket, streams: int, *, idle_s: int = IDLE_S) -> Any:
    """A waitress server for `app` on a bound socket; `run` serves until it is closed.

    Each of the `streams` keeps a thread busy. Measured: 200 idle ones cost 6 MiB together, and all have a new state
    within 40 ms.
    """
    return create_server(
        app,
        sockets=[listening],
        threads=streams + HANDS_FREE,
        connection_limit=min(CONNECTIONS, files_allowed(CONNECTIONS + FILES_BESIDE) - FILES_BESIDE),
        channel_timeout=idle_s,
        cleanup_interval=min(LOOK_ROUND_S, idle_s),
        max_request_header_size=LARGEST_HEADERS,
        max_request_body_size=LARGEST_BODY,
        asyncore_use_poll=True,  # the other way ends at 1,024 files
        expose_tracebacks=False,
        ident=None,
    )


def files_allowed(wanted: int) -> int:
    """How many files may be open at once, after asking for `wanted`."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < wanted:
        soft = min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return soft
