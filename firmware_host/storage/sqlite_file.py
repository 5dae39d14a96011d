"""The SQLite file of the journal: its table, formats, seals and errors.

Files in the state folder, for a journal named `journal.sqlite3`:

| file | content |
|---|---|
| `journal.sqlite3` | the journal: one table `journal`, one row per event |
| `journal.sqlite3-wal`, `-shm` | SQLite's write-ahead log and its index; a turn is durable once it is in the log |
| `journal.sqlite3.lock` | an empty database that the writing process locks (`writer_lock`) |
| `journal.spare.sqlite3` | the replica, updated at each start and when a game is won (replica.py) |
| `journal.spare.aside-DATE.sqlite3` | a replica that was damaged; replica.py says when it is deleted |
| `journal.restored.sqlite3` | a complete replacement, about to become the journal (journal_replacement.py) |
| `journal.aside-DATE.sqlite3` | a journal that was replaced; the program never deletes it |

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

import os
import sqlite3
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from errno import EACCES
from functools import cache
from pathlib import Path
from time import monotonic, sleep
from typing import NamedTuple
from zlib import crc32

from firmware_host.errors import HostError
from firmware_host.storage.plain_file import FILE_MODE, NotPlain, check_plain, open_plain

FORMAT = 2
"""The format this program writes, in `user_version`. It rises when the table changes, not when an event does."""

PAGE_BYTES = 1024
"""Page size of a new file. A turn writes whole pages and a row is short: with SQLite's default of 4096 a game wrote 2.4
times as many bytes and 1.5 times as many blocks of 4 KiB to the SD card. Files of any page size can be opened."""

MEMORY = ":memory:"
"""The name of a database without a file."""

SQLITE_SUFFIXES = ("-wal", "-shm", "-journal")
"""Of the files that SQLite opens beside a database."""

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

BUSY_PAUSE_S = 0.02
"""Pause before a file that another program writes is tried again."""

_OTHER_WRITER = "to be the only writer", "stop the other cribboard, or the program that has the file open"
INTACT_JOURNAL = "an intact journal"
RECOVERY_HINT = "start the board: it moves the file aside and recovers the games from the replica and the file"
_CORRUPT = INTACT_JOURNAL, RECOVERY_HINT
_UNWRITABLE = "a file that can be opened and written", "check who owns the file and its folder"
_ERROR_HINTS = {
    sqlite3.SQLITE_BUSY: _OTHER_WRITER,
    sqlite3.SQLITE_CONSTRAINT: _OTHER_WRITER,  # a row of this game and number is there: another program wrote it
    sqlite3.SQLITE_CORRUPT: _CORRUPT,
    sqlite3.SQLITE_NOTADB: _CORRUPT,
    sqlite3.SQLITE_ERROR: _CORRUPT,  # our SQL is valid, so the table or the file is not
    sqlite3.SQLITE_FULL: ("room on the disk", "free some space; the turn was not written"),
    sqlite3.SQLITE_CANTOPEN: _UNWRITABLE,
    sqlite3.SQLITE_PERM: _UNWRITABLE,
    sqlite3.SQLITE_READONLY: _UNWRITABLE,
}
"""Primary error code of SQLite -> what was expected, and the fix."""
_UNREADABLE_CODES = frozenset(
    {sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_CORRUPTFS}
)
_OTHER_ERROR = "a working disk", "check the disk"


class JournalError(HostError):
    """The journal cannot be opened, read or written. Nothing was changed, and the file itself may be intact."""


class JournalCorrupt(JournalError):
    """The file does not hold what was written into it. `recovery.open_or_recover` can repair it."""


class NewerJournal(JournalError):
    """A newer program wrote the file, or an event in it."""


class Row(NamedTuple):
    """One event as stored, columns as in the module docstring. `seal` is None for a row that format 1 wrote."""

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


def connect(database: str, *, uri: bool = False, timeout_s: float = 1.0) -> sqlite3.Connection:
    """A connection in autocommit mode: transactions begin with an explicit BEGIN. Raises sqlite3.Error, and NotPlain
    for a link or a pipe in place of it or of a file that SQLite opens beside it."""
    if not uri and database != MEMORY:
        _check_files(Path(database))
    # The main thread opens it and the host thread uses it; never both at a time.
    opened = sqlite3.connect(database, uri=uri, timeout=timeout_s, isolation_level=None, check_same_thread=False)
    opened.text_factory = lambda text: text.decode("utf-8", "replace")  # the seal reports a corrupt letter
    return opened


@contextmanager
def closed_on_error(database: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Close the connection where an exception leaves the block; otherwise it stays open, for the caller."""
    try:
        yield database
    except BaseException:
        database.close()
        raise


def set_journal_mode(database: sqlite3.Connection, mode: str, timeout_s: float) -> None:
    """Set `journal_mode`. While another program is about to write, SQLite refuses that at once, whatever the timeout of
    the connection: so this tries it again for `timeout_s`. Raises sqlite3.Error."""
    end_s = monotonic() + timeout_s
    while True:
        try:
            database.execute(f"PRAGMA journal_mode = {mode}")
        except sqlite3.OperationalError as fault:
            if fault.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() > end_s:
                raise
            sleep(BUSY_PAUSE_S)
        else:
            return


