"""Phones in people's hands, in a real browser: how one comes in, what it holds, and a whole game with two of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from firmware_host.cribbage.cards import PACK
from firmware_host.languages import LANGUAGES
from tests.panel.browsing import Program, needs_browser
from tests.panel.phones import LAN_NAME, OldFriend, Table, finger, hand, new_browser, typed
from tests.panel.pictures import look, post

pytestmark = [*needs_browser, pytest.mark.slow]

BENS = "246TQA"
"""What Ben is dealt, by rank; he lays away queen and ace."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from new_browser()


@pytest.fixture
def table(browser: Browser, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Table]:
    """A board of its own for every test, for doors get locked here and plugs pulled; set as the test asks for."""
    settings = {"CRIBBOARD_NAMES_ON_LAN": f'["{LAN_NAME}"]', **getattr(request, "param", {})}
    program = Program(tmp_path, settings)
    table = Table(browser, program)
    yield table
    table.clear()
    program.switch_off()
    assert not table.complaints


def standing(page: Page) -> Locator:
    return page.locator("#me .standing")


def knock(page: Page, name: str) -> None:
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Knock").click()


def refused(page: Page) -> Locator:
    return page.locator("#door .refused")


def test_a_phone_comes_in_by_the_picture_and_a_key_on_the_board(table: Table) -> None:
    phone = table.phone(is_on_lan=True)
    expect(standing(phone)).to_contain_text("You are watching")
    expect(phone.locator("#offers button")).to_have_count(0)
    phone.goto(table.scan(table.open_door()))
    knock(phone, "Ann")
    expect(phone).to_have_url(table.lan_address)  # nobody finds the code in the address later
    expect(phone.locator("#door .waiting")).to_contain_text("whether to let Ann in. Press ENTER there.")
    table.answer("ENTER")
    expect(standing(phone)).to_have_text("Ann is let in. As soon as a game is on, take your seat here.")
    table.begin()
    phone.get_by_role("button", name="Sit as Ann").click()
    expect(phone.locator(".mine h2")).to_have_text("Ann: your cards")
    phone.reload()
    expect(phone.locator(".mine h2")).to_have_text("Ann: your cards")


def test_the_letters_can_be_typed_and_a_knock_outlives_its_page(table: Table) -> None:
    phone = table.phone(is_on_lan=True)
    code = table.open_door()
    phone.get_by_role("button", name="Let this phone in").click()
    phone.get_by_label("Letters on the display").fill(f"{code[:3].lower()} {code[3:]}")
    knock(phone, "Ann")
    expect(phone.locator("#door .waiting")).to_be_visible()
    phone.reload()
    expect(phone.locator("#door .waiting")).to_contain_text("Ann")
    table.answer("ENTER")
    expect(standing(phone)).to_contain_text("Ann is let in")


@pytest.mark.parametrize("table", [{"CRIBBOARD_OPEN_WATCHING": "false"}], indirect=True)
def test_a_closed_board_shows_strangers_nothing_but_its_door(table: Table) -> None:
    table.begin()
    stranger = table.phone(is_on_lan=True)
    expect(standing(stranger)).to_have_text("Only phones that were let in see this board.")
    expect(stranger.locator("#drawing .peg")).to_have_count(0)
    expect(stranger.get_by_role("button", name="New game")).to_have_count(0)
    ann = table.let_in("Ann")
    expect(ann.locator("#drawing .peg")).to_have_count(4)


def test_who_is_not_let_in_is_told_why(table: Table) -> None:
    phone = table.phone(is_on_lan=True)
    phone.get_by_role("button", name="Let this phone in").click()
    letters = phone.get_by_label("Letters on the display")
    letters.fill("BBBBBB")
    knock(phone, "Eve")
    expect(refused(phone)).to_contain_text("The door is closed")
    letters.fill(table.open_door())
    knock(phone, "Eve")
    table.answer("UNDO")
    expect(refused(phone)).to_contain_text("Somebody at the board said no")
    letters.fill("BBBBBB")
    for _ in range(5):
        phone.get_by_role("button", name="Knock").click()
        expect(refused(phone)).to_contain_text("These are not the letters")
    phone.get_by_role("button", name="Knock").click()
    expect(refused(phone)).to_have_text(re.compile(r"the door stays locked for \d\d s"))


