"""Phones in a real browser: pairing, private hands, and a whole game with two of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import sleep

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from firmware_host.config.languages import LANGUAGES
from firmware_host.cribbage.cards import PACK
from firmware_host.pairing.pairing import WRONG_CODES
from tests.web_panel.browsing import PAUSE_S, Program, choose, needs_browser, read
from tests.web_panel.phones import LAN_NAME, BoardSession, PhonePlayer, hand, new_browser, tap_cards, typed
from tests.web_panel.pictures import look, post

pytestmark = [*needs_browser, pytest.mark.slow]

BENS = "246TQA"
"""The ranks that Ben is dealt; he discards queen and ace."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from new_browser()


@pytest.fixture
def session(browser: Browser, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[BoardSession]:
    """A board for each test, with the settings of its parameter: some tests lock pairing or kill the program."""
    settings = {"CRIBBOARD_NAMES_ON_LAN": f'["{LAN_NAME}"]', **getattr(request, "param", {})}
    program = Program(tmp_path, settings)
    session = BoardSession(browser, program)
    yield session
    session.clear()
    program.switch_off()
    assert not session.errors


def phone_status(page: Page) -> Locator:
    return page.locator("#phone .phone-status")


def request_pairing(page: Page, name: str) -> None:
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Ask to join").click()


def refused(page: Page) -> Locator:
    return page.locator("#pairing-dialog .error")


def test_a_phone_is_paired_by_qr_code_and_a_key(session: BoardSession) -> None:
    phone = session.phone(is_on_lan=True)
    expect(phone_status(phone)).to_contain_text("You are watching")
    expect(phone.locator("#actions button")).to_have_count(0)
    phone.goto(session.scan(session.open_pairing()))
    request_pairing(phone, "Ann")
    expect(phone).to_have_url(session.lan_address)  # the code does not stay in the history
    both_show = re.compile(r"If the board shows Ann \d\d, press ENTER there\.")
    expect(phone.locator("#pairing-dialog .waiting")).to_have_text(both_show)
    session.answer("ENTER")
    expect(phone_status(phone)).to_have_text("Ann, you are in. Choose your seat when a game starts.")
    session.begin()
    expect(phone.locator(".own-hand h2")).to_have_text("Ann: your cards")
    phone.reload()
    expect(phone.locator(".own-hand h2")).to_have_text("Ann: your cards")


def test_the_code_can_be_typed_and_a_request_survives_a_reload(session: BoardSession) -> None:
    phone = session.phone(is_on_lan=True)
    code = session.open_pairing()
    phone.get_by_role("button", name="Join with this phone").click()
    phone.get_by_label("Code (six letters)").fill(f"{code[:3].lower()} {code[3:]}")
    request_pairing(phone, "Ann")
    expect(phone.locator("#pairing-dialog .waiting")).to_be_visible()
    phone.reload()
    expect(phone.locator("#pairing-dialog .waiting")).to_contain_text("Ann")
    session.answer("ENTER")
    expect(phone_status(phone)).to_contain_text("Ann, you are in")


@pytest.mark.parametrize("session", [{"CRIBBOARD_OPEN_WATCHING": "false"}], indirect=True)
def test_a_closed_board_shows_strangers_only_the_pairing(session: BoardSession) -> None:
    session.begin()
    stranger = session.phone(is_on_lan=True)
    expect(phone_status(stranger)).to_have_text("Only added phones can see this board.")
    expect(stranger.locator("#drawing .peg")).to_have_count(0)
    expect(stranger.get_by_role("button", name="New game")).to_have_count(0)
    ann = session.pair("Ann")
    expect(ann.locator("#drawing .peg")).to_have_count(4)


def test_a_refused_phone_sees_the_reason(session: BoardSession) -> None:
    phone = session.phone(is_on_lan=True)
    phone.get_by_role("button", name="Join with this phone").click()
    letters = phone.get_by_label("Code (six letters)")
    letters.fill("BBBBBB")
    request_pairing(phone, "Eve")
    expect(refused(phone)).to_contain_text("The code has expired")
    letters.fill(session.open_pairing())
    request_pairing(phone, "Eve")
    session.answer("UNDO")
    expect(refused(phone)).to_contain_text("Refused at the board")
    letters.fill("BBBBBB")
    for _ in range(WRONG_CODES - 1):  # the refusal counts as one
        phone.get_by_role("button", name="Ask to join").click()
        expect(refused(phone)).to_contain_text("Wrong code")
    phone.get_by_role("button", name="Ask to join").click()
    expect(refused(phone)).to_have_text(re.compile(r"Wait \d\d s"))


def test_cancel_withdraws_the_request(session: BoardSession) -> None:
    phone = session.phone(is_on_lan=True)
    phone.goto(session.scan(session.open_pairing()))
    request_pairing(phone, "Eve")
    expect(phone.locator("#pairing-dialog .waiting")).to_be_visible()
    with phone.expect_response("**/cancel?*"):
        phone.get_by_role("button", name="Cancel").click()
    session.pair("Ann")  # impossible while another request is pending


def test_a_removed_phone_is_notified(session: BoardSession) -> None:
    owner, other = session.pair("Ann"), session.pair("Ben")
    session.begin()
    expect(other.locator('[data-command="correct"]')).to_have_count(0)
    owner.goto(f"{session.lan_address}phones")
    ben = owner.locator(".phones li", has_text="Ben")
    with owner.expect_response("**/role?*"):
        ben.get_by_label("Role").select_option("keeper")
    expect(other.locator('[data-command="correct"]')).to_have_count(1)
    ben.get_by_role("button", name="Remove Ben").click()
    owner.locator("#remove [value=yes]").click()
    expect(ben).to_have_count(0)
    expect(phone_status(other)).to_contain_text("This phone was removed")
    expect(other.locator(".own-hand")).to_be_hidden()
    expect(other.locator("#actions button")).to_have_count(0)


def test_the_boards_own_computer_needs_no_pairing(session: BoardSession) -> None:
    page = session.phone()
    expect(phone_status(page)).to_contain_text("at the board’s own computer")
    session.begin()
    session.sit(page, "Ben")
    choose(page, "Leave seat")
    expect(page.get_by_role("button", name="Sit as Ben")).to_be_visible()
    choose(page, "Remove this phone")
    expect(phone_status(page)).to_contain_text("at the board’s own computer")


@pytest.mark.parametrize("is_iphone", [True, False], ids=["iPhone", "other"])
def test_a_paired_iphone_says_that_the_home_screen_is_an_app_of_its_own(session: BoardSession, is_iphone: bool) -> None:
    page = session.phone()
    if is_iphone:  # only there the property exists
        page.add_init_script("Object.defineProperty(navigator, 'standalone', { value: false })")
    session.begin()
    session.sit(page, "Ben")
    page.reload()
    page.locator("#more").click()
    expect(page.get_by_role("button", name="Leave seat")).to_be_visible()
    expect(page.locator(".home-screen")).to_be_visible(visible=is_iphone)


def test_a_hand_is_entered_by_rank_changed_and_cleared(session: BoardSession) -> None:
    session.begin()
    ben = session.sit(session.phone(), "Ben")
    typed(ben, BENS)
    expect(hand(ben)).to_have_text([*"246", "10", *"QA"])
    ben.get_by_role("button", name="Discard advice").click()
    ben.locator(".advice button").first.click()
    expect(ben.locator('.hand [aria-pressed="true"]')).to_have_count(2)
    ben.get_by_role("button", name="Change").click()
    ben.get_by_role("button", name="Keep").click()
    ben.get_by_role("button", name="Change").click()
    typed(ben, "5" + BENS[1:])
    expect(hand(ben).first).to_have_text("5")
    ben.get_by_role("button", name="Clear all").click()
    typed(ben, "5566")
    sleep(PAUSE_S)
    ben.locator("#primary", has_text="This is my hand").click()
    expect(hand(ben)).to_have_text([*"5566"])
    ben.get_by_role("button", name="Clear all").click()
    ben.get_by_role("button", name="Play without entering cards").click()
    expect(ben.locator("#card-input .input-title")).to_have_text("Starter card")


def test_a_phone_with_a_hand_gets_advice_for_the_play(session: BoardSession) -> None:
    session.begin()
    ben = session.sit(session.phone(), "Ben")
    session.enter_hand(ben, BENS, "QA")
    post(session.address, "commands/starter", {"card": "5H"})
    expect(ben.locator(".own-hand .hint")).to_have_text("Your turn: tap a card.")
    ben.get_by_role("button", name="Advice on the play").click()
    advice = ben.locator(".advice li")
    expect(advice).to_have_count(4)
    expect(advice.first).to_have_text(re.compile(r"^(10|[246]): −?\d\.\d on average · \d\d %$"))
    ben.locator(".hand .is-playable").first.click()
    expect(advice).to_have_count(0)


def test_nobody_else_sees_a_hand_or_plays_for_its_seat(session: BoardSession) -> None:
    session.begin(options={"muggins_mode": "claim"})
    ann, ben, eve = session.sit(session.phone(), "Ann"), session.sit(session.phone(), "Ben"), session.phone()
    session.enter_hand(ben, BENS, "QA")
    post(session.address, "commands/starter", {"card": "5H"})
    expect(ben.locator(".own-hand .hint")).to_have_text("Your turn: tap a card.")
    for other in (ann, eve):
        expect(other.locator("#table-cards")).to_contain_text("Starter")
        expect(other.locator("#card-input .input-title")).to_be_hidden()
        expect(other.locator(".secondary-actions", has_text="Claim muggins: Ben")).to_have_count(0)
        assert not set(BENS) & set(other.locator(".card").all_text_contents())
    expect(ann.locator(".secondary-actions")).to_contain_text("Claim muggins: Ann")


def test_a_hand_that_was_not_answered_is_fetched_again(session: BoardSession) -> None:
    """The game waits for Ben, so no new state asks for his hand."""
    session.begin()
    ben = session.sit(session.phone(), "Ben")
    session.enter_hand(ben, BENS, "QA")
    ben.route("**/api/v1/me/hand*", lambda route: route.abort(), times=1)
    post(session.address, "commands/starter", {"card": "5H"})
    expect(ben.locator(".own-hand .hint")).to_have_text("Your turn: tap a card.")


def test_muggins_can_be_claimed_from_a_phone(session: BoardSession) -> None:
    session.begin(options={"muggins_mode": "claim"})
    ann, ben = session.sit(session.phone(), "Ann"), session.sit(session.phone(), "Ben")
    session.enter_hand(ann, "78JKQA", "QA")
    session.enter_hand(ben, "7823QA", "QA")
    post(session.address, "commands/starter", {"card": "5H"})
    for player, rank in ((ben, "7"), (ann, "8"), (ben, "2")):  # fifteen for two, and Ann moves nothing
        tap_cards(player, rank)
    read(ben)
    ben.get_by_role("button", name="Claim muggins: Ben").click()
    ben.get_by_label("Points", exact=True).fill("2")
    ben.get_by_role("dialog").get_by_role("button", name="OK").click()
    expect(ann.locator("#log li").first).to_contain_text("Muggins: 2 points to Ben")


def test_a_late_answer_does_not_take_a_phone_from_its_seat(session: BoardSession) -> None:
    """A page asks who its visitor is, and again when another phone sits down; the first answer arrives last."""
    session.begin()
    ann, ben = session.phone(), session.phone()
    session.pair_locally(ann, "Ann", 0)
    late: list[Route] = []
    ann.route("**/api/v1/me?*", lambda route: late.append(route) if not late else route.continue_())
    session.pair_locally(ben, "Ben", 1)
    read(ann)
    old = {**json.loads(late[0].fetch().text()), "seat": None}
    ben.locator(".leave-seat").evaluate("button => button.click()")
    read(ann)
    late[0].fulfill(json=old)
    read(ann)
    expect(ann.locator(".own-hand h2")).to_have_text("Ann: your cards")
    expect(ann.locator(".seats")).to_be_hidden()


def test_a_seat_can_be_played_by_keyboard_alone(session: BoardSession) -> None:
    session.begin()
    ben = session.phone()
    keys = ben.keyboard
    ben.locator("#more").press("Enter")
    ben.get_by_role("button", name="Join from this computer").press("Enter")
    expect(ben.get_by_label("Your name")).to_be_focused()
    keys.type("Ben")
    keys.press("Enter")
    expect(ben.locator("#card-input .input-title")).to_have_text("Your dealt cards")
    expect(ben.locator(".own-hand")).to_be_focused()
    ben.locator('#card-input [data-rank="A"]').focus()
    keys.type("2460qa")
    for rank in "QA":
        hand(ben, rank).press("Space")
        expect(hand(ben, rank)).to_be_focused()
    expect(ben.locator("#primary")).to_contain_text("Discard ")
    sleep(PAUSE_S)
    ben.locator("#primary").press("Enter")
    expect(ben.locator("#primary")).to_be_focused()
    expect(ben.locator("#card-input .input-title")).to_have_text("Starter card")
    ben.locator('#card-input [data-rank="A"]').focus()
    keys.type("5h")
    expect(ben.locator(".own-hand .hint")).to_have_text("Your turn: tap a card.")
    hand(ben, "6").press("Enter")
    expect(ben.locator("#log li").first).to_have_text("Ben plays 6.")
    expect(hand(ben)).to_have_text(["2", "4", "10"])


def test_a_hand_survives_a_lost_connection(session: BoardSession) -> None:
    session.begin()
    ben = session.sit(session.phone(), "Ben")
    session.enter_hand(ben, BENS, "QA")
    post(session.address, "commands/starter", {"card": "5H"})
    expect(ben.locator(".own-hand .hint")).to_have_text("Your turn: tap a card.")
    session.program.switch_off()
    expect(ben.locator("#health")).to_contain_text("No connection")
    tap_cards(ben, "6")
    expect(ben.locator("#notice")).to_contain_text("Not sent")
    session.program.switch_on()
    expect(ben.locator("#health")).to_have_text("")
    tap_cards(ben, "6")
    expect(ben.locator("#log li").first).to_have_text("Ben plays 6.")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_fits_the_smallest_phone(session: BoardSession, language: str) -> None:
    phone = session.phone(is_on_lan=True)
    phone.set_viewport_size({"width": 320, "height": 640})
    phone.goto(f"{session.lan_address}?lang={language}")
    texts = [phone_status(phone).inner_text(), phone.locator("#pairing-dialog").inner_text()]
    phone.locator(".pair-button").click()
    phone.locator("#pairing-dialog").wait_for()
    post(session.address, "commands/new-game", {"variant": "six_card", "names": ["Ann", "Ben"], "dealer": 0})
    seated = session.phone(f"?lang={language}")
    seated.set_viewport_size({"width": 320, "height": 640})
    session.pair_locally(seated, "Ben", 1)
    typed(seated, BENS)
    seated.locator('[data-action="advice"]').click()
    seated.locator(".advice button").first.wait_for()
    for page in (phone, seated):
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
    texts.append(seated.locator(".own-hand").inner_text())
    assert ("You are watching" in texts[0], "your cards" in texts[2]) == (language == "en",) * 2


def test_a_whole_game_is_played_with_two_phones(session: BoardSession) -> None:
    """Two players, each with a hand on a phone; the pegs move on the board."""
    session.begin(target=61)
    players = [
        PhonePlayer(session.sit(session.phone(), name), seat, session) for seat, name in enumerate(("Ann", "Ben"))
    ]
    random = Random(7)
    while session.winner() is None:
        pack = random.sample(PACK, 13)
        for player in players:
            player.take(pack[6 * player.seat : 6 * player.seat + 6])
        players[0].turn_up(pack[12])
        while session.phase() == "play":
            players[session.to_play()].play()
        while session.phase() == "show":
            seat, is_crib = session.to_count()
            players[seat].show(
                [*players[0].discards, *players[1].discards] if is_crib else players[seat].kept, pack[12], is_crib
            )
        if session.phase() == "gather":
            players[0].gather()
    for player in players:
        expect(player.page.locator(".side.is-winner .status-label")).to_have_text("wins the game")
    assert max(side["score"] for side in look(session.address)["sides"]) == 61
