"""Restores a backup that was uploaded in chunks: checks it on a thread of its own, with progress, and can be cancelled.

A phone's line may break at any time. A chunk that is sent again is taken once; the progress tells which one is expected
next, and how many games are checked. Nothing of an upload that was refused or cancelled stays: it has hands.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from enum import Enum
from pathlib import Path
from threading import Lock, Thread

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.errors import HostError
from firmware_host.host.loop import Host
from firmware_host.stats.archive import Archive
from firmware_host.stats.learners_file import LearnersFile
from firmware_host.stats.people_file import PeopleFile
from firmware_host.storage.backup import NewerBackup, UnusableBackup
from firmware_host.storage.journal import JournalError
from firmware_host.storage.journal_replacement import remove_leftovers, upload_path
from firmware_host.storage.plain_file import check_plain, open_plain

CHUNK_BYTES = 8 * 1024
"""Size of a chunk. Only the last one may be shorter."""
MOST_CHUNKS = 1_000_000
"""Of one upload: 8 GB."""
COPIES_WHILE_RESTORING = 3
"""The upload, the journal made of it, and the replica of that."""
UPLOADED = "the uploaded file"
"""Its name in a refusal: its path on the board helps nobody."""
ANSWER_S = 4.0
"""A restore that takes longer is answered with its progress, in seconds."""


class UnexpectedChunk(Refusal):
    """The chunk is not the next one."""

    kind = "unexpected_chunk"
    sentence = "The backup was not sent completely. Send it again."


class NoFile(Refusal):
    """The journal of this board is in memory, not in a file."""

    kind = "no_file"
    sentence = "This board does not save games to a file."


class RestoreRuns(Refusal):
    """A backup is being checked; until that ends no other one is taken."""

    kind = "restore_runs"
    sentence = "A backup is being restored. Wait until it is done."


class BackupRefused(Refusal):
    """What was uploaded is damaged, or no backup of a board."""

    kind = "backup_refused"
    sentence = "The file is damaged, or is not a backup of a board. Choose another copy."


class BackupTooNew(Refusal):
    """A newer program made the backup."""

    kind = "backup_too_new"
    sentence = "A newer version of cribboard made this backup. Update the board first."


class Cancelled(Exception):
    """Somebody ended the check. Nothing has changed."""


class Stage(Enum):
    """How far a restore is."""

    RECEIVING = "receiving"
    CHECKING = "checking"
    DONE = "done"
    FAILED = "failed"


class RestoreProgress(Struct, frozen=True):
    """`chunks` were received; `games` of `all_games` are checked. `problem` is why it failed, in English, `localized`
    for people."""

    stage: Stage = Stage.RECEIVING
    chunks: int = 0
    games: int = 0
    all_games: int = 0
    problem: str = ""
    localized: str = ""


class Restores:
    """The upload and the restore of one board: one at a time. Any thread may use it."""

    def __init__(self, host: Host, archive: Archive, people_file: PeopleFile, learners_file: LearnersFile) -> None:
        self._host = host
        self._archive = archive
        self._people_file = people_file
        self._learners_file = learners_file
        self._lock = Lock()
        self._is_cancelled = False
        self._thread: Thread | None = None
        self._progress = RestoreProgress()
        self.fault: Refusal | HostError | TimeoutError | None = None
        """Why the last restore failed; None if it did not."""

    @property
    def progress(self) -> RestoreProgress:
        """How far it is now."""
        path = self._host.journal_path
        return replace(self._progress, chunks=chunks_in(upload_path(path)) if path else 0)

    def add_chunk(self, number: int, chunk: bytes) -> None:
        """Add a chunk to the upload. Raises UnexpectedChunk unless it is the first or the next one, or the last one
        again; RestoreRuns, NoFile and JournalError."""
        with self._lock:
            self._check_idle()
            append_chunk(self._upload, number, chunk)
            self._begin(Stage.RECEIVING)

    def start(self, chunks: int) -> bool:
        """Begin to restore the upload of so many chunks. Returns whether it ended within ANSWER_S. Raises
        UnexpectedChunk, RestoreRuns and NoFile."""
        with self._lock:
            self._check_idle()
            received = chunks_in(self._upload)
            if chunks == 0 or chunks != received:
                raise UnexpectedChunk(f"{received} chunks, as received", str(chunks), fix="send the backup again")
            self._is_cancelled = False
            self._begin(Stage.CHECKING)
            self._thread = Thread(target=self._run, args=(self._upload,), name="restore", daemon=True)
            self._thread.start()
        self._thread.join(ANSWER_S)
        return not self._thread.is_alive()

    def cancel(self) -> None:
        """End the upload or the check. The games are then unchanged, unless they were replaced a moment before."""
        self._is_cancelled = True
        if self._thread:
            self._thread.join(ANSWER_S)
        with self._lock:
            if not self._is_running and (path := self._host.journal_path):
                remove_leftovers(path)

    @property
    def _upload(self) -> Path:
        if self._host.journal_path is None:
            raise NoFile("games in a file", "games in memory")
        return upload_path(self._host.journal_path)

    @property
    def _is_running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def _check_idle(self) -> None:
        if self._is_running:
            raise RestoreRuns("no other restore", "one that runs", fix="wait until it is done")

    def _run(self, upload: Path) -> None:
        try:
            self._restore(upload)
        except Cancelled:
            self._begin(Stage.RECEIVING)
        except NewerBackup as fault:
            self._fail(BackupTooNew(fault.expected, fault.got, UPLOADED, fault.fix))
        except UnusableBackup as fault:
            self._fail(BackupRefused(fault.expected, fault.got, UPLOADED, fault.fix))
        except (HostError, TimeoutError) as fault:
            self._fail(fault)
        else:
            self._progress = replace(self._progress, stage=Stage.DONE)
        finally:
            if self._host.journal_path:
                remove_leftovers(self._host.journal_path)

    def _begin(self, stage: Stage) -> None:
        self._progress = RestoreProgress(stage)
        self.fault = None

    def _fail(self, fault: Refusal | HostError | TimeoutError) -> None:
        self.fault = fault
        self._progress = replace(self._progress, stage=Stage.FAILED, problem=str(fault) or "the board is busy")

    def _restore(self, upload: Path) -> None:
        people = PeopleFile.in_backup(upload)
        learners = LearnersFile.in_backup(upload)
        self._host.restore(upload, self._note_game)
        if people is not None:
            self._people_file.restore(people)
        if learners is not None:
            self._learners_file.restore(learners)
        self._archive.clear()

    def _note_game(self, games: int, all_games: int) -> None:
        if self._is_cancelled:
            raise Cancelled
        self._progress = replace(self._progress, games=games, all_games=all_games)


def room_for_upload(journal: Path | None) -> int:
    """How long an uploaded backup may be, in bytes, so that the disk can hold what is made of it; 0 without a file."""
    if journal is None:
        return 0
    return shutil.disk_usage(journal.parent).free // COPIES_WHILE_RESTORING


def chunks_in(upload: Path) -> int:
    """How many chunks the upload has."""
    with suppress(OSError):
        check_plain(upload)
        return -(-upload.stat().st_size // CHUNK_BYTES)
    return 0


def append_chunk(upload: Path, number: int, chunk: bytes) -> None:
    """Add a chunk to the upload; one that was sent again is taken once. Raises UnexpectedChunk and JournalError."""
    received = chunks_in(upload)
    if number == received - 1 and _last_chunk(upload, number) == chunk:
        return  # the answer was lost on its way
    if number not in (0, received):
        raise UnexpectedChunk(f"chunk 0, or {received}", str(number), fix="send the backup again")
    if room_for_upload(upload) < CHUNK_BYTES:
        raise JournalError("room on the disk for the backup", "less", str(upload), "free some space")
    kind = os.O_APPEND if number else os.O_TRUNC
    try:
        with os.fdopen(open_plain(upload, os.O_WRONLY | os.O_CREAT | kind), "wb") as file:
            file.write(chunk)
    except OSError as fault:
        got = fault.strerror or str(fault)
        raise JournalError("a file for the backup", got, str(upload), "free some space, or move it away") from fault


def _last_chunk(upload: Path, number: int) -> bytes:
    with os.fdopen(open_plain(upload, os.O_RDONLY), "rb") as file:
        file.seek(number * CHUNK_BYTES)
        return file.read()
