"""A program that is killed at random loses nothing that it has answered for, and finds its way by itself."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.reliability.figures import publish
from tests.reliability.kills import kill_often

KILLS = 25


@pytest.mark.slow
def test_a_program_killed_while_people_play_loses_nothing(tmp_path: Path) -> None:
    person = kill_often(tmp_path, KILLS, seed=11)
    figures: dict[str, object] = {what.replace(" ", "_"): times for what, times in sorted(person.counted.items())}
    publish("kills", figures | {"losses": len(person.losses)}, keep="KEEP_FIGURES" in os.environ)
    assert not person.losses
    assert person.counted["turns answered for"] > KILLS


@pytest.mark.slow
def test_a_log_of_turns_that_is_gone_is_found_out(tmp_path: Path) -> None:
    """A disk that forgets what was synced last: the proof can fail."""

    def forget(state_folder: Path) -> None:
        (state_folder / "journal.sqlite3-wal").unlink(missing_ok=True)

    assert kill_often(tmp_path, 4, seed=12, meanwhile=forget).losses
