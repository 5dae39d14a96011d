"""The page of the display in tall letters."""

from __future__ import annotations

import pytest

from board_drivers import ports
from board_drivers.font import cell_px
from board_drivers.simulated import SimulatedBoard
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game.commands import StartGame
from firmware_host.game.history import History
from firmware_host.game.state import Table
from firmware_host.ui.display.oled_page import page
from firmware_host.ui.display.tall_page import TALL, tall_page

LONG = "Ann moved her peg five holes too far. Please move it back to hole number fifty-three now."


def table(variant: str, *names: str) -> Table:
    history = History()
    now = history.after(history.decide(StartGame(rules_for(variant), names, dealer=Seat(0)))).table
    assert now
    return now


def test_scale_of_tall_letters_is_that_of_the_driver() -> None:
    assert TALL == ports.TALL and cell_px(TALL) == (6, 16)


def test_prompt_scores_and_message_are_tall() -> None:
    assert tall_page("Ann: play a card", table("six_card", "Ann", "Ben"), "Ben plays on 15") == (
        ("Ann: play a card", TALL),
        ("Ann•     0 Ben      0", TALL),
        ("Ben plays on 15", TALL),
    )


def test_long_names_are_cut_and_scores_stay() -> None:
    lines = tall_page("Play", table("four_single", "Maximiliana", "Bartholomew", "Konstantin", "Wilhelmina"), "")
    assert [text for text, _ in lines] == ["Play", "Maximi   0 Bartho   0", "Konsta   0 Wilhel   0"]
    assert all(len(text) <= 21 for text, _ in lines)


@pytest.mark.parametrize("choices", [(), ("one", "two", "three", "four")])
def test_what_does_not_fit_is_small_and_complete(choices: tuple[str, ...]) -> None:
    now = table("six_hand", *"ABCDEF") if not choices else None
    prompt = LONG if not choices else "Which?"
    assert tall_page(prompt, now, "last", choices) == page(prompt, now, "last", choices)


def pixels(lines: tuple[tuple[str, int], ...], is_inverted: bool = False) -> list[tuple[bool, ...]]:
    board = SimulatedBoard(sensor_count=1, led_count=1)
    board.scoreboard.show(lines, is_inverted=is_inverted)
    return list(board.oled_pixels())


def test_tall_letters_are_small_ones_with_each_row_twice() -> None:
    small = pixels((("Ann 47", 1),))
    assert pixels((("Ann 47", TALL),))[:16] == [row for row in small[:8] for _ in range(2)]


def test_four_tall_lines_fill_the_display_and_a_fifth_does_not_fit() -> None:
    assert any(pixels((("W", TALL),) * 4)[60])
    with pytest.raises(ValueError, match="at most 64 pixels"):
        pixels((("W", TALL),) * 5)


def test_an_inverted_page_lights_exactly_the_other_pixels() -> None:
    lines = tall_page("Ann: play a card", table("six_card", "Ann", "Ben"), "Ben plays on 15")
    lit = [not pixel for row in pixels(lines) for pixel in row]
    assert [pixel for row in pixels(lines, is_inverted=True) for pixel in row] == lit


def test_the_same_page_is_drawn_anew_when_it_is_inverted() -> None:
    board = SimulatedBoard(sensor_count=1, led_count=1)
    board.scoreboard.show((("Ann", 1),))
    before = board.oled_version
    board.scoreboard.show((("Ann", 1),), is_inverted=True)
    assert board.oled_version == before + 1
