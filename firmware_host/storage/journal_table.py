"""The table of a journal: its rows with their seals, its formats, and a reader of the rows.

A row: `game` (from 1), `seq` (event of the game, from 0), `turn` (of the game, from 0), `kind`, `version` and `body`
(one event, see event_codec.py), `written_at` (UTC, ISO 8601, milliseconds) and `seal`. Primary key: (game, seq).

A backup may also have a table `document` with the text of other files, such as `people.json`: `name`, `content` and
`seal`, the CRC-32 of the content.

Rows are added, never changed and never deleted; two triggers enforce it for every program that opens the file.

Format 1 has no seals. Format 2 adds the column `seal`. A later one must change the SQL of the table, at least by a
comment: a higher number with a table that is known here is a flipped bit. `PRAGMA user_version` holds the format and
`application_id` holds "CRIB". Opening for writing migrates an older format in one transaction; opening for reading
accepts all formats.

Seal: the CRC-32 of the other columns as text, joined by NUL, started from the seal of the row before it in the same
game (0 for the first row). A chain like this detects a changed column, a missing row and rows in another order, also
where SQLite itself finds the file in order. CRC-32 detects accidents; it is no protection against a deliberate change.
Rows that were written in format 1 have a NULL seal. They are verified only by decoding them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing
from functools import cache
from typing import NamedTuple
from zlib import crc32

from firmware_host.storage.sqlite_file import (
    MEMORY,
    RECOVERY_HINT,
    JournalCorrupt,
    JournalError,
    NewerJournal,
    as_journal_error,
)

FORMAT = 2
"""The format this program writes, in `user_version`. It rises when the table changes, not when an event does."""
PAGE_BYTES = 1024
"""Page size of a new file. A turn writes whole pages and a row is short: with SQLite's default of 4096 a game wrote 2.4
times as many bytes and 1.5 times as many blocks of 4 KiB to the SD card. Files of any page size can be opened."""
APPLICATION_ID = int.from_bytes(b"CRIB", "big")
MOST_GAMES = 1_000_000
"""Highest number of a game. Games are numbered from 1, so a higher one is damaged or crafted, and nothing may count up
to it."""
_FORMAT_1 = f"""
CREATE TABLE journal (
    game INTEGER NOT NULL, seq INTEGER NOT NULL, turn INTEGER NOT NULL,
    kind TEXT NOT NULL, version INTEGER NOT NULL, body TEXT NOT NULL, written_at TEXT NOT NULL,
    PRIMARY KEY (game, seq)
) WITHOUT ROWID;
CREATE TRIGGER journal_is_never_changed BEFORE UPDATE ON journal
    BEGIN SELECT RAISE(ABORT, 'rows of a journal are never changed'); END;
CREATE TRIGGER journal_is_never_cut BEFORE DELETE ON journal
    BEGIN SELECT RAISE(ABORT, 'rows of a journal are never taken out'); END;
PRAGMA application_id = {APPLICATION_ID};
"""
_FORMAT_2 = "ALTER TABLE journal ADD COLUMN seal INTEGER;"
MIGRATIONS = (_FORMAT_1, _FORMAT_2)
"""SQL that makes each format from the one before; a new journal runs all of it. The text is part of the format: a table
is recognised by the SQL that created it, comments and messages included."""
INSERT_ROW = (
    "INSERT INTO journal (game, seq, turn, kind, version, body, written_at, seal) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)
_COLUMNS = "game, seq, turn, kind, version, body, written_at"
_TYPES = (int, int, int, str, int, str, str)
_NUMBERS = """
WITH RECURSIVE number (game) AS (
    SELECT min(game) FROM journal WHERE game > ?
    UNION ALL SELECT (SELECT min(game) FROM journal WHERE journal.game > number.game) FROM number WHERE game IS NOT NULL
) SELECT game FROM number WHERE game IS NOT NULL
"""
"""One search for each game, however many rows it has."""


class Row(NamedTuple):
    """One event as stored, columns as above. `seal` is None for a row that format 1 wrote."""

    game: int
    seq: int
    turn: int
    kind: str
    version: int
    body: str
    written_at: str
    seal: int | None

    def sealed(self, before: int | None) -> Row:
        """A copy with its seal computed. `before` is the seal of the previous row of the same game, or None."""
        text = "\0".join(map(str, self[:-1]))
        return self._replace(seal=crc32(text.encode(), before or 0))


def prepare_database(database: sqlite3.Connection, where: str, mode: str = "WAL") -> None:
    """Create the table in an empty database, or migrate an older format, in one transaction; then set `mode`
    (journal_mode).

    Raises JournalError for another program's database or a newer format, and changes nothing in it.
    """
    done = 0 if is_empty(database) else format_of(database, where)
    if done < FORMAT:
        database.execute(f"PRAGMA page_size = {PAGE_BYTES}")  # takes effect only in an empty file
        steps = "".join(MIGRATIONS[done:])
        # The number of the format is in the same transaction: after a power cut header and table still agree.
        database.executescript(f"BEGIN IMMEDIATE; {steps} PRAGMA user_version = {FORMAT}; COMMIT;")
    database.execute(f"PRAGMA journal_mode = {mode}")
    # With WAL, SQLite's NORMAL syncs only at a checkpoint: a power cut would take back turns that were shown as final.
    database.execute("PRAGMA synchronous = FULL")


def is_empty(database: sqlite3.Connection) -> bool:
    """Whether the database has no table yet, such as a file of 0 bytes."""
    (count,) = database.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    return bool(count == 0)


def format_of(database: sqlite3.Connection, where: str) -> int:
    """The format of a journal, from 1 to FORMAT.

    Raises JournalError for another program's database and for a newer format. Raises JournalCorrupt where the table is
    a journal's but the application id or the format number is not: a bit of the header was flipped."""
    ((application,), (version,)) = (
        database.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version")
    )
    table = _format_of_table(database)
    # Neither mark is ours: somebody else's file, which must not be "repaired". With one of the two a bit was flipped.
    if application != APPLICATION_ID and table is None:
        raise JournalError("a journal of cribboard", "the database of another program", where, "name another file")
    # A newer format has another table, which cannot be known here. With a table of ours it is the number that changed.
    if application == APPLICATION_ID and version > FORMAT and table is None:
        fix = "update cribboard, a newer one wrote it"
        raise NewerJournal(f"format {FORMAT} at most", f"format {version}", where, fix)
    if (application, version) != (APPLICATION_ID, table):
        raise JournalCorrupt("the header and the table of one journal format", "a mixture", where, RECOVERY_HINT)
    return int(version)


