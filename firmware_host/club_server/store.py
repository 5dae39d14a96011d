"""The file of a club, `club.sqlite3`: one table `event`, one row for each event, one transaction for each row.

A row: `seq` (from 1, without gaps), `kind`, `version` and `body` (the event in JSON), `written_at` (UTC, ISO 8601) and
`seal`. Members are events too, so the one table is also the audit of who was added or renamed, and when. Rows are
added, never changed and never deleted; two triggers enforce it for every program.

A command is decided inside the transaction that writes its event, on the club as it is then. So two programs can have
the file open: neither decides on old results, and a result is written once or not at all. The file is in WAL mode with
`synchronous=FULL`: an event that `change` returned is on the disk.

Seal: the CRC-32 of the other columns, joined by NUL, started from the seal of the row before, as in the journal.

`club.spare.sqlite3` is the replica, which gets each event after the file. Whoever opens the club reads both, from the
first event to the last, and repairs what is damaged: see recovery.py.
"""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, Self
from zlib import crc32

from firmware_host.club import events as e
from firmware_host.club.evolve import evolve
from firmware_host.club.state import Club
from firmware_host.errors import HostError
from firmware_host.storage.atomic_file import make_folder
from firmware_host.storage.event_codec import RulesIn, plain, read_plain
from firmware_host.storage.plain_file import NotPlain, open_plain
from firmware_host.storage.round_trip import Columns, NotReadable, encode_checked
from firmware_host.storage.sqlite_file import (
    closed_on_error,
    connect,
    create_file,
    is_damage,
    set_journal_mode,
    where_not_plain,
)

VERSION = 3
"""Version of the events. When the fields of an event change, raise it and convert the bodies of earlier versions.
1: the first version. 2: `result_confirmed` has `board`, `id` and `revision`; without them it was no board.
3: `result_reported` and `result_confirmed` have `phone`; without it it was none."""

FORMAT = 1
"""Format of the table, in `user_version`."""

APPLICATION_ID = int.from_bytes(b"CLUB", "big")

BUSY_S = 10.0
"""How long a command waits for another program that writes, in seconds."""

EVENTS: Mapping[str, type[e.Event]] = {
    "member_added": e.MemberAdded,
    "member_changed": e.MemberChanged,
    "member_removed": e.MemberRemoved,
    "night_created": e.NightCreated,
    "player_entered": e.PlayerEntered,
    "player_left": e.PlayerLeft,
    "leave_undone": e.LeaveUndone,
    "round_paired": e.RoundPaired,
    "round_arranged": e.RoundArranged,
    "round_unpaired": e.RoundUnpaired,
    "result_reported": e.ResultReported,
    "result_confirmed": e.ResultConfirmed,
    "result_signed": e.ResultSigned,
    "result_corrected": e.ResultCorrected,
    "result_chosen": e.ResultChosen,
    "result_received": e.ResultReceived,
    "result_unmatched": e.ResultUnmatched,
    "unmatched_seen": e.UnmatchedSeen,
    "phone_joined": e.PhoneJoined,
    "phone_released": e.PhoneReleased,
    "join_code_set": e.JoinCodeSet,
    "board_joined": e.BoardJoined,
    "board_released": e.BoardReleased,
    "high_hands_noted": e.HighHandsNoted,
    "bracket_drawn": e.BracketDrawn,
    "match_reported": e.MatchReported,
    "match_tables_swapped": e.MatchTablesSwapped,
}
"""Kind -> event class. Kinds may be added, and never renamed."""

KINDS: Mapping[type[e.Event], str] = {event: kind for kind, event in EVENTS.items()}
RULES_IN: RulesIn = {e.NightCreated: ("settings", "rules")}

_SCHEMA = f"""
CREATE TABLE event (
    seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, version INTEGER NOT NULL, body TEXT NOT NULL,
    written_at TEXT NOT NULL, seal INTEGER NOT NULL
);
CREATE TRIGGER event_is_never_changed BEFORE UPDATE ON event
    BEGIN SELECT RAISE(ABORT, 'events of a club are never changed'); END;
CREATE TRIGGER event_is_never_deleted BEFORE DELETE ON event
    BEGIN SELECT RAISE(ABORT, 'events of a club are never deleted'); END;
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {FORMAT};
"""

INSERT_ROW = "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?)"

REPAIR_HINT = "open the club with any command: it is repaired from the replica and the file"

Clock = Callable[[], datetime]
"""Returns the time of day, in UTC."""


class ClubFileError(HostError):
    """The file of the club cannot be opened, read or written. Nothing was changed."""


class ClubInUse(ClubFileError):
    """Another program uses the club."""


class NewerClubFile(ClubFileError):
    """A newer cribboard wrote the file."""


class ClubFileDamaged(ClubFileError):
    """The file does not hold what was written into it. `recovery.open_or_recover` repairs it."""


class UnreadableEvent(ClubFileError):
    """The file could not be read any more with this event in it. Nothing was written."""


class Record(NamedTuple):
    """One row. `written_at` is ISO 8601 in UTC; `body` is the event in JSON."""

    seq: int
    written_at: str
    kind: str
    body: str
    event: e.Event


