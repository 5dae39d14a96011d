"""Whether a peg's light waits for MQTT: with brokers that do not answer, and with a full disk or a clock that jumps
beside such a broker. Rounds with and without them alternate, so that a busy machine slows all."""

from __future__ import annotations

import socket
import sqlite3
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random
from statistics import median
from threading import Event, Thread
from unittest.mock import patch

import pytest

from firmware_host.host.health import STORAGE
from firmware_host.host.loop import Host
from firmware_host.storage.journal import Journal
from firmware_host.telemetry.broker import Broker
from firmware_host.telemetry.telemetry import Options, Telemetry
from tests.bench.recording import Recorder
from tests.bench.test_host_speed import land_peg, running
from tests.bench.timing import percentile_99

pytestmark = pytest.mark.bench

ROUNDS, PEGS = 7, 5
ACCEPTED, WRONG_PASSWORD = b"\x20\x02\x00\x00", b"\x20\x02\x00\x05"
"""Answers of a broker to a board that connects."""
HERE = "127.0.0.1"


class Bench:
    """A host with a journal, whose clock and disk can fail."""

    def __init__(self, path: Path) -> None:
        self.path, self._jumps = path, Random(2)
        self.clock_jumps, self.disk_is_full = False, False
        self.journal = Journal.open(path, self._time_of_day)
        self.journal.before_writing = self._write

    def _time_of_day(self) -> datetime:
        days = self._jumps.randrange(-9_000, 9_000) if self.clock_jumps else 0
        return datetime.now(UTC) + timedelta(days=days)

    def _write(self) -> None:
        if self.disk_is_full:
            fault = sqlite3.OperationalError("database or disk is full")
            fault.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise fault

    @contextmanager
    def publishing(self, host: Host, broker: Broker) -> Iterator[Telemetry]:
        options = Options(home_assistant=True, commands=True)
        telemetry = Telemetry(host, broker, "", lambda: closing(Journal.open_readonly(self.path)), options)
        telemetry.start()
        try:
            yield telemetry
        finally:
            telemetry.stop()


@contextmanager
def silent_broker(bench: Bench, host: Host) -> Iterator[None]:
    """It accepts the board, and then neither reads nor answers."""
    with ExitStack() as opened:
        listening = opened.enter_context(socket.create_server((HERE, 0)))
        telemetry = opened.enter_context(bench.publishing(host, Broker(HERE, listening.getsockname()[1])))
        peer, _ = listening.accept()
        opened.enter_context(peer)
        peer.recv(1000)
        peer.sendall(ACCEPTED)
        while not telemetry.link.is_connected:
            time.sleep(0.01)
        yield


@contextmanager
def refusing_broker(bench: Bench, host: Host) -> Iterator[None]:
    """The password is wrong."""

    def refuse() -> None:
        with suppress(OSError):  # closed
            while True:
                peer, _ = listening.accept()
                with peer:
                    peer.recv(1000)
                    peer.sendall(WRONG_PASSWORD)

    with socket.create_server((HERE, 0)) as listening:
        thread = Thread(target=refuse)
        thread.start()
        with bench.publishing(host, Broker(HERE, listening.getsockname()[1])) as telemetry:
            while "refused" not in telemetry.fault:
                time.sleep(0.01)
            yield
        listening.shutdown(socket.SHUT_RDWR)
        thread.join()


@contextmanager
def broker_out_of_reach(bench: Bench, host: Host) -> Iterator[None]:
    """Nobody answers a connection, not even by a refusal: the queue of this server is full."""
    with ExitStack() as opened:
        listening = opened.enter_context(socket.create_server((HERE, 0), backlog=0))
        for _ in range(4):
            waiting = opened.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(listening.getsockname())
        opened.enter_context(bench.publishing(host, Broker(HERE, listening.getsockname()[1])))
        yield


@contextmanager
def silent_name_server(bench: Bench, host: Host) -> Iterator[None]:
    """The name of the broker is looked up without end. Like the real function, this one releases the interpreter."""
    ends = Event()

    def getaddrinfo(*arguments: object) -> object:
        ends.wait()
        raise socket.gaierror("no answer")

    with patch("socket.getaddrinfo", getaddrinfo), bench.publishing(host, Broker("broker.local")):
        yield
        ends.set()


@contextmanager
def full_disk(bench: Bench, host: Host) -> Iterator[None]:
    with silent_broker(bench, host):
        bench.disk_is_full = True
        yield
        bench.disk_is_full = False
        while STORAGE in host.health.faults:
            time.sleep(0.1)


@contextmanager
def jumping_clock(bench: Bench, host: Host) -> Iterator[None]:
    with silent_broker(bench, host):
        bench.clock_jumps = True
        yield
        bench.clock_jumps = False


@contextmanager
def no_mqtt(bench: Bench, host: Host) -> Iterator[None]:
    yield


STATES: Mapping[str, Callable[[Bench, Host], AbstractContextManager[None]]] = {
    "": no_mqtt,
    "_hanging": silent_broker,
    "_refused": refusing_broker,
    "_out_of_reach": broker_out_of_reach,
    "_name_server": silent_name_server,
    "_full_disk": full_disk,
    "_clock": jumping_clock,
}
"""End of the keys of the figures -> the state."""


def test_delay_from_a_peg_to_its_light_with_a_broker_that_hangs(recorder: Recorder, tmp_path: Path) -> None:
    random, delays_s = Random(1), defaultdict[str, list[float]](list)
    for number in range(recorder.pick(full=ROUNDS, small=1)):
        bench, holes = Bench(tmp_path / f"journal-{number}.sqlite3"), count(1)
        with running("continuous-121-4", bench.journal) as (host, board):
            for name, state in STATES.items():
                with state(bench, host):
                    for _ in range(recorder.pick(full=PEGS, small=2)):
                        delays_s[name].append(land_peg(host, board, next(holes), random))
                        time.sleep(0.4)  # it settles, and the turn is journalled
    figures = dict[str, float]()
    for name, seconds in delays_s.items():
        figures[f"peg_to_light{name}_median_ms"] = 1e3 * median(seconds)
        figures[f"peg_to_light{name}_99_percent_ms"] = 1e3 * percentile_99(seconds)
    recorder.record("mqtt", figures)
