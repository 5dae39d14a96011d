"""Two boards on one computer: each has a port of its own, even if both start in the same moment."""

from __future__ import annotations

import errno
import socket

import pytest

from firmware_host.assemble import CannotServe, listen

HERE = "127.0.0.1"


def test_a_port_that_another_has_only_bound_is_ours_for_good() -> None:
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind((HERE, 0))
        port = other.getsockname()[1]
        with listen(HERE, port, 1) as ours:
            assert ours.getsockname()[1] == port
            with pytest.raises(OSError) as late:
                other.listen()
            assert late.value.errno == errno.EADDRINUSE


def test_a_port_that_is_taken_gives_way_to_the_next_free_one() -> None:
    with listen(HERE, 0, 1) as first:
        port = first.getsockname()[1]
        with listen(HERE, port, 50) as second:
            assert port < second.getsockname()[1] < port + 50


def test_a_port_that_was_asked_for_by_name_is_refused_if_it_is_taken() -> None:
    with listen(HERE, 0, 1) as first, pytest.raises(CannotServe, match="expected a free port, got ports in use"):
        listen(HERE, first.getsockname()[1], 1)