def _format_of_table(database: sqlite3.Connection) -> int | None:
    schema = _schema(database)
    return next((number for number in range(FORMAT, 0, -1) if schema == _schema_of(number)), None)


def _schema(database: sqlite3.Connection) -> list[tuple[str]]:
    """The SQL of the table `journal` and its triggers. Other tables, indexes that somebody added and the statistics of
    ANALYZE do no harm: rows are verified whatever path SQLite reads them by."""
    return database.execute(
        "SELECT sql FROM sqlite_schema WHERE tbl_name = 'journal' AND type IN ('table', 'trigger') ORDER BY name"
    ).fetchall()


def has_table(database: sqlite3.Connection, name: str, where: str) -> bool:
    """Whether there is a table of this name, which only has what was written into it. Raises JournalCorrupt for a view,
    a virtual table or computed columns: reading those can take for ever, or all memory."""
    found = database.execute("SELECT type, sql FROM sqlite_schema WHERE name = ?", (name,)).fetchone()
    if found is None:
        return False
    (computed,) = database.execute("SELECT count(*) FROM pragma_table_xinfo(?) WHERE hidden", (name,)).fetchone()
    if found[0] != "table" or not found[1].upper().startswith("CREATE TABLE") or computed:
        raise JournalCorrupt(f"a table {name}", f"a {found[0]} of another kind", where, RECOVERY_HINT)
    return True


def write_documents(database: sqlite3.Connection, documents: Mapping[str, str]) -> None:
    """Add documents (name -> text) to a backup, in the table `document`; no table without documents. Raises
    sqlite3.Error."""
    if documents:
        database.execute("CREATE TABLE document (name TEXT PRIMARY KEY, content TEXT NOT NULL, seal INTEGER NOT NULL)")
        rows = [(name, content, crc32(content.encode())) for name, content in documents.items()]
        database.executemany("INSERT INTO document VALUES (?, ?, ?)", rows)


def read_documents(database: sqlite3.Connection, where: str) -> Mapping[str, str]:
    """The documents of a backup: name -> text. Raises sqlite3.Error, and JournalCorrupt for a changed document."""
    if not has_table(database, "document", where):
        return {}
    documents = dict[str, str]()
    for name, content, seal in database.execute("SELECT name, content, seal FROM document"):
        if not isinstance(content, str) or crc32(content.encode()) != seal:
            raise JournalCorrupt("the document as it was written", "a changed one", f"{where}, {name}", RECOVERY_HINT)
        documents[name] = content
    return documents


@cache
def _schema_of(version: int) -> list[tuple[str]]:
    with closing(sqlite3.connect(":memory:")) as blank:
        blank.executescript("".join(MIGRATIONS[:version]))
        return _schema(blank)


@cache
def first_page(page_bytes: int) -> bytes:
    """The first page of a journal: the header and the definition of the table, whose rows begin on page 2 in every
    journal that this program made."""
    with closing(sqlite3.connect(MEMORY)) as blank:
        blank.execute(f"PRAGMA page_size = {page_bytes}")
        blank.executescript(f"BEGIN; {''.join(MIGRATIONS)} PRAGMA user_version = {FORMAT}; COMMIT;")
        return blank.serialize()[:page_bytes]


