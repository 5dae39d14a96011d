"""`cribboard club demo`: a club night of simulated boards on this computer, to look at."""

from __future__ import annotations

import logging
import sys
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from firmware_host.cli.club_serve import end_on_sigterm, say_if_local
from firmware_host.cli.club_session import Session, as_session
from firmware_host.cli.jsonl import write_line
from firmware_host.club_server.accounts import FIRST_NAME, Accounts
from firmware_host.club_server.broker import running
from firmware_host.club_server.live_boards import LiveBoards
from firmware_host.club_server.store import open_club
from firmware_host.club_server.threads import background_thread
from firmware_host.telemetry.local_broker import LocalBroker

BOARDS = 8


@click.command("demo")
@click.option("--boards", type=click.IntRange(1, 10), default=BOARDS, show_default=True)
@click.option("--rounds", type=click.IntRange(1, 9), default=9, show_default=True)
@click.option(
    "--speed",
    type=click.FloatRange(0.5, 10),
    default=5.0,
    show_default=True,
    help="Speed of the players; 1 is that of people.",
)
@click.option("--address", default="127.0.0.1", show_default=True, help="Of the pages, as for serve.")
@as_session
def demo(session: Session, boards: int, rounds: int, speed: float, address: str) -> None:
    """Run a club night of simulated boards until Ctrl-C. Your own club is not touched, and nothing is kept.

    Needs mosquitto. The boards run in this program, each with its own journal, connection and password. Their players
    move pegs and confirm the results on their boards.
    """
    from firmware_host.club_server.collector import collecting_in_background
    from firmware_host.config.settings import Settings
    from firmware_host.startup.club_demo import add_board, begin_night, organising, simulated_board
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
        password = accounts.first_password()
        listening = listen(address, 8090, 20)
        url = address_of(listening)
        write_line(tr("The screen of the room: {address}").format(address=url))
        say_if_local(session, address)
        write_line(tr("Log in as {name} with the password {password}").format(name=FIRST_NAME, password=password))
        sys.stdout.flush()
        code = file.club.nights[-1].join_code
        names = [f"table-{number + 1}" for number in range(boards)]
        joining = [add_board(Path(name), broker, each) for each in names]
        live = LiveBoards()
        night.enter_context(running(broker))
        night.enter_context(collecting_in_background(settings.club, broker.club_access(), session.output, live=live))
        for each in joining:
            night.enter_context(simulated_board(Path(name), each, code, speed))
        night.enter_context(background_thread(partial(organising, settings.club), "club-organiser"))
        server = open_club_server(create_club(file, accounts, url, live=live), listening)
        night.callback(server.close)
        server.run()
