"""The TCP port of the panel: two programs on one computer get different ports, even if they start at the same time."""

from __future__ import annotations

import errno
import socket

import pytest

from firmware_host.startup.errors import StartupError
from firmware_host.startup.network import listen

LOCALHOST = "127.0.0.1"


def test_listening_socket_keeps_port_that_another_has_only_bound() -> None:
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind((LOCALHOST, 0))
        port = other.getsockname()[1]
        with listen(LOCALHOST, port, 1) as ours:
            assert ours.getsockname()[1] == port
            with pytest.raises(OSError) as failed:
                other.listen()
            assert failed.value.errno == errno.EADDRINUSE


def test_next_free_port_is_used_if_port_is_in_use() -> None:
    with listen(LOCALHOST, 0, 1) as first:
        port = first.getsockname()[1]
        with listen(LOCALHOST, port, 50) as second:
            assert port < second.getsockname()[1] < port + 50


def test_port_in_use_raises_error_if_only_one_is_tried() -> None:
    with listen(LOCALHOST, 0, 1) as first, pytest.raises(StartupError, match="expected a free port, got ports in use"):
        listen(LOCALHOST, first.getsockname()[1], 1)
