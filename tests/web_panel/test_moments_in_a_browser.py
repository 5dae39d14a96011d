"""The first screen, the short game for visitors, the end of a game and its replay, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.web_panel.browsing import PAUSE_S, Program, choose, close_context, close_page, needs_browser
from tests.web_panel.pictures import leap, look, post

pytestmark = [*needs_browser, pytest.mark.slow]

GAME = {"variant": "six_card", "names": ["Ann", "Ben"], "board": "classic-61", "dealer": 0}
SIZES: list[ViewportSize] = [
    {"width": 360, "height": 640},
    {"width": 390, "height": 844},
    {"width": 1280, "height": 800},
]


@pytest.fixture
def fresh(tmp_path: Any) -> Iterator[Program]:
    """A program without a game."""
    program = Program(tmp_path)
    yield program
    program.switch_off()


def finish_a_game(address: str) -> None:
    """Ann wins by a skunk with a fifteen for two. Her six cards and her discard are known."""
    post(address, "commands/new-game", GAME | {"scores": [119, 85]})
    post(address, "commands/deal", {"seat": 0, "cards": ["5H", "5S", "5D", "JC", "2D", "7S"]})
    post(address, "commands/discard", {"seat": 0, "cards": ["5H", "7S"]})
    for command, card in (("starter", "4C"), ("play", "QH"), ("play", "5S")):
        post(address, f"commands/{command}", {"card": card})
    leap(address, 0, 121)


def finish_a_game_with_the_crib(address: str) -> None:
    """Ann wins with the crib that she counts: then everybody has seen what she discarded, and a review may judge it."""
    post(address, "commands/new-game", GAME | {"scores": [100, 85]})
    post(address, "commands/deal", {"seat": 0, "cards": ["5H", "5S", "5D", "JC", "2D", "7S"]})
    post(address, "commands/discard", {"seat": 0, "cards": ["2D", "7S"]})
    post(address, "commands/starter", {"card": "4C"})
    for command in ("show", "skip"):
        post(address, f"commands/{command}", {})
    for cards, score in ((["5H", "5S", "5D", "JC"], 115), (["2D", "7S", "7H", "8S"], 121)):
        post(address, "commands/count", {"cards": cards})
        leap(address, 0, score)


def commands_sent(page: Page) -> list[str]:
    """Collects the paths of POST requests from now on."""
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    return sent


def press_primary(page: Page) -> None:
    page.wait_for_timeout(PAUSE_S * 1000)
    page.locator("#primary").click()


def test_the_first_screen_starts_a_game_with_one_press(browser: Browser, fresh: Program) -> None:
    page = browser.new_page(reduced_motion="reduce")
    page.goto(fresh.address)
    expect(page.get_by_role("heading", level=1)).to_have_text("What do you play on?")
    expect(page.get_by_text("Red and Blue, to 121 points.")).to_be_visible()
    assert page.locator("#welcome a[href^='/new-game']:visible").count() == 1
    page.get_by_role("button", name="Play on this page").click()
    expect(page.locator(".score")).to_have_text(["0", "0"])
    expect(page.locator("#welcome")).to_be_hidden()
    close_page(page)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size['width']}x{size['height']}")
@pytest.mark.parametrize("language", ["en", "ru", "pl", "fr"])
def test_the_first_screen_needs_no_scrolling_to_its_buttons(
    browser: Browser, fresh: Program, size: ViewportSize, language: str
) -> None:
    page = browser.new_page(viewport=size, reduced_motion="reduce")
    page.goto(f"{fresh.address}?lang={language}")
    for button in ("#start", "#watch"):
        expect(page.locator(button)).to_be_visible()
        box = page.locator(button).bounding_box()
        assert box and box["height"] >= 44 and box["y"] + box["height"] <= size["height"], (button, box)
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    close_page(page)


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_the_picture_moves_unless_motion_is_reduced(browser: Browser, fresh: Program, motion: Any) -> None:
    page = browser.new_page(reduced_motion=motion)
    page.goto(fresh.address)
    page.locator(".play-on-choices").evaluate("choices => choices.remove()")  # as for who may not start a game
    page.locator(".welcome-picture").wait_for()
    moving = page.evaluate("document.querySelector('.welcome-picture').getAnimations({ subtree: true }).length")
    assert (moving > 3) is (motion == "no-preference")
    close_page(page)


def test_watching_plays_to_its_end_and_starts_an_own_game(browser: Browser, fresh: Program) -> None:
    page = browser.new_page(reduced_motion="reduce")
    page.clock.install()
    page.goto(fresh.address)
    page.get_by_role("button", name="Watch a game").click()
    expect(page.locator("#prompt")).to_have_text("Ann and Ben play with real cards and real pegs.")
    page.clock.run_for(7500)
    expect(page.locator("#prompt")).to_have_text("Ben plays 8♠: fifteen for two.")
    page.clock.run_for(2600)
    expect(page.locator("#prompt")).to_have_text("The board sees the peg move: 5 to 7.")
    expect(page.locator(".score")).to_have_text(["8", "7"])
    page.clock.run_for(21_000)
    expect(page.locator("#primary .label")).to_have_text("Start your own")
    assert look(fresh.address)["game"] is None
    page.clock.run_for(1000)
    page.locator("#primary").click()
    expect(page.locator(".score")).to_have_text(["0", "0"])
    assert look(fresh.address)["game"]["phase"] == "cut"
    close_page(page)


def test_watching_leaves_the_own_game_untouched_and_stops_at_once(browser: Browser, program: Program) -> None:
    post(program.address, "commands/new-game", GAME | {"scores": [8, 0]})
    page = browser.new_page(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    page.goto(program.address)
    expect(page.locator(".score")).to_have_text(["8", "0"])
    prompt, before, sent = page.locator("#prompt").inner_text(), look(program.address), commands_sent(page)
    choose(page, "Watch a game")
    expect(page.locator("#prompt")).to_have_text("The starter is 6♣.")
    for key in ("5", "z", "l", "ArrowRight"):
        page.keyboard.press(key)
    page.locator("#primary").click()
    assert page.locator("#prompt").inner_text() == prompt  # at once: nothing waits for the board
    expect(page.locator(".score")).to_have_text(["8", "0"])
    assert look(program.address) == before and sent == []
    close_page(page)


def test_a_move_during_the_short_game_is_there_afterwards(browser: Browser, program: Program) -> None:
    post(program.address, "commands/new-game", GAME)
    page = browser.new_page(reduced_motion="reduce")
    page.goto(program.address)
    expect(page.locator(".score")).to_have_text(["0", "0"])
    choose(page, "Watch a game")
    expect(page.locator("#primary .label")).to_have_text("Stop")
    leap(program.address, 1, 5)
    expect(page.locator(".score")).to_have_text(["8", "5"])  # still the recorded game
    page.keyboard.press("Escape")
    expect(page.locator(".score")).to_have_text(["0", "5"])
    close_page(page)


def test_a_stored_game_goes_on_with_one_press(browser: Browser, fresh: Program) -> None:
    post(fresh.address, "commands/new-game", GAME | {"scores": [45, 52]})
    fresh.switch_off()
    fresh.switch_on()
    page = browser.new_page(reduced_motion="reduce")
    page.goto(fresh.address)
    go_on = page.get_by_role("button", name="Go on with Ann and Ben, 45 to 52")
    expect(go_on).to_be_visible()
    expect(page.get_by_role("link", name="Start a new game")).to_have_attribute("href", "/new-game")
    go_on.click()
    expect(page.locator(".score")).to_have_text(["45", "52"])
    page.reload()
    expect(page.locator(".score")).to_have_text(["45", "52"])
    expect(page.locator("#welcome")).to_be_hidden()
    close_page(page)


def test_the_end_of_a_game_says_how_it_was_won(browser: Browser, program: Program) -> None:
    finish_a_game(program.address)
    page = browser.new_page(reduced_motion="reduce")
    page.goto(program.address)
    ending = page.locator("#ending")
    expect(page.locator("#prompt")).to_have_text("Ann wins, and it is a skunk!")
    expect(ending.locator(".margin")).to_contain_text("Ben is below 91.")
    expect(ending.locator(".race svg")).to_be_visible()
    expect(ending.locator(".origins tbody tr").first).to_contain_text("Ann")
    expect(page.locator("#board")).to_be_hidden()
    expect(page.locator("#primary")).to_contain_text("Play again")
    press_primary(page)
    expect(page.locator(".score")).to_have_text(["0", "0"])
    expect(ending).to_be_hidden()
    close_page(page)


def test_the_replay_steps_through_the_game(browser: Browser, program: Program) -> None:
    finish_a_game(program.address)
    page = browser.new_page(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    page.goto(program.address)
    sent = commands_sent(page)
    page.get_by_role("button", name="Replay").click()
    expect(page.locator("#prompt")).to_have_text("New game to 121: Ann, Ben.")
    expect(page.locator(".score")).to_have_text(["119", "85"])
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page.locator("#prompt")).to_have_text("Ann plays 5♠.")
    expect(page.locator(".count")).to_have_text("15")
    page.get_by_role("button", name="Previous turn").click()
    expect(page.locator("#prompt")).to_have_text("Ben plays Q♥.")
    page.get_by_role("slider").press("End")
    expect(page.locator("#playback .place")).to_have_text("5 of 5")
    expect(page.locator(".score")).to_have_text(["121", "85"])
    press_primary(page)
    expect(page.locator("#ending")).to_be_visible()
    assert sent == []
    close_page(page)


def test_a_past_game_is_replayed_from_its_review(browser: Browser, program: Program) -> None:
    finish_a_game_with_the_crib(program.address)
    finish_a_game(program.address)  # nobody has shown these hands: the review of this game has none
    page = browser.new_page(reduced_motion="reduce")
    page.goto(f"{program.address}review")
    expect(page.get_by_role("link", name="Replay")).to_be_visible()
    expect(page.locator(".verdict")).to_have_count(0)
    page.locator("section[aria-labelledby=games-title] a").nth(1).click()
    expect(page.locator(".verdict").first).to_contain_text("best")
    page.goto(f"{program.address}review")
    page.get_by_role("link", name="Replay").click()
    expect(page.locator("#prompt")).to_have_text("New game to 121: Ann, Ben.")
    page.keyboard.press("Escape")
    expect(page.locator("#ending")).to_be_visible()
    assert "replay" not in page.url
    close_page(page)


def test_the_result_is_shared_as_picture_and_text(browser: Browser, program: Program) -> None:
    finish_a_game(program.address)
    context = browser.new_context(reduced_motion="reduce", accept_downloads=True)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(program.address)
    expect(page.locator("#ending .race svg")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Share as a picture").click()
    assert download.value.path().read_bytes().startswith(b"\x89PNG")
    expect(page.locator(".shared")).to_have_text("The picture is saved.")
    page.get_by_role("button", name="Share as text").click()
    expect(page.locator(".shared")).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()").startswith("Ann wins, and it is a skunk!\nAnn 121, Ben 85.")
    close_context(context)