def test_who_thinks_better_of_it_knocks_no_more(table: Table) -> None:
    phone = table.phone(is_on_lan=True)
    phone.goto(table.scan(table.open_door()))
    knock(phone, "Eve")
    expect(phone.locator("#door .waiting")).to_be_visible()
    with phone.expect_response("**/walk-away?*"):
        phone.get_by_role("button", name="Cancel").click()
    table.let_in("Ann")  # whom the door would not hear beside Eve


def test_the_owner_sends_a_phone_away_and_it_is_told(table: Table) -> None:
    owner, other = table.let_in("Ann"), table.let_in("Ben")
    table.begin()
    other.get_by_role("button", name="Sit as Ben").click()
    expect(owner.get_by_role("button", name="Ben: held by Ben")).to_be_disabled()
    expect(other.get_by_role("button", name="Correct a score")).to_have_count(0)
    owner.goto(f"{table.lan_address}phones")
    ben = owner.locator(".guests li", has_text="Ben")
    with owner.expect_response("**/role?*"):
        ben.get_by_label("What it may do").select_option("keeper")
    expect(other.get_by_role("button", name="Correct a score")).to_be_visible()
    owner.on("dialog", lambda dialog: dialog.accept())
    ben.get_by_role("button", name="Send Ben away").click()
    expect(ben).to_have_count(0)
    expect(standing(other)).to_contain_text("somebody sent it away")
    expect(other.locator(".mine")).to_be_hidden()
    expect(other.locator("#offers button")).to_have_count(0)


def test_at_the_board_itself_there_is_no_ceremony_and_that_is_said(table: Table) -> None:
    page = table.phone()
    expect(standing(page)).to_contain_text("let in without ceremony")
    table.begin()
    table.sit(page, "Ben")
    page.get_by_text("This phone", exact=True).click()
    page.get_by_role("button", name="Leave the seat").click()
    expect(page.get_by_role("button", name="Sit as Ben")).to_be_visible()
    page.get_by_role("button", name="Forget this phone").click()
    expect(standing(page)).to_contain_text("let in without ceremony")


def test_a_hand_is_a_tap_a_rank_and_can_be_changed_and_cleared(table: Table) -> None:
    table.begin()
    ben = table.sit(table.phone(), "Ben")
    typed(ben, BENS)
    expect(hand(ben)).to_have_text([*"246", "10", *"QA"])
    ben.get_by_role("button", name="What is best?").click()
    ben.locator(".advice button").first.click()
    expect(ben.locator('.hand [aria-pressed="true"]')).to_have_count(2)
    ben.get_by_role("button", name="Change").click()
    ben.get_by_role("button", name="Leave as it was").click()
    ben.get_by_role("button", name="Change").click()
    typed(ben, "5" + BENS[1:])
    expect(hand(ben).first).to_have_text("5")
    ben.get_by_role("button", name="Clear").click()
    typed(ben, "5566")
    ben.get_by_role("button", name="I kept only these").click()
    expect(hand(ben)).to_have_text([*"5566"])
    ben.get_by_role("button", name="Clear").click()
    ben.get_by_role("button", name="Without my cards").click()
    expect(ben.locator("#typing .asked")).to_have_text("The starter")


def test_nobody_else_sees_a_hand_or_speaks_for_its_seat(table: Table) -> None:
    table.begin(options={"muggins_mode": "claim"})
    ann, ben, eve = table.sit(table.phone(), "Ann"), table.sit(table.phone(), "Ben"), table.phone()
    typed(ben, BENS)
    finger(ben, "Q", "A")
    ben.get_by_role("button", name="Lay them away").click()
    post(table.address, "orders/starter", {"card": "5H"})
    expect(ben.locator(".mine .hint")).to_have_text("Your turn: tap a card.")
    for other in (ann, eve):
        expect(other.locator("#play")).to_contain_text("Starter")
        expect(other.locator("#typing .asked")).to_be_hidden()
        expect(other.get_by_role("button", name="Ben claims muggins")).to_have_count(0)
        assert not set(BENS) & set(other.locator(".card").all_inner_texts())
    expect(ann.get_by_role("button", name="Ann claims muggins")).to_be_visible()


def test_muggins_is_claimed_from_a_phone(table: Table) -> None:
    table.begin(options={"muggins_mode": "claim"})
    ann, ben = table.sit(table.phone(), "Ann"), table.sit(table.phone(), "Ben")
    table.tell(ann, "78JKQA", "QA")
    table.tell(ben, "7823QA", "QA")
    post(table.address, "orders/starter", {"card": "5H"})
    for player, rank in ((ben, "7"), (ann, "8"), (ben, "2")):  # fifteen for two, and Ann moves nothing
        finger(player, rank)
    ben.get_by_role("button", name="Ben claims muggins").click()
    ben.get_by_label("Points", exact=True).fill("2")
    ben.get_by_role("dialog").get_by_role("button", name="Good").click()
    expect(ann.locator("#log li").first).to_contain_text("Muggins: 2 points to Ben")