class RowReader:
    """Reads the rows of a journal of any format. The format is taken from the table, because the header may be corrupt.

    Every method raises JournalError, and JournalCorrupt where the file does not hold what was written.
    """

    def __init__(self, database: sqlite3.Connection, where: str) -> None:
        with as_journal_error(where):
            table = _format_of_table(database)
        if table is None:
            raise JournalCorrupt("the table of a journal", "another table", where, RECOVERY_HINT)
        seal = "seal" if table > 1 else "NULL"
        self._database = database
        self._where = where
        self._select = f"SELECT {_COLUMNS}, {seal} FROM journal"

    def last(self) -> Row | None:
        """The last row of the last game, not verified; None in an empty journal."""
        return next(self._select_rows("ORDER BY game DESC, seq DESC LIMIT 1"), None)

    def last_number(self) -> int:
        """The highest number that can be a game's; 0 in an empty journal."""
        with as_journal_error(self._where):
            query = "SELECT game FROM journal WHERE game <= ? ORDER BY game DESC, seq DESC LIMIT 1"
            (number,) = self._database.execute(query, (MOST_GAMES,)).fetchone() or (0,)
        return number if isinstance(number, int) else 0

    def at(self, game: int, seq: int) -> Row | None:
        """One row, not verified; None if there is no such row."""
        return next(self._select_rows("WHERE game = ? AND seq = ?", game, seq), None)

    def of(self, game: int) -> list[Row]:
        """The rows of a game, all verified by their seals; [] for a game that is not there. Raises JournalCorrupt."""
        return list(self.verified_rows(game))

    def last_of(self, game: int) -> Row | None:
        """The last row of a game, not verified; None for a game that is not there."""
        return next(self._select_rows("WHERE game = ? ORDER BY seq DESC LIMIT 1", game), None)

    def game_numbers(self, after: int = 0) -> Iterator[int]:
        """The numbers of the games that have rows, rising from the first one after `after`. Games can be missing in
        between."""
        with as_journal_error(self._where):
            for (number,) in self._database.execute(_NUMBERS, (after,)):
                _check_number(number, self._where)
                yield number

    def verified_rows(self, game: int) -> Iterator[Row]:
        """The rows of a game, verified one by one: yields those before the damage, then raises JournalCorrupt."""
        before = None
        last = self._last_of(game)
        where = f"{self._where}, game {game}"
        # Not `WHERE game = ?`, which would silently leave out a row whose key is corrupt: reading on from the first key
        # to the next game meets every row in between.
        with closing(self._select_rows("WHERE (game, seq) >= (?, 0) ORDER BY game, seq", game)) as rows:
            for seq, row in enumerate(rows):
                if row.game != game and row.seq == 0:  # the next game
                    break
                if (row.game, row.seq) != (game, seq):  # a row with a corrupt key may lie between two of this game
                    of_another = f" of game {row.game}" if row.game != game else ""
                    raise JournalCorrupt(f"event {seq}", f"event {row.seq}{of_another}", where, RECOVERY_HINT)
                if row.seal is not None and row != row.sealed(before.seal if before else None):
                    raise _wrong_seal(f"{where}, event {seq}")
                before = row
                yield row
        if isinstance(last, JournalCorrupt):
            raise last  # only now: recovery wants every row before the damage
        if last and (before is None or before.seq < last.seq):
            raise JournalCorrupt(f"events up to {last.seq}", "fewer", where, RECOVERY_HINT)

    def _last_of(self, game: int) -> Row | JournalCorrupt | None:
        """The last row of a game, found by a search from its other end; or the error of that search.

        On a corrupt page a search can go astray and find fewer rows than there are. The two searches must agree.
        """
        try:
            return self.last_of(game)
        except JournalCorrupt as damage:
            return damage

    def rows_after(self, last: Row | None) -> Iterator[Row]:
        """The rows after `last`, or all rows for None, verified by their seals. Raises JournalCorrupt."""
        game, seq = (last.game, last.seq) if last else (0, 0)  # games count from 1: before every row
        for row in self._select_rows("WHERE (game, seq) > (?, ?) ORDER BY game, seq", game, seq):
            if row.seal is not None and row != row.sealed(last.seal if last and last.game == row.game else None):
                raise _wrong_seal(f"{self._where}, game {row.game}, event {row.seq}")
            last = row
            yield row

    def _select_rows(self, where: str, *values: int) -> Generator[Row, None, None]:
        with as_journal_error(self._where):
            for columns in self._database.execute(f"{self._select} {where}", values):
                # SQLite stores any type in any column, so one flipped bit in the head of a row makes text of a number.
                if tuple(map(type, columns[:-1])) != _TYPES:
                    raise JournalCorrupt("columns of the types of an event", "other types", self._where, RECOVERY_HINT)
                _check_number(columns[0], self._where)
                yield Row(*columns)


def _check_number(game: object, where: str) -> None:
    """Raises JournalCorrupt for a number that no game has."""
    if not isinstance(game, int) or not 0 < game <= MOST_GAMES:
        raise JournalCorrupt(f"the number of a game, {MOST_GAMES} at most", repr(game)[:40], where, RECOVERY_HINT)


def _wrong_seal(where: str) -> JournalCorrupt:
    return JournalCorrupt("the event as it was written", "a changed event", where, RECOVERY_HINT)
