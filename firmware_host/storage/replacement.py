"""Replaces a database and its replica, so that after a power cut at any moment a start finds the old or the new one.

No file is removed before its successor is complete and durable:

1. `NAME.restored.sqlite3.building` is built, synced, and renamed to `NAME.restored.sqlite3`. This rename decides:
   before it a power cut changes nothing, after it every start completes the next steps.
2. The database and its replica are moved aside, with a date in their names. The program never deletes them.
3. `NAME.restored.sqlite3` is renamed to `NAME.sqlite3`, and the folder is synced.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from firmware_host.storage.atomic_file import make_folder, sync_folder
from firmware_host.storage.replica import replica_path, set_aside


def replacement_path(path: Path) -> Path:
    """`journal.sqlite3` -> `journal.restored.sqlite3`."""
    return path.with_name(f"{path.stem}.restored{path.suffix}")


def build_database(target: Path, build: Callable[[Path], object]) -> None:
    """Write a new database with `build`, which syncs it and leaves no log. It gets its name only when it is complete.

    Raises OSError, or what `build` raises; then nothing is left. After a power cut a half-written `.building` file may
    remain, which the next call replaces.
    """
    building = target.with_name(f"{target.name}.building")
    make_folder(target.parent)
    remove_database(building)
    try:
        build(building)
        sync_folder(target.parent)
        building.rename(target)
    except BaseException:
        with suppress(OSError):
            remove_database(building)  # the disk may be full: free the space of the partial file
        raise
    sync_folder(target.parent)


def install_replacement(path: Path, replica: Path | None = None) -> Path:
    """Take the steps 2 and 3, of which a power cut may have done some. `replica` is that of the replacement; without it
    the next start writes one. Returns the path of the old database. Raises OSError."""
    restored = replacement_path(path)
    # From the file and not from the clock: after a power cut it goes on with the same names.
    date = datetime.fromtimestamp(restored.stat().st_mtime, UTC)
    aside = set_aside(path, date)
    set_aside(replica_path(path), date)  # else it could be AHEAD of the new one, and bring the old rows back
    restored.rename(path)
    if replica:
        with suppress(FileNotFoundError):
            replica.rename(replica_path(path))
    sync_folder(path.parent)
    return aside


def remove_database(database: Path) -> None:
    """Delete a database and its rollback journal. Raises OSError."""
    for file in (database, database.with_name(f"{database.name}-journal")):
        file.unlink(missing_ok=True)
