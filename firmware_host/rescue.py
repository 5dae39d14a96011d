"""A damaged journal is put aside, and begun again with what its spare and the file itself still hold; likewise a copy
takes the place of a journal on request.

Rule: nothing is taken away before its successor is whole and on the disk. The successor is made beside the journal;
from the moment it has its name (`restored_of`) every start finishes the exchange, wherever the power was cut.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from firmware_host.codec import CodecError, decode
from firmware_host.durable import make_folder, sync_folder
from firmware_host.journal import Clock, Journal, JournalDamaged, JournalFault, now
from firmware_host.ledger import (
    INSERT,
    MEND,
    Pages,
    Row,
    connect,
    connect_to_read,
    make_ready,
    only_writer,
    told_as_fault,
)
from firmware_host.spare import bring_up_to_date, is_ahead, put_aside, spare_of

log = logging.getLogger(__name__)

GAMES_TRIED = 10_000
"""So many games are looked for in a file that cannot even tell which is its last."""


_PAGE_SIZE, _MODES, _PAGE_COUNT = slice(16, 18), slice(18, 20), slice(28, 32)
_SCHEMA_FORMAT, _LETTERS = slice(44, 48), slice(56, 60)
"""Where a SQLite file says so."""
MOST_PADDING = 64 * 1024 * 1024
"""Bytes; what a file says of itself may be spoilt too."""


@dataclass(frozen=True, slots=True)
class Loss:
    """What a start found damaged. `until` is when the last event that came back was written; empty if none was."""

    games: int
    until: str
    aside: Path


@dataclass(frozen=True, slots=True)
class Opened:
    """A journal, and what was lost on the way if anything was."""

    journal: Journal
    loss: Loss | None = None


def open_journal(path: Path, clock: Clock = now) -> Opened:
    """The journal at `path`, to write; whatever its state, unless another program's or a newer one's file is there.

    Raises JournalFault.
    """
    aside = finish_exchange(path)
    try:
        journal = _open_sound(path, clock)
    except JournalDamaged as damage:
        log.error("%s", damage)
        aside = _exchange(path, _saved(path))
        journal = _open_sound(path, clock)
    loss = _loss(journal, aside) if aside else None
    if loss:
        log.error("the journal was put aside: %d games came back, until %s; kept: %s", loss.games, loss.until, aside)
    return Opened(journal, loss)


def restore(path: Path, source: Path) -> Path | None:
    """Let the journal in `source` take the place of that at `path`, once every event of it reads well.

    Where that at `path` is now, or None if there was none. Raises JournalFault, and then nothing has changed.
    """
    _prove(source)
    was_there = path.exists()
    with told_as_fault(str(source)), closing(connect_to_read(source)) as database:
        aside = _exchange(path, Pages(database, str(source)).proved_after(None))
    return aside if was_there else None


def restore_open(journal: Journal, source: Path) -> tuple[Journal, JournalFault | None]:
    """The same for a journal that is open: the one to write from now on, and why it is still the old one if it is.

    Raises JournalFault, and then `journal` is still open.
    """
    assert journal.path, "a journal in memory has no place to take"
    _prove(source)
    journal.close()
    refused = None
    try:
        restore(journal.path, source)
    except JournalFault as fault:
        refused = fault
    return open_journal(journal.path).journal, refused


def finish_exchange(path: Path) -> Path | None:
    """Where the power was cut in an exchange, go on with it: where the old journal is now. Raises JournalFault."""
    if not restored_of(path).exists():
        return None
    with only_writer(path):
        return _put_in_place(path)


def _exchange(path: Path, rows: Iterator[Row]) -> Path:
    """A journal of these rows takes the place of that at `path`: where the old one is now."""
    with told_as_fault(str(path)):
        make_folder(path.parent)
    with only_writer(path):
        write_copy(rows, restored_of(path))
        return _put_in_place(path)


def _put_in_place(path: Path) -> Path:
    restored = restored_of(path)
    with told_as_fault(str(path)):
        date = datetime.fromtimestamp(restored.stat().st_mtime, UTC)  # the same when it goes on after a cut
        aside = put_aside(path, date)
        put_aside(spare_of(path), date)
        restored.rename(path)
        sync_folder(path.parent)
    return aside


def restored_of(path: Path) -> Path:
    return path.with_name(f"{path.stem}.restored{path.suffix}")


def write_copy(rows: Iterator[Row], target: Path) -> None:
    """A new journal of these rows, whole and durable from the moment it has its name. Raises JournalFault."""
    building = target.with_name(f"{target.name}.building")
    with told_as_fault(str(target)):
        make_folder(target.parent)
        for left_over in (building, building.with_name(f"{building.name}-journal")):
            left_over.unlink(missing_ok=True)
        with closing(connect(str(building))) as database:
            make_ready(database, str(building), mode="DELETE")
            with database:
                database.execute("BEGIN IMMEDIATE")
                database.executemany(INSERT, rows)
        sync_folder(target.parent)
        building.rename(target)
        sync_folder(target.parent)


def _open_sound(path: Path, clock: Clock) -> Journal:
    """Raises JournalDamaged where the game that is on does not read well, or less is there than in the spare."""
    if spare_of(path).exists() and path.exists() and not path.stat().st_size:  # to SQLite a file that is new
        raise JournalDamaged("a sound journal", "an empty file", str(path), MEND)
    journal = Journal.open(path, clock)
    try:
        journal.current_game()
        if is_ahead(spare_of(path), journal.pages):
            raise JournalDamaged("all that its copy holds", "less", str(path), "the copy takes its place")
        bring_up_to_date(spare_of(path), journal.pages)
    except JournalFault:
        journal.close()
        raise
    return journal


def _saved(path: Path) -> Iterator[Row]:
    """Each game from where most of it reads well; of a game only the turns that stand before a damage."""
    with ExitStack() as opened:
        # The spare may have been cut off in the middle of a turn, which only a writer can take back.
        ways = ((path, connect_to_read), (path, _image), (spare_of(path), _connect))
        sources = [pages for file, connect in ways if (pages := _pages_of(file, connect, opened))]
        for game in range(1, max(map(_last_game, sources), default=0) + 1):
            yield from max((_sound_turns(pages, game) for pages in sources), key=len)


def _connect(path: Path) -> sqlite3.Connection:
    return connect(str(path))


def _image(path: Path) -> sqlite3.Connection:
    """The file in memory, without its log and as long as it says it is: of a file cut short SQLite reads nothing."""
    content = bytearray(path.read_bytes())
    content[_MODES] = b"\1\1"  # no log
    content[_SCHEMA_FORMAT], content[_LETTERS] = (4).to_bytes(4), (1).to_bytes(4)  # as it always is; 1 is UTF-8
    said = int.from_bytes(content[_PAGE_SIZE], "big") * int.from_bytes(content[_PAGE_COUNT], "big")
    content.extend(bytes(min(max(0, said - len(content)), MOST_PADDING)))
    database = connect(":memory:")
    database.deserialize(bytes(content))
    return database


def _pages_of(file: Path, connect: Callable[[Path], sqlite3.Connection], opened: ExitStack) -> Pages | None:
    """The rows of a file; None where there is none, or not even its first page reads well."""
    if not file.exists():
        return None
    try:
        with told_as_fault(str(file)):
            return Pages(opened.enter_context(closing(connect(file))), str(file))
    except JournalFault as fault:
        log.warning("%s", fault)
        return None


def _last_game(pages: Pages) -> int:
    try:
        last = pages.last()
    except JournalDamaged:
        return GAMES_TRIED
    return last.game if last else 0


def _sound_turns(pages: Pages, game: int) -> list[Row]:
    """A turn is there as a whole or not at all; of the last one before a damage nobody knows."""
    rows = list[Row]()
    try:
        for row in pages.while_sound(game):
            if row.seal is None:
                decode(row.kind, row.version, row.body)  # all there is to prove it by
            rows.append(row)
    except (JournalDamaged, CodecError) as damage:
        log.debug("%s", damage)
        return [row for row in rows if row.turn != rows[-1].turn]
    return rows


def _prove(source: Path) -> None:
    """Every event of every game reads well. Raises JournalFault."""
    try:
        with closing(Journal.open_to_read(source)) as journal:
            for summary in journal.games():
                journal.turns_of(summary.game)
    except JournalDamaged as fault:
        raise JournalFault(fault.expected, fault.got, fault.where, "name another copy") from fault


def _loss(journal: Journal, aside: Path) -> Loss:
    last = journal.pages.last()
    return Loss(sum(1 for _ in journal.games()), last.written_at if last else "", aside)