class ClubFile:
    """Open one with `ClubFile.open`; `close` it. Every method raises ClubFileError."""

    def __init__(self, database: sqlite3.Connection, path: Path, clock: Clock, lock: int) -> None:
        self._database = database
        self._path = path
        self._clock = clock
        self._lock = lock
        self._club = Club()
        self._seq = 0
        self._seal = 0
        self.after_change: Callable[[], object] = lambda: None
        """Called when an event is on the disk: the replica gets it, too."""

    @classmethod
    def open(cls, path: Path, clock: Clock = lambda: datetime.now(UTC)) -> Self:
        """Open for reading and writing, and verify every event. Makes the file and its folder if they are missing.

        Raises ClubFileError, and ClubFileDamaged for a file that has to be repaired; nothing was changed then."""
        with as_club_file_error(path):
            make_folder(path.parent)
            lock = _lock(path, fcntl.LOCK_SH)
            try:
                create_file(path)
                with closed_on_error(connect(str(path), timeout_s=BUSY_S)) as database:
                    prepare(database, path)
                    opened = cls(database, path, clock, lock)
                    opened._read_on()
            except BaseException:
                os.close(lock)
                raise
            return opened

    def close(self) -> None:
        """Close the file. Nothing waits to be written."""
        self._database.close()
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    @property
    def club(self) -> Club:
        """The club after all events in the file, also those that another program has just written."""
        with as_club_file_error(self._path):
            self._read_on()
            return self._club

    def records(self) -> Iterator[Record]:
        """All rows, the oldest first. The seals are checked when the club is read."""
        with as_club_file_error(self._path):
            select = "SELECT seq, written_at, kind, version, body FROM event ORDER BY seq"
            for seq, written_at, kind, version, body in self._database.execute(select):
                yield Record(seq, written_at, kind, body, decode(kind, version, body, str(self._path)))

    def change(self, decide: Callable[[Club], e.Event]) -> e.Event:
        """Write the event that `decide` makes of the club as it is now, and return it when it is on the disk.

        What `decide` raises passes through, and then nothing is written. Raises UnreadableEvent for an event that could
        not be read again.
        """
        (event,) = self.change_all(lambda club: [decide(club)])
        return event

    def change_if_needed(self, decide: Callable[[Club], e.Event | None]) -> e.Event | None:
        """As `change`, with a `decide` that may return None: then nothing is written, and None is returned."""

        def events(club: Club) -> list[e.Event]:
            event = decide(club)
            return [] if event is None else [event]

        return next(iter(self.change_all(events)), None)

    def change_all(self, decide: Callable[[Club], Sequence[e.Event]]) -> Sequence[e.Event]:
        """As `change`, with several events, in order: all are written, or none."""
        with as_club_file_error(self._path), transaction(self._database):
            self._read_on()
            events = decide(self._club)
            club, seq, seal = self._club, self._seq, self._seal
            for event in events:
                club = evolve(club, event)  # before the row is written: an event that has no effect is a bug
                seq += 1
                columns = (seq, *self._columns(event), self._clock().isoformat(timespec="milliseconds"))
                seal = seal_of(columns, seal)
                self._database.execute(INSERT_ROW, (*columns, seal))
        self._club, self._seq, self._seal = club, seq, seal
        if events:
            self.after_change()
        return events

    def _columns(self, event: e.Event) -> Columns:
        where = str(self._path)
        try:
            return encode_checked(event, encode, lambda kind, version, body: decode(kind, version, body, where))
        except NotReadable as fault:
            fix = "report what was entered or sent; nothing was written"
            raise UnreadableEvent("an event that can be read again", str(fault), where, fix) from fault

    def _read_on(self) -> None:
        """Apply the rows that were written since the last time."""
        select = "SELECT seq, kind, version, body, written_at, seal FROM event WHERE seq > ? ORDER BY seq"
        for *columns, seal in self._database.execute(select, (self._seq,)):
            if columns[0] != self._seq + 1 or seal != seal_of(tuple(columns), self._seal):
                raise _corrupt(f"{self._path}, event {self._seq + 1}")
            _, kind, version, body, _ = columns
            self._club = evolved(self._club, decode(kind, version, body, str(self._path)), self._path)
            self._seq = columns[0]
            self._seal = seal


@contextmanager
def alone_with(path: Path) -> Iterator[None]:
    """No program has the file open during the block: for a restore, which exchanges it. Raises ClubFileError."""
    with as_club_file_error(path):
        lock = _lock(path, fcntl.LOCK_EX)
    try:
        yield
    finally:
        os.close(lock)


def _lock(path: Path, kind: int) -> int:
    """The descriptor that holds the lock of the club, which is a file of its own. Raises ClubFileError at once if it
    cannot be had."""
    descriptor = open_plain(path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT)
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError as fault:
        os.close(descriptor)
        fix = "end the other one, such as `cribboard club serve`, and try again"
        raise ClubInUse("a club that no other program uses", "one in use", str(path), fix) from fault
    return descriptor


