"""Cards, claims, languages and the other pages in a real browser, and a whole game played on the page."""

from __future__ import annotations

import re
from random import Random
from time import sleep
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from firmware_host.config.board_plans import load_plan
from firmware_host.cribbage.cards import JACK, PACK
from firmware_host.cribbage.series import playable_cards
from firmware_host.cribbage.show import count_show
from firmware_host.cribbage.variants import VARIANTS
from tests.web_panel.browsing import PAUSE_S, Program, choose, drag, middle, needs_browser, next_turn, read
from tests.web_panel.pictures import first_input, look, post

pytestmark = [*needs_browser, pytest.mark.slow]

RULES = VARIANTS["six_card"]
SIGNS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}


def begin(program: Program, page: Page, **game: object) -> None:
    defaults = {"variant": "six_card", "names": ["Ann", "Ben"], "board": "classic-61", "dealer": 0}
    post(program.address, "commands/new-game", defaults | game)
    expect(page.locator("#card-input .input-title")).to_have_text("Starter card")
    read(page)


def key_text(page: Page, rank: str) -> str | None:
    return page.locator(f'#card-input [data-rank="{rank}"]').text_content()


def tap(page: Page, rank: str) -> None:
    page.locator(f'#card-input [data-rank="{rank}"]').click()


def tap_suit(page: Page, suit: str) -> None:
    page.get_by_role("button", name=SIGNS[suit], exact=True).click()


def turn_up(page: Page, card: str) -> None:
    tap(page, card[0])
    tap_suit(page, card[1])
    expect(page.locator("#prompt")).not_to_contain_text("deals.")
    read(page)


def test_court_cards_have_the_letters_that_this_browser_chose(page: Page, program: Program) -> None:
    """On keys, faces and in sentences; typed, they mean the same cards as J, Q and K."""
    page.goto(f"{program.address}help")
    page.locator("#court-letters").select_option("fr")
    expect(page.locator(".words .rank", has_text="R")).to_have_count(1)
    page.goto(program.address)
    begin(program, page)
    assert [key_text(page, rank) for rank in "TJQK"] == ["10", "V", "D", "R"]
    page.keyboard.press("v")
    tap_suit(page, "H")
    expect(page.locator("#table-cards .card[aria-label='jack of hearts'] .rank").first).to_have_text("V")
    expect(page.locator("main")).not_to_contain_text("J♥")
    page.keyboard.press("d")  # while ranks are asked for, the queen and not diamonds
    expect(page.locator("#table-cards")).to_contain_text("D")
    page.keyboard.press("k")
    expect(page.locator("#table-cards")).to_contain_text("R")
    page.goto(f"{program.address}help")
    page.locator("#court-letters").select_option("en")
    expect(page.locator(".words .rank", has_text="K")).to_have_count(1)
    page.goto(program.address)
    assert [key_text(page, rank) for rank in "JQK"] == ["J", "Q", "K"]


def test_a_hand_is_one_tap_a_card(page: Page, program: Program) -> None:
    begin(program, page)
    turn_up(page, "5H")
    page.get_by_role("button", name="Count hands").click()
    expect(page.locator("#card-input .input-title")).to_have_text("Count Ben’s hand")
    for rank in "2334":
        tap(page, rank)
    expect(page.locator("#table-cards .cadence")).to_contain_text("a double run")
    expect(page.locator("#table-cards .cadence")).to_contain_text("double run of four is twelve")


def test_suits_are_asked_for_only_where_they_matter(page: Page, program: Program) -> None:
    begin(program, page)
    turn_up(page, "5H")
    page.get_by_role("button", name="Count hands").click()
    expect(page.locator("#card-input .input-title")).to_have_text("Count Ben’s hand")
    for rank in "246J":
        tap(page, rank)
    title = page.locator("#card-input .input-title")
    expect(title).to_have_text("Is the jack of ♥ there? (his nobs, 1 point)")
    page.get_by_role("button", name="Yes", exact=True).click()
    expect(page.locator("#table-cards .cadence")).to_contain_text("his nobs")


