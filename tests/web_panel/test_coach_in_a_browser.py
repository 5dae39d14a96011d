"""The coach in Chromium: a hand is counted with hints, and the progress is on the page."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web_panel.browsing import Program

pytestmark = pytest.mark.slow


def exercise_of(page: Page) -> Any:
    return json.loads(page.locator("#exercise").get_attribute("data-exercise") or "")


def answer(page: Page, points: int) -> None:
    page.locator("#points").fill(str(points))
    page.keyboard.press("Enter")


def test_a_hand_is_counted_with_hints_and_kept(page: Page, program: Program) -> None:
    page.goto(f"{program.address}coach?exercise=7&name=Zoe")
    expect(page.locator("#hand .card")).to_have_count(5)
    (fifteens,) = exercise_of(page)["parts"]
    page.locator("#hint").click()
    expect(page.locator("#said")).to_contain_text(fifteens["how_many"])
    expect(page.locator("#hand .is-lit")).to_have_count(0)
    for score in fifteens["scores"]:
        page.locator("#hint").click()
        lit = page.locator("#hand .card").evaluate_all(
            "cards => cards.flatMap((card, place) => card.classList.contains('is-lit') ? [place] : [])"
        )
        assert lit == sorted(score["places"])
    answer(page, fifteens["points"])
    expect(page.locator("#said")).to_contain_text("Right.")
    expect(page.locator("#next")).to_be_focused()
    expect(page.locator("#count")).to_contain_text(f"({exercise_of(page)['total']})")
    page.keyboard.press("Enter")
    expect(page.locator("#sentences")).to_contain_text("1 hand counted, 0 of them without a mistake.")
    expect(page.locator("#points")).to_be_focused()
    page.goto(f"{program.address}coach?name=zoe")
    expect(page.locator("#sentences")).to_contain_text("1 hand counted, 0 of them without a mistake.")


def test_two_wrong_answers_show_the_solution_and_a_level_adds_questions(page: Page, program: Program) -> None:
    page.goto(f"{program.address}coach?exercise=7")
    (fifteens,) = exercise_of(page)["parts"]
    answer(page, 98)
    expect(page.locator("#said")).to_have_text("That is too many.")
    answer(page, 97)
    expect(page.locator("#said")).to_contain_text(fifteens["solution"])
    page.locator("[name=level][value='5']").check(force=True)
    expect(page.locator("#level-name")).to_contain_text("Level 5")
    asked = set()
    for _ in range(5):
        asked.add(page.locator("#question").inner_text())
        answer(page, 98)
        answer(page, 98)
    assert len(asked) == 5
    expect(page.locator("#next")).to_be_visible()


def test_play_and_discard_by_keyboard(page: Page, program: Program) -> None:
    page.goto(f"{program.address}coach/play?exercise=3")
    page.locator("button.choice-card").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".choice-card.is-lit")).to_have_count(1)
    page.goto(f"{program.address}coach/discard?exercise=3")
    for place in (0, 1):
        page.locator(".choice-card input").nth(place).focus()
        page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(page.locator(".discards .best")).to_have_count(1)
    expect(page.get_by_text("Your choice")).to_have_count(1)
