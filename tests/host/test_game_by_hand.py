"""Games on a board that people own: nothing reads the pegs, and points count at once."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from firmware_host.board.course import START_HOLES
from firmware_host.board.peg_source import PegSource
from firmware_host.cribbage.cards import parse_card
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.game.rematch import next_game
from firmware_host.host.setup import GameDoesNotFitBoard
from firmware_host.storage.journal import Journal
from firmware_host.ui.keys.input_state import BeginLesson
from firmware_host.ui.lights.lights import Signal
from tests.host.bench import HostBench

START = c.StartGame(rules_for("six_card", {"muggins_mode": "off"}), ("Ann", "Ben"), dealer=Seat(0))


def board_with(*peg_sources: PegSource) -> HostBench:
    """The first source is the usual one."""
    bench = HostBench(Journal.in_memory())
    bench.setup = replace(bench.setup, peg_sources=peg_sources)
    bench.switch_on()
    return bench


def start(bench: HostBench, game: c.StartGame = START) -> None:
    bench.host.execute(game)
    bench.wait(0.1)


@pytest.fixture
def at_home() -> HostBench:
    """A board of kit `wood`: games are by hand, unless they say otherwise."""
    return board_with(PegSource.BY_HAND, PegSource.DRAWN)


def test_points_count_at_once_and_no_peg_is_missed(at_home: HostBench) -> None:
    start(at_home)
    at_home.host.execute(c.CutStarter(parse_card("2H")))
    for card in ("5C", "10D"):
        at_home.host.execute(c.PlayCard(parse_card(card)))
    at_home.wait(10.0)
    assert at_home.table.is_by_hand and at_home.table.scores == (2, 0)
    assert not at_home.host.snapshot.fault and not at_home.host.snapshot.peg_faults
    assert not at_home.board.sensors.scan()


@pytest.mark.parametrize(("target", "board"), [(61, "classic-61"), (121, "classic-61"), (181, "classic-61")])
def test_every_target_has_a_board_to_draw(at_home: HostBench, target: int, board: str) -> None:
    """A board of one long row has no track of 181 holes: the game is drawn on another."""
    rules = rules_for("six_card", {"target": target})
    start(at_home, replace(START, rules=rules, board="continuous-121-2" if target == 181 else ""))
    assert (at_home.table.board, at_home.table.rules.target) == (board, target)


def test_a_game_may_choose_the_pegs_that_its_board_has(at_home: HostBench) -> None:
    start(at_home, replace(START, pegs=PegSource.DRAWN))
    assert not at_home.table.is_by_hand and len(at_home.board.sensors.scan()) == 4
    with pytest.raises(GameDoesNotFitBoard, match="pegs that are by_hand or drawn"):
        at_home.host.execute(replace(START, pegs=PegSource.SENSORS))


def test_the_next_game_has_the_same_pegs() -> None:
    """Also where the board would have others."""
    bench = board_with(PegSource.DRAWN, PegSource.BY_HAND)
    start(bench, replace(START, pegs=PegSource.BY_HAND))
    start(bench, next_game(bench.table))
    assert bench.table.is_by_hand
    start(bench)
    start(bench, next_game(bench.table))
    assert not bench.table.is_by_hand


def lit(bench: HostBench) -> dict[tuple[int, int], Signal]:
    """Track and hole -> its signal."""
    return {(each.track, each.hole): each.signal for each in bench.host.snapshot.signals}


def test_lights_say_which_peg_moves_until_the_next_turn(at_home: HostBench) -> None:
    start(at_home)
    assert set(lit(at_home).values()) == {Signal.REST}
    at_home.host.execute(c.CutStarter(parse_card("2H")))
    for card in ("5C", "10D"):
        at_home.host.execute(c.PlayCard(parse_card(card)))
    at_home.wait(0.1)
    back, front = START_HOLES
    resting = {(0, front): Signal.REST, (1, back): Signal.REST, (1, front): Signal.REST}
    assert lit(at_home) == resting | {(0, back): Signal.FROM, (0, 2): Signal.TO}
    at_home.host.execute(c.PlayCard(parse_card("3D")))
    at_home.wait(0.1)
    assert lit(at_home) == resting | {(0, 2): Signal.REST}


def test_lights_say_where_an_undone_peg_goes_back_to(at_home: HostBench) -> None:
    start(at_home)
    at_home.host.execute(c.CutStarter(parse_card("2H")))
    for command in (c.PlayCard(parse_card("5C")), c.PlayCard(parse_card("10D")), c.Undo()):
        at_home.host.execute(command)
    at_home.wait(0.1)
    signals = lit(at_home)
    assert (signals[0, 2], signals[0, START_HOLES[0]]) == (Signal.FROM, Signal.TO)


def test_sides_beyond_the_tracks_have_no_lights() -> None:
    """Four players beside a strip for two tracks: it lights those of the first two."""
    bench = board_with(PegSource.BY_HAND)
    rules = rules_for("four_single")
    start(bench, replace(START, rules=rules, names=("Ann", "Ben", "Cora", "Dan"), board="continuous-121-2"))
    assert {each.track for each in bench.host.snapshot.signals} == {0, 1}


def test_a_game_begun_on_sensors_goes_on_where_nothing_reads_pegs() -> None:
    """The kit was changed between two evenings. No alarm, and the points count."""
    bench = board_with(PegSource.SENSORS)
    start(bench)
    bench.setup = replace(bench.setup, peg_sources=(PegSource.BY_HAND,))
    bench.switch_on()
    bench.host.execute(c.CutStarter(parse_card("2H")))
    for card in ("5C", "10D"):
        bench.host.execute(c.PlayCard(parse_card(card)))
        bench.wait(1.0)
    assert not bench.table.is_by_hand and bench.table.scores == (2, 0)
    bench.host.execute(c.Undo())
    bench.wait(5.0)
    assert bench.table.scores == (0, 0) and not bench.host.snapshot.peg_faults


def test_the_lesson_is_on_pegs_that_are_seen(at_home: HostBench) -> None:
    at_home.host.execute(BeginLesson())
    at_home.wait(0.1)
    assert at_home.table.is_demo and not at_home.table.is_by_hand


def test_the_lesson_goes_to_its_end_where_nothing_reads_pegs() -> None:
    """ENTER says that a peg is moved; a step that waited for a peg would call that key wrong."""
    bench = board_with(PegSource.BY_HAND)
    bench.host.execute(BeginLesson())
    bench.wait(0.1)
    assert bench.table.is_by_hand
    all_keys = ("A", "ENTER", "FN", "10", "UNDO", "J", "+2", "+Q")
    in_the_game = ("FN", "FN", "J", "J", "ENTER", "5", "9", "UNDO", "K", "ENTER")
    for key in (*all_keys, *in_the_game):
        if key.startswith("+"):
            bench.board.press("FN")
        bench.keys(key.removeprefix("+"))
        if key.startswith("+"):
            bench.board.release("FN")
        assert bench.host.snapshot.lesson and not bench.host.snapshot.lesson.wrong, key
    assert bench.table.scores == (4, 0)
    bench.keys("ENTER")
    assert bench.host.snapshot.lesson is None
