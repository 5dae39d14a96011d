"""The page of the club's computer: its accounts, and the club as a backup and back.

A backup is uploaded in chunks that fit the body limit of every request. While it is restored nothing else of the club
runs; the log-ins of accounts that it does not have end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

from flask import Blueprint, Response
from msgspec import Meta, Struct

from firmware_host.club_server.accounts import LONGEST_PASSWORD, SHORTEST_PASSWORD, AccountRole, Accounts
from firmware_host.club_server.backup import write_club_backup
from firmware_host.config.languages import translator
from firmware_host.cribbage.names import name_key
from firmware_host.errors import HostError
from firmware_host.validation.typed import one_of
from web_panel.api.json_body import Body, Text, reads_json
from web_panel.club.faults import fault_in_words
from web_panel.club.rendering import render_club
from web_panel.club.shared_club import SharedClub
from web_panel.errors import Problem
from web_panel.language import language_now
from web_panel.pages.backups import Chunk, ChunkCount
from web_panel.pages.restores import CHUNK_BYTES, UnexpectedChunk, append_chunk, chunks_in

UPLOAD = "club-upload.zip"
"""In the state folder, while a backup is uploaded."""


class Computer(Struct, frozen=True):
    """Where the files of the club are, and what replaces them by those of a backup while the program runs. `restore`
    raises HostError, and then nothing has changed."""

    folder: Path
    restore: Callable[[SharedClub, Path], None]


class NewAccount(Body, frozen=True):
    """A new account. A password may have any characters."""

    name: Text
    password: Annotated[str, Meta(min_length=SHORTEST_PASSWORD, max_length=LONGEST_PASSWORD)]
    role: Annotated[str, one_of(role.name.lower() for role in AccountRole)] = "scorekeeper"

    def __post_init__(self) -> None:
        """The name is checked where it is kept."""


class NewPassword(Body, frozen=True):
    """Another password of an account."""

    name: Text
    password: Annotated[str, Meta(min_length=SHORTEST_PASSWORD, max_length=LONGEST_PASSWORD)]

    def __post_init__(self) -> None:
        """As that of a new account."""


class AccountName(Body, frozen=True):
    """Whose account."""

    name: Text


def make_computer(shared: SharedClub, accounts: Accounts, computer: Computer | None) -> Blueprint:
    """The page, the download and the commands. Without a `computer` there is no backup."""
    views = Blueprint("club_computer", __name__)

    @views.get("/computer")
    def page() -> str:
        return render_club(
            "club_computer.html",
            shared.club,
            accounts=sorted(accounts.all().values(), key=lambda account: name_key(account.name)),
            shortest=SHORTEST_PASSWORD,
            longest=LONGEST_PASSWORD,
            has_backup=computer is not None,
            chunk_bytes=CHUNK_BYTES,
        )

    @views.get("/club.zip")
    def backup() -> Response:
        name = f"club-{date.today().isoformat()}.zip"
        with TemporaryDirectory(prefix="cribboard-") as place, answering_faults():
            write_club_backup(folder_of(computer), Path(place) / name)
            response = Response((Path(place) / name).read_bytes(), mimetype="application/zip")
        response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return response

    @views.post("/api/v1/accounts/add", endpoint="add")
    @reads_json(NewAccount)
    def add(body: NewAccount) -> Response:
        if name_key(body.name) in accounts.all():
            tr = translator(language_now())
            said = tr("{name} has an account already.").format(name=body.name)
            raise Problem(HTTPStatus.CONFLICT, "expected the name of a new account, got a known one", localized=said)
        with answering_faults():
            accounts.set(body.name, AccountRole[body.role.upper()], body.password)
        return Response(status=HTTPStatus.NO_CONTENT)

    @views.post("/api/v1/accounts/password", endpoint="password")
    @reads_json(NewPassword)
    def password(body: NewPassword) -> Response:
        if name_key(body.name) not in accounts.all():
            said = translator(language_now())("Nobody has an account of this name any more.")
            raise Problem(HTTPStatus.NOT_FOUND, "expected the name of an account, got another one", localized=said)
        with answering_faults():
            accounts.set(body.name, None, body.password)
        return Response(status=HTTPStatus.NO_CONTENT)

    @views.post("/api/v1/accounts/remove", endpoint="remove")
    @reads_json(AccountName)
    def remove(body: AccountName) -> Response:
        with answering_faults():
            accounts.remove(body.name)
        return Response(status=HTTPStatus.NO_CONTENT)

    @views.post("/api/v1/backup/chunk", endpoint="chunk")
    @reads_json(Chunk)
    def chunk(body: Chunk) -> Response:
        with answering_faults():
            append_chunk(folder_of(computer) / UPLOAD, body.number, body.chunk)
        return Response(status=HTTPStatus.NO_CONTENT)

    @views.post("/api/v1/backup/restore", endpoint="restore")
    @reads_json(ChunkCount)
    def restore(body: ChunkCount) -> Response:
        upload = folder_of(computer) / UPLOAD
        if body.chunks == 0 or body.chunks != chunks_in(upload):
            raise UnexpectedChunk(f"{chunks_in(upload)} chunks, as received", str(body.chunks), fix="send it again")
        assert computer
        try:
            with answering_faults():
                computer.restore(shared, upload)
        finally:
            upload.unlink(missing_ok=True)
        return Response(status=HTTPStatus.NO_CONTENT)

    return views


def folder_of(computer: Computer | None) -> Path:
    """The state folder. Raises Problem (404) where there is none."""
    if computer is None:
        raise Problem(HTTPStatus.NOT_FOUND, "this program has no folder for backups")
    return computer.folder


@contextmanager
def answering_faults() -> Iterator[None]:
    """Answers a fault of a file or of an account in the block with 409 and a sentence."""
    try:
        yield
    except HostError as fault:
        said = fault_in_words(fault, translator(language_now()))
        raise Problem(HTTPStatus.CONFLICT, str(fault), localized=said) from fault
