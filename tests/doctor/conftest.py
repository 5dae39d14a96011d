"""A machine without faults, to be checked by the doctor."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.doctor import devices
from firmware_host.optional_packages import INSTALLED_BOARD, Installation
from tests.board_drivers.bench_board import BenchBoard
from tests.board_drivers.bench_pi import BenchPi
from tests.doctor.fake_machine import STRIPS, FakeMachine


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> FakeMachine:
    """A Pi with a complete simulated board. Two scans are enough: the model has no loose joints."""
    pi = BenchPi()
    pi.install(monkeypatch)
    monkeypatch.setattr(devices, "SCANS", 2)
    return FakeMachine(pi, BenchBoard(pi, STRIPS))


@pytest.fixture(autouse=True)
def installed_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program runs where the installer put it, as on the machine of these tests."""
    environment = INSTALLED_BOARD / "venv"
    board = Installation(environment, environment / "bin/python3", environment / "lib", Path("/"))
    monkeypatch.setattr(Installation, "here", lambda: board)