def encode(event: e.Event) -> tuple[str, int, str]:
    """The kind, version and JSON body of an event."""
    body = json.dumps(plain(event, RULES_IN), separators=(",", ":"), ensure_ascii=False)
    return KINDS[type(event)], VERSION, body


def decode(kind: str, version: int, body: str, where: str) -> e.Event:
    """The inverse of `encode`. Raises ClubFileError for anything that `encode` cannot have written."""
    if version > VERSION or kind not in EVENTS:
        got = f"{kind!r} in version {version}"
        raise NewerClubFile("an event that this cribboard knows", got, where, "update cribboard, a newer one wrote it")
    try:
        return read_plain(json.loads(body), EVENTS[kind], RULES_IN)
    except (TypeError, ValueError, LookupError, AttributeError, RecursionError) as fault:
        raise _corrupt(f"{where}, {kind}") from fault


def seal_of(columns: tuple[object, ...], before: int) -> int:
    """The CRC-32 of the columns of a row as text, joined by NUL, begun from the seal of the row before (0: none)."""
    return crc32("\0".join(map(str, columns)).encode(), before)


def prepare(database: sqlite3.Connection, path: Path, mode: str = "WAL") -> None:
    """Create the table in an empty file, and check the format of another one. Raises ClubFileError."""
    with transaction(database):  # of two programs that open a new file only one creates the table
        (tables,) = database.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        if not tables:
            for statement in _statements(_SCHEMA):
                database.execute(statement)
    check_format(database, path)
    set_journal_mode(database, mode, BUSY_S)
    database.execute("PRAGMA synchronous = FULL")


def check_format(database: sqlite3.Connection, path: Path) -> None:
    """Raises ClubFileError for the database of another program, NewerClubFile for a newer one, and ClubFileDamaged
    where the table is that of a club but the application id or the number of the format is not. A newer format has
    another table."""
    (application,) = database.execute("PRAGMA application_id").fetchone()
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if (application, version) == (APPLICATION_ID, FORMAT):
        return
    if has_table_of_club(database):
        raise ClubFileDamaged("the header of a club", "another one", str(path), REPAIR_HINT)
    if application != APPLICATION_ID:
        raise ClubFileError("a file of a club", "the database of another program", str(path), "name another folder")
    raise NewerClubFile(f"format {FORMAT} at most", f"format {version}", str(path), "update cribboard")


def has_table_of_club(database: sqlite3.Connection) -> bool:
    """Whether the table is the one that this program makes, comments and messages included."""
    found = database.execute("SELECT sql FROM sqlite_schema WHERE tbl_name = 'event' ORDER BY name").fetchall()
    statements = sorted(filter(_creates, _statements(_SCHEMA)), key=lambda text: text.split()[2])
    return [sql for (sql,) in found] == [text.strip().removesuffix(";") for text in statements]


def _creates(statement: str) -> bool:
    return statement.lstrip().startswith("CREATE")


def _statements(script: str) -> Iterator[str]:
    """The statements of a script one by one, because `executescript` would end the transaction."""
    statement = ""
    for line in script.splitlines():
        statement += f"{line}\n"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


@contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[None]:
    """Commits at the end, and rolls back where an exception leaves it."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        if database.in_transaction:
            database.execute("ROLLBACK")
        raise


def evolved(club: Club, event: e.Event, where: Path) -> Club:
    """The club after one event of its file. Raises ClubFileDamaged for one that cannot follow the events before it."""
    try:
        return evolve(club, event)
    except (TypeError, ValueError, LookupError, AttributeError, AssertionError) as fault:
        raise _corrupt(f"{where}, {KINDS[type(event)]}") from fault


def _corrupt(where: str) -> ClubFileDamaged:
    return ClubFileDamaged("the event as it was written", "a changed or damaged one", where, REPAIR_HINT)


@contextmanager
def as_club_file_error(path: Path) -> Iterator[None]:
    """Turns OSError and sqlite3.Error into a ClubFileError or ClubFileDamaged that names the file and the fix."""
    try:
        yield
    except NotPlain as fault:
        fix = "move it away; for a club on another disk, set state_folder"
        where = where_not_plain(fault, str(path))
        raise ClubFileError("a file of its own", str(fault.strerror), where, fix) from fault
    except OSError as fault:
        got = fault.strerror or str(fault)
        fix = "name another folder, or correct its permissions"
        raise ClubFileError("a file that can be made and written", got, str(path), fix) from fault
    except (UnicodeDecodeError, MemoryError) as fault:  # SQLite quotes damaged SQL, and believes every length
        raise _corrupt(str(path)) from fault
    except sqlite3.Error as fault:
        if is_damage(fault):
            raise ClubFileDamaged("an intact file of a club", str(fault), str(path), REPAIR_HINT) from fault
        fix = "check the disk, who owns the file, and whether another program has it open"
        raise ClubFileError("a file of a club that can be read and written", str(fault), str(path), fix) from fault


@contextmanager
def open_club(path: Path) -> Iterator[ClubFile]:
    """The file of a club for the time of a block. Raises ClubFileError."""
    from firmware_host.club_server.recovery import open_or_recover  # it uses this module

    with closing(open_or_recover(path)) as file:
        yield file
