"""A Pi on the bench for whoever asks for one."""

from __future__ import annotations

import pytest

from board_drivers import keypad_matrix
from tests.drivers.bench_pi import BenchPi


@pytest.fixture
def pi(monkeypatch: pytest.MonkeyPatch) -> BenchPi:
    """A Zero 2 W on which this test's drivers find themselves; its keypad is scanned without a pause."""
    bench = BenchPi()
    bench.install(monkeypatch)
    monkeypatch.setattr(keypad_matrix, "SCAN_S", 0.0)
    return bench