def test_a_flush_can_be_entered_after_the_count(page: Page, program: Program) -> None:
    begin(program, page)
    turn_up(page, "5H")
    page.get_by_role("button", name="Count hands").click()
    for rank in "249K":
        tap(page, rank)
    expect(page.locator("#table-cards .cadence")).to_have_text("At least 4: fifteen two, and fifteen four.")
    page.get_by_role("button", name="All in one suit?").click()
    expect(page.locator("#card-input .input-title")).to_have_text("All in one suit?")
    read(page)
    tap_suit(page, "C")
    expect(page.locator("#table-cards .cadence")).to_contain_text("and a flush of four is eight")
    expect(page.locator("#primary")).to_contain_text("Peg 8 for Ben")


def test_a_mistyped_card_can_be_erased(page: Page, program: Program) -> None:
    begin(program, page)
    turn_up(page, "5H")
    page.get_by_role("button", name="Count hands").click()
    expect(page.locator("#card-input .input-title")).to_have_text("Count Ben’s hand")
    tap(page, "K")
    page.get_by_role("button", name="Delete").click()
    for rank in "2334":
        tap(page, rank)
    expect(page.locator("#table-cards .count").last).to_have_text("12")


def test_cards_can_be_typed_without_a_mouse(page: Page, program: Program) -> None:
    begin(program, page)
    page.keyboard.press("j")
    page.keyboard.press("s")
    expect(page.locator("#log li").first).to_contain_text("two for his heels")
    page.keyboard.press("0")
    expect(page.locator("#table-cards .count")).to_have_text("10")


def test_a_card_over_31_leads_the_next_series_and_one_undo_takes_it_back(page: Page, program: Program) -> None:
    begin(program, page)
    turn_up(page, "5H")
    for rank in "TJQ":
        tap(page, rank)
        expect(page.locator("#table-cards .card")).to_have_count("TJQ".index(rank) + 2)
    tap(page, "9")
    latest = page.locator("#log li").first
    expect(latest).to_have_text("Ann says go. Ben says go. Ben: one for last. Ann plays 9.")
    expect(page.locator("#table-cards .count")).to_have_text("9")
    read(page)
    page.locator("#undo").click()
    expect(latest).to_have_text("Ben plays Q. Ben: a run of three.")
    expect(page.locator("#table-cards .count")).to_have_text("30")
    page.get_by_role("button", name="Go", exact=True).click()
    expect(latest).to_contain_text("says go")


def test_muggins_is_claimed_with_a_number(page: Page, program: Program) -> None:
    begin(program, page, options={"muggins_mode": "claim"})
    turn_up(page, "5H")
    for laid, rank in enumerate("782", start=2):
        tap(page, rank)
        expect(page.locator("#table-cards .card")).to_have_count(laid)
    read(page)
    page.get_by_role("button", name="Claim muggins").click()
    page.get_by_label("Who claims?").select_option("Ben")
    page.get_by_label("Points", exact=True).fill("2")
    page.get_by_role("dialog").get_by_role("button", name="OK").click()
    expect(page.locator("#log li").first).to_contain_text("Muggins: 2 points to Ben")


def test_a_score_is_corrected_with_a_reason(page: Page, program: Program) -> None:
    begin(program, page)
    choose(page, "Correct a score")
    page.get_by_label("Whose score?").select_option("1")
    page.get_by_label("New score").fill("17")
    page.get_by_label("Reason").fill("a peg fell out")
    page.get_by_role("dialog").get_by_role("button", name="OK").click()
    expect(page.locator("#log li").first).to_have_text("Corrected: Ben 17 (a peg fell out).")


def test_an_impossible_correction_is_refused_in_the_dialog(page: Page, program: Program) -> None:
    begin(program, page)
    choose(page, "Correct a score")
    page.get_by_label("New score").fill("500")
    page.get_by_role("dialog").get_by_role("button", name="OK").click()
    expect(page.locator("#number-dialog .error")).to_have_text("Enter a score from 0 to 121.")


