"""Backups of the organiser's computer: the club, its accounts, and what its own broker needs to know the boards.

A backup is a ZIP archive with the files of FILES, as they lie in the state folder. It has hashes of passwords, the
password of the club's program and the key of its authority: somebody who has the file can pretend to be the club. It is
made for a new computer, which then is the club for all boards.

Before a backup replaces anything its events are played again, and every other file is read by the program that uses
it. The present files are kept beside the new ones. No program may have the club open meanwhile.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

from firmware_host.club.state import Club
from firmware_host.club_server.store import ClubFile, ClubFileError, NewerClubFile, alone_with
from firmware_host.errors import HostError
from firmware_host.storage.atomic_file import make_folder, replace_file, sync_folder
from firmware_host.storage.checked_file import NewerFormat, aside_path
from firmware_host.storage.plain_file import check_plain, read_file
from firmware_host.storage.replica import replica_path, set_aside

CLUB = "club.sqlite3"
FILES = (
    *("club-accounts.json", "club-broker/passwords", "club-broker/club-password"),
    *("club-broker/tls/authority.pem", "club-broker/tls/board.pem"),
    CLUB,
)
"""In the order in which they are replaced: the club last."""
MOST_BYTES = 200_000_000
"""Of one file: a club of twenty years has some 10 MB."""

Check = Callable[[Path], object]
"""Reads a file, and raises HostError if it is none of its kind."""


class BackupError(HostError):
    """The backup cannot be written, or cannot be used. Nothing was changed."""


class NotABackup(BackupError):
    """The file is no backup of a club."""


class DamagedBackup(BackupError):
    """A file in the backup cannot be used."""


class NewerBackup(BackupError):
    """A newer cribboard wrote the backup."""


def write_club_backup(folder: Path, target: Path) -> Club:
    """Write a backup of the state folder into the new file `target`. Returns the club in it. Raises ClubFileError or
    BackupError, and then there is no `target`."""
    if target.exists():
        raise BackupError("a new file", "an existing file", str(target), "name another file")
    archive = BytesIO()
    try:
        with TemporaryDirectory(prefix="cribboard-") as place, ZipFile(archive, "w", ZIP_DEFLATED) as file:
            copy = Path(place) / CLUB
            club = _copy_club(folder / CLUB, copy)
            for name in FILES:
                if name == CLUB:
                    file.write(copy, name)
                elif (folder / name).exists():
                    file.writestr(name, read_file(folder / name))
        replace_file(target.resolve(), archive.getvalue())
    except OSError as fault:
        got = fault.strerror or str(fault)
        raise BackupError("a file that can be written", got, str(target), "correct its name or its rights") from fault
    return club


def _copy_club(source: Path, copy: Path) -> Club:
    """A copy of the club, in one file, as it is now; other programs may write meanwhile. Its events are played again.
    Raises ClubFileError."""
    if not source.exists():
        raise ClubFileError("a club", "none", str(source), "begin one with: cribboard club add NAME")
    try:
        check_plain(source)
        with closing(sqlite3.connect(source)) as club, closing(sqlite3.connect(copy)) as target:
            club.backup(target)
    except (OSError, sqlite3.Error) as fault:
        raise ClubFileError("a club that can be read", str(fault), str(source), "restore a copy of it") from fault
    return _played_again(copy)


def _played_again(file: Path) -> Club:
    with closing(ClubFile.open(file)) as club:
        return club.club


def restore_club(folder: Path, source: Path, checks: Mapping[str, Check]) -> tuple[Club, tuple[Path, ...]]:
    """Replace the files in the state folder by those of a backup. `checks` has one for each of FILES but the club.

    Returns the club, and where the files before are now. Raises ClubFileError or BackupError, and then nothing
    has changed.
    """
    make_folder(folder)
    with TemporaryDirectory(prefix=".club-restore-", dir=folder) as place:
        found = _extract(source, Path(place))
        with _of_backup(source, CLUB):
            club = _played_again(Path(place) / CLUB)
        for name in found[:-1]:
            with _of_backup(source, name):
                checks[name](Path(place) / name)
        with alone_with(folder / CLUB):
            return club, tuple(_exchange(folder, Path(place), found))


@contextmanager
def _of_backup(source: Path, name: str) -> Iterator[None]:
    """Names the backup in a fault of one of its files. Raises DamagedBackup or NewerBackup."""
    try:
        yield
    except (NewerClubFile, NewerFormat) as fault:
        raise NewerBackup(fault.expected, fault.got, f"{source}, {name}", "update cribboard") from fault
    except HostError as fault:
        raise DamagedBackup(fault.expected, fault.got, f"{source}, {name}", "name another file") from fault


def _extract(source: Path, place: Path) -> list[str]:
    """The names of the files in the backup, in the order of FILES. Raises NotABackup."""
    try:
        with ZipFile(source) as archive:
            names = archive.namelist()
            if CLUB not in names or not set(names) <= set(FILES) or len(set(names)) != len(names):
                raise NotABackup("a backup of a club", "another archive", str(source), "name another file")
            for name in names:
                with archive.open(name) as packed:
                    content = packed.read(MOST_BYTES + 1)
                if len(content) > MOST_BYTES:
                    raise NotABackup(f"files of {MOST_BYTES} bytes at most", name, str(source), "name another file")
                replace_file(place / name, content)
    except (OSError, BadZipFile, ValueError, NotImplementedError, EOFError) as fault:
        got = getattr(fault, "strerror", None) or str(fault) or type(fault).__name__
        raise NotABackup("a backup of a club", got, str(source), "name another file") from fault
    return [name for name in FILES if name in names]


def _exchange(folder: Path, place: Path, names: list[str]) -> Iterator[Path]:
    """Put the files in their places, each at once. Yields where those before are kept."""
    for name in names:
        present = folder / name
        if name == CLUB:
            _end_log(present)
            if replica_path(present).exists():  # it has events of the present club, and would bring them back
                set_aside(replica_path(present), datetime.now(UTC))
        if present.exists():
            aside = aside_path(present)
            os.link(present, aside)
            yield aside
        make_folder(present.parent)
        (place / name).replace(present)
        sync_folder(present.parent)


def _end_log(club: Path) -> None:
    """Write the log of the present club into its file, or move it aside where that fails: the next file must not get
    the rows of this one."""
    if club.exists():
        with suppress(OSError, sqlite3.Error):
            check_plain(club)
            with closing(sqlite3.connect(club)) as database:
                database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for ending in ("-wal", "-shm"):
        log = club.with_name(f"{club.name}{ending}")
        if log.exists():
            log.replace(log.with_name(f"{log.name}.aside"))
