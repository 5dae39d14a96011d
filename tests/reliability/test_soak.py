"""A small week: what the whole one measures is true of a few games already. `make soak` plays them all."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.journal import Journal
from tests.reliability.soak import play, report, unlike_the_journal
from tests.reliability.week import Week


@pytest.mark.slow
def test_a_few_games_of_a_week_leave_nothing_behind(tmp_path: Path) -> None:
    week = Week(Journal.in_memory(), folder=tmp_path, seed=7)
    soak = play(week, 4)
    report(week, soak)
    week.host.stop()
    first, last = soak.weights[1], soak.weights[-1]
    assert unlike_the_journal(week) == 0 and len(week.seen) == 4
    assert last.descriptors == first.descriptors and last.threads == first.threads
    assert last.blocks - first.blocks < 3_000
    assert soak.idle_bytes == 0 and soak.idle_minutes > 60
    assert last.written_bytes - first.written_bytes < 2 * 5_000_000
