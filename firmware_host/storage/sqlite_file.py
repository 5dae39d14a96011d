"""Opens the SQLite file of the journal, locks it for one writer, and words its errors. Its table: journal_table.py.

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
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from errno import EACCES, EROFS
from pathlib import Path
from time import monotonic, sleep

from firmware_host.errors import HostError
from firmware_host.storage.plain_file import FILE_MODE, NotPlain, check_plain, open_plain

MEMORY = ":memory:"
"""The name of a database without a file."""

SQLITE_SUFFIXES = ("-wal", "-shm", "-journal")
"""Of the files that SQLite opens beside a database."""

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
        is_disk_read_only = os.statvfs(path).f_flag & os.ST_RDONLY  # a worn SD card makes itself read-only
        code = EROFS if is_disk_read_only else EACCES
        raise OSError(code, os.strerror(code), str(path))
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
        fix = "check the disk" if fault.errno == EROFS else "name another folder, or correct its permissions"
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
