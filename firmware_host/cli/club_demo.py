"""`cribboard club demo`: a club night of simulated boards on this computer, to look at."""

from __future__ import annotations

import logging
import secrets
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import date
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Event, Thread
from time import monotonic

import click

from firmware_host.cli.club_broker import running
from firmware_host.cli.club_serve import collecting_beside, end_on_sigterm, first_password
from firmware_host.cli.club_session import Session, as_session
from firmware_host.cli.jsonl import write_line
from firmware_host.club import decide as d
from firmware_host.club.members import NightSettings
from firmware_host.club.seating import CODE_DIGITS, set_join_code
from firmware_host.club_server.accounts import Accounts
from firmware_host.club_server.store import ClubFile, open_club
from firmware_host.game.commands import ConfirmResult
from firmware_host.game.state import Phase
from firmware_host.telemetry.link import Broker
from firmware_host.telemetry.local_broker import LocalBroker

BOARDS = 8
NAMES = (
    *("Ann", "Ben", "Cat", "Dan", "Eva", "Finn", "Gwen", "Hugo", "Iris", "Jonas"),
    *("Klara", "Leo", "Mia", "Nils", "Olga", "Piotr", "Rosa", "Stefan", "Tessa", "Urs"),
)
LOOK_S = 0.5
"""How often the players look at their board, and the organiser at the results."""


def begin_night(file: ClubFile, players: int, rounds: int) -> None:
    """A night of today that so many members have entered, with a code."""
    for number in range(players):
        name = NAMES[number] if number < len(NAMES) else f"Player {number + 1}"
        file.change(partial(d.add_member, name=name))
    file.change(lambda club: d.create_night(club, date.today().isoformat(), NightSettings(games=rounds)))
    for member in file.club.current_members:
        file.change(lambda club, id=member.id: d.enter_player(club, club.nights[-1], id))  # type: ignore[misc]
    code = f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}}"
    file.change(lambda club: set_join_code(club.nights[-1], code))


def organise(file: ClubFile) -> None:
    """What the organiser does: draw the next round when all results of this one are confirmed."""
    night = file.club.nights[-1]
    if not night.open_games and len(night.rounds) < night.settings.games:
        file.change(lambda club: d.pair_round(club, club.nights[-1]))


def add_board(folder: Path, broker: LocalBroker, name: str) -> Broker:
    """Lets a board connect, writes its password into a file of the folder, and returns how the board connects."""
    password_file = folder / f"{name}.password"
    password_file.write_text(broker.add_board(name))
    access = broker.club_access()
    return Broker(access.host, access.port, name, user=name, password_file=str(password_file))


@contextmanager
def simulated_board(folder: Path, broker: Broker, code: str, speed: float, scan_hz: int = 50) -> Iterator[None]:
    """A board with its own journal that joins the night, and two players who play what they are told, so many times as
    fast as people."""
    from firmware_host.config.settings import Settings
    from firmware_host.host.loop import Host
    from firmware_host.simulation.autoplay import Demo
    from firmware_host.startup.boards import host_setup_of
    from firmware_host.storage.journal import Journal
    from firmware_host.telemetry.telemetry import Options, Telemetry

    name = broker.board
    journal = folder / f"{broker.board}.sqlite3"
    setup = host_setup_of(Settings(state_folder=folder / name, simulate=True, scan_hz=scan_hz))
    host = Host(setup, Journal.open(journal), lambda: monotonic() * speed)
    host.start()
    options = Options(club_code=code)
    telemetry = Telemetry(host, broker, "", lambda: closing(Journal.open_readonly(journal)), options)
    telemetry.start()
    ends = Event()

    def play() -> None:
        players = Demo(host, host.setup.games[0], Random(name), lambda seconds: ends.wait(seconds / speed))
        while not ends.wait(LOOK_S):
            table = host.snapshot.table
            if table is not None and table.phase is not Phase.OVER:
                players.play_on()
            elif table is not None and table.to_confirm is not None:
                host.submit(ConfirmResult(table.to_confirm))

    try:
        with beside(play, ends):
            yield
    finally:
        telemetry.stop()
        host.stop()


@contextmanager
def beside(run: Callable[[], None], ends: Event) -> Iterator[None]:
    """A thread for the time of a block, which ends when `ends` is set."""
    thread = Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        ends.set()
        thread.join()


def organising(path: Path, ends: Event) -> None:
    """Organises the night until `ends` is set."""
    with open_club(path) as file:
        while not ends.wait(LOOK_S):
            organise(file)


@click.command("demo")
@click.option("--boards", type=click.IntRange(1, 10), default=BOARDS, show_default=True)
@click.option("--rounds", type=click.IntRange(1, 9), default=9, show_default=True)
@click.option(
    "--speed", type=click.FloatRange(0.5, 10), default=5.0, show_default=True, help="Times as fast as people."
)
@click.option("--address", default="127.0.0.1", show_default=True, help="Of the pages, as for serve.")
@as_session
def demo(session: Session, boards: int, rounds: int, speed: float, address: str) -> None:
    """Run a club night of simulated boards until Ctrl-C. Your own club is not touched, and nothing is kept.

    Needs mosquitto. The boards run in this program, each with its own journal, connection and password. Their players
    move pegs and confirm the results on their boards.
    """
    from firmware_host.config.settings import Settings
    from firmware_host.startup.network import address_of, listen
    from web_panel.club.app import create_club, open_club_server

    logging.getLogger("firmware_host").setLevel(logging.ERROR)
    tr = session.translate
    end_on_sigterm()
    with suppress(KeyboardInterrupt), TemporaryDirectory(prefix="cribboard-club-") as name, ExitStack() as night:
        settings = Settings(state_folder=Path(name))
        with listen("127.0.0.1", 18830, 100) as free:
            port = free.getsockname()[1]
        broker = LocalBroker(settings.club_broker, port=port)
        file = night.enter_context(open_club(settings.club))
        begin_night(file, 2 * boards, rounds)
        accounts = Accounts(settings.club_accounts)
        password = first_password(accounts)
        listening = listen(address, 8090, 20)
        url = address_of(listening)
        write_line(tr("The screen of the room: {address}").format(address=url))
        write_line(tr("Log in as {name} with the password {password}").format(name="organiser", password=password))
        sys.stdout.flush()
        code = file.club.nights[-1].join_code
        names = [f"table-{number + 1}" for number in range(boards)]
        joining = [add_board(Path(name), broker, each) for each in names]
        night.enter_context(running(broker))
        night.enter_context(collecting_beside(settings, broker.club_access(), tr))
        for each in joining:
            night.enter_context(simulated_board(Path(name), each, code, speed))
        ends = Event()
        night.enter_context(beside(partial(organising, settings.club, ends), ends))
        server = open_club_server(create_club(file, accounts, url), listening)
        night.callback(server.close)
        server.run()
