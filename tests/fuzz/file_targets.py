"""Fuzz targets for files that a power cut, a failing card or a user may leave: they are read or refused with a
message."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from math import isfinite
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from firmware_host.config.board_plans import load_plan
from firmware_host.config.wiring_store import WiringStoreError, wiring_file, with_saved_wiring
from firmware_host.cribbage.variants import PRESETS
from firmware_host.game.events import GameStarted
from firmware_host.host.trace_log import FILE_NAME, last_second
from firmware_host.storage import recovery
from firmware_host.storage.journal import Journal, JournalError
from firmware_host.storage.recovery import open_or_recover
from firmware_host.storage.restore import restore
from tests.fuzz.target import JSON, Target

BOARD = load_plan("classic-61")
IN_MEMORY = Path("/dev/shm")
"""Where temporary files are made, if the system has it: in memory."""
FEW_GAMES = 50
"""In place of MAX_GAMES_SEARCHED, to save time: the fuzzer reads many files whose last row is unreadable."""
ONE_MORE = (GameStarted(PRESETS["family"].rules(), ("A", "B"), BOARD.id, 2, False, (0, 0), is_demo=False),)


@contextmanager
def folder_with(name: str, data: bytes) -> Iterator[Path]:
    """A temporary folder with one file of this content; yields the path of the file."""
    with TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as folder:
        file = Path(folder) / name
        file.write_bytes(data)
        yield file


def journal_file(data: bytes) -> None:
    """The journal. It is opened or rebuilt, and must accept one more game."""
    with folder_with("journal.sqlite3", data) as path, patch.object(recovery, "MAX_GAMES_SEARCHED", FEW_GAMES):
        with closing(open_or_recover(path).journal) as opened:
            before = opened.last_game
            opened.append(ONE_MORE)
        with closing(Journal.open_readonly(path)) as read:
            assert read.last_game == before + 1 and read.current_game() == (ONE_MORE,)


def backup_file(data: bytes) -> None:
    """A backup to restore: completely or not at all."""
    with folder_with("backup.sqlite3", data) as source:
        path = source.with_name("journal.sqlite3")
        try:
            restore(path, source)
        except JournalError:
            assert not path.exists()
            raise
        with closing(open_or_recover(path).journal) as opened:
            assert sum(1 for _ in opened.games()) <= opened.last_game


def trace_file_end(data: bytes) -> None:
    """The end of a trace that a power cut interrupted: the time from which it continues must be finite."""
    with folder_with(FILE_NAME, data) as path:
        assert isfinite(last_second(path))


def stored_wiring(data: bytes) -> None:
    """The stored result of a wiring calibration."""
    with folder_with(wiring_file(Path(), BOARD).name, data) as path:
        wired = with_saved_wiring(BOARD, path.parent)
        assert {hole.sensor for hole in wired.holes} == {hole.sensor for hole in BOARD.holes}
        assert all(type(hole.sensor) is int for hole in wired.holes)


_SQLITE_WORDS = ("SQLite format 3\0", "CREATE TABLE ", "peg_leapt", "CRIB")

ON_DISK = (
    Target(journal_file, (JournalError,), _SQLITE_WORDS, is_slow=True),
    Target(backup_file, (JournalError,), _SQLITE_WORDS),
    Target(trace_file_end, (), (*JSON, '{"t": ', "\n", "Infinity", "1e999")),
    Target(stored_wiring, (WiringStoreError,), (*JSON, "strips")),
)
