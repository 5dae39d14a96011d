"""Opens the journal, rebuilds it if the SD card corrupted it, and replaces it by a backup.

What a start finds, in the order in which it is checked (`open_or_recover`):

| found | action | RecoveryReport |
|---|---|---|
| `journal.restored` exists: the power failed during a replacement | complete the replacement | yes |
| no journal, no replica | begin an empty journal | no |
| no journal, but a replica with rows | rebuild | yes |
| journal of 0 bytes, and a replica file exists | rebuild | yes |
| another program's database, or a newer format | raise JournalError; nothing is changed | - |
| header, table or current game corrupt | rebuild | yes |
| the high-water mark names a row that the journal has lost: its log is damaged | rebuild | yes |
| replica AHEAD: the journal has lost rows | rebuild | yes |
| rows since the last update of the replica corrupt | rebuild | yes |
| the events of the current game do not follow one another | rebuild without it | yes, names it |
| the first write fails, because the free space of a page is corrupt (`rebuild`) | rebuild | no |
| replica BEHIND, FOREIGN or unreadable | use the journal; update or begin the replica again | no |

A past game is not checked at a start: that would take longer with every game played. Where one turns out corrupt, its
rows come from the replica (`Journal.rows_of`). While nobody plays, scrub.py reads the past games one by one.

Rebuild: each game is read from five sources: the journal through SQLite; the bytes of the journal in memory, without
its log, with it, and with the first page of a new journal (log_image.py); and the replica. From each source a game
yields the turns that verify before the first damage, and the longest result is taken. The last turn before a damage is
dropped, because it may be incomplete. So nothing is made up: every recovered turn was written once. A game that cannot
be played again (sound_game.py) is left out, and named in the report; the old file keeps it.

Replace: see replacement.py. The high-water mark, which names a row of the old journal, is deleted before journal and
replica are moved aside.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct

from firmware_host.game.events import GameStarted
from firmware_host.storage.atomic_file import copy_file, make_folder, replace_file, sync_folder
from firmware_host.storage.event_codec import CodecError, decode
from firmware_host.storage.game_summary import Events
from firmware_host.storage.high_water_mark import mark_path
from firmware_host.storage.journal import Clock, Journal, JournalCorrupt, JournalError, now, turns_in
from firmware_host.storage.log_image import open_image
from firmware_host.storage.plain_file import read_file
from firmware_host.storage.replacement import build_database, install_replacement, remove_database, replacement_path
from firmware_host.storage.replica import replica_is_ahead, replica_path, update_replica
from firmware_host.storage.sound_game import UnsoundGame, replayed
from firmware_host.storage.sqlite_file import (
    INSERT_ROW,
    INTACT_JOURNAL,
    RECOVERY_HINT,
    Row,
    RowReader,
    as_journal_error,
    connect,
    connect_readonly,
    create_file,
    prepare_database,
    write_documents,
    writer_lock,
)

log = logging.getLogger(__name__)

MAX_GAMES_SEARCHED = 50_000
"""Number of games to search for one by one in a damaged file."""
MOST_LOG_BYTES = 64 * 1024 * 1024
"""Of a write-ahead log: ten times what SQLite lets it grow to. A longer one has a damaged length."""
LEAST_GAME_BYTES = 128
"""No game takes fewer: its first row has more, the rules and the names of the players."""

LONGEST_NAME = 60
"""Of a player, in characters: the most that the pages take."""

OnGame = Callable[[int, int], object]
"""Called before each game of a backup is checked, with the number of games that are checked and of all games."""


def ignore_game(games: int, all_games: int) -> None:
    """The OnGame of whoever does not watch."""


class RecoveryReport(Struct, frozen=True):
    """What a start recovered from a corrupt journal.

    `games`: number of games that were recovered. `until`: when the last recovered event was written (ISO 8601, UTC), ""
    if there is none. Later turns are lost, and so are turns of a past game after a damage in it. `aside`: the corrupt
    file, kept under this path. `left_out`: games that cannot be played again; only `aside` has them.
    """

    games: int
    until: str
    aside: Path
    left_out: tuple[int, ...] = ()


class OpenedJournal(Struct, frozen=True):
    """A journal open for writing. `loss` is None if nothing had to be recovered."""

    journal: Journal
    loss: RecoveryReport | None = None


def open_or_recover(path: Path, clock: Clock = now) -> OpenedJournal:
    """Open the journal at `path` for writing, rebuilding it first if it is corrupt; see the table above.

    Raises JournalError if another process writes it, if the file is another program's or of a newer format, and for
    errors of the disk such as missing permissions.
    """
    aside = finish_replacement(path)  # first: half a replacement looks like a journal that is missing
    remove_leftovers(path)
    log_bytes = _log_of(path)  # before SQLite opens the file: it replays what it can of the log and deletes the rest
    left_out = list[int]()
    try:
        journal = _open_intact(path, clock)
    except (JournalCorrupt, UnsoundGame) as damage:
        log.error("%s", damage)
        aside = _replace_journal(path, _salvaged_rows(path, log_bytes, left_out), log_bytes)
        journal = _open_intact(path, clock)
    loss = _recovery_report(journal, aside, tuple(left_out)) if aside else None
    if loss:
        log.error("corrupt journal: recovered %d games, until %s; old file: %s", loss.games, loss.until, aside)
    return OpenedJournal(journal, loss)


def _log_of(path: Path) -> bytes:
    """The write-ahead log that a stop left behind, before SQLite replays and deletes it; empty after a clean stop."""
    try:
        return read_file(path.with_name(f"{path.name}-wal"), MOST_LOG_BYTES)
    except OSError:
        return b""


def rebuild(journal: Journal) -> Journal:
    """Rebuild a journal that can be read but not written, and return the new one. The old file is kept.

    The list of free bytes in a page is read only when a row is added, so a damage there passes every check of a start.
    Raises JournalError; then `journal` is closed.
    """
    return rebuild_with_report(journal)[0]


def rebuild_with_report(journal: Journal) -> tuple[Journal, RecoveryReport]:
    """The same, and what was recovered."""
    assert journal.path, "a journal in memory cannot be damaged"
    left_out = list[int]()
    journal.close()  # gives back the writer lock, which the replacement takes
    aside = _replace_journal(journal.path, _salvaged_rows(journal.path, left_out=left_out))
    log.error("%s is damaged and was rebuilt; old file: %s", journal.path, aside)
    rebuilt = _open_intact(journal.path, journal.clock)
    return rebuilt, _recovery_report(rebuilt, aside, tuple(left_out))


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
    would keep the players waiting. Raises JournalError, and then nothing has changed.
    """
    prepared = prepared_path(path)
    try:
        with closing(Journal.open_readonly(source)) as backup:
            with as_journal_error(str(path)):
                make_folder(path.parent)
            write_journal_file(_checked_rows(backup.row_reader, str(source), on_game), prepared)
    except JournalCorrupt as fault:
        # Not passed on as it is: JournalCorrupt makes callers rebuild the journal, and that is sound.
        raise JournalError(fault.expected, fault.got, fault.where, "name another copy") from fault
    with as_journal_error(str(path)):
        copy_file(prepared, replica_path(prepared))


