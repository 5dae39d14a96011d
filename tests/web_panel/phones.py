"""Several phones at one board in a real browser, the board's keys and QR code, and players who do what the page
asks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from time import sleep
from urllib.request import urlopen

import zxingcpp
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect, sync_playwright

from firmware_host.cribbage.cards import JACK, Card
from firmware_host.cribbage.show import count_show
from firmware_host.cribbage.variants import VARIANTS
from firmware_host.pairing.pairing import IGNORE_KEYS_S
from tests.web_panel.browsing import (
    CHROMIUM,
    PATIENCE_MS,
    PAUSE_S,
    QUIET,
    Program,
    close_context,
    next_turn,
    open_menu,
    until,
)
from tests.web_panel.pictures import first_input, leap, look, post

LAN_NAME = "board.test"
"""Host name of the board on the LAN. The browser resolves it to this computer, and the board sees no local visitor."""
PHONE: ViewportSize = {"width": 360, "height": 740}
RULES = VARIANTS["six_card"]
SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}


def new_browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        resolver = f"--host-resolver-rules=MAP {LAN_NAME} 127.0.0.1"
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*QUIET, resolver])
        yield browser
        browser.close()


def new_session(browser: Browser, state_folder: Path) -> Iterator[BoardSession]:
    """For a fixture: a program and the pages that look at it, none of which may have an error of a script."""
    program = Program(state_folder)
    session = BoardSession(browser, program)
    yield session
    session.clear()
    program.switch_off()
    assert not session.errors


def typed(page: Page, ranks: str) -> None:
    """Tap ranks on the card input."""
    for rank in ranks:
        page.locator(f'#card-input [data-rank="{rank}"]').click()


def hand(page: Page, rank: str = "") -> Locator:
    """The cards of this phone's hand, or those of a rank."""
    cards = page.locator(".hand .card")
    return cards.filter(has_text=re.compile(f"^{rank.replace('T', '10')}$")) if rank else cards


def tap_cards(page: Page, *ranks: str) -> None:
    """Tap cards of the hand, one for each rank."""
    for rank in ranks:
        hand(page, rank).and_(page.locator('button:not([aria-pressed="true"])')).first.click()


def discard(page: Page) -> None:
    """Discard the chosen cards with the primary button."""
    expect(page.locator("#primary")).to_contain_text("Discard ")
    sleep(PAUSE_S)
    page.locator("#primary").click()


class BoardSession:
    """One board and the phones that use it."""

    def __init__(self, browser: Browser, program: Program) -> None:
        self.browser, self.program, self.address = browser, program, program.address
        self.lan_address = self.address.replace("127.0.0.1", LAN_NAME)
        self.phones: list[Page] = []
        self.errors: list[str] = []

    def phone(self, path: str = "", *, is_on_lan: bool = False) -> Page:
        """A browser context of its own, with its own cookies and storage. Script errors are recorded."""
        context = self.browser.new_context(viewport=PHONE, reduced_motion="reduce", locale="en")
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto((self.lan_address if is_on_lan else self.address) + path)
        self.phones.append(page)
        return page

    def clear(self) -> None:
        for page in self.phones:
            close_context(page.context)

    # The board.

    def begin(self, **options: object) -> None:
        game = {"variant": "six_card", "names": ["Ann", "Ben"], "board": "classic-61", "dealer": 0}
        post(self.address, "commands/new-game", game | options)

    def key(self, legend: str, *, is_down: bool) -> None:
        post(self.address, "keys", {"legend": legend, "down": is_down})

    def press(self, legend: str) -> None:
        self.key(legend, is_down=True)
        self.key(legend, is_down=False)

    def wait_for_display(self, line: str) -> None:
        until(lambda: any(line in shown for shown in look(self.address)["display"]))

    def open_pairing(self) -> str:
        """Open pairing on the menu of the board. Returns the code, read from the QR code on the display."""
        if self._picture():
            self.press("UNDO")  # the first key removes the QR code of the last pairing
            until(lambda: not self._picture())
        self.key("FN", is_down=True)
        self.wait_for_display("Choose")
        self.key("FN", is_down=False)
        for legend, leads_to in (("FN", "5 Phones"), ("5", "A Add a phone")):
            self.press(legend)
            self.wait_for_display(leads_to)
        self.press("A")
        until(self._picture)
        return self._picture().rpartition("/")[2]

    def _picture(self) -> str:
        with urlopen(f"{self.address}oled.png") as answer:
            shown = Image.open(BytesIO(answer.read())).convert("L").resize((512, 256), Image.Resampling.NEAREST)
        found = zxingcpp.read_barcodes(shown)
        return found[0].text if found else ""

    def scan(self, code: str) -> str:
        """The address in the QR code, with the host name on the LAN."""
        return f"{self.lan_address}IN/{code}"

    def answer(self, legend: str) -> None:
        """ENTER accepts the phone, UNDO rejects it. The board ignores keys for HUSH_S, to prevent accidents."""
        until(self._is_asked)
        sleep(IGNORE_KEYS_S)
        self.press(legend)
        until(lambda: not self._is_asked())

    def _is_asked(self) -> bool:
        return str(look(self.address)["prompt"]).startswith("Add ")

    def pair(self, name: str) -> Page:
        page = self.phone(is_on_lan=True)
        page.goto(self.scan(self.open_pairing()))
        page.get_by_label("Your name").fill(name)
        page.get_by_role("button", name="Ask to join").click()
        self.answer("ENTER")
        expect(page.locator("#phone .phone-status")).to_contain_text(f"{name}, you are in")
        return page

    # The seats.

    def sit(self, page: Page, name: str) -> Page:
        self.pair_locally(page, name, ("Ann", "Ben").index(name))
        expect(page.locator(".own-hand h2")).to_have_text(f"{name}: your cards")
        expect(page.locator("#card-input .input-title")).to_have_text("Your dealt cards")
        return page

    def pair_locally(self, page: Page, name: str, seat: int) -> None:
        """Pair on the board's own computer, and take a seat."""
        open_menu(page).locator(".pair-button").click()
        page.locator("#pairing-dialog [name=name]").fill(name)
        page.locator("#pairing-dialog [type=submit]").click()
        if look(self.address)["seats"][seat]["name"] != name:  # a phone takes the seat of its own name by itself
            page.locator(f'.seats [data-seat="{seat}"]').click()
        page.locator(".own-hand h2").wait_for()

    def enter_hand(self, page: Page, dealt: str, discards: str) -> None:
        typed(page, dealt)
        tap_cards(page, *discards)
        discard(page)
        expect(hand(page)).to_have_count(len(dealt) - len(discards))

    # The game.

    def phase(self) -> str:
        return str(look(self.address)["game"]["phase"])

    def winner(self) -> int | None:
        found: int | None = look(self.address)["game"]["winner"]
        return found

    def to_play(self) -> int:
        """The seat whose turn it is."""
        return int(first_input(look(self.address))["seats"][0])

    def to_count(self) -> tuple[int, bool]:
        """The seat that shows next, and whether it shows the crib."""
        count = next(each for each in look(self.address)["actions"] if each["command"] == "count" and each["is_next"])
        return count["seats"][0], count["body"]["is_crib"]

    def move_pegs(self) -> None:
        """Move the pegs of each side that owes points."""
        for side in range(2):
            state = look(self.address)
            owed, score = state["sides"][side]["owed"], state["sides"][side]["score"]
            if owed > 0 and state["game"]["winner"] is None:
                leap(self.address, side, min(61, score + owed), target=61)


