"""The end of a board that is told to end, as the power button's shutdown does: dark and silent, its journal whole."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from board_drivers.simulated import DARK, SimulatedBoard
from firmware_host.assemble import Running
from firmware_host.cli import main
from firmware_host.cribbage.variants import rules_for
from firmware_host.journal import Journal
from firmware_host.table.events import GameStarted
from firmware_host.table.orders import StartGame


def test_a_board_that_is_told_to_end_leaves_no_light_and_a_whole_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heeds = dict[int, Callable[[int, None], None]]()
    boards = list[SimulatedBoard]()

    def play_until_the_button(running: Running) -> None:
        running.host.submit(StartGame(rules_for("six_card", {}), ("Ann", "Ben"), "classic-61"))
        assert isinstance(running.host.board, SimulatedBoard)
        boards.append(running.host.board)
        assert set(boards[0].lights.frame) != {DARK} and any(map(any, boards[0].oled_pixels()))
        running.server.close()
        heeds[signal.SIGTERM](signal.SIGTERM, None)

    monkeypatch.setattr(signal, "signal", heeds.__setitem__)
    monkeypatch.setattr(Running, "serve", play_until_the_button)
    run = ["run", "--settings", str(settings(tmp_path)), "--state-folder", str(tmp_path)]
    assert CliRunner().invoke(main, run, catch_exceptions=False).exit_code == 0
    (board,) = boards
    assert set(board.lights.frame) == {DARK} and not any(map(any, board.oled_pixels()))
    journal = Journal.open(tmp_path / "journal.sqlite3")
    ((started, *_), *_) = journal.current_game()
    journal.close()
    assert isinstance(started, GameStarted) and started.names == ("Ann", "Ben")


def settings(folder: Path) -> Path:
    file = folder / "cribboard.toml"
    file.write_text("manner = 'teacher'\n")
    return file