def prepared_path(path: Path) -> Path:
    """`journal.sqlite3` -> `journal.prepared.sqlite3`: a backup that was checked and may become the journal."""
    return path.with_name(f"{path.stem}.prepared{path.suffix}")


def upload_path(path: Path) -> Path:
    """`journal.sqlite3` -> `upload.sqlite3`: a backup that a phone sends."""
    return path.with_name(f"upload{path.suffix}")


def remove_leftovers(path: Path) -> None:
    """Delete what a restore left behind that was ended or refused: it has hands. An error is logged."""
    ended = prepared_path(path), replica_path(prepared_path(path)), upload_path(path)
    building = (path.with_name(f"{file.name}.building") for file in (prepared_path(path), replacement_path(path)))
    try:
        for file in (*ended, *building):
            for suffix in ("-wal", "-shm", "-journal", ""):
                file.with_name(f"{file.name}{suffix}").unlink(missing_ok=True)
    except OSError as fault:
        log.warning("%s cannot be deleted: %s", fault.filename, fault.strerror)


def _checked_rows(backup: RowReader, where: str, on_game: OnGame) -> Iterator[Row]:
    """The rows of each game that can be played again. Raises JournalError for the first that cannot."""
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
    return _install_replacement(path, replica_path(prepared_path(path)))


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