def test_the_page_changes_its_language_and_keeps_it(page: Page, program: Program) -> None:
    begin(program, page)
    page.get_by_role("link", name="Русский").click()
    expect(page.locator("#prompt")).to_have_text("Сдаёт Ann.")
    expect(page.locator("#log li").first).to_contain_text("Новая партия до 121")
    page.goto(f"{program.address}big")
    expect(page.locator("h1")).to_have_text("Сдаёт Ann.")
    page.get_by_role("link", name="English").click()
    expect(page.locator("h1")).to_have_text("Ann deals.")


def test_the_large_figures_follow_the_game(page: Page, program: Program) -> None:
    begin(program, page, scores=[47, 53])
    page.goto(f"{program.address}big")
    expect(page.locator("#big-scores .figure")).to_have_text(["47", "53"])
    post(program.address, "commands/correct", {"side": 0, "score": 60, "reason": "a slip"})
    expect(page.locator("#big-scores .figure")).to_have_text(["60", "53"])


def test_a_finished_game_is_in_the_history(page: Page, program: Program) -> None:
    begin(program, page, scores=[120, 80], names=["Ida", "Jon"])
    post(program.address, "commands/correct", {"side": 0, "score": 121, "reason": "home"})
    page.goto(f"{program.address}history")
    game = page.locator(".game-list li").first
    expect(game).to_contain_text("lost by a skunk")
    expect(game.locator("time")).not_to_contain_text("T")
    game.locator("a").click()
    expect(page.locator(".score-chart")).to_have_attribute("aria-label", re.compile("^Ida 121, Jon 80;"))
    page.goto(f"{program.address}player?name=Ida")
    expect(page.locator(".facts dd").first).to_have_text("1")


def test_the_map_of_the_board_shows_which_holes_see_a_peg_and_which_were_tried(page: Page, program: Program) -> None:
    begin(program, page)
    page.goto(f"{program.address}device?lang=en")
    expect(page.locator("#map .mark")).to_have_count(page.locator("#hole-list [data-sensor]").count())
    expect(page.locator("#map .mark.peg")).to_have_count(4)
    seen = look(program.address)["pegs"][0]["sensor"]
    post(program.address, "pegs/lift", {"sensor": seen})
    expect(page.locator("#map .mark.peg")).to_have_count(3)
    post(program.address, "pegs/place", {"sensor": seen})
    expect(page.locator("#tried")).to_contain_text("Holes tried: 1 of")
    expect(page.locator(f'#hole-list [data-sensor="{seen}"]')).to_contain_text("sees a peg now")


def test_new_turns_are_read_aloud_once_switched_on(page: Page, program: Program) -> None:
    page.evaluate(
        "() => { window.spoken = []; speechSynthesis.speak = (speech) => spoken.push([speech.lang, speech.text]); }"
    )
    begin(program, page)
    voice = page.locator("#read-aloud")
    expect(voice).to_have_attribute("aria-pressed", "false")
    post(program.address, "commands/starter", {"card": "5H"})
    expect(page.locator("#log li").first).to_contain_text("The starter")
    assert page.evaluate("spoken") == []
    choose(page, "Read aloud")
    expect(voice).to_have_attribute("aria-pressed", "true")
    post(program.address, "commands/play", {"card": "7D"})
    expect(page.locator("#log li").first).to_contain_text("plays")
    page.wait_for_function("() => spoken.length")
    assert page.evaluate("spoken") == [["en", "Ben: seven of diamonds. Seven. Ann to play."]]
    expect(page.locator("#spoken")).to_have_text("Ben: seven of diamonds. Seven. Ann to play.")


