"""A game on the unchanged program: from magnets and pressed keys to pixels, lights and panel."""

from __future__ import annotations

from board_drivers.hands import TIDY
from tests.drivers.bench_board import BenchBoard
from tests.kernel.inside.glass import shows
from tests.kernel.inside.people import NEW_GAME, People, begin, typed, until
from tests.kernel.inside.program import Program


def test_a_game_is_begun_with_keys(program: Program, wood: BenchBoard) -> None:
    typed(wood, *NEW_GAME)
    state = program.wait_for(lambda now: now["game"] is not None, "a game begun with keys")
    assert [side["name"] for side in state["sides"]] == ["Ann", "Ben"] and state["game"]["target"] == 121
    until(lambda: shows(wood.oled.pixels(), program.state()["display"]), "the glass to show the page")


def test_a_whole_game_from_the_hall_switches_to_the_glass(program: Program, wood: BenchBoard) -> None:
    people: People = begin(program, wood, TIDY)
    people.play_to_the_end()
    assert program.state()["game"]["winner"] == people.table.winner is not None
    print(f"{people.leaps} leaps, {people.table.scores}")
