"""Replaces the journal by a backup, after every game of the backup was played again from its first event to its last.

`restore` does it while no board runs. A running board prepares the backup beside its journal (`prepared_restore`), and
then exchanges the open journal (`exchange_into`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from firmware_host.game.events import GameStarted
from firmware_host.storage.atomic_file import copy_file, make_folder, sync_folder
from firmware_host.storage.backup import reading_backup
from firmware_host.storage.game_summary import Events
from firmware_host.storage.journal import Journal, JournalError, turns_in
from firmware_host.storage.journal_replacement import install_journal, prepared_path, write_journal_file
from firmware_host.storage.journal_table import Row, RowReader
from firmware_host.storage.recovery import open_or_recover
from firmware_host.storage.replacement import remove_database, replacement_path
from firmware_host.storage.replica import replica_path
from firmware_host.storage.sound_game import replayed
from firmware_host.storage.sqlite_file import as_journal_error, writer_lock

LONGEST_NAME = 60
"""Of a player, in characters: the most that the pages take."""
OnGame = Callable[[int, int], object]
"""Called before each game of a backup is checked, with the number of games that are checked and of all games."""


def ignore_game(games: int, all_games: int) -> None:
    """The OnGame of whoever does not watch."""


def restore(path: Path, source: Path) -> Path | None:
    """Replace the journal at `path` by the backup `source`, after every game of the backup was played again.

    Returns the path of the old journal, which is kept, or None if there was none. Raises JournalError, and then nothing
    has changed.
    """
    was_there = path.exists()
    with prepared_restore(path, source), writer_lock(path):
        aside = _exchange(path)
    return aside if was_there else None


@contextmanager
def prepared_restore(path: Path, source: Path, on_game: OnGame = ignore_game) -> Iterator[None]:
    """A backup is checked and lies beside the journal at `path`, for the time of a block that makes it the journal.

    Raises JournalError, or what `on_game` raises; then nothing has changed. What is not used is deleted: it has hands.
    """
    try:
        prepare_restore(path, source, on_game)
        yield
    finally:
        with suppress(OSError):
            for file in (prepared_path(path), replica_path(prepared_path(path))):
                remove_database(file)


def prepare_restore(path: Path, source: Path, on_game: OnGame = ignore_game) -> None:
    """Copy a backup beside the journal at `path`, and play each of its games again, from the first event to the last.

    The rows that are copied are those that were checked: the backup may change meanwhile. It takes some milliseconds
    for each game, and may run while a board plays. A copy of the file is the replica: to write one after the exchange
    would keep the players waiting. Raises UnusableBackup, and JournalError if the disk cannot be written; then nothing
    has changed.
    """
    prepared = prepared_path(path)
    with reading_backup():
        backup = Journal.open_readonly(source)
    with closing(backup):
        with as_journal_error(str(path)):
            make_folder(path.parent)
        write_journal_file(_checked_rows(backup.row_reader, str(source), on_game), prepared)
    with as_journal_error(str(path)):
        copy_file(prepared, replica_path(prepared))


def _checked_rows(backup: RowReader, where: str, on_game: OnGame) -> Iterator[Row]:
    """The rows of each game that can be played again. Raises UnusableBackup for the first that cannot."""
    with reading_backup():
        all_games = sum(1 for _ in backup.game_numbers())
        for count, game in enumerate(backup.game_numbers()):
            on_game(count, all_games)
            rows = backup.of(game)
            where_game = f"{where}, game {game}"
            turns = turns_in(rows, where_game)
            replayed(turns, where_game)
            _check_names(turns, where_game)
            yield from rows


def _check_names(turns: Sequence[Events], where: str) -> None:
    """Raises JournalError for names of players that no page and no display would take."""
    for event in (event for turn in turns for event in turn if isinstance(event, GameStarted)):
        for name in event.names:
            if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
                expected = f"names of 1 to {LONGEST_NAME} printable characters"
                raise JournalError(expected, ascii(name[:LONGEST_NAME]), where, "name another copy")


def _exchange(path: Path) -> Path:
    """Make the prepared backup the journal. The writer lock is held. Raises JournalError."""
    with as_journal_error(str(path)):
        prepared_path(path).rename(replacement_path(path))
        sync_folder(path.parent)
    return install_journal(path, replica_path(prepared_path(path)))


def exchange_into(journal: Journal) -> tuple[Journal, JournalError | None]:
    """Make the backup of `prepare_restore` the open journal. Returns the journal to use from now on, and the error if
    it is still the old one. Raises JournalError if neither can be opened."""
    assert journal.path, "a journal in memory cannot be replaced"
    path = journal.path
    refused = None
    journal.close()
    try:
        with writer_lock(path):
            _exchange(path)
    except JournalError as fault:
        refused = fault
    return open_or_recover(path, journal.clock).journal, refused
