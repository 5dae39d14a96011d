"""A short soak: what `make soak` measures over a week holds for four games."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.storage.journal import Journal
from tests.reliability.soak import games_unlike_the_journal, play, report
from tests.reliability.soak_session import SoakSession

SPARE_DESCRIPTORS = 1
"""While the journal is open, SQLite keeps the descriptor of another connection that was closed, for the next one."""


@pytest.mark.slow
def test_four_games_leak_nothing(tmp_path: Path) -> None:
    session = SoakSession(Journal.in_memory(), folder=tmp_path, seed=7)
    soak = play(session, 4)
    report(session, soak)
    session.host.stop()
    first, last = soak.measurements[1], soak.measurements[-1]
    assert games_unlike_the_journal(session) == 0 and len(session.seen) == 4
    assert last.descriptors - first.descriptors <= SPARE_DESCRIPTORS and last.threads == first.threads
    assert last.blocks - first.blocks < 10_000  # boards of 121 holes have 6,000 more than those of 61
    assert soak.idle_bytes == 0 and soak.idle_minutes > 60
    assert last.written_bytes - first.written_bytes < 2 * 5_000_000
