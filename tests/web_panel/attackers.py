"""Attacks on the panel from the same network: each as a process of its own, from a source address of its own.

Run as `python -m tests.web_panel.attackers KIND PORT SOURCE SECONDS`. All traffic stays on the loopback interface: each
address of 127.0.0.0/8 stands for another machine.
"""

from __future__ import annotations

import os
import selectors
import socket
import ssl
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from time import monotonic, sleep

ROOT = Path(__file__).parents[2]
LAN_NAME = "board.test"
"""A name of the board that is not loopback, so that its visitors are strangers."""

GET = "GET {path} HTTP/1.1\r\nHost: " + LAN_NAME + "\r\n\r\n"
POST = (
    "POST /api/v1/pairing/request HTTP/1.1\r\nHost: " + LAN_NAME + "\r\n"
    "Content-Type: application/json\r\nContent-Length: 16000\r\n\r\n"
)
SOCKETS = 40
"""Sockets that one attacker holds."""
PAUSE_S = 0.05
HARD_CLOSE = struct.pack("ii", 1, 0)


class Attacker:
    """Opens sockets to the panel and keeps SOCKETS of them open until the time is over."""

    def __init__(self, port: int, source: str, seconds: float) -> None:
        self._port, self._source, self._ends_s = port, source, monotonic() + seconds

    @property
    def is_on(self) -> bool:
        return monotonic() < self._ends_s

    def connect(self, opening: bytes = b"", receive_bytes: int = 0) -> socket.socket | None:
        """A socket that has sent as much of `opening` as the board takes; None if it was turned away."""
        line = socket.socket()
        try:
            if receive_bytes:
                line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
            line.settimeout(0.5)
            line.bind((self._source, 0))
            line.connect(("127.0.0.1", self._port))
            line.setblocking(False)
            line.send(opening)
        except OSError:
            line.close()
            return None
        return line

    def hold(self, opening: bytes, drip: bytes = b"", receive_bytes: int = 0) -> None:
        """Hold sockets, send one byte of `drip` on each from time to time, and replace those that were closed."""
        held: list[socket.socket] = []
        for turn in count():
            if not self.is_on:
                break
            if len(held) < SOCKETS:
                held += [line for _ in range(5) if (line := self.connect(opening, receive_bytes))]
            if drip and turn % 10 == 0:
                held = [line for line in held if sent(line, drip)]
            elif turn % 10 == 0:
                held = [line for line in held if is_open(line)]
            sleep(PAUSE_S)
        for line in held:
            line.close()


def sent(line: socket.socket, data: bytes) -> bool:
    with suppress(BlockingIOError):
        try:
            line.send(data)
        except OSError:
            line.close()
            return False
    return True


def is_open(line: socket.socket) -> bool:
    """Whether the board has not closed the socket. Nothing is read from it."""
    with selectors.DefaultSelector() as ready:
        ready.register(line, selectors.EVENT_READ)
        if not ready.select(0):
            return True
    with suppress(OSError):
        if line.recv(1, socket.MSG_PEEK):
            return True
    line.close()
    return False


def slow_headers(attacker: Attacker) -> None:
    attacker.hold(b"GET / HTTP/1.1\r\nHost: ", drip=b"x")


def slow_bodies(attacker: Attacker) -> None:
    attacker.hold(POST.encode(), drip=b" ")


def idle_sockets(attacker: Attacker) -> None:
    attacker.hold(b"")


def pipelined_files(attacker: Attacker) -> None:
    attacker.hold(GET.format(path="/static/css/pages.css").encode() * 180, receive_bytes=2048)


def pipelined_pages(attacker: Attacker) -> None:
    attacker.hold(GET.format(path="/").encode() * 180, receive_bytes=2048)


def unread_streams(attacker: Attacker) -> None:
    attacker.hold(GET.format(path="/api/v1/stream").encode(), receive_bytes=2048)


def huge_headers(attacker: Attacker) -> None:
    attacker.hold(b"GET / HTTP/1.1\r\nX: " + b"x" * 200_000, drip=b"x" * 50_000)


def many_connections(attacker: Attacker) -> None:
    """Connections opened and reset, 2,000 in a second at most."""
    while attacker.is_on:
        if line := attacker.connect(b"GET / HTTP/1.1\r\n"):
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, HARD_CLOSE)
            line.close()
        sleep(0.0005)


def abandoned_streams(attacker: Attacker) -> None:
    while attacker.is_on:
        if line := attacker.connect(GET.format(path="/api/v1/stream").encode()):
            sleep(0.002)
            line.close()


def flood_of_requests(attacker: Attacker) -> None:
    """Pages asked for and read as fast as the board answers, on several sockets."""
    request = GET.format(path="/").encode()
    with selectors.DefaultSelector() as ready:
        while attacker.is_on:
            while len(ready.get_map()) < SOCKETS and (line := attacker.connect(request)):
                ready.register(line, selectors.EVENT_READ)
            for key, _ in ready.select(PAUSE_S):
                line = key.fileobj  # type: ignore[assignment]
                assert isinstance(line, socket.socket)
                try:
                    got = line.recv(1 << 16)
                    line.send(request)
                except BlockingIOError:
                    continue
                except OSError:
                    got = b""
                if not got:
                    ready.unregister(line)
                    line.close()


ATTACKS: dict[str, Callable[[Attacker], None]] = {
    attack.__name__: attack
    for attack in (
        slow_headers,
        slow_bodies,
        idle_sockets,
        pipelined_files,
        pipelined_pages,
        unread_streams,
        huge_headers,
        many_connections,
        abandoned_streams,
        flood_of_requests,
    )
}


CLIENT_HELLO = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"
"""The first bytes of a handshake, which promise 512 more."""


def unfinished_handshakes(attacker: Attacker) -> None:
    attacker.hold(CLIENT_HELLO, drip=b"x")


def whole_handshakes(attacker: Attacker) -> None:
    """Handshakes that are finished, as they cost the board the most; then nothing is asked for."""
    tls = ssl.create_default_context()
    tls.check_hostname, tls.verify_mode = False, ssl.CERT_NONE
    while attacker.is_on:
        if line := attacker.connect():
            line.settimeout(0.5)
            with suppress(OSError), tls.wrap_socket(line):
                pass
            line.close()
        sleep(0.005)


TLS_ATTACKS: dict[str, Callable[[Attacker], None]] = {
    attack.__name__: attack for attack in (unfinished_handshakes, whole_handshakes)
}
"""On a board with HTTPS."""


@contextmanager
def attack(port: int, kinds: Sequence[str], seconds: float, *, one_address: str = "") -> Iterator[None]:
    """Run one attacking process for each of `kinds`. They end after `seconds`, or with the block.

    With `one_address` all of them attack from there. They run at the lowest priority: a real attacker does not use the
    processor of the board.
    """
    processes = []
    for number, kind in enumerate(kinds):
        source = one_address or f"127.0.6.{number + 1}"
        command = [sys.executable, "-m", "tests.web_panel.attackers", kind, str(port), source, str(seconds)]
        processes.append(subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL))
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def main(kind: str, port: str, source: str, seconds: str) -> None:
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    os.nice(19)
    {**ATTACKS, **TLS_ATTACKS}[kind](Attacker(int(port), source, float(seconds)))


if __name__ == "__main__":
    main(*sys.argv[1:])
