"""`cribboard club board`: which boards may connect to the club's own broker; and that broker.

A board needs its password and the certificate of the club's authority. `add --into` writes both into a folder, with the
settings, for a USB stick.
"""

from __future__ import annotations

import socket
from pathlib import Path
from typing import TYPE_CHECKING

import click

from firmware_host.cli.board_files import write_files_for_board
from firmware_host.cli.club_session import Session, as_session
from firmware_host.cli.command_group import CommandGroup
from firmware_host.cli.games import settings_now
from firmware_host.cli.jsonl import write_line
from firmware_host.club.seating import release_board, set_join_code
from firmware_host.club_server.broker import PORT, certificate_of, files_for_board, new_code
from firmware_host.config.settings import Settings
from firmware_host.telemetry.local_broker import LocalBroker

if TYPE_CHECKING:
    from firmware_host.https.renewal import Renewal


def own_broker(settings: Settings, address: str = "127.0.0.1", port: int = PORT) -> LocalBroker:
    """The broker of the club in the state folder, with TLS."""
    return LocalBroker(settings.club_broker, address, port, own_certificate(settings))


def own_certificate(settings: Settings) -> Renewal:
    """The certificate of the broker in the state folder."""
    from firmware_host.startup.network import board_names

    return certificate_of(settings.club_broker, lambda: board_names(settings))


@click.group("board", cls=CommandGroup)
def board() -> None:
    """Boards that may connect to the broker of `serve --broker`, and join the night."""


@board.command("add", short_help="Let a board connect: print its settings and its password.")
@click.argument("name")
@click.option("--port", default=PORT, show_default=True, help="Of the broker, for the settings of the board.")
@click.option("--host", help="This computer, as the board finds it.  [default: its name in the local network]")
@click.option("--into", type=click.Path(file_okay=False, path_type=Path), help="A folder for the three files.")
@click.option("--renew", is_flag=True, help="Give a board that is there already another password.")
@as_session
def add(session: Session, name: str, port: int, host: str | None, into: Path | None, renew: bool) -> None:
    """Let a board connect: print its settings, its password and the certificate that it has to trust, or write them
    into a folder."""
    settings = settings_now()
    broker = own_broker(settings)
    if name in broker.boards and not renew:
        raise click.ClickException(
            f"expected the name of a new board, got {name}, which may connect already: choose another name, or give it "
            "another password by --renew, which cuts it off until it has that"
        )
    files = files_for_board(broker, own_certificate(settings), name, host or own_name(), port)
    write_files_for_board(files, into)


def own_name() -> str:
    """The name by which boards in the local network find this computer."""
    return f"{socket.gethostname().lower().removesuffix('.local')}.local"


@board.command("expel")
@click.argument("name")
@as_session
def expel(session: Session, name: str) -> None:
    """Take the right to connect away from a board, such as a stolen one. It is cut off within seconds."""
    LocalBroker(settings_now().club_broker).expel_board(name)
    _list()


@board.command("list")
@as_session
def show(session: Session) -> None:
    """List the boards that may connect."""
    _list()


def _list() -> None:
    for name in LocalBroker(settings_now().club_broker).boards:
        write_line(name)


@board.command("code")
@as_session
def code(session: Session) -> None:
    """Draw another code by which boards join the night, and print it. Boards that have joined stay."""
    drawn = new_code()
    session.file.change(lambda club: set_join_code(session.night(club), drawn))
    write_line(drawn)


@board.command("release")
@click.argument("name")
@as_session
def release(session: Session, name: str) -> None:
    """Take a board from its table. The next one that joins gets it."""
    session.file.change(lambda club: release_board(session.night(club), name))
