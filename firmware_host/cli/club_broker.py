"""`cribboard club board`: which boards may connect to the club's own broker; and that broker."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

import click

from firmware_host.cli.club_session import Session, as_session
from firmware_host.cli.games import settings_now
from firmware_host.cli.jsonl import write_line
from firmware_host.club.seating import CODE_DIGITS, release_board, set_join_code
from firmware_host.telemetry.local_broker import LocalBroker

PORT = 1883
WATCH_S = 1.0

SETTINGS = """\
[mqtt]
host = "the address of this computer"
port = {port}
board = "{name}"
user = "{name}"
password_file = "a file with this password: {password}"
results = true"""


@contextmanager
def running(broker: LocalBroker) -> Iterator[None]:
    """The broker for the time of a block; it is started again whenever it ends."""
    ends = Event()

    def watch() -> None:
        while not ends.wait(WATCH_S):
            broker.watch()

    broker.start()
    thread = Thread(target=watch, name="club-broker")
    thread.start()
    try:
        yield
    finally:
        ends.set()
        thread.join()
        broker.stop()


@click.group("board", short_help="Which boards may connect, and the code by which they join.")
def board() -> None:
    """Boards that may connect to the broker of `serve --broker`, and join the night."""


@board.command("add")
@click.argument("name")
@click.option("--port", default=PORT, show_default=True, help="Of the broker, for the printed settings.")
@as_session
def add(session: Session, name: str, port: int) -> None:
    """Let a board connect, and print its settings. A board that is there already gets a new password."""
    password = LocalBroker(settings_now().club_broker).add_board(name)
    write_line(SETTINGS.format(name=name, port=port, password=password))


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
    drawn = f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}}"
    session.file.change(lambda club: set_join_code(session.night(club), drawn))
    write_line(drawn)


@board.command("release")
@click.argument("name")
@as_session
def release(session: Session, name: str) -> None:
    """Take a board from its table. The next one that joins gets it."""
    session.file.change(lambda club: release_board(session.night(club), name))


COMMANDS = (board,)
