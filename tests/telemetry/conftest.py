"""A host that plays by commands, on a thread of its own, and brokers for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic

import pytest

from board_drivers.simulated import SimulatedBoard
from firmware_host.board.plan import BoardPlan
from firmware_host.config.board_plans import load_plan
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.host.loop import Host
from firmware_host.host.setup import HostSetup
from firmware_host.storage.journal import Journal
from tests.telemetry.mosquitto import Mosquitto, Observer

START = c.StartGame(rules_for("six_card", {}), ("Ann", "Ben"), "classic-61", dealer=Seat(0))


def open_board(plan: BoardPlan) -> SimulatedBoard:
    return SimulatedBoard(plan.bit_count, plan.led_count)


def running_host(journal: Journal) -> Host:
    setup = HostSetup((load_plan("classic-61"),), open_board, lambda board, frame: board.set_pegs(frame))  # type: ignore[attr-defined]
    host = Host(setup, journal, monotonic)
    host.start()
    return host


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    host = running_host(Journal.open(tmp_path / "journal.sqlite3"))
    yield host
    host.stop()


@pytest.fixture
def new_broker(tmp_path: Path) -> Iterator[Callable[..., Mosquitto]]:
    brokers = list[Mosquitto]()

    def start(*lines: str) -> Mosquitto:
        brokers.append(Mosquitto(tmp_path, *lines))
        return brokers[-1]

    yield start
    for each in brokers:
        each.kill()


@pytest.fixture
def broker(new_broker: Callable[..., Mosquitto]) -> Mosquitto:
    return new_broker()


@pytest.fixture
def observer(broker: Mosquitto) -> Iterator[Observer]:
    watching = Observer(broker.port)
    yield watching
    watching.close()
