"""A club with a night, its pages, and browsers that are logged in or not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from socket import socket
from threading import Thread

from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Page
from werkzeug.test import TestResponse

from firmware_host.cli.club_serve import BackgroundServices
from firmware_host.club import decide as d
from firmware_host.club.game import Game
from firmware_host.club.members import MemberId, NightSettings
from firmware_host.club.state import Night
from firmware_host.club_server.accounts import AccountRole, Accounts
from firmware_host.club_server.live_boards import LiveBoards
from firmware_host.club_server.store import ClubFile
from firmware_host.config.settings import Settings
from tests.web_panel.compiled_once import TEMPLATES
from web_panel.club.app import create_club, open_club_server
from web_panel.club.computer import Computer

PASSWORD = "correct horse"
NAMES = (
    *("Ann", "Ben", "Cat", "Dan", "Eva", "Finn", "Gwen", "Hugo", "Iris", "Jonas", "Klara", "Leo", "Maria-Magdalena"),
    *("Nils", "Olga", "Piotr"),
)


class ClubRig:
    """The pages of a club in `folder`, without a server."""

    def __init__(self, folder: Path, live: LiveBoards | None = None) -> None:
        self.file = ClubFile.open(folder / "club.sqlite3")
        self.accounts = Accounts(folder / "club-accounts.json")
        services = BackgroundServices(Settings(state_folder=folder), lambda _: None)
        self.app: Flask = create_club(
            self.file, self.accounts, "http://club.test:8090/", computer=Computer(folder, services.restore), live=live
        )
        self.app.jinja_env.bytecode_cache = TEMPLATES

    @property
    def night(self) -> Night:
        return self.file.club.nights[-1]

    def client(self, role: AccountRole | None = None) -> FlaskClient:
        """A browser; with a role, one that is logged in."""
        client = self.app.test_client()
        if role is not None:
            self.accounts.set(role.name, role, PASSWORD)
            assert post(client, "login", name=role.name, password=PASSWORD).status_code == 204
        return client


def post(client: FlaskClient, path: str, **fields: object) -> TestResponse:
    """A request of the pages' own script."""
    return client.post(f"/api/v1/{path}", json=fields, headers={"Origin": "http://localhost"})


def begin(file: ClubFile, players: int) -> None:
    """A night that so many members have entered."""
    for number in range(players):
        name = f"{NAMES[number % len(NAMES)]}{' B.' * (number // len(NAMES))}"
        file.change(lambda club, name=name: d.add_member(club, name))  # type: ignore[misc]
    file.change(lambda club: d.create_night(club, "2026-03-14", NightSettings()))
    for number in range(players):
        member = MemberId(number + 1)
        file.change(lambda club, member=member: d.enter_player(club, club.nights[-1], member))  # type: ignore[misc]


def report(file: ClubFile, game: Game, scores: tuple[int, int], by: MemberId) -> None:
    """One player reports or confirms."""
    file.change(lambda club: d.report_result(club, club.nights[-1], game.round, game.table, scores, by))


def play_rounds(file: ClubFile, rounds: int) -> None:
    """So many rounds; in the last one every third table still plays, and another third waits for a confirmation."""
    random = Random(5)
    for number in range(1, rounds + 1):
        file.change(lambda club: d.pair_round(club, club.nights[-1]))
        for game in file.club.nights[-1].rounds[-1].games:
            state = game.table % 3 if number == rounds else 2
            low = random.randrange(70, 121)
            scores = (121, low) if random.random() < 0.5 else (low, 121)
            if state == 0:
                continue
            for player in game.players[:state]:
                report(file, game, scores, player)


def begin_playoffs(file: ClubFile) -> None:
    """A night of four players and one round, and then a bracket of them all: Ann plays Dan, and Ben plays Cat."""
    settings = NightSettings(games=1, qualify_one_in=1)
    file.change(lambda club: d.create_night(club, "2026-03-14", settings))
    members = [MemberId(number) for number in range(1, 5)]
    for name in NAMES[:4]:
        file.change(lambda club, name=name: d.add_member(club, name))  # type: ignore[misc]
    file.change_all(lambda club: [d.enter_player(club, club.nights[-1], member) for member in members])
    file.change(lambda club: d.pair_round(club, club.nights[-1]))
    for game in file.club.nights[-1].rounds[0].games:
        low = 100 + game.players.first  # Ann wins by the most, then Ben
        scores = (121, low) if game.players.first < game.players.second else (low, 121)
        for player in game.players:
            report(file, game, scores, player)
    file.change(lambda club: d.draw_bracket(club, club.nights[-1]))


def dispute(file: ClubFile, game: Game) -> Game:
    """Both players of a game enter that they have won it. Returns it as it was."""
    report(file, game, (121, 90), game.players.first)
    report(file, game, (88, 121), game.players.second)
    return game


@contextmanager
def serving(rig: ClubRig) -> Iterator[str]:
    """The address of the pages, which a server of their own serves for the time of a block."""
    listening = socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    server = open_club_server(rig.app, listening)
    thread = Thread(target=server.run)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.effective_port}/"
    finally:
        server.close()
        thread.join()


def log_in(page: Page, address: str, rig: ClubRig) -> None:
    """An organiser logs in with the form, and is on the page of the night."""
    rig.accounts.set("Olga", AccountRole.ORGANISER, PASSWORD)
    page.goto(f"{address}login")
    page.get_by_label("Name").fill("Olga")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Log in").click()
    page.wait_for_url("**/organiser")
