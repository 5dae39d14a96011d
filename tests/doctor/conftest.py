"""A machine without faults, to be checked by the doctor."""

from __future__ import annotations

import pytest

from firmware_host.doctor import devices
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
