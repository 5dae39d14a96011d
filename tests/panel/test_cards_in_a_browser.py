"""Cards, claims, languages and the other pages in a real browser; and a whole game played through the page."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from firmware_host.cribbage.cards import JACK, PACK, Card
from firmware_host.cribbage.series import layable
from firmware_host.cribbage.show import count_show
from firmware_host.cribbage.variants import VARIANTS
from firmware_host.plans import load_plan
from tests.panel.browsing import Program, drag, middle, needs_browser, told_next
from tests.panel.pictures import look, post

pytestmark = [*needs_browser, pytest.mark.slow]

RULES = VARIANTS["six_card"]
SIGNS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}


def begin(program: Program, page: Page, **game: object) -> None:
    told = {"variant": "six_card", "names": ["Ann", "Ben"], "board": "classic-61", "dealer": 0}
    post(program.address, "orders/new-game", told | game)
    expect(page.locator("#typing .asked")).to_have_text("The starter")


def tap(page: Page, rank: str) -> None:
    page.locator(f'#typing [data-rank="{rank}"]').click()


def tap_suit(page: Page, suit: str) -> None:
    page.get_by_role("button", name=SIGNS[suit], exact=True).click()


def turn_up(page: Page, card: str) -> None:
    tap(page, card[0])
    tap_suit(page, card[1])
    expect(page.locator("#prompt")).not_to_contain_text("Starter?")


def test_a_hand_is_one_tap_a_card(page: Page, program: Program) -> None:
    begin(program, page)
    turn_up(page, "5H")
    page.get_by_role("button", name="To the show").click()
    expect(page.locator("#typing .asked")).to_have_text("Ben: the cards")
    for rank in "2334":
        tap(page, rank)
    expect(page.locator("#play .said")).to_contain_text("a double run")
    expect(page.locator("#play .said")).to_contain_text("double run of four is twelve")


def test_suits_are_asked_for_only_where_they_matter(page: Page, program: Program) -> None:
    begin(program, page)
    turn_up(page, "5H")
    page.get_by_role("button", name="To the show").click()
    for rank in "246J":
        tap(page, rank)
    expect(page.locator(".question")).to_have_text("All of one suit?")
    page.get_by_role("button", name="No", exact=True).click()
    expect(page.locator(".question")).to_have_text("Is the jack of ♥ among them?")
    page.get_by_role("button", name="Yes", exact=True).click()
    expect(page.locator("#play .said")).to_contain_text("his nobs")


def test_a_card_that_was_typed_wrong_is_erased(page: Page, program: Program) -> None:
    begin(program, page)
    turn_up(page, "5H")
    page.get_by_role("button", name="To the show").click()
    tap(page, "K")
    page.get_by_role("button", name="Erase").click()
    for rank in "2334":
        tap(page, rank)
    expect(page.locator("#play .count").last).to_have_text("12")


def test_cards_can_be_typed_without_a_mouse(page: Page, program: Program) -> None:
    begin(program, page)
    page.locator('#typing [data-rank="A"]').focus()
    page.keyboard.press("j")
    page.keyboard.press("s")
    expect(page.locator("#log li").first).to_contain_text("two for his heels")
    page.locator('#typing [data-rank="A"]').focus()
    page.keyboard.press("0")
    expect(page.locator("#play .count")).to_have_text("10")


def test_a_card_that_does_not_fit_is_refused_in_words(page: Page, program: Program) -> None:
    begin(program, page)
    turn_up(page, "5H")
    for rank in "TJQ":
        tap(page, rank)
        expect(page.locator("#play .card")).to_have_count("TJQ".index(rank) + 2)
    tap(page, "9")
    expect(page.locator("#notice")).to_have_text("That card makes more than 31")
    page.get_by_role("button", name="says go").click()


def test_muggins_is_claimed_with_a_number(page: Page, program: Program) -> None:
    begin(program, page, options={"muggins_mode": "claim"})
    turn_up(page, "5H")
    for laid, rank in enumerate("782", start=2):
        tap(page, rank)
        expect(page.locator("#play .card")).to_have_count(laid)
    page.get_by_role("button", name="Ben claims muggins").click()
    page.get_by_label("Points", exact=True).fill("2")
    page.get_by_role("dialog").get_by_role("button", name="Good").click()
    expect(page.locator("#log li").first).to_contain_text("Muggins: 2 points to Ben")


def test_a_score_is_corrected_with_a_reason(page: Page, program: Program) -> None:
    begin(program, page)
    page.get_by_role("button", name="Correct a score").click()
    page.get_by_label("Whose?").select_option("1")
    page.get_by_label("Points", exact=True).fill("17")
    page.get_by_label("Reason").fill("a peg fell out")
    page.get_by_role("dialog").get_by_role("button", name="Good").click()
    expect(page.locator("#log li").first).to_have_text("Ben is set to 17: a peg fell out.")


def test_a_correction_that_cannot_be_is_refused_in_the_dialog(page: Page, program: Program) -> None:
    begin(program, page)
    page.get_by_role("button", name="Correct a score").click()
    page.get_by_label("Points", exact=True).fill("500")
    page.get_by_role("dialog").get_by_role("button", name="Good").click()
    expect(page.locator("#figure-dialog .refused")).to_have_text("A score goes from 0 to 121")


def test_house_rules_come_with_the_game_and_can_be_changed(page: Page, program: Program) -> None:
    page.get_by_role("button", name="New game", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.locator("[name=game]").select_option("acc")
    expect(dialog.locator("#game-sentence")).to_contain_text("American Cribbage Congress")
    assert dialog.locator("[data-option=muggins_mode]").input_value() == "claim"
    dialog.get_by_text("House rules").click()
    dialog.locator("summary", has_text="The show").click()
    dialog.get_by_label("What a flush in the crib needs.").select_option("four_ok")
    expect(dialog.locator("summary", has_text="The show").locator(".changed")).to_be_visible()
    dialog.get_by_label("First dealer").select_option("0")
    dialog.get_by_role("button", name="Start").click()
    expect(page.get_by_role("button", name="claims muggins")).to_have_count(2)
    expect(page.locator("#prompt")).to_have_text("Red deals. Starter?")


@pytest.mark.parametrize("variant", list(VARIANTS))
def test_every_game_begins_from_the_dialog(page: Page, variant: str) -> None:
    page.get_by_role("button", name="New game", exact=True).click()
    dialog = page.get_by_role("dialog")
    if variant == "seven_card":
        dialog.locator("[name=board]").select_option("classic-61")
    dialog.locator("[name=game]").select_option(variant)
    dialog.get_by_label("First dealer").select_option("0")
    dialog.get_by_role("button", name="Start").click()
    expect(page.locator("#game-dialog")).to_be_hidden()
    expect(page.locator(".side")).to_have_count(len(VARIANTS[variant].sides))


def test_the_page_changes_its_language_and_keeps_it(page: Page, program: Program) -> None:
    begin(program, page)
    page.get_by_role("link", name="Русский").click()
    expect(page.locator("#prompt")).to_contain_text("Стартовая?")
    expect(page.locator("#log li").first).to_contain_text("Партия до 121")
    page.goto(f"{program.address}big")
    expect(page.locator("h1")).to_contain_text("Стартовая?")
    page.get_by_role("link", name="English").click()
    expect(page.locator("h1")).to_contain_text("Starter?")


def test_the_large_figures_follow_the_game(page: Page, program: Program) -> None:
    begin(program, page, scores=[47, 53])
    page.goto(f"{program.address}big")
    expect(page.locator("#figures output")).to_have_text(["47", "53"])
    post(program.address, "orders/correct", {"side": 0, "score": 60, "reason": "a slip"})
    expect(page.locator("#figures output")).to_have_text(["60", "53"])


def test_a_finished_game_is_told_in_the_history(page: Page, program: Program) -> None:
    begin(program, page, scores=[120, 80], names=["Ida", "Jon"])
    post(program.address, "orders/correct", {"side": 0, "score": 121, "reason": "home"})
    page.goto(f"{program.address}history")
    row = page.locator("tbody tr", has_text="Ida")
    assert row.locator("td").all_inner_texts()[:4] == ["1", "1", "1", "0"]
    expect(page.locator(".games li").first).to_contain_text("lost by a skunk")
    expect(page.locator(".games .course").first).to_have_attribute("aria-label", re.compile("^Ida 121, Jon 80;"))
    expect(page.locator("time").first).not_to_contain_text("T")


def test_the_device_page_shows_which_sensor_sees_a_peg(page: Page, program: Program) -> None:
    begin(program, page)
    page.goto(f"{program.address}device")
    expect(page.locator(".is-seeing")).to_have_count(4)
    seen = look(program.address)["pegs"][0]["sensor"]
    post(program.address, "hands/lift", {"sensor": seen})
    expect(page.locator(".is-seeing")).to_have_count(3)
    post(program.address, "hands/place", {"sensor": seen})


def test_what_happens_is_read_aloud_once_that_is_wanted(page: Page, program: Program) -> None:
    page.evaluate("() => { window.heard = []; speechSynthesis.speak = (said) => heard.push([said.lang, said.text]); }")
    begin(program, page)
    voice = page.get_by_role("button", name="Read aloud")
    expect(voice).to_have_attribute("aria-pressed", "false")
    post(program.address, "orders/starter", {"card": "5H"})
    expect(page.locator("#log li").first).to_contain_text("The starter")
    assert page.evaluate("heard") == []
    voice.click()
    expect(voice).to_have_attribute("aria-pressed", "true")
    post(program.address, "orders/play", {"card": "7D"})
    expect(page.locator("#log li").first).to_contain_text("plays")
    page.wait_for_function("() => heard.length")
    assert page.evaluate("heard") == [["en", "Ben plays 7."]]


def test_the_page_fits_the_smallest_phone(page: Page, program: Program) -> None:
    begin(program, page)
    page.set_viewport_size({"width": 320, "height": 640})
    for path in ("", "big", "history", "card", "why", "advice", "settings", "device"):
        for language in ("en", "fr", "ru", "pl"):
            page.goto(f"{program.address}{path}?lang={language}")
            assert page.evaluate("document.documentElement.scrollWidth") <= 320, (path, language)
    page.goto(f"{program.address}?lang=en")


def test_a_whole_game_is_played_through_the_page(page: Page, program: Program) -> None:
    """Two people with a real deck: every card typed, every peg dragged, every hand counted as a scorer counts it."""
    begin(program, page, target=61)
    table = TwoPeople(page, program, Random(11))
    while not table.is_over():
        table.play_deal()
    expect(page.locator(".side.is-winner .short")).to_have_text("wins the game")
    expect(page.get_by_role("button", name="Play again")).to_be_visible()


class TwoPeople:
    """They know their cards, and do what the page asks."""

    def __init__(self, page: Page, program: Program, random: Random) -> None:
        self.page, self.address, self.random = page, program.address, random
        self.course = load_plan("classic-61").course(61)

    def state(self) -> Any:
        return look(self.address)

    def is_over(self) -> bool:
        return self.state()["game"]["winner"] is not None

    def play_deal(self) -> None:
        pack = self.random.sample(PACK, 13)
        dealt, self.starter = (pack[:6], pack[6:12]), pack[12]
        self.hands, self.crib = [cards[:4] for cards in dealt], [*dealt[0][4:], *dealt[1][4:]]
        self.left = [list(hand) for hand in self.hands]
        turn_up(self.page, str(self.starter))
        self.move_pegs()
        while self.state()["game"]["phase"] == "play":
            self.play_card()
        while self.state()["game"]["phase"] == "show":
            self.show_hand()
        if not self.is_over():
            self.page.get_by_role("button", name="Next deal").click()
            expect(self.page.locator("#typing .asked")).to_have_text("The starter")

    def play_card(self) -> None:
        told = self.state()
        label = told["asks"][0]["label"]
        expect(self.page.locator("#typing .asked")).to_have_text(label)
        seat = 0 if label == "Ann plays" else 1
        fits = layable(self.left[seat], told["deal"]["play"]["count"] if told["deal"]["play"] else 0)
        with told_next(self.page):
            if fits:
                self.left[seat].remove(fits[0])
                tap(self.page, fits[0].letter)
            else:
                self.page.get_by_role("button", name="says go").click()
        self.move_pegs()

    def show_hand(self) -> None:
        told = self.state()
        asked = told["asks"][0]
        expect(self.page.locator("#typing .asked")).to_have_text(asked["label"])
        seat = 0 if asked["label"].startswith("Ann") else 1
        is_crib = "crib" in asked["label"]
        cards = self.crib if is_crib else self.hands[seat]
        *first, last = cards[len(asked["cards"]) :] or (None,)
        for card in first:
            tap(self.page, card.letter)
        finish = self.page.get_by_role("button", name="Count them")
        with told_next(self.page):
            asking = self.tell(lambda: tap(self.page, last.letter) if last else finish.click())
            while asking != "nothing":
                asking = self.tell(self.answer_to(asking, cards).click)
        counted = self.state()["deal"]["count"]
        assert counted["points"] == count_show(cards, self.starter, RULES, is_crib=is_crib).total, (cards, counted)
        self.move_pegs()

    def tell(self, act: Callable[[], None]) -> str:
        """Do what tells the page more, and hear what it asks next."""
        with self.page.expect_response("**/api/v1/hand?*") as answer:
            act()
        return str(answer.value.json()["asking"])

    def answer_to(self, asking: str, cards: list[Card]) -> Locator:
        suits = {card.suit for card in cards}
        if asking == "flush" and len(suits) == 1:
            suit = suits.pop()
            assert suit
            return self.page.get_by_role("button", name=SIGNS[suit.value], exact=True)
        is_nobs = any(card.rank == JACK and card.suit is self.starter.suit for card in cards)
        return self.page.locator(".yes" if asking == "nobs" and is_nobs else ".no")

    def move_pegs(self) -> None:
        """Drag the back peg of whoever has points to move."""
        for side, colour in enumerate(("red", "blue")):
            told = self.state()
            owed, score = told["sides"][side]["owed"], told["sides"][side]["score"]
            if owed > 0 and told["game"]["winner"] is None:
                expect(self.page.locator(".step").nth(side)).to_have_text(f"{owed} to move")  # and nothing shifts now
                peg = self.page.get_by_role("button", name=re.compile(f"^{colour} back peg"))
                hole = int(self.course.hole_of(min(61, score + owed)))
                place = "shared" if hole == 61 else str(side)
                well = self.page.locator(f'.hole[data-track="{place}"][data-hole="{hole}"] .well')
                drag(self.page, peg, middle(well))
                expect(self.page.locator(".score").nth(side)).to_have_text(str(min(61, score + owed)))
