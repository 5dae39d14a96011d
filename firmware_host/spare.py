"""The spare: a second journal beside the first, for the day when the card has spoilt the first.

It is brought up to date when a game is won and when the board starts, by the rows it does not yet have. So it costs as
many bytes as were played since, however long the journal is, and a fault of the spare is never one of the game.
"""

from __future__ import annotations

import logging
from contextlib import closing
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path

from firmware_host.durable import sync_folder
from firmware_host.ledger import (
    INSERT,
    JournalDamaged,
    JournalFault,
    Pages,
    Row,
    connect,
    connect_to_read,
    is_blank,
    make_ready,
    told_as_fault,
)

log = logging.getLogger(__name__)


class Standing(Enum):
    """How a spare stands to its journal."""

    BEHIND = "it lacks the latest rows, or none"
    AHEAD = "it has rows that the journal has lost"
    STRANGER = "it is the copy of another journal"


def spare_of(path: Path) -> Path:
    return path.with_name(f"{path.stem}.spare{path.suffix}")


def standing(spare: Pages, journal: Pages) -> Standing:
    last = spare.last()
    if last is None or journal.at(last.game, last.seq) == last:
        return Standing.BEHIND
    newest = journal.last()
    if newest is None or spare.at(newest.game, newest.seq) == newest:
        return Standing.AHEAD
    return Standing.STRANGER


def is_ahead(spare: Path, journal: Pages) -> bool:
    """Whether the spare has rows that the journal has lost. A spare that cannot be read has none.

    Raises JournalDamaged where it is the journal that does not read well.
    """
    if not spare.exists():
        return False
    try:
        with told_as_fault(str(spare)), closing(connect(str(spare))) as database:
            return not is_blank(database) and standing(Pages(database, str(spare)), journal) is Standing.AHEAD
    except JournalFault as fault:
        _raise_if_of_journal(fault, spare)
        log.warning("%s", fault)
        return False


def bring_up_to_date(spare: Path, journal: Pages) -> None:
    """Add what was played since. A spare that is damaged, or another journal's, is put aside and begun again.

    Raises JournalDamaged where it is the journal that does not read well; then the spare stays as it is.
    """
    try:
        with told_as_fault(str(spare)):
            try:
                _add(spare, journal)
            except JournalDamaged as fault:
                _raise_if_of_journal(fault, spare)
                log.warning("%s", fault)
                put_aside(spare, datetime.now(UTC))
                _add(spare, journal)
    except JournalFault as fault:
        _raise_if_of_journal(fault, spare)
        log.warning("there is no fresh copy of the journal: %s", fault)


def _raise_if_of_journal(fault: JournalFault, spare: Path) -> None:
    if isinstance(fault, JournalDamaged) and not fault.where.startswith(str(spare)):
        raise fault


def rows_of_spare(spare: Path, game: int) -> list[Row]:
    """The rows of one game; none where the spare does not have them either."""
    try:
        with told_as_fault(str(spare)), closing(connect_to_read(spare)) as database:
            return Pages(database, str(spare)).of(game)
    except JournalFault:
        return []


def put_aside(file: Path, date: datetime) -> Path:
    """Give a database, and what stands beside it, a new name with the date, and make sure of the name: the new name."""
    kept = file.with_name(f"{file.stem}.aside-{date:%Y%m%d-%H%M%S-%f}{file.suffix}")
    for beside in ("-wal", "-journal", ""):
        old = file.with_name(f"{file.name}{beside}")
        if old.exists():
            old.rename(kept.with_name(f"{kept.name}{beside}"))
    file.with_name(f"{file.name}-shm").unlink(missing_ok=True)
    sync_folder(file.parent)
    return kept


def _add(spare: Path, journal: Pages) -> None:
    with told_as_fault(str(spare)), closing(connect(str(spare))) as database:
        make_ready(database, str(spare), mode="DELETE")
        pages = Pages(database, str(spare))
        if standing(pages, journal) is not Standing.BEHIND:
            raise JournalDamaged("a copy of this journal", "another", str(spare), "it is put aside")
        last = pages.last()
        with database:
            database.execute("BEGIN IMMEDIATE")
            database.executemany(INSERT, journal.proved_after(last))
