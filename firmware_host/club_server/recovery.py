"""Opens the file of a club, and repairs it: a season gets what the score of a family has.

| found when a club is opened | action |
|---|---|
| `club.restored.sqlite3` exists: the power failed during a repair | complete it |
| every event verifies, and the replica ends with one of them | the replica gets the events that it lacks |
| every event verifies, and the replica is damaged or that of another club | it is moved aside and written again |
| an event, the header or the table is damaged | rebuild |
| no file, or an empty one, or fewer events than in the replica | rebuild |
| another program's database, or a newer format | ClubFileError; nothing is changed |

Rebuild: each event is taken from the file, from its bytes in memory (storage/log_image.py), or from the replica, where
its seal verifies. The seal of a row is computed from that of the row before; where that row is damaged, its seal as
stored and as computed are both tried. An event that verifies nowhere, or that cannot follow the others, is left out and
logged; the events that are left are numbered and sealed anew. The old files are moved aside (storage/replacement.py),
and the program never deletes them. While another program has the club open nothing is repaired.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any, NamedTuple

from firmware_host.club.state import Club
from firmware_host.club_server.store import (
    INSERT_ROW,
    REPAIR_HINT,
    ClubFile,
    ClubFileDamaged,
    ClubFileError,
    alone_with,
    as_club_file_error,
    decode,
    evolved,
    prepare,
    seal_of,
    transaction,
)
from firmware_host.storage.log_image import open_image
from firmware_host.storage.plain_file import read_file
from firmware_host.storage.replacement import build_database, install_replacement, replacement_path
from firmware_host.storage.replica import replica_path, set_replica_aside
from firmware_host.storage.sqlite_file import connect, connect_readonly, create_file

log = logging.getLogger(__name__)

MOST_EVENTS = 1_000_000
"""Highest number of an event: a club of twenty years has some 50,000."""

_SELECT = "SELECT seq, kind, version, body, written_at, seal FROM event"


class SealedRow(NamedTuple):
    """One row of the table `event`, as it was found: SQLite stores any type in any column, so a flipped bit in the head
    of a row makes bytes of a text or a text of a number. The types hold where the row `follows` another one."""

    seq: int
    kind: str
    version: int
    body: str
    written_at: str
    seal: int

    def seal_after(self, before: int) -> int:
        """The seal that this row has after one with the seal `before`."""
        return seal_of(tuple(self[:-1]), before)

    def follows(self, before: int) -> bool:
        """Whether the row is as it was written, after one with the seal `before`."""
        return tuple(map(type, self)) == (int, str, int, str, str, int) and self.seal == self.seal_after(before)


def open_or_recover(path: Path) -> ClubFile:
    """Open the file of a club, and repair it and its replica before; see the table above. Raises ClubFileError."""
    if replacement_path(path).exists():
        with alone_with(path), as_club_file_error(path):
            install_replacement(path)
    try:
        file = _open_whole(path)
    except ClubFileDamaged as damage:
        log.error("%s", damage)
        with alone_with(path):
            _rebuild(path)
        file = ClubFile.open(path)
    file.after_change = lambda: _update_replica(path, is_whole=False)
    _update_replica(path, is_whole=True)
    return file


def _open_whole(path: Path) -> ClubFile:
    """Raises ClubFileDamaged also where the replica has more events."""
    copies = _rows_of(replica_path(path), connect_readonly)
    if copies and (not path.exists() or not path.stat().st_size):
        raise ClubFileDamaged("the file of the club", "none", str(path), "it is rebuilt from the replica")
    file = ClubFile.open(path)
    try:
        with as_club_file_error(path):
            if not _is_whole(path):
                raise ClubFileDamaged("an intact file of a club", "damaged pages", str(path), REPAIR_HINT)
    except ClubFileError:
        file.close()
        raise
    rows = _rows_of(path, connect_readonly)
    if len(copies) > len(rows) and all(copies.get(seq) == row for seq, row in rows.items()) and _chain(copies):
        file.close()
        got = f"{len(rows)} of {len(copies)}"
        raise ClubFileDamaged("every event of the replica", got, str(path), "it is rebuilt from the replica")
    return file


def _update_replica(path: Path, *, is_whole: bool) -> None:
    """Give the replica the events that it lacks; one that is damaged, or of another club, is moved aside and begun
    again. `is_whole`: compare every event, not the last one alone. An error is logged: the club goes on."""
    replica = replica_path(path)
    try:
        try:
            _add_missing_rows(path, replica, is_whole=is_whole)
        except ClubFileDamaged as damage:
            log.warning("%s", damage)
            with as_club_file_error(replica):
                set_replica_aside(replica)
            _add_missing_rows(path, replica, is_whole=True)
    except ClubFileError as fault:
        log.warning("the replica of the club is out of date: %s", fault)


def _add_missing_rows(path: Path, replica: Path, *, is_whole: bool) -> None:
    with as_club_file_error(replica):
        # The replica first: another program may write both meanwhile, the file before the replica.
        last = _last_of(replica)
        first = 1 if is_whole else max(last, 1)
        copies = _rows_of(replica, connect_readonly, first)
        rows = _rows_of(path, connect_readonly, first)
        has_gap = any(seq not in copies for seq in range(first, min(last, MOST_EVENTS) + 1))
        is_empty = not copies and _has_content(replica)
        is_other = has_gap or is_empty or any(rows.get(seq) != row for seq, row in copies.items())
        if is_other or (is_whole and not _is_whole(replica)):
            raise ClubFileDamaged("the replica of this club", "another one", str(replica), "it is written again")
        missing = [row for seq, row in rows.items() if seq not in copies]
        if missing:
            _write_rows(replica, missing)


def _is_whole(file: Path) -> bool:
    """Whether SQLite finds the pages of a file in order, also those that reading the events does not need."""
    if not file.exists():
        return True
    with closing(connect_readonly(file)) as database:
        (found,) = database.execute("PRAGMA quick_check(1)").fetchone()
        return bool(found == "ok")


def _last_of(file: Path) -> int:
    if not file.exists():
        return 0
    with closing(connect_readonly(file)) as database:
        return _last_number(database)


def _has_content(file: Path) -> bool:
    return file.exists() and file.stat().st_size > 0


def _write_rows(file: Path, rows: Iterable[SealedRow]) -> None:
    """Add rows to a database of a club, which is made if it is missing. Raises ClubFileError and its causes."""
    create_file(file)
    with closing(connect(str(file))) as database:
        prepare(database, file, mode="DELETE")
        with transaction(database):
            database.executemany(INSERT_ROW, rows)


def _rebuild(path: Path) -> None:
    with as_club_file_error(path):
        kept, left_out = _sound_rows(_salvaged(path))
        build_database(replacement_path(path), lambda building: _write_rows(building, kept))
        aside = install_replacement(path)
    log.error("%s is damaged and was rebuilt with %d events; old file: %s", path, len(kept), aside)
    if left_out:
        log.error("left out, because damaged: event %s of the old file", ", ".join(map(str, left_out)))


def _salvaged(path: Path) -> Mapping[int, SealedRow | None]:
    """Number of an event -> its row, from the first source where it verifies; None for one that verifies nowhere."""

    def image(file: Path) -> sqlite3.Connection:
        return open_image(read_file(file), _log_of(file))

    replica = replica_path(path)
    sources = [
        _rows_of(file, how) for file, how in ((path, connect_readonly), (path, image), (replica, connect_readonly))
    ]
    last = max((seq for source in sources for seq in source), default=0)
    found = dict[int, SealedRow | None]()
    befores = {0}
    for seq in range(1, last + 1):
        rows = [source[seq] for source in sources if seq in source]
        found[seq] = next((row for row in rows if any(map(row.follows, befores))), None)
        computed = {row.seal_after(before) for row in rows for before in befores}
        row = found[seq]
        befores = {row.seal} if row else {row.seal for row in rows if isinstance(row.seal, int)} | computed
    return found


def _sound_rows(found: Mapping[int, SealedRow | None]) -> tuple[list[SealedRow], list[int]]:
    """The rows that can be played again one after the other, sealed anew, and the numbers of the others."""
    club = Club()
    kept = list[SealedRow]()
    left_out = list[int]()
    seal = 0
    for seq, row in found.items():
        try:
            if row is None:
                raise ClubFileDamaged("an intact event", "a damaged one", str(seq), "it is left out")
            club = evolved(club, decode(row.kind, row.version, row.body, str(seq)), Path(str(seq)))
        except ClubFileDamaged as damage:
            log.debug("%s", damage)
            left_out.append(seq)
            continue
        row = row._replace(seq=len(kept) + 1)
        seal = row.seal_after(seal)
        kept.append(row._replace(seal=seal))
    return kept, left_out


def _chain(rows: Mapping[int, SealedRow]) -> bool:
    """Whether the rows have no gap, and every seal is right."""
    before = 0
    for number, row in enumerate(rows.values(), start=1):
        if row.seq != number or not row.follows(before):
            return False
        before = row.seal
    return True


def _rows_of(file: Path, how: Callable[[Path], sqlite3.Connection], first: int = 0) -> dict[int, SealedRow]:
    """The rows from number `first` on that can be read, by number and not verified; after a damage those that are found
    by number."""
    if not file.exists():
        return {}
    rows = dict[int, SealedRow]()
    with suppress(OSError, sqlite3.Error, UnicodeDecodeError, MemoryError, ClubFileError), ExitStack() as opened:
        database = opened.enter_context(closing(how(file)))
        try:
            _add(rows, database.execute(f"{_SELECT} WHERE seq >= ? ORDER BY seq", (first,)))
        except (sqlite3.Error, UnicodeDecodeError, MemoryError):
            for seq in range(first, min(_last_number(database), MOST_EVENTS) + 1):
                with suppress(sqlite3.Error, UnicodeDecodeError, MemoryError):
                    _add(rows, database.execute(f"{_SELECT} WHERE seq = ?", (seq,)))
    return rows


def _add(rows: dict[int, SealedRow], found: Iterable[Sequence[Any]]) -> None:
    for columns in found:
        row = SealedRow(*columns)
        if 0 < row.seq <= MOST_EVENTS:
            rows[row.seq] = row


def _last_number(database: sqlite3.Connection) -> int:
    with suppress(sqlite3.Error):
        (last,) = database.execute("SELECT max(seq) FROM event").fetchone()
        return last if isinstance(last, int) else 0
    return 0


def _log_of(path: Path) -> bytes:
    with suppress(OSError):
        return read_file(path.with_name(f"{path.name}-wal"))
    return b""