def finish_replacement(path: Path) -> Path | None:
    """Complete a replacement that a power cut interrupted. Returns the path of the old journal, None if there was
    nothing to complete. Raises JournalError."""
    if not replacement_path(path).exists():
        return None
    with writer_lock(path):
        return _install_replacement(path)


def _replace_journal(path: Path, rows: Iterator[Row], log_bytes: bytes = b"") -> Path:
    """Replace the journal at `path` by one of these rows. Returns the path of the old one. Raises JournalError.

    `log_bytes` is the log as the start found it. If SQLite has replayed a part of it and deleted the file, it is kept
    beside the old journal."""
    with as_journal_error(str(path)):
        make_folder(path.parent)
    with writer_lock(path):
        write_journal_file(rows, replacement_path(path))
        aside = _install_replacement(path)
    if log_bytes and _log_of(aside) != log_bytes:
        with suppress(OSError):
            replace_file(aside.with_name(f"{aside.name}-wal.damaged"), log_bytes)
    return aside


def _install_replacement(path: Path, replica: Path | None = None) -> Path:
    with as_journal_error(str(path)):
        path.with_name("figures.sqlite3").unlink(missing_ok=True)  # a cache of the old journal (stats/figures_store.py)
        mark_path(path).unlink(missing_ok=True)  # durable with the folder, which the next call syncs
        return install_replacement(path, replica)


def write_journal_file(rows: Iterator[Row], target: Path, documents: Mapping[str, str] = MappingProxyType({})) -> None:
    """Write a new journal of these rows. The file gets its name only when it is complete and durable.

    `documents` (name -> text) are added; only a backup has them.

    Raises JournalError; then nothing is left. After a power cut a half-written `.building` file may remain, which the
    next call replaces.
    """
    with as_journal_error(str(target)):
        build_database(target, lambda building: _build(building, rows, documents))


def _build(building: Path, rows: Iterator[Row], documents: Mapping[str, str]) -> None:
    create_file(building)
    with closing(connect(str(building))) as database:
        prepare_database(database, str(building), mode="DELETE")  # no log beside it: one file is renamed as a whole
        with database:
            database.execute("BEGIN IMMEDIATE")
            database.executemany(INSERT_ROW, rows)
            write_documents(database, documents)


def _open_intact(path: Path, clock: Clock) -> Journal:
    """Open a journal whose current game verifies and can be played again, and update its replica.

    Raises JournalCorrupt if the current game does not verify or the replica or the mark has more rows, and UnsoundGame
    if it cannot be played again.
    """
    if replica_path(path).exists() and path.exists() and not path.stat().st_size:  # SQLite takes it for a new database
        raise JournalCorrupt(INTACT_JOURNAL, "an empty file", str(path), RECOVERY_HINT)
    if not path.exists() and not replica_path(path).exists():  # somebody begins again without games
        with as_journal_error(str(path)):
            mark_path(path).unlink(missing_ok=True)
    journal = Journal.open(path, clock)
    try:
        # The mark first: a game that has lost its last turns verifies, and can be played again.
        journal.check_mark()
        journal.current_history()
        if replica_is_ahead(replica_path(path), journal.row_reader):
            raise JournalCorrupt("all rows of its replica", "fewer", str(path), "it is rebuilt from the replica")
        # Last: no row gets into the replica before every check above has passed.
        update_replica(replica_path(path), journal.row_reader)
    except JournalError:
        journal.close()
        raise
    return journal