def connect_readonly(path: Path) -> sqlite3.Connection:
    """A connection that cannot write; the file must exist. Raises as `connect`."""
    _check_files(path)
    return connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


def _check_files(database: Path) -> None:
    """SQLite follows no link to its logs, but its message names neither the link nor what to do. Raises NotPlain."""
    for suffix in ("", *SQLITE_SUFFIXES):
        check_plain(database.with_name(f"{database.name}{suffix}"))


def create_file(path: Path) -> None:
    """Create an empty database file that only its owner can read, and take the right from others where it exists: it
    has names and hands. SQLite gives its log files the same mode. Raises OSError, and NotPlain for a link or a pipe."""
    check_plain(path)
    # A file that exists is never opened here: POSIX releases all locks that a process has on a file when it closes any
    # descriptor of it. Without its locks another program takes itself for the last one, and deletes SQLite's log.
    if not path.exists():
        with suppress(FileExistsError):  # another process was faster
            os.close(open_plain(path, os.O_RDWR | os.O_CREAT | os.O_EXCL))
        check_plain(path)
    elif not os.access(path, os.R_OK | os.W_OK):
        raise PermissionError(EACCES, os.strerror(EACCES), str(path))
    if path.stat().st_mode & 0o077:
        with suppress(PermissionError):  # the file of another user
            path.chmod(FILE_MODE)


@contextmanager
def writer_lock(path: Path) -> Iterator[None]:
    """Hold the exclusive right to write the journal at `path`. Raises JournalError at once if another process has it.

    The lock is a separate file, so that others can read the journal meanwhile. The system releases it when the process
    ends, however it ends.
    """
    lock_file = path.with_name(f"{path.name}.lock")
    with as_journal_error(str(lock_file)):
        create_file(lock_file)
        _empty(lock_file)
    # Not waited for: the other one is a board that runs for hours, and the person at the terminal should be told now.
    with as_journal_error(str(path)), closing(connect(str(lock_file), timeout_s=0)) as lock:
        lock.execute("BEGIN EXCLUSIVE")
        yield


def _empty(lock_file: Path) -> None:
    """Take out what a damaged disk has put into the lock: SQLite refuses to lock what is no database. Nothing is
    opened where the lock is empty, as `create_file` explains. Raises OSError."""
    if lock_file.stat().st_size:
        os.close(open_plain(lock_file, os.O_WRONLY | os.O_TRUNC))


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
        """The same one by one: yields the rows before the damage, then raises JournalCorrupt."""
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


def is_damage(fault: sqlite3.Error) -> bool:
    """Whether the file does not hold what was written into it."""
    code = getattr(fault, "sqlite_errorcode", None)
    return code is not None and _hint(code) == _CORRUPT


def _hint(code: int) -> tuple[str, str]:
    """What was expected, and the fix. Extended codes first: a disk that cannot be read is a damage, one that cannot be
    written is not. The low byte is the primary code."""
    return _CORRUPT if code in _UNREADABLE_CODES else _ERROR_HINTS.get(code & 0xFF, _OTHER_ERROR)


def where_not_plain(fault: NotPlain, where: str) -> str:
    """The file that is none, which can be one beside `where`. The fault names the last part alone for a file that was
    opened folder by folder."""
    return fault.filename if os.path.isabs(fault.filename) else where


@contextmanager
def as_journal_error(where: str) -> Iterator[None]:
    """Turn OSError and sqlite3.Error into a JournalError or JournalCorrupt that names `where` and the fix.

    sqlite3.ProgrammingError has no error code, for example after `close`; it is a bug of this program and passes
    unchanged.
    """
    try:
        yield
    except NotPlain as fault:
        fix = "move it away; for games on another disk, set state_folder"
        raise JournalError("a file of its own", str(fault.strerror), where_not_plain(fault, where), fix) from fault
    except OSError as fault:
        got = fault.strerror or str(fault)
        fix = "name another folder, or correct its permissions"
        raise JournalError("a folder that can be made and written", got, where, fix) from fault
    except UnicodeDecodeError as fault:  # SQLite quotes the corrupt SQL of the table in its message
        raise JournalCorrupt(INTACT_JOURNAL, "a corrupt table definition", where, RECOVERY_HINT) from fault
    except MemoryError as fault:  # SQLite believes every length in a corrupt file
        raise JournalCorrupt(INTACT_JOURNAL, "a length beyond the memory", where, RECOVERY_HINT) from fault
    except sqlite3.Error as fault:
        code = getattr(fault, "sqlite_errorcode", None)
        if code is None:
            raise
        expected, fix = _hint(code)
        kind = JournalCorrupt if expected == INTACT_JOURNAL else JournalError
        raise kind(expected, str(fault), where, fix) from fault
