"""A board in good health, for the doctor to look at."""

from __future__ import annotations

import pytest

from firmware_host.doctor import parts
from tests.doctor.paper_machine import STRIPS, PaperMachine
from tests.drivers.bench_board import BenchBoard
from tests.drivers.bench_pi import BenchPi


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> PaperMachine:
    """A Pi with a whole board; its chain is scanned fewer times, as a model has no loose joints."""
    pi = BenchPi()
    pi.install(monkeypatch)
    monkeypatch.setattr(parts, "SCANS", 2)
    return PaperMachine(pi, BenchBoard(pi, STRIPS))