def test_a_seat_is_taken_and_played_by_the_keyboard_alone(table: Table) -> None:
    table.begin()
    ben = table.phone()
    keys = ben.keyboard
    ben.get_by_role("button", name="Hold my own cards").press("Enter")
    expect(ben.get_by_label("Your name")).to_be_focused()
    keys.type("Ben")
    keys.press("Enter")
    ben.get_by_role("button", name="Sit as Ben").press("Enter")
    expect(ben.locator("#typing .asked")).to_have_text("Your cards as dealt")
    expect(ben.locator(".mine")).to_be_focused()
    ben.locator('#typing [data-rank="A"]').focus()
    keys.type("2460qa")
    for rank in "QA":
        hand(ben, rank).press("Space")
        expect(hand(ben, rank)).to_be_focused()
    ben.get_by_role("button", name="Lay them away").press("Enter")
    expect(ben.locator(".mine")).to_be_focused()
    expect(ben.locator("#typing .asked")).to_have_text("The starter")
    ben.locator('#typing [data-rank="A"]').focus()
    keys.type("5h")
    expect(ben.locator(".mine .hint")).to_have_text("Your turn: tap a card.")
    hand(ben, "6").press("Enter")
    expect(ben.locator("#log li").first).to_have_text("Ben plays 6.")
    expect(hand(ben)).to_have_text(["2", "4", "10"])


def test_a_line_that_is_lost_heals_and_the_hand_is_still_there(table: Table) -> None:
    table.begin()
    ben = table.sit(table.phone(), "Ben")
    table.tell(ben, BENS, "QA")
    post(table.address, "orders/starter", {"card": "5H"})
    expect(ben.locator(".mine .hint")).to_have_text("Your turn: tap a card.")
    table.program.switch_off()
    expect(ben.locator("#health")).to_contain_text("Connection lost")
    finger(ben, "6")
    expect(ben.locator("#notice")).to_contain_text("Not sent")
    table.program.switch_on()
    expect(ben.locator("#health")).to_have_text("")
    finger(ben, "6")
    expect(ben.locator("#log li").first).to_have_text("Ben plays 6.")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_phone_is_spoken_to_in_its_language_on_the_smallest_screen(table: Table, language: str) -> None:
    phone = table.phone(is_on_lan=True)
    phone.set_viewport_size({"width": 320, "height": 640})
    phone.goto(f"{table.lan_address}?lang={language}")
    said = [standing(phone).inner_text(), phone.locator("#door").inner_text()]
    phone.locator(".come-in").click()
    phone.locator("#door").wait_for()
    post(table.address, "orders/new-game", {"variant": "six_card", "names": ["Ann", "Ben"], "dealer": 0})
    seated = table.phone(f"?lang={language}")
    seated.set_viewport_size({"width": 320, "height": 640})
    table.walk_in(seated, "Ben", 1)
    typed(seated, BENS)
    seated.locator('[data-does="advice"]').click()
    seated.locator(".advice button").first.wait_for()
    for page in (phone, seated):
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
    said.append(seated.locator(".mine").inner_text())
    assert ("You are watching" in said[0], "your cards" in said[2]) == (language == "en",) * 2


def test_a_whole_game_is_played_with_two_phones(table: Table) -> None:
    """Two people with a real deck, each with their own hand on their own phone; the pegs move on the board."""
    table.begin(target=61)
    friends = [OldFriend(table.sit(table.phone(), name), seat, table) for seat, name in enumerate(("Ann", "Ben"))]
    random = Random(7)
    while table.winner() is None:
        pack = random.sample(PACK, 13)
        for friend in friends:
            friend.take(pack[6 * friend.seat : 6 * friend.seat + 6])
        friends[0].turn_up(pack[12])
        while table.phase() == "play":
            friends[table.to_play()].play()
        while table.phase() == "show":
            seat, is_crib = table.to_count()
            friends[seat].show(
                [*friends[0].away, *friends[1].away] if is_crib else friends[seat].kept, pack[12], is_crib
            )
        if table.phase() == "gather":
            friends[0].gather()
    for friend in friends:
        expect(friend.page.locator(".side.is-winner .short")).to_have_text("wins the game")
    assert max(side["score"] for side in look(table.address)["sides"]) == 61
