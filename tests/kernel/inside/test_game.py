"""A game on the unchanged program, from magnets and pressed keys to pixels, lights and panel."""

from __future__ import annotations

from board_drivers.simulated_hands import TIDY
from tests.board_drivers.bench_board import BenchBoard
from tests.kernel.inside.display import shows
from tests.kernel.inside.players import NEW_GAME, Players, begin, type_keys, wait_until
from tests.kernel.inside.program import Program


def test_game_is_begun_with_keys(program: Program, bench: BenchBoard) -> None:
    type_keys(bench, *NEW_GAME)
    state = program.wait_for(lambda now: now["game"] is not None, "a game begun with keys")
    assert [side["name"] for side in state["sides"]] == ["Ann", "Ben"] and state["game"]["target"] == 121
    wait_until(lambda: shows(bench.oled.pixels(), program.state()["display"]), "the display to show the page")


def test_whole_game_from_the_hall_switches_to_the_display(program: Program, bench: BenchBoard) -> None:
    players: Players = begin(program, bench, TIDY)
    players.play_to_the_end()
    assert program.state()["game"]["winner"] == players.table.winner is not None
    print(f"{players.leaps} leaps, {players.table.scores}")
