"""A club night of simulated boards in this program, each with its own journal, connection and password."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import date
from functools import partial
from pathlib import Path
from random import Random
from threading import Event
from time import monotonic

from firmware_host.club import decide as d
from firmware_host.club.members import USUAL_PRESET, NightSettings
from firmware_host.club.seating import set_join_code
from firmware_host.club_server.broker import new_code
from firmware_host.club_server.store import ClubFile, open_club
from firmware_host.club_server.threads import background_thread
from firmware_host.config.settings import Settings
from firmware_host.cribbage.variants import PRESETS
from firmware_host.game.commands import ConfirmResult
from firmware_host.game.state import Phase
from firmware_host.host.loop import Host
from firmware_host.simulation.autoplay import Demo
from firmware_host.startup.boards import host_setup_of
from firmware_host.storage.journal import Journal
from firmware_host.telemetry.broker import Broker
from firmware_host.telemetry.local_broker import LocalBroker
from firmware_host.telemetry.telemetry import Options, Telemetry

NAMES = (
    *("Ann", "Ben", "Cat", "Dan", "Eva", "Finn", "Gwen", "Hugo", "Iris", "Jonas"),
    *("Klara", "Leo", "Mia", "Nils", "Olga", "Piotr", "Rosa", "Stefan", "Tessa", "Urs"),
)
LOOK_S = 0.5
"""How often the players look at their board, and the organiser at the results."""


def begin_night(file: ClubFile, players: int, rounds: int) -> None:
    """A night of today by the usual rules of a club that so many members have entered, with a code."""
    for number in range(players):
        name = NAMES[number] if number < len(NAMES) else f"Player {number + 1}"
        file.change(partial(d.add_member, name=name))
    settings = NightSettings(games=rounds, rules=PRESETS[USUAL_PRESET].rules())
    file.change(lambda club: d.create_night(club, date.today().isoformat(), settings))
    for member in file.club.current_members:
        file.change(lambda club, id=member.id: d.enter_player(club, club.nights[-1], id))  # type: ignore[misc]
    file.change(lambda club: set_join_code(club.nights[-1], new_code()))


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
    name = broker.board
    journal = folder / f"{broker.board}.sqlite3"
    setup = host_setup_of(Settings(state_folder=folder / name, simulate=True, scan_hz=scan_hz))
    host = Host(setup, Journal.open(journal), lambda: monotonic() * speed)
    host.start()
    options = Options(club_code=code)
    telemetry = Telemetry(host, broker, "", lambda: closing(Journal.open_readonly(journal)), options)
    telemetry.start()

    def play(ends: Event) -> None:
        players = Demo(host, host.setup.games[0], Random(name), lambda seconds: ends.wait(seconds / speed))
        while not ends.wait(LOOK_S):
            table = host.snapshot.table
            if table is not None and table.phase is not Phase.OVER:
                players.play_on()
            elif table is not None and table.to_confirm is not None:
                host.submit(ConfirmResult(table.to_confirm))

    try:
        with background_thread(play, name):
            yield
    finally:
        telemetry.stop()
        host.stop()


def organising(path: Path, ends: Event) -> None:
    """Organises the night of a club's file until `ends` is set."""
    with open_club(path) as file:
        while not ends.wait(LOOK_S):
            organise(file)