def test_the_page_fits_the_smallest_phone(page: Page, program: Program) -> None:
    begin(program, page)
    page.set_viewport_size({"width": 320, "height": 640})
    for path in ("", "big", "history", "scorecards", "score-breakdown", "advice", "settings", "device"):
        for language in ("en", "fr", "ru", "pl"):
            page.goto(f"{program.address}{path}?lang={language}")
            assert page.evaluate("document.documentElement.scrollWidth") <= 320, (path, language)
    page.goto(f"{program.address}?lang=en")


def test_a_whole_game_is_played_through_the_page(page: Page, program: Program) -> None:
    """Every card is typed, every peg dragged, and every count compared with the scorer."""
    begin(program, page, target=61)
    table = TwoPeople(page, program, Random(11))
    while not table.is_over():
        table.play_deal()
    expect(page.locator(".side.is-winner .status-label")).to_have_text("wins the game")
    expect(page.locator("#primary")).to_contain_text("Play again")


class TwoPeople:
    """Two players who know their cards and do what the page asks."""

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
            sleep(PAUSE_S)
            self.page.locator("#primary", has_text="Next deal").click()
            expect(self.page.locator("#card-input .input-title")).to_have_text("Starter card")

    def play_card(self) -> None:
        state = self.state()
        label = first_input(state)["label"]
        expect(self.page.locator("#card-input .input-title")).to_have_text(label)
        seat = 0 if label == "Ann plays" else 1
        fits = playable_cards(self.left[seat], state["deal"]["play"]["count"] if state["deal"]["play"] else 0)
        with next_turn(self.page):
            if fits:
                self.left[seat].remove(fits[0])
                tap(self.page, fits[0].letter)
            else:
                self.page.locator(".go").click()
        self.move_pegs()

    def show_hand(self) -> None:
        """A hand that was played is counted by itself, unless a jack may be his nobs. A flush is entered afterwards."""
        count = next(each for each in self.state()["actions"] if each["command"] == "count" and each["is_next"])
        (seat,), is_crib = count["seats"], count["body"]["is_crib"]
        cards = self.crib if is_crib else self.hands[seat]
        has_question = any(card.rank == JACK for card in cards) and self.starter.rank != JACK
        with next_turn(self.page):
            if count["place"] == "pad":
                expect(self.page.locator("#card-input .input-title")).to_have_text(count["label"])
                for card in cards[len(count["input"]["cards"]) :]:
                    tap(self.page, card.letter)
            elif not count["is_automatic"]:
                sleep(PAUSE_S)
                self.page.locator("#primary").click()
            while has_question and self.page.locator(".no").is_hidden():
                sleep(0.05)
            if has_question:
                is_nobs = any(card.rank == JACK and card.suit is self.starter.suit for card in cards)
                self.page.locator(".yes" if is_nobs else ".no").click()
        points = count_show(cards, self.starter, RULES, is_crib=is_crib).total
        if self.state()["deal"]["count"]["points"] != points:
            (suit,) = {card.suit for card in cards}
            assert suit
            self.page.get_by_role("button", name="All in one suit?").click()
            with next_turn(self.page):
                read(self.page)
                self.page.locator(f'#card-input [data-suit="{suit.value}"]').click()
        assert self.state()["deal"]["count"]["points"] == points, cards
        self.move_pegs()

    def move_pegs(self) -> None:
        """Drag the back peg of each side that owes points."""
        for side, colour in enumerate(("red", "blue")):
            state = self.state()
            owed, score = state["sides"][side]["owed"], state["sides"][side]["score"]
            if owed > 0 and state["game"]["winner"] is None:
                expect(self.page.locator(".peg-label").nth(side)).to_have_text(
                    f"{owed} to peg"
                )  # the layout is stable now
                peg = self.page.get_by_role("button", name=re.compile(f"^{colour} back peg"))
                hole = int(self.course.hole_of(min(61, score + owed)))
                place = "shared" if hole == 61 else str(side)
                well = self.page.locator(f'.hole[data-track="{place}"][data-hole="{hole}"] .well')
                drag(self.page, peg, middle(well))
                expect(self.page.locator(".score").nth(side)).to_have_text(str(min(61, score + owed)))
