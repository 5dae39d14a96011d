"""A Pi on the bench for whoever asks for one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from board_drivers import keypad_matrix
from board_drivers.header import Header
from tests.drivers.bench_pi import BenchPi


@pytest.fixture
def pi(monkeypatch: pytest.MonkeyPatch) -> BenchPi:
    """A Zero 2 W on which this test's drivers find themselves; its keypad is scanned without a pause."""
    bench = BenchPi()
    bench.install(monkeypatch)
    monkeypatch.setattr(keypad_matrix, "SCAN_S", 0.0)
    return bench


@pytest.fixture
def header(pi: BenchPi) -> Iterator[Header]:
    """The header of that Pi, let go of in the end."""
    opened = Header()
    yield opened
    opened.close()
