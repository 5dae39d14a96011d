"""Backups of all games by phone: downloaded as a file, uploaded in chunks that fit the body limit, and restored."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from http import HTTPStatus
from pathlib import Path
from secrets import token_hex
from typing import Annotated, BinaryIO

from flask import Blueprint, Response
from msgspec import Meta

from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.game.events import CardsDiscarded, HandDealt, PackShuffled
from firmware_host.game.state import Phase
from firmware_host.host.loop import Host
from firmware_host.stats.archive import Archive
from firmware_host.stats.learners_file import LearnersFile
from firmware_host.stats.people_file import PeopleFile
from firmware_host.storage.backup import past_games, write_backup
from firmware_host.storage.document_file import DocumentError
from firmware_host.storage.game_summary import Events
from firmware_host.storage.journal import Journal, JournalError
from firmware_host.storage.plain_file import open_plain
from web_panel.api.json_body import Body, Whole, reads_json
from web_panel.errors import Problem
from web_panel.pages.downloads import Downloads
from web_panel.rendering import render
from web_panel.security.permissions import OWNER, current_visitor

STREAM_BYTES = 64 * 1024
CHUNK_BYTES = 8 * 1024
"""Size of a chunk. Only the last one may be shorter."""
COPIES_WHILE_RESTORING = 3
"""The upload, the journal made of it, and the replica of that."""


class UnexpectedChunk(Refusal):
    """The chunk is not the next one."""

    kind = "unexpected_chunk"
    sentence = "The backup was not sent completely. Send it again."


class NoFile(Refusal):
    """The journal of this board is in memory, not in a file."""

    kind = "no_file"
    sentence = "This board does not save games to a file."


class Chunk(Body, frozen=True):
    """One part of an upload, the first with number 0."""

    number: Whole
    chunk: Annotated[bytes, Meta(min_length=1, max_length=CHUNK_BYTES)]


class ChunkCount(Body, frozen=True):
    """How many chunks were uploaded."""

    chunks: Whole


def make_backups(
    host: Host, archive: Archive, people_file: PeopleFile, learners_file: LearnersFile, downloads: Downloads
) -> Blueprint:
    """The page /backups, the download, and the routes to upload and restore a backup."""
    pages = Blueprint("backups", __name__)

    @pages.get("/backups")
    def backups() -> str:
        can_restore = current_visitor().role >= OWNER
        max_bytes = room_for_upload(host.journal_path)
        return render(
            "backups.html", can_restore=can_restore, chunk_bytes=CHUNK_BYTES, max_bytes=max_bytes, loss=host.recovery
        )

    @pages.get("/cribboard.sqlite3")
    def download() -> Response:
        """The merged names, the progress of learners, and all games except the latest, if it is under way or has cards
        that others must not see: as long as no other game was begun, undo can go back into it."""
        return downloads.send(backup(), "application/vnd.sqlite3", "cribboard.sqlite3")

    def backup() -> Iterator[bytes]:
        with archive.open_reader() as journal:
            table = host.snapshot.table
            is_last_over = (table is None or table.phase is Phase.OVER) and not has_hands(journal.current_game())
            documents = {PeopleFile.NAME: people_file.text(), LearnersFile.NAME: learners_file.text()}
            if journal.path is None:
                content: Iterator[bytes] = iter((past_games(journal, documents, is_last_over=is_last_over),))
            else:
                content = streamed(written(journal, documents, is_last_over=is_last_over))
        yield from content

    @pages.post("/api/v1/backup/chunks")
    @reads_json(Chunk)
    def upload_chunk(body: Chunk) -> Response:
        """Upload one chunk of a backup, in base64. Chunk 0 starts a new upload."""
        append_chunk(upload_of(host), body.number, body.chunk)
        return Response(status=HTTPStatus.NO_CONTENT)

    @pages.post("/api/v1/backup/restore")
    @reads_json(ChunkCount)
    def restore(body: ChunkCount) -> Response:
        """Replace all games, merged names and learners by the uploaded backup of so many chunks, after checking each
        event."""
        chunks = body.chunks
        upload = upload_of(host)
        if chunks == 0 or chunks != chunks_in(upload):
            raise UnexpectedChunk(f"{chunks_in(upload)} chunks, as received", str(chunks), fix="send the backup again")
        try:
            people = PeopleFile.in_backup(upload)
            learners = LearnersFile.in_backup(upload)
            host.restore(upload)
            if people is not None:
                people_file.restore(people)
            if learners is not None:
                learners_file.restore(learners)
        except (JournalError, DocumentError) as error:  # the owner gets the whole reason
            raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, str(error)) from error
        archive.clear()
        for suffix in ("", "-wal", "-shm"):
            upload.with_name(f"{upload.name}{suffix}").unlink(missing_ok=True)
        return Response(status=HTTPStatus.NO_CONTENT)

    return pages


def written(journal: Journal, documents: Mapping[str, str], *, is_last_over: bool) -> BinaryIO:
    """A backup as an open file that has no name any more: it is gone when it is closed. It is written beside the
    journal, for the memory may be smaller than all games. Raises JournalError."""
    assert journal.path
    target = journal.path.with_name(f"download-{token_hex(4)}.sqlite3")
    try:
        write_backup(journal, target, documents, is_last_over=is_last_over)
        return os.fdopen(open_plain(target, os.O_RDONLY), "rb")
    finally:
        target.unlink(missing_ok=True)


def streamed(file: BinaryIO) -> Iterator[bytes]:
    """The file piece by piece; it is closed at the end, or when the visitor goes away."""
    with file:
        while piece := file.read(STREAM_BYTES):
            yield piece


def room_for_upload(journal: Path | None) -> int:
    """How long an uploaded backup may be, in bytes, so that the disk can hold what is made of it; 0 without a file."""
    if journal is None:
        return 0
    return shutil.disk_usage(journal.parent).free // COPIES_WHILE_RESTORING


def has_hands(turns: Iterable[Events]) -> bool:
    """Whether anybody entered a hand or a discard in these turns, undone ones included, or the program shuffled a
    pack."""
    return any(
        isinstance(event, PackShuffled) or (isinstance(event, HandDealt | CardsDiscarded) and event.cards)
        for turn in turns
        for event in turn
    )


def upload_of(host: Host) -> Path:
    """The file of the upload, beside the journal. Raises NoFile."""
    if host.journal_path is None:
        raise NoFile("games in a file", "games in memory")
    return host.journal_path.with_name("upload.sqlite3")


def chunks_in(upload: Path) -> int:
    return -(-upload.stat().st_size // CHUNK_BYTES) if upload.exists() else 0


def append_chunk(upload: Path, number: int, chunk: bytes) -> None:
    """Add a chunk to the upload. Raises UnexpectedChunk unless it is the first or the next one."""
    received = chunks_in(upload)
    if number not in (0, received):
        raise UnexpectedChunk(f"chunk 0, or {received}", str(number), fix="send the backup again")
    if room_for_upload(upload) < CHUNK_BYTES:
        raise JournalError("room on the disk for the backup", "less", str(upload), "free some space")
    with upload.open("ab" if number else "wb") as file:
        file.write(chunk)
