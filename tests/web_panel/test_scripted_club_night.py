"""A night of fourteen people and nine rounds by the pages alone: the organiser in a browser, every player on a phone.

Somebody comes late, somebody leaves early, two phones disagree, a board dies, the computer loses its power, and the
club moves to another computer. Every press of the organiser is counted; a page that is opened is one too.

Fourteen browsers would be slow, so two phones are real pages in every round; the others send what these pages send,
with cookies of their own.
"""

from __future__ import annotations

import os
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import APIRequestContext, Browser, Page, Playwright, expect, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from firmware_host.club.events import BoardJoined
from firmware_host.club.game import Game
from firmware_host.club.members import MemberId
from firmware_host.club_server.store import ClubFile
from tests.web_panel.browsing import CHROMIUM, QUIET, close_context, needs_browser, until
from tests.web_panel.club_process import Server, running

pytestmark = [*needs_browser, pytest.mark.slow]

NAMES = ("Ann", "Ben", "Cat", "Dan", "Eva", "Finn", "Gwen", "Hugo", "Iris", "Jonas", "Klara", "Leo", "Maria")
LATE = "Zoë"
ROUNDS = 9
MOST_PRESSES = 40
PICTURES = os.environ.get("CLUB_PICTURES")
"""A folder; if it is set, the pages of round five are kept there."""


