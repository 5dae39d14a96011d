"""Opens the journal, and rebuilds it if the SD card corrupted it.

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

The rebuilt file replaces the old one as journal_replacement.py describes.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path

from msgspec import Struct

from firmware_host.storage.atomic_file import make_folder, replace_file
from firmware_host.storage.event_codec import CodecError, decode
from firmware_host.storage.high_water_mark import mark_path
from firmware_host.storage.journal import Clock, Journal, JournalCorrupt, JournalError, now, turns_in
from firmware_host.storage.journal_replacement import (
    finish_replacement,
    install_journal,
    remove_leftovers,
    write_journal_file,
)
from firmware_host.storage.journal_table import Row, RowReader
from firmware_host.storage.log_image import open_image
from firmware_host.storage.plain_file import read_file
from firmware_host.storage.replacement import replacement_path
from firmware_host.storage.replica import replica_is_ahead, replica_path, update_replica
from firmware_host.storage.sound_game import UnsoundGame, replayed
from firmware_host.storage.sqlite_file import (
    INTACT_JOURNAL,
    RECOVERY_HINT,
    as_journal_error,
    connect,
    connect_readonly,
    writer_lock,
)

log = logging.getLogger(__name__)

MAX_GAMES_SEARCHED = 50_000
"""Number of games to search for one by one in a damaged file."""
MOST_LOG_BYTES = 64 * 1024 * 1024
"""Of a write-ahead log: ten times what SQLite lets it grow to. A longer one has a damaged length."""
LEAST_GAME_BYTES = 128
"""No game takes fewer: its first row has more, the rules and the names of the players."""


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


def rebuild(journal: Journal) -> tuple[Journal, RecoveryReport]:
    """Rebuild a journal that can be read but not written. Returns the new one, and what was recovered. The old file is
    kept.

    The list of free bytes in a page is read only when a row is added, so a damage there passes every check of a start.
    Raises JournalError; then `journal` is closed.
    """
    assert journal.path, "a journal in memory cannot be damaged"
    left_out = list[int]()
    journal.close()  # gives back the writer lock, which the replacement takes
    aside = _replace_journal(journal.path, _salvaged_rows(journal.path, left_out=left_out))
    log.error("%s is damaged and was rebuilt; old file: %s", journal.path, aside)
    rebuilt = _open_intact(journal.path, journal.clock)
    return rebuilt, _recovery_report(rebuilt, aside, tuple(left_out))


def _replace_journal(path: Path, rows: Iterator[Row], log_bytes: bytes = b"") -> Path:
    """Replace the journal at `path` by one of these rows. Returns the path of the old one. Raises JournalError.

    `log_bytes` is the log as the start found it. If SQLite has replayed a part of it and deleted the file, it is kept
    beside the old journal."""
    with as_journal_error(str(path)):
        make_folder(path.parent)
    with writer_lock(path):
        write_journal_file(rows, replacement_path(path))
        aside = install_journal(path)
    if log_bytes and _log_of(aside) != log_bytes:
        with suppress(OSError):
            replace_file(aside.with_name(f"{aside.name}-wal.damaged"), log_bytes)
    return aside


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
