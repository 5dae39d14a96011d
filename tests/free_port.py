"""A port for a server that a test starts in another process."""

from __future__ import annotations

import socket
from random import SystemRandom

LOWEST, HIGHEST = 10_000, 32_000
"""Linux gives ports from 32768 on to clients, and to servers that ask for any port: none of them takes a port of this
range between the question here and the start of the server."""

_random, _given = SystemRandom(), set[int]()


def free_port() -> int:
    """A free TCP port of the loopback interface. No port is given twice."""
    while True:
        port = _random.randrange(LOWEST, HIGHEST)
        if port not in _given and _is_free(port):
            _given.add(port)
            return port


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