class Organiser:
    """The page of the organiser. `presses` counts buttons, links and pages that are opened; `fields` what is typed."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.presses = 0
        self.fields = 0

    def open(self, address: str) -> None:
        self.presses += 1
        self.page.goto(address)

    def press(self, name: str, role: str = "button") -> None:
        """Press a button or a link; the page that follows is loaded."""
        self.presses += 1
        place = self.page.get_by_role(role, name=name, exact=True).last  # type: ignore[arg-type]
        place.click()

    def send(self, name: str) -> None:
        """Press a button that sends a form, and wait until the page is loaded anew."""
        self.page.evaluate("() => { window.isOld = true; }")
        self.press(name)
        until(self._is_new)

    def _is_new(self) -> bool:
        try:
            return bool(self.page.evaluate("document.readyState === 'complete' && !window.isOld"))
        except PlaywrightError:  # between two pages
            return False

    def unfold(self, text: str) -> None:
        self.presses += 1
        self.page.locator("summary", has_text=text).first.click()

    def fill(self, label: str, text: str) -> None:
        self.fields += 1
        self.page.get_by_label(label, exact=True).last.fill(text)

    def log_in(self, password: str) -> None:
        """Where the page that was opened is the form."""
        self.fill("Account name", "organiser")
        self.fill("Password", password)
        self.send("Log in")


class Phones:
    """The phone of each player, for the computer that serves them now."""

    def __init__(self, playwright: Playwright, browser: Browser, server: Server) -> None:
        self._playwright, self._browser, self._server = playwright, browser, server
        self._requests = dict[str, APIRequestContext]()
        self.pages = dict[str, Page]()
        for name in ("Ann", "Ben"):
            self.pages[name] = browser.new_context(viewport={"width": 390, "height": 844}).new_page()

    def join(self, name: str) -> None:
        code = self._server.night.join_code
        if page := self.pages.get(name):
            page.goto(f"{self._server.address}me")
            page.get_by_label("Name").fill(name.lower())
            page.get_by_label("Code on the screen of the room").fill(code)
            page.get_by_role("button", name="Join").click()
            expect(page.get_by_text(f"I am not {name}")).to_be_visible()
            return
        origin = self._server.address.rstrip("/")
        self._requests[name] = self._playwright.request.new_context(
            base_url=self._server.address, extra_http_headers={"Origin": origin}
        )
        assert self._requests[name].post("api/v1/player/join", data={"name": name, "code": code}).status == 204

    def enter(self, name: str, game: Game, scores: tuple[int, int]) -> None:
        """A player enters the scores; where the opponent has entered the same ones, the page asks only to agree."""
        if page := self.pages.get(name):
            page.goto(f"{self._server.address}me")
            agree = page.get_by_role("button", name="That is right")
            if agree.count():
                agree.click()
            else:
                for place, score in enumerate(scores):
                    page.locator(f"input[name={('first', 'second')[place]}]:not([type=hidden])").fill(str(score))
                page.get_by_role("button", name="Enter the result").click()
            page.wait_for_load_state()
            expect(page.get_by_role("button", name="Enter the result")).to_have_count(0)
            return
        fields = {"round": game.round, "table": game.table, "first": scores[0], "second": scores[1]}
        assert self._requests[name].post("api/v1/player/report", data=fields).status == 204

    def close(self) -> None:
        for page in self.pages.values():
            close_context(page.context)
        for request in self._requests.values():
            request.dispose()


def play(server: Server, phones: Phones, random: Random, skipped: frozenset[int] = frozenset()) -> None:
    """Both players of every open game enter its result; not at the tables that are left out."""
    club = server.club
    for game in club.nights[-1].open_games:
        if game.table in skipped:
            continue
        low = random.randrange(60, 121)
        scores = (121, low) if random.random() < 0.5 else (low, 121)
        for player in game.players:
            phones.enter(club.name(player), game, scores)


def test_a_night_of_fourteen_takes_the_organiser_forty_presses(tmp_path: Path) -> None:
    random = Random(14)
    with sync_playwright() as playwright, ExitStack() as stack:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        stack.callback(browser.close)
        server = stack.enter_context(running(tmp_path / "one"))
        context = browser.new_context(viewport={"width": 1366, "height": 768}, accept_downloads=True)
        stack.callback(close_context, context)
        organiser = Organiser(context.new_page())

        organiser.open(f"{server.address}members")
        organiser.log_in(server.password)
        organiser.fill("Names", "\n".join(NAMES))
        organiser.send("Add all")
        organiser.press("Night", "link")
        organiser.send("Start a club night")
        organiser.send("Enter all")
        organiser.send("Draw round 1")
        phones = Phones(playwright, browser, server)
        for name in NAMES:
            phones.join(name)

        (waiting,) = server.night.rounds[0].byes
        organiser.unfold("New member or guest")
        organiser.fill("Name", LATE)
        organiser.send("Add")
        late = server.night.rounds[0].game_of(waiting)
        assert late and MemberId(14) in late.players and not server.night.rounds[0].byes
        phones.join(LATE)
        play(server, phones, random)

        organiser.send("Draw round 2")
        disputed = server.night.rounds[1].games[0]
        one, two = map(server.club.name, disputed.players)
        phones.enter(one, disputed, (121, 88))
        play(server, phones, random, skipped=frozenset({1}))
        if two in phones.pages:  # its page asks to agree; another result is a step further
            phones.pages[two].goto(f"{server.address}me")
            phones.pages[two].get_by_text("Another result").click()
            phones.pages[two].locator("input[name=first]:not([type=hidden])").fill("121")
            phones.pages[two].locator("input[name=second]:not([type=hidden])").fill("98")
            phones.pages[two].get_by_role("button", name="Enter the result").click()
        else:
            phones.enter(two, disputed, (121, 98))
        expect(organiser.page.get_by_role("button", name="This one counts")).to_have_count(2)
        organiser.send("This one counts")
        assert server.night.open_games == ()

        organiser.send("Draw round 3")
        with closing(ClubFile.open(server.folder / "club.sqlite3")) as file:
            file.change(lambda _: BoardJoined(1, "table-3", 3))  # the collector hears a board; it dies in its game
        play(server, phones, random)
        organiser.send("Release table-3")
        organiser.send("Draw round 4")
        play(server, phones, random)
        organiser.send("Draw round 5")
        play(server, phones, random, skipped=frozenset({2, 5}))
        take_pictures(organiser.page, phones, server)

        server.lose_power()
        server.start()
        organiser.open(f"{server.address}organiser")
        organiser.log_in(server.password)
        play(server, phones, random)
        organiser.send("Draw round 6")
        play(server, phones, random, skipped=frozenset({4}))
        leaver = server.club.name(server.night.rounds[5].games[3].players.first)
        organiser.unfold("14 players.")
        organiser.press(f"{leaver} leaves")
        organiser.send("Leaves")
        assert len(server.night.rounds[5].byes) == 1

        organiser.press("Computer", "link")
        with organiser.page.expect_download() as download:
            organiser.press("Download the backup", "link")
        download.value.save_as(tmp_path / "club.zip")
        before = server.club
        password = server.password
        phones.close()
        other = stack.enter_context(running(tmp_path / "other"))
        organiser.open(f"{other.address}computer")
        organiser.log_in(other.password)
        organiser.unfold("Restore a backup")
        organiser.fields += 1
        organiser.page.get_by_label("File").set_input_files(tmp_path / "club.zip")
        organiser.press("Restore")
        organiser.send("Restore")
        assert other.club == before
        organiser.log_in(password)
        organiser.unfold("phones have joined")
        organiser.press("Release all")
        organiser.send("Release all")
        phones = Phones(playwright, browser, other)
        stack.callback(phones.close)
        for name in (*NAMES, LATE):
            if name != leaver:
                phones.join(name)
        for number in range(7, ROUNDS + 1):
            organiser.send(f"Draw round {number}")
            play(other, phones, random)

        night = other.night
        assert night.is_over and len(night.rounds) == ROUNDS
        assert sum(1 for _ in night.games) == 5 * 7 + 4 * 6
        expect(organiser.page.get_by_role("button", name="Start a club night")).to_be_visible()
        print(f"\nthe organiser pressed {organiser.presses} times and filled {organiser.fields} fields")
        assert organiser.presses <= MOST_PRESSES


def take_pictures(page: Page, phones: Phones, server: Server) -> None:
    """The organiser's page on a laptop and on a phone, and the page of a player."""
    for width, height in ((1920, 1080), (1366, 768), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"{server.address}organiser")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        if PICTURES:
            page.screenshot(path=f"{PICTURES}/organiser-round-5-{width}.png", full_page=True)
    phones.pages["Ann"].goto(f"{server.address}me")
    if PICTURES:
        phones.pages["Ann"].screenshot(path=f"{PICTURES}/player-round-5.png", full_page=True)
    page.set_viewport_size({"width": 1366, "height": 768})
