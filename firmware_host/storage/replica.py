"""The replica: a second copy of the journal, used to recover games after the SD card corrupts the first.

It is updated when a game is won, when the board starts, and when a board at rest finds that a game was given up
(scrub.py), with the rows that it does not have yet. The cost is the bytes played since, however long the journal is. An
error of the replica is logged and never stops a game.

The file is `journal.spare.sqlite3`, a name from an earlier version. It stays because existing journals have a replica
of that name: a renaming would need a migration that survives power cuts, and would gain nothing.

| replica, compared with the journal | meaning | at the next start |
|---|---|---|
| BEHIND | every row of it is in the journal | the missing rows are added |
| AHEAD | the journal has lost rows that the replica has | the journal is rebuilt (recovery.py) |
| FOREIGN | its last row is not in the intact journal, nor the other way round | it is moved aside and begun again |
| unreadable | SQLite reports an error, or its table is not a journal's | it is moved aside and begun again |

A replica that was moved aside is `journal.spare.aside-DATE.sqlite3`. It is deleted when the next one was compared with
all past games, unless it is FOREIGN; of those the newest KEPT_ASIDE stay. A copy with the date of a
`journal.aside-DATE.sqlite3` belongs to that file, and like it is never deleted.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path

from firmware_host.storage.atomic_file import sync_folder
from firmware_host.storage.journal_table import INSERT_ROW, Row, RowReader, is_empty, prepare_database
from firmware_host.storage.sqlite_file import (
    JournalCorrupt,
    JournalError,
    as_journal_error,
    connect,
    connect_readonly,
    create_file,
)

log = logging.getLogger(__name__)

KEPT_ASIDE = 3
"""Replicas moved aside that are kept."""


class ReplicaState(Enum):
    """How a replica compares with its journal; see the table above."""

    BEHIND = "it is a prefix of the journal, or equal"
    AHEAD = "it has rows that the journal has lost"
    FOREIGN = "it is the replica of another journal"


def replica_path(path: Path) -> Path:
    """The file of the replica of the journal at `path`: `journal.sqlite3` -> `journal.spare.sqlite3`."""
    return path.with_name(f"{path.stem}.spare{path.suffix}")


def state_of_replica(replica: RowReader, journal: RowReader) -> ReplicaState:
    """Compare a replica with its journal by the last row of each. Raises JournalError.

    Raises JournalCorrupt where the two differ because the journal's copy of that game is damaged: then the replica has
    what is needed to rebuild it, and must not be taken for a foreign one.
    """
    last = replica.last()
    if last is None or journal.at(last.game, last.seq) == last:
        return ReplicaState.BEHIND
    # Its last row is not in the journal. If the journal's last row is in it, the journal has lost the difference.
    newest = journal.last()
    if newest is None or replica.at(newest.game, newest.seq) == newest:
        return ReplicaState.AHEAD
    journal.of(last.game)  # raises if they differ only by a damage
    return ReplicaState.FOREIGN


def replica_is_ahead(replica: Path, journal: RowReader) -> bool:
    """Whether the replica has rows that the journal has lost; False for a replica that is missing or unreadable.

    Raises JournalCorrupt if the journal itself cannot be read.
    """
    if not replica.exists():
        return False
    try:
        # Opened for writing, although it is only read: a power cut may have left a transaction to roll back.
        with as_journal_error(str(replica)), closing(connect(str(replica))) as database:
            return (
                not is_empty(database)
                and state_of_replica(RowReader(database, str(replica)), journal) is ReplicaState.AHEAD
            )
    except JournalError as fault:
        _raise_if_journal_corrupt(fault, replica)
        log.warning("%s", fault)
        return False


def update_replica(replica: Path, journal: RowReader) -> None:
    """Add the rows that the replica lacks. A corrupt or foreign replica is moved aside, and a new one is written.

    An error of the replica is only logged. Raises JournalCorrupt if the journal itself does not verify, before any of
    its rows is committed to the replica.
    """
    try:
        with as_journal_error(str(replica)):
            try:
                _add_missing_rows(replica, journal)
            except JournalCorrupt as fault:
                _raise_if_journal_corrupt(fault, replica)
                log.warning("%s", fault)
                set_replica_aside(replica)
                _add_missing_rows(replica, journal)
    except JournalError as fault:
        _raise_if_journal_corrupt(fault, replica)
        log.warning("the replica of the journal is out of date: %s", fault)


def begin_replica_again(replica: Path, journal: RowReader) -> None:
    """Move a damaged replica aside and write a new one, as `update_replica` does with one that cannot be read."""
    try:
        with as_journal_error(str(replica)):
            if replica.exists():
                set_replica_aside(replica)
    except JournalError as fault:
        log.warning("%s", fault)
        return
    update_replica(replica, journal)


def ends_before(replica: Path, row: Row) -> bool:
    """Whether the replica is missing, empty, or has no row so late as this one. False where it cannot be read."""
    if not replica.exists():
        return True
    try:
        with as_journal_error(str(replica)), closing(connect_readonly(replica)) as database:
            last = RowReader(database, str(replica)).last()
    except JournalError:
        return False
    return last is None or (last.game, last.seq) < (row.game, row.seq)


def copies_aside(replica: Path) -> list[Path]:
    """The replicas that were moved aside alone, without a journal of the same date; the oldest first."""
    journal = replica.stem.removesuffix(".spare")
    copies = sorted(replica.parent.glob(f"{replica.stem}.aside-*{replica.suffix}"))
    return [copy for copy in copies if not copy.with_name(f"{journal}{copy.name[len(replica.stem) :]}").exists()]


def remove_copies_aside(replica: Path, journal: RowReader) -> None:
    """Delete the replicas that were moved aside, now that replica and journal are the same: each one that cannot be
    read or whose rows the journal has, and all others but the newest KEPT_ASIDE. An error is logged."""
    copies = copies_aside(replica)
    foreign = [copy for copy in copies if _is_foreign(copy, journal)]
    _remove(copy for copy in copies if copy not in foreign[-KEPT_ASIDE:])


def _is_foreign(copy: Path, journal: RowReader) -> bool:
    """Whether the copy can be read and ends with a row that the journal does not have."""
    try:
        with as_journal_error(str(copy)), closing(connect_readonly(copy)) as database:
            last = RowReader(database, str(copy)).last()
    except JournalError:
        return False
    return last is not None and journal.at(last.game, last.seq) != last


def _remove(copies: Iterable[Path]) -> None:
    for copy in copies:
        try:
            for suffix in ("-wal", "-journal", "-shm", ""):  # the database last: by its name `copies_aside` finds them
                copy.with_name(f"{copy.name}{suffix}").unlink(missing_ok=True)
        except OSError as fault:
            log.warning("%s cannot be deleted: %s", copy, fault.strerror)
        else:
            log.info("%s: an old copy of the replica was deleted", copy)


def _raise_if_journal_corrupt(fault: JournalError, replica: Path) -> None:
    if isinstance(fault, JournalCorrupt) and not fault.where.startswith(str(replica)):
        raise fault


def replica_rows(replica: Path, game: int) -> list[Row]:
    """The verified rows of one game, numbered from 1; [] if the replica does not have them or cannot be read."""
    try:
        with as_journal_error(str(replica)), closing(connect_readonly(replica)) as database:
            return RowReader(database, str(replica)).of(game)
    except JournalError:
        return []


def replica_games(replica: Path, after: int = 0) -> Iterator[int]:
    """The numbers of the games in the replica, as `RowReader.game_numbers`; none if it cannot be read."""
    with suppress(JournalError), as_journal_error(str(replica)), closing(connect_readonly(replica)) as database:
        yield from RowReader(database, str(replica)).game_numbers(after)


def set_aside(file: Path, date: datetime) -> Path:
    """Rename a database and its log files to `NAME.aside-DATE.sqlite3`, durably, and return the new path. Raises
    OSError.

    The database comes last: after a power cut the same call with the same date completes the renaming.
    """
    kept = file.with_name(f"{file.stem}.aside-{date:%Y%m%d-%H%M%S-%f}{file.suffix}")
    for suffix in ("-wal", "-journal", ""):
        old = file.with_name(f"{file.name}{suffix}")
        if old.exists():
            old.rename(kept.with_name(f"{kept.name}{suffix}"))
    file.with_name(f"{file.name}-shm").unlink(missing_ok=True)  # an index of the log: SQLite makes it anew
    sync_folder(file.parent)
    return kept


def set_replica_aside(replica: Path) -> None:
    """Move the replica aside, and delete the oldest copies beyond KEPT_ASIDE. Raises OSError."""
    set_aside(replica, datetime.now(UTC))
    _remove(copies_aside(replica)[:-KEPT_ASIDE])


def _add_missing_rows(replica: Path, journal: RowReader) -> None:
    with as_journal_error(str(replica)):
        create_file(replica)
    with as_journal_error(str(replica)), closing(connect(str(replica))) as database:
        # Without a log: it is written seldom and in one transaction, for which a log would be one more file to lose.
        prepare_database(database, str(replica), mode="DELETE")
        row_reader = RowReader(database, str(replica))
        if state_of_replica(row_reader, journal) is not ReplicaState.BEHIND:
            raise JournalCorrupt("the replica of this journal", "that of another", str(replica), "it is moved aside")
        last = row_reader.last()
        with database:
            database.execute("BEGIN IMMEDIATE")
            # Verified as they are copied: a corrupt row of the journal raises here, and rolls all of them back.
            database.executemany(INSERT_ROW, journal.rows_after(last))
