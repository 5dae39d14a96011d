"""Backups of all games by phone: downloaded as a file, uploaded in chunks that fit the body limit, and restored."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from http import HTTPStatus
from secrets import token_hex
from typing import Annotated, BinaryIO

import msgspec
from flask import Blueprint, Response
from msgspec import Meta
from msgspec.structs import replace

from firmware_host.game.events import CardsDiscarded, HandDealt, PackShuffled
from firmware_host.game.state import Phase
from firmware_host.host.loop import Host
from firmware_host.stats.archive import Archive
from firmware_host.stats.learners_file import LearnersFile
from firmware_host.stats.people_file import PeopleFile
from firmware_host.storage.backup import past_games, write_backup
from firmware_host.storage.document_file import texts_of
from firmware_host.storage.game_summary import Events
from firmware_host.storage.journal import Journal
from firmware_host.storage.plain_file import open_plain
from web_panel.api.json_body import Body, reads_json
from web_panel.api.routes import sentence_of
from web_panel.pages.downloads import Downloads
from web_panel.pages.restores import CHUNK_BYTES, MOST_CHUNKS, Restores, room_for_upload
from web_panel.rendering import render
from web_panel.security.permissions import OWNER, current_visitor

STREAM_BYTES = 64 * 1024


ChunkNumber = Annotated[int, Meta(ge=0, le=MOST_CHUNKS, description=f"a whole number from 0 to {MOST_CHUNKS}")]


class Chunk(Body, frozen=True):
    """One part of an upload, the first with number 0."""

    number: ChunkNumber
    chunk: Annotated[bytes, Meta(min_length=1, max_length=CHUNK_BYTES)]


class ChunkCount(Body, frozen=True):
    """How many chunks were uploaded."""

    chunks: ChunkNumber


def make_backups(
    host: Host, archive: Archive, people_file: PeopleFile, learners_file: LearnersFile, downloads: Downloads
) -> Blueprint:
    """The page /backups, the download, and the routes to upload and restore a backup."""
    pages = Blueprint("backups", __name__)
    restores = Restores(host, archive, people_file, learners_file)

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
        that others must not see: as long as no other game was begun, undo can go back into it. A game that was given
        up ends before its last deal."""
        return downloads.send(backup(), "application/vnd.sqlite3", "cribboard.sqlite3")

    def backup() -> Iterator[bytes]:
        with archive.open_reader() as journal:
            table = host.snapshot.table
            is_last_over = (table is None or table.phase is Phase.OVER) and not has_hands(journal.current_game())
            documents, _ = texts_of(people_file, learners_file)
            if journal.path is None:
                content: Iterator[bytes] = iter((past_games(journal, documents, is_last_over=is_last_over),))
            else:
                content = streamed(written(journal, documents, is_last_over=is_last_over))
        yield from content

    @pages.post("/api/v1/backup/chunks")
    @reads_json(Chunk)
    def upload_chunk(body: Chunk) -> Response:
        """Upload one chunk of a backup, in base64. Chunk 0 starts a new upload; the last chunk may be sent again."""
        restores.add_chunk(body.number, body.chunk)
        return Response(status=HTTPStatus.NO_CONTENT)

    @pages.post("/api/v1/backup/restore")
    @reads_json(ChunkCount)
    def restore(body: ChunkCount) -> Response:
        """Replace all games, merged names and learners by the uploaded backup of so many chunks, after checking each
        event. Answers 204 when it is done, 409 for a file that cannot be used, and 202 with the progress where it takes
        longer."""
        if not restores.start(body.chunks):
            return progress_of(HTTPStatus.ACCEPTED)
        if restores.fault:
            raise restores.fault
        return Response(status=HTTPStatus.NO_CONTENT)

    @pages.get("/api/v1/backup/restore")
    def progress() -> Response:
        """How far the upload or the restore is."""
        return progress_of(HTTPStatus.OK)

    @pages.post("/api/v1/backup/cancel")
    @reads_json(Body)
    def cancel(body: Body) -> Response:
        """End the upload or the check of a backup, and delete what was uploaded."""
        restores.cancel()
        return Response(status=HTTPStatus.NO_CONTENT)

    def progress_of(status: HTTPStatus) -> Response:
        localized = sentence_of(restores.fault) if restores.fault else ""
        progress = replace(restores.progress, localized=localized)
        return Response(msgspec.json.encode(progress), status, mimetype="application/json")

    return pages


def written(journal: Journal, documents: Mapping[str, str], *, is_last_over: bool) -> BinaryIO:
    """A backup as an open file that has no name any more: it is gone when it is closed. It is written beside the
    journal, for the memory may be smaller than all games. Raises JournalError."""
    assert journal.path
    target = journal.path.with_name(f"download-{token_hex(4)}.sqlite3")
    try:
        write_backup(journal, target, documents, is_last_over=is_last_over, is_for_others=True)
        return os.fdopen(open_plain(target, os.O_RDONLY), "rb")
    finally:
        target.unlink(missing_ok=True)


def streamed(file: BinaryIO) -> Iterator[bytes]:
    """The file piece by piece; it is closed at the end, or when the visitor goes away."""
    with file:
        while piece := file.read(STREAM_BYTES):
            yield piece


def has_hands(turns: Iterable[Events]) -> bool:
    """Whether anybody entered a hand or a discard in these turns, undone ones included, or the program shuffled a
    pack."""
    return any(
        isinstance(event, PackShuffled) or (isinstance(event, HandDealt | CardsDiscarded) and event.cards)
        for turn in turns
        for event in turn
    )
