"""SIGTERM, as the power button sends it through systemd, ends the program: lights and display off, journal intact."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from board_drivers.simulated import DARK, SimulatedBoard
from firmware_host.app import RunningApp
from firmware_host.cli import main
from firmware_host.cribbage.variants import rules_for
from firmware_host.game.commands import StartGame
from firmware_host.game.events import GameStarted
from firmware_host.storage.journal import Journal


def test_sigterm_turns_lights_off_and_keeps_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    handlers = dict[int, Callable[[int, None], None]]()
    boards = list[SimulatedBoard]()

    def play_until_sigterm(running: RunningApp) -> None:
        running.host.submit(StartGame(rules_for("six_card", {}), ("Ann", "Ben"), "classic-61"))
        assert isinstance(running.host.board, SimulatedBoard)
        boards.append(running.host.board)
        assert set(boards[0].lights.frame) != {DARK} and any(map(any, boards[0].oled_pixels()))
        running.server.close()
        handlers[signal.SIGTERM](signal.SIGTERM, None)

    monkeypatch.setattr(signal, "signal", handlers.__setitem__)
    monkeypatch.setattr(RunningApp, "serve", play_until_sigterm)
    arguments = ["run", "--settings", str(settings_file(tmp_path)), "--state-folder", str(tmp_path)]
    assert CliRunner().invoke(main, arguments, catch_exceptions=False).exit_code == 0
    (board,) = boards
    assert set(board.lights.frame) == {DARK} and not any(map(any, board.oled_pixels()))
    journal = Journal.open(tmp_path / "journal.sqlite3")
    ((started, *_), *_) = journal.current_game()
    journal.close()
    assert isinstance(started, GameStarted) and started.names == ("Ann", "Ben")


def settings_file(folder: Path) -> Path:
    file = folder / "cribboard.toml"
    file.write_text("referee_mode = 'teacher'\n")
    return file