class PhonePlayer:
    """A player with a phone."""

    def __init__(self, page: Page, seat: int, session: BoardSession) -> None:
        self.page, self.seat, self.session = page, seat, session
        self.kept: list[Card] = []
        self.discards: list[Card] = []

    def take(self, dealt: list[Card]) -> None:
        """Enter six cards, and discard the last two."""
        self.kept, self.discards = dealt[:4], dealt[4:]
        self.session.enter_hand(
            self.page, "".join(card.letter for card in dealt), "".join(c.letter for c in self.discards)
        )

    def turn_up(self, starter: Card) -> None:
        assert starter.suit
        with next_turn(self.page):
            typed(self.page, starter.letter)
            self.page.get_by_role("button", name=SUITS[starter.suit.value], exact=True).click()
        self.session.move_pegs()

    def play(self) -> None:
        """Play the first playable card. The board skips a seat without one, because it knows all hands."""
        expect(self.page.locator(".own-hand .hint")).to_have_text("Your turn: tap a card.")
        with next_turn(self.page):
            self.page.locator(".hand button:not(.is-unplayable)").first.click()
        self.session.move_pegs()

    def show(self, cards: Sequence[Card], starter: Card, is_crib: bool) -> None:
        label = "Your crib" if is_crib else "Your hand"
        expect(self.page.locator("#card-input .input-title")).to_have_text(label)
        has_question = any(card.rank == JACK for card in cards) and starter.rank != JACK
        sleep(PAUSE_S)
        with next_turn(self.page):
            self.page.locator("#primary", has_text="Count these cards").click()
            if has_question:
                is_nobs = any(card.rank == JACK and card.suit is starter.suit for card in cards)
                self.page.locator(".yes" if is_nobs else ".no").click()
        points = count_show(tuple(cards), starter, RULES, is_crib=is_crib).total
        if look(self.session.address)["deal"]["count"]["points"] != points:
            (suit,) = {card.suit for card in cards}
            assert suit
            with next_turn(self.page):
                self.page.locator(f'#card-input [data-suit="{suit.value}"]').click()
        assert look(self.session.address)["deal"]["count"]["points"] == points, cards
        self.session.move_pegs()

    def gather(self) -> None:
        sleep(PAUSE_S)
        self.page.locator("#primary", has_text="Next deal").click()
        for phone in self.session.phones:
            expect(phone.locator("#card-input .input-title")).to_have_text("Your dealt cards")
