"""Files that a power cut, a bad card or a person may have left: the program opens them, or says what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from math import isfinite
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from firmware_host import rescue
from firmware_host.cribbage.variants import PRESETS
from firmware_host.journal import Journal, JournalFault
from firmware_host.plans import load_plan
from firmware_host.rescue import open_journal, restore
from firmware_host.table.events import GameStarted
from firmware_host.trace_log import FILE_NAME, last_second
from firmware_host.wiring_file import WiringFault, as_wired, file_of
from tests.fuzz.target import JSON, Target

BOARD = load_plan("classic-61")
IN_MEMORY = Path("/dev/shm")
FEW_GAMES = 50
"""Looked for in a file that cannot tell how many it holds: a fuzzer reads many such files."""
ONE_MORE = (GameStarted(PRESETS["family"].rules(), ("A", "B"), BOARD.id, 2, False, (0, 0), is_demo=False),)


@contextmanager
def folder_with(name: str, given: bytes) -> Iterator[Path]:
    """A folder in which these bytes are a file of this name: the file."""
    with TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as folder:
        file = Path(folder) / name
        file.write_bytes(given)
        yield file


def journal(given: bytes) -> None:
    """The journal itself: it is opened, or put aside and begun again; and it takes one game more."""
    with folder_with("journal.sqlite3", given) as path, patch.object(rescue, "GAMES_TRIED", FEW_GAMES):
        with closing(open_journal(path).journal) as opened:
            before = opened.last_game
            opened.append(ONE_MORE)
        with closing(Journal.open_to_read(path)) as read:
            assert read.last_game == before + 1 and read.current_game() == (ONE_MORE,)


def copy(given: bytes) -> None:
    """A copy that is to be put back: all of it, or nothing has changed."""
    with folder_with("copy.sqlite3", given) as source:
        path = source.with_name("journal.sqlite3")
        try:
            restore(path, source)
        except JournalFault:
            assert not path.exists()
            raise
        with closing(open_journal(path).journal) as opened:
            assert sum(1 for _ in opened.games()) <= opened.last_game


def trace_end(given: bytes) -> None:
    """The trace of a game that was on when the power went: it goes on a second after its last line."""
    with folder_with(FILE_NAME, given) as path:
        assert isfinite(last_second(path))


def wiring(given: bytes) -> None:
    """What a wiring lesson wrote down."""
    with folder_with(file_of(Path(), BOARD).name, given) as path:
        wired = as_wired(BOARD, path.parent)
        assert {hole.sensor for hole in wired.holes} == {hole.sensor for hole in BOARD.holes}
        assert all(type(hole.sensor) is int for hole in wired.holes)


_PIECES = ("SQLite format 3\0", "CREATE TABLE ", "peg_leapt", "CRIB")

ON_DISK = (
    Target(journal, (JournalFault,), _PIECES, is_slow=True),
    Target(copy, (JournalFault,), _PIECES),
    Target(trace_end, (), (*JSON, '{"t": ', "\n", "Infinity", "1e999")),
    Target(wiring, (WiringFault,), (*JSON, "strips")),
)
