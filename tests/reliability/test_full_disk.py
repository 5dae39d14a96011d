"""A board whose disk is full or read-only at the start: it starts, says so, and writes the game when it can."""

from __future__ import annotations

import errno
import logging
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from firmware_host.game.commands import CorrectScore
from firmware_host.storage import deferred_game as module
from firmware_host.storage.active_game import ActiveGame
from firmware_host.storage.deferred_game import DeferredGame, deferred_game
from firmware_host.storage.journal import Journal, JournalError
from firmware_host.storage.recovery import open_or_recover
from tests.golden.make_journal import turns
from tests.reliability.test_corruption import rows_in, turns_in

BEGUN = turns()[:12]


def can_mount() -> bool:
    """Whether this computer lets a test have a file system of its own."""
    if shutil.which("unshare") is None:
        return False
    command = ["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"]
    return subprocess.run(command, check=False, capture_output=True).returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["full", "read-only"])
def test_board_starts_and_writes_when_it_can(tmp_path: Path, kind: str) -> None:
    if not can_mount():
        pytest.skip("needs unshare and the right to mount a file system of its own")
    command = ["unshare", "-rm", sys.executable, "-m", "tests.reliability.full_disk", str(tmp_path), kind]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "state" / "journal.sqlite3"
    with closing(open_or_recover(path).journal) as journal:
        for turn in BEGUN:
            journal.append(turn)
    return path


@pytest.fixture
def game(path: Path, monkeypatch: pytest.MonkeyPatch) -> ActiveGame:
    monkeypatch.setattr(module, "disk_refuses", lambda folder: True)
    deferred = deferred_game(path, lambda: NOON)
    assert deferred
    return ActiveGame(deferred.in_memory(), {""}, deferred)


NOON = Journal.in_memory().clock()
CORRECTED = CorrectScore(0, 7, "knocked")


def test_game_that_was_on_goes_on_in_memory(game: ActiveGame, path: Path) -> None:
    before = rows_in(path)
    game.take(CORRECTED)
    assert not game.is_stored and game.table and game.table.scores[0] == 7
    assert rows_in(path) == before


def test_turns_are_written_when_the_disk_can_be(game: ActiveGame, path: Path) -> None:
    events = tuple(game.take(CORRECTED))
    assert game.try_to_store() == (None, "") and game.is_stored
    game.close()
    assert turns_in(path) == [*BEGUN, events]


def test_turns_wait_while_the_journal_cannot_be_opened(game: ActiveGame, path: Path) -> None:
    events = tuple(game.take(CORRECTED))
    with closing(Journal.open(path)):
        loss, error = game.try_to_store()
        assert loss is None and "only writer" in error and not game.is_stored
    game.take(CorrectScore(1, 3, "knocked"))
    game.close()
    assert turns_in(path)[len(BEGUN)] == events and len(turns_in(path)) == len(BEGUN) + 2


def test_disk_that_fills_again_halfway_loses_nothing(
    game: ActiveGame, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for score in (5, 6, 7):
        game.take(CorrectScore(0, score, "knocked"))
    append, left = Journal.append, [1]

    def full_after_one(journal: Journal, turn: object) -> None:
        if journal.path and not left:
            raise JournalError("room on the disk", "none", str(journal.path), "free some")
        if journal.path:
            left.pop()
        append(journal, turn)  # type: ignore[arg-type]

    monkeypatch.setattr(Journal, "append", full_after_one)
    assert game.try_to_store()[1] and not game.is_stored
    monkeypatch.undo()
    game.close()
    assert len(turns_in(path)) == len(BEGUN) + 3


def test_another_game_in_the_journal_is_kept(game: ActiveGame, path: Path) -> None:
    game.take(CORRECTED)
    with closing(Journal.open(path)) as journal:
        journal.append(turns()[0])
    game.close()
    found = turns_in(path)
    assert found[: len(BEGUN) + 1] == [*BEGUN, turns()[0]]
    assert len(found) == len(BEGUN) + 1 + len(BEGUN) + 1


def test_other_errors_are_not_taken_for_a_full_disk(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)
    with closing(Journal.open(path)):
        assert deferred_game(path, lambda: NOON) is None


@pytest.mark.parametrize(("code", "is_refused"), [(errno.ENOSPC, True), (errno.EROFS, True), (errno.EACCES, False)])
def test_errors_of_the_disk_are_distinguished_from_others(
    path: Path, monkeypatch: pytest.MonkeyPatch, code: int, is_refused: bool
) -> None:
    def refuse(*words: object) -> int:
        raise OSError(code, "no")

    monkeypatch.setattr("firmware_host.storage.deferred_game.os.open", refuse)
    assert module.disk_refuses(path.parent) is is_refused


def test_deferred_game_without_a_journal_starts_empty(tmp_path: Path) -> None:
    deferred = DeferredGame(tmp_path / "journal.sqlite3", lambda: NOON)
    game = ActiveGame(deferred.in_memory(), {""}, deferred)
    assert game.table is None and game.path == tmp_path / "journal.sqlite3"
    game.close()
