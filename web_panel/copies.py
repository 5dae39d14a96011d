"""Copies of all games by phone: taken along as a file, and brought back piece by piece, each as small as any order."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path

from flask import Blueprint, Response

from firmware_host.archive import Archive
from firmware_host.backup import past_games
from firmware_host.cribbage.refusals import Refusal
from firmware_host.host import Host
from firmware_host.journal import JournalFault
from firmware_host.table.state import Phase
from web_panel.body import takes
from web_panel.pages import spoken
from web_panel.problems import Problem
from web_panel.roles import OWNER, asking

PIECE = 8 * 1024
"""Bytes of a piece; only the last one may be shorter."""
MOST_PIECES = 8_000
"""64 MB: thousands of games. More does not fit."""


class OutOfStep(Refusal):
    """The piece is not the one that is awaited."""

    kind = "out_of_step"
    sentence = "The copy did not arrive whole: send it again"


class NoFile(Refusal):
    """The games of this board are in no file."""

    kind = "no_file"
    sentence = "The games of this board are in no file"


def make_copies(host: Host, archive: Archive) -> Blueprint:
    pages = Blueprint("copies", __name__)

    @pages.get("/copies")
    def copies() -> str:
        return spoken("copies.html", may_bring_back=asking().role >= OWNER, piece=PIECE, loss=host.loss)

    @pages.get("/cribboard.sqlite3")
    def backup() -> Response:
        """All games but one that is still on: it holds cards that nobody else may see yet."""
        with archive.opening() as journal:
            table = host.snapshot.table
            content = past_games(journal, is_last_over=table is None or table.phase is Phase.OVER)
        headers = {"Content-Disposition": 'attachment; filename="cribboard.sqlite3"', "Cache-Control": "no-store"}
        return Response(content, mimetype="application/vnd.sqlite3", headers=headers)

    @pages.post("/api/v1/copy/pieces")
    @takes(lambda body: (body.whole("number"), body.bytes("piece", PIECE)))
    def take_piece(told: tuple[int, bytes]) -> Response:
        """A piece of a copy, counted from 0, in base64. The first begins a new copy."""
        keep_piece(upload_of(host), *told)
        return Response(status=HTTPStatus.NO_CONTENT)

    @pages.post("/api/v1/copy/put-back")
    @takes(lambda body: body.whole("pieces"))
    def put_back(pieces: int) -> Response:
        """Let the copy that was sent in so many pieces take the place of all games, once every event reads well."""
        upload = upload_of(host)
        if pieces == 0 or pieces != pieces_in(upload):
            raise OutOfStep(f"{pieces_in(upload)} pieces, which came", str(pieces), mend="send the copy again")
        try:
            host.put_back(upload)
        except JournalFault as fault:  # what ails a copy is told its owner in full
            raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, str(fault)) from fault
        archive.forget()
        for beside in ("", "-wal", "-shm"):
            upload.with_name(f"{upload.name}{beside}").unlink(missing_ok=True)
        return Response(status=HTTPStatus.NO_CONTENT)

    return pages


def upload_of(host: Host) -> Path:
    if host.journal_path is None:
        raise NoFile("games in a file", "games in memory")
    return host.journal_path.with_name("upload.sqlite3")


def pieces_in(upload: Path) -> int:
    return -(-upload.stat().st_size // PIECE) if upload.exists() else 0


def keep_piece(upload: Path, number: int, piece: bytes) -> None:
    came = pieces_in(upload)
    if number not in (0, came) or number >= MOST_PIECES:
        raise OutOfStep(f"piece 0, or {came}, of {MOST_PIECES} at most", str(number), mend="send the copy again")
    with upload.open("ab" if number else "wb") as file:
        file.write(piece)
