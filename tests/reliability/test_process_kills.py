"""A program that is killed at random moments loses nothing that it acknowledged, and recovers by itself."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.reliability.figures import publish
from tests.reliability.process_kills import kill_repeatedly

KILLS = 25


@pytest.mark.slow
def test_killed_program_loses_nothing(tmp_path: Path) -> None:
    player = kill_repeatedly(tmp_path, KILLS, seed=11)
    figures: dict[str, object] = {name.replace(" ", "_"): times for name, times in sorted(player.counted.items())}
    publish("process_kills", figures | {"losses": len(player.losses)}, keep="KEEP_FIGURES" in os.environ)
    assert not player.losses
    assert player.counted["turns acknowledged"] > KILLS


@pytest.mark.slow
def test_lost_write_ahead_log_is_detected(tmp_path: Path) -> None:
    """A disk that loses synced data: shows that the test can fail."""

    def forget(state_folder: Path) -> None:
        (state_folder / "journal.sqlite3-wal").unlink(missing_ok=True)

    assert kill_repeatedly(tmp_path, 4, seed=12, meanwhile=forget).losses
