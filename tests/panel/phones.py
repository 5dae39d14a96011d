"""Phones as people hold them: several browsers at one board, the board's own keys and picture, and players who know
their cards and do what the page asks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from io import BytesIO
from time import sleep
from urllib.request import urlopen

import zxingcpp
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect, sync_playwright

from firmware_host.cribbage.cards import JACK, Card
from firmware_host.cribbage.show import count_show
from firmware_host.cribbage.variants import VARIANTS
from firmware_host.porch import HUSH_S
from tests.panel.browsing import CHROMIUM, PATIENCE_MS, QUIET, Program, told_next, until
from tests.panel.pictures import leap, look, post

LAN_NAME = "board.test"
"""What phones call the board. The browser is told that it is this computer; the board takes its users for phones."""
PHONE: ViewportSize = {"width": 360, "height": 740}
RULES = VARIANTS["six_card"]
SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}


def new_browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        resolver = f"--host-resolver-rules=MAP {LAN_NAME} 127.0.0.1"
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*QUIET, resolver])
        yield browser
        browser.close()


def typed(page: Page, ranks: str) -> None:
    """Tap the ranks that the page asks for."""
    for rank in ranks:
        page.locator(f'#typing [data-rank="{rank}"]').click()


def hand(page: Page, rank: str = "") -> Locator:
    """The cards held on this phone, or those of a rank."""
    cards = page.locator(".hand .card")
    return cards.filter(has_text=re.compile(f"^{rank.replace('T', '10')}$")) if rank else cards


def finger(page: Page, *ranks: str) -> None:
    """Tap held cards, one of each rank."""
    for rank in ranks:
        hand(page, rank).and_(page.locator('button:not([aria-pressed="true"])')).first.click()


class Table:
    """One board, and the phones that people bring to it."""

    def __init__(self, browser: Browser, program: Program) -> None:
        self.browser, self.program, self.address = browser, program, program.address
        self.lan_address = self.address.replace("127.0.0.1", LAN_NAME)
        self.phones: list[Page] = []
        self.complaints: list[str] = []

    def phone(self, path: str = "", *, is_on_lan: bool = False) -> Page:
        """A browser of its own, with its own cookies and memory. What its page complains of is kept."""
        context = self.browser.new_context(viewport=PHONE, reduced_motion="reduce", locale="en")
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto((self.lan_address if is_on_lan else self.address) + path)
        self.phones.append(page)
        return page

    def clear(self) -> None:
        for page in self.phones:
            page.context.close()

    # The board.

    def begin(self, **agreed: object) -> None:
        game = {"variant": "six_card", "names": ["Ann", "Ben"], "board": "classic-61", "dealer": 0}
        post(self.address, "orders/new-game", game | agreed)

    def key(self, legend: str, *, is_down: bool) -> None:
        post(self.address, "keys", {"legend": legend, "down": is_down})

    def press(self, legend: str) -> None:
        self.key(legend, is_down=True)
        self.key(legend, is_down=False)

    def wait_for_display(self, line: str) -> None:
        until(lambda: any(line in shown for shown in look(self.address)["display"]))

    def open_door(self) -> str:
        """Hold FN, Phones, Let one in; the letters, read out of the picture that the display then shows."""
        if self._picture():
            self.press("UNDO")  # the first key after a door takes the picture down
            until(lambda: not self._picture())
        self.key("FN", is_down=True)
        self.wait_for_display("Choose")
        self.key("FN", is_down=False)
        for legend, leads_to in (("FN", "5 Phones"), ("5", "A Let one in")):
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
        """Where the picture leads, by the name that phones know."""
        return f"{self.lan_address}IN/{code}"

    def answer(self, legend: str) -> None:
        """ENTER lets in, UNDO turns away. The board is deaf for a first moment, so that nobody answers by accident."""
        until(self._is_asked)
        sleep(HUSH_S)
        self.press(legend)
        until(lambda: not self._is_asked())

    def _is_asked(self) -> bool:
        return str(look(self.address)["prompt"]).startswith("Let ")

    def let_in(self, name: str) -> Page:
        page = self.phone(is_on_lan=True)
        page.goto(self.scan(self.open_door()))
        page.get_by_label("Your name").fill(name)
        page.get_by_role("button", name="Knock").click()
        self.answer("ENTER")
        expect(page.locator("#me .standing")).to_contain_text(f"{name} is let in")
        return page

    # The seats.

    def sit(self, page: Page, name: str) -> Page:
        self.walk_in(page, name, ("Ann", "Ben").index(name))
        expect(page.locator(".mine h2")).to_have_text(f"{name}: your cards")
        expect(page.locator("#typing .asked")).to_have_text("Your cards as dealt")
        return page

    def walk_in(self, page: Page, name: str, seat: int) -> None:
        """At a simulated board, from this computer."""
        page.locator(".come-in").click()
        page.locator("#door [name=name]").fill(name)
        page.locator("#door [type=submit]").click()
        page.locator(f'.seats [data-seat="{seat}"]').click()
        page.locator(".mine h2").wait_for()

    def tell(self, page: Page, dealt: str, away: str) -> None:
        typed(page, dealt)
        finger(page, *away)
        page.get_by_role("button", name="Lay them away").click()
        expect(hand(page)).to_have_count(len(dealt) - len(away))

    # The game.

    def phase(self) -> str:
        return str(look(self.address)["game"]["phase"])

    def winner(self) -> int | None:
        found: int | None = look(self.address)["game"]["winner"]
        return found

    def to_play(self) -> int:
        """Whose turn the board says it is."""
        return int(look(self.address)["asks"][0]["seats"][0])

    def to_count(self) -> tuple[int, bool]:
        """Whose hand is to be shown, and whether it is the crib."""
        (count,) = (offer for offer in look(self.address)["offers"] if offer["order"] == "count")
        return count["seats"][0], "crib" in count["label"]

    def move_pegs(self) -> None:
        """On the board, by hand, as it asks."""
        for side in range(2):
            told = look(self.address)
            owed, score = told["sides"][side]["owed"], told["sides"][side]["score"]
            if owed > 0 and told["game"]["winner"] is None:
                leap(self.address, side, min(61, score + owed), target=61)


class OldFriend:
    """Somebody who plays from a phone."""

    def __init__(self, page: Page, seat: int, table: Table) -> None:
        self.page, self.seat, self.table = page, seat, table
        self.kept: list[Card] = []
        self.away: list[Card] = []

    def take(self, dealt: list[Card]) -> None:
        """Six cards are told, and the last two laid away."""
        self.kept, self.away = dealt[:4], dealt[4:]
        self.table.tell(self.page, "".join(card.letter for card in dealt), "".join(c.letter for c in self.away))

    def turn_up(self, starter: Card) -> None:
        assert starter.suit
        with told_next(self.page):
            typed(self.page, starter.letter)
            self.page.get_by_role("button", name=SUITS[starter.suit.value], exact=True).click()
        self.table.move_pegs()

    def play(self) -> None:
        """The first card that fits. The board passes over whoever has none: all hands are told."""
        expect(self.page.locator(".mine .hint")).to_have_text("Your turn: tap a card.")
        with told_next(self.page):
            self.page.locator(".hand button:not(.does-not-fit)").first.click()
        self.table.move_pegs()

    def show(self, cards: Sequence[Card], starter: Card, is_crib: bool) -> None:
        label = "Your crib" if is_crib else "Your hand"
        expect(self.page.locator("#typing .asked")).to_have_text(label)
        with told_next(self.page):
            asking = self.hear("Count them")
            while asking != "nothing":
                asking = self.hear(self.answer_to(asking, cards, starter))
        counted = look(self.table.address)["deal"]["count"]
        assert counted["points"] == count_show(tuple(cards), starter, RULES, is_crib=is_crib).total, (cards, counted)
        self.table.move_pegs()

    def hear(self, button: str) -> str:
        """Press it; what the page asks next."""
        with self.page.expect_response("**/api/v1/hand?*") as answer:
            self.page.locator("#typing").get_by_role("button", name=button, exact=True).click()
        return str(answer.value.json()["asking"])

    def answer_to(self, asking: str, cards: Sequence[Card], starter: Card) -> str:
        suits = {card.suit for card in cards}
        if asking == "flush" and len(suits) == 1 and (suit := next(iter(suits))):
            return SUITS[suit.value]
        is_nobs = any(card.rank == JACK and card.suit is starter.suit for card in cards)
        return "Yes" if asking == "nobs" and is_nobs else "No"

    def gather(self) -> None:
        self.page.get_by_role("button", name="Next deal").click()
        for phone in self.table.phones:
            expect(phone.locator("#typing .asked")).to_have_text("Your cards as dealt")
