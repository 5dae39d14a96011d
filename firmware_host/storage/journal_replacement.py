"""Writes a new journal file, and makes it the journal in place of the old one. See replacement.py for the steps.

Recovery (recovery.py) and the restore of a backup (restore.py) both end here. The high-water mark, which names a row of
the old journal, is deleted before journal and replica are moved aside.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from types import MappingProxyType

from firmware_host.storage.high_water_mark import mark_path
from firmware_host.storage.journal_table import INSERT_ROW, Row, prepare_database, write_documents
from firmware_host.storage.replacement import build_database, install_replacement, replacement_path
from firmware_host.storage.replica import replica_path
from firmware_host.storage.sqlite_file import SQLITE_SUFFIXES, as_journal_error, connect, create_file, writer_lock

log = logging.getLogger(__name__)


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
            for suffix in (*SQLITE_SUFFIXES, ""):
                file.with_name(f"{file.name}{suffix}").unlink(missing_ok=True)
    except OSError as fault:
        log.warning("%s cannot be deleted: %s", fault.filename, fault.strerror)


def finish_replacement(path: Path) -> Path | None:
    """Complete a replacement that a power cut interrupted. Returns the path of the old journal, None if there was
    nothing to complete. Raises JournalError."""
    if not replacement_path(path).exists():
        return None
    with writer_lock(path):
        return install_journal(path)


def install_journal(path: Path, replica: Path | None = None) -> Path:
    """Make the complete file at `replacement_path` the journal. `replica` is its replica; without it the next start
    writes one. The writer lock is held. Returns the path of the old journal. Raises JournalError."""
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
