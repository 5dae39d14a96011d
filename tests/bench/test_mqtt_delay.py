"""Whether a peg's light waits for an MQTT broker that hangs. Rounds with and without one alternate, so that a busy
machine slows both."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from random import Random
from statistics import median

import pytest

from firmware_host.host.loop import Host
from firmware_host.storage.journal import Journal
from firmware_host.telemetry.link import Broker
from firmware_host.telemetry.telemetry import Options, Telemetry
from tests.bench.recording import Recorder
from tests.bench.test_host_speed import land_peg, running
from tests.bench.timing import percentile_99

pytestmark = pytest.mark.bench

ROUNDS = 11


@contextmanager
def broker_that_hangs(host: Host, journal: Path) -> Iterator[None]:
    """It accepts the board, and then neither reads nor answers."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        broker = Broker("127.0.0.1", listening.getsockname()[1])
        options = Options(home_assistant=True, commands=True)
        telemetry = Telemetry(host, broker, "", lambda: closing(Journal.open_readonly(journal)), options)
        telemetry.start()
        peer, _ = listening.accept()
        with peer:
            peer.recv(1000)
            peer.sendall(b"\x20\x02\x00\x00")
            while not telemetry.link.is_connected:
                time.sleep(0.01)
            yield
            telemetry.stop()


def test_delay_from_a_peg_to_its_light_with_a_broker_that_hangs(recorder: Recorder, tmp_path: Path) -> None:
    random, holes = Random(1), count(1)
    calm_s, hanging_s = list[float](), list[float]()
    path = tmp_path / "journal.sqlite3"
    with running("continuous-121-4", Journal.open(path)) as (host, board):

        def peg() -> float:
            delay_s = land_peg(host, board, next(holes), random)
            time.sleep(0.4)  # it settles, and the turn is journalled
            return delay_s

        for _ in range(recorder.pick(full=ROUNDS, small=1)):
            calm_s += [peg() for _ in range(5)]
            with broker_that_hangs(host, path):
                hanging_s += [peg() for _ in range(5)]
    recorder.record(
        "mqtt",
        {
            "peg_to_light_median_ms": 1e3 * median(calm_s),
            "peg_to_light_99_percent_ms": 1e3 * percentile_99(calm_s),
            "peg_to_light_hanging_median_ms": 1e3 * median(hanging_s),
            "peg_to_light_hanging_99_percent_ms": 1e3 * percentile_99(hanging_s),
        },
    )