def _salvaged_rows(path: Path, log_bytes: bytes = b"", left_out: list[int] | None = None) -> Iterator[Row]:
    """Each game from the source that has most verified turns of it. The numbers of games that cannot be played again
    are added to `left_out`."""

    def with_log(path: Path) -> sqlite3.Connection:
        return open_image(read_file(path), log_bytes)

    def with_first_page(path: Path) -> sqlite3.Connection:
        return open_image(read_file(path), log_bytes, with_first_page=True)

    with ExitStack() as opened:
        # The replica is opened for writing: a power cut may have left it with a transaction to roll back.
        candidates = [(path, connect_readonly), (path, _connect_to_image), (replica_path(path), _connect_writable)]
        candidates += [(path, with_first_page), *([(path, with_log)] if log_bytes else [])]
        sources = [reader for file, connect in candidates if (reader := _reader_of(file, connect, opened))]
        for game in _games_in(sources, _most_games(path, log_bytes)):
            # Of equally long results the first source wins: what SQLite itself reads, before bytes read past it.
            rows = max((_intact_turns(reader, game) for reader in sources), key=len)
            if _is_sound(rows, f"{path}, game {game}"):
                yield from rows
            elif left_out is not None:
                left_out.append(game)


def _is_sound(rows: list[Row], where: str) -> bool:
    try:
        replayed(turns_in(rows, where), where)
    except UnsoundGame as fault:
        log.error("left out: %s", fault)
        return False
    except JournalError:
        return True  # an event of a newer version: this program cannot tell
    return True


def _connect_writable(path: Path) -> sqlite3.Connection:
    return connect(str(path))


def _connect_to_image(path: Path) -> sqlite3.Connection:
    return open_image(read_file(path))


def _reader_of(file: Path, connect: Callable[[Path], sqlite3.Connection], opened: ExitStack) -> RowReader | None:
    """A reader of the file; None if the file is missing or its table cannot be read."""
    if not file.exists():
        return None
    try:
        with as_journal_error(str(file)):
            return RowReader(opened.enter_context(closing(connect(file))), str(file))
    except JournalError as fault:
        log.warning("%s", fault)
        return None


def _most_games(path: Path, log_bytes: bytes) -> int:
    """As many games as journal, log and replica can hold by their size, MAX_GAMES_SEARCHED at most."""
    files = (file for file in (path, replica_path(path)) if file.exists())
    return min(sum((file.stat().st_size for file in files), len(log_bytes)) // LEAST_GAME_BYTES, MAX_GAMES_SEARCHED)


def _games_in(sources: Sequence[RowReader], most: int) -> Sequence[int]:
    """The numbers to search for. Not only those that the sources name: on a corrupt page a search passes games over.
    A source that cannot tell its last game may have `most`."""
    last = min(max((_last_game(source, most) for source in sources), default=0), MAX_GAMES_SEARCHED)
    numbers = set(range(1, last + 1))
    for source in sources:
        with suppress(JournalError):
            numbers.update(source.game_numbers())
    return sorted(numbers)


def _last_game(row_reader: RowReader, most: int) -> int:
    try:
        return row_reader.last_number()
    except JournalCorrupt:
        return most


def _intact_turns(row_reader: RowReader, game: int) -> list[Row]:
    """The verified rows before the first damage, in whole turns: the last turn before a damage may be incomplete."""
    rows = list[Row]()
    try:
        for row in row_reader.verified_rows(game):
            if row.seal is None:
                decode(row.kind, row.version, row.body)  # a row of format 1 has no other proof
            rows.append(row)
    except (JournalCorrupt, CodecError) as damage:
        log.debug("%s", damage)
        return [row for row in rows if row.turn != rows[-1].turn]
    return rows


def _recovery_report(journal: Journal, aside: Path, left_out: tuple[int, ...]) -> RecoveryReport:
    last = journal.row_reader.last()
    return RecoveryReport(sum(1 for _ in journal.games()), last.written_at if last else "", aside, left_out)
