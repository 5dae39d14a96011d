"""Fixtures: a modelled Pi, and the header of that Pi."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from board_drivers import keypad_matrix
from board_drivers.header import Header
from tests.board_drivers.bench_pi import BenchPi


@pytest.fixture
def pi(monkeypatch: pytest.MonkeyPatch) -> BenchPi:
    """A modelled Zero 2 W that the drivers of this test run on; its keypad is scanned without pauses."""
    bench = BenchPi()
    bench.install(monkeypatch)
    monkeypatch.setattr(keypad_matrix, "SCAN_S", 0.0)
    return bench


@pytest.fixture
def header(pi: BenchPi) -> Iterator[Header]:
    """The header of that Pi, closed after the test."""
    opened = Header()
    yield opened
    opened.close()
