"""Simulated hands and switches: repeatable by seed, as untidy as asked for, and never physically impossible."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from board_drivers.simulated_hands import EVERYDAY, TIDY, UNTIDY, Gesture, SimulatedHands, Style
from tests.tracking.recorded_game import SwitchSettings, record_game, truth_lines
from tests.tracking.simulated_switches import MagnetEdge, SimulatedSwitches

ROUTE = range(122)
ALWAYS = Style(taps=1, misplaces=1, hesitates=1, jostles=1, reseats=1, wipes=1)


def hands(style: Style, seed: int = 1) -> SimulatedHands:
    return SimulatedHands(Random(seed), style, ROUTE, second_start=-1, target=121)


def test_tidy_player_lifts_and_seats_the_peg() -> None:
    lift, seat = hands(TIDY).turn(6)
    assert (lift.hole, lift.is_down) == (-1, False)
    assert (seat.hole, seat.is_down) == (6, True)
    assert 0.2 <= seat.after_s <= 0.8


def test_turn_never_passes_the_target() -> None:
    player = SimulatedHands(Random(1), TIDY, range(130), -1, target=121)
    player.score = 119
    assert player.turn(8)[-1].hole == 121
    assert player.score == 121


def test_counting_player_taps_the_holes_on_the_way() -> None:
    rests = [gesture.hole for gesture in hands(Style(taps=1), seed=4).turn(12) if gesture.is_down]
    assert rests == sorted(rests)
    assert len(rests) > 2
    assert rests[-1] == 12


def test_sliding_player_moves_the_front_peg() -> None:
    player = hands(Style(slides=1))
    player.turn(6)
    lift, seat = player.turn(4)
    assert (lift.hole, seat.hole, player.holes) == (6, 10, (0, 10))


@pytest.mark.parametrize("style", [TIDY, EVERYDAY, UNTIDY, ALWAYS])
def test_no_peg_is_lifted_from_an_empty_hole_or_put_into_a_full_one(style: Style) -> None:
    for seed in range(50):
        player = hands(style, seed)
        holes = set(player.holes)
        while player.score < 121:
            for gesture in [*player.turn(7), *player.touch_seated_pegs()]:
                follow(gesture, holes)
            assert holes == set(player.holes)


def follow(gesture: Gesture, holes: set[int]) -> None:
    assert gesture.after_s >= 0
    assert (gesture.hole in holes) is not gesture.is_down
    holes ^= {gesture.hole}


def test_same_seed_gives_the_same_game() -> None:
    games = [record_game(7, ROUTE, 121, 2, UNTIDY, SwitchSettings(bounce_share=0.5)) for _ in range(2)]
    assert games[0] == games[1]
    assert list(truth_lines(games[0])) == list(truth_lines(games[1]))


def test_bounces_end_in_the_state_of_the_magnet() -> None:
    magnets = [MagnetEdge(1.0, 5, True), MagnetEdge(1.06, 5, False), MagnetEdge(1.12, 6, True)]
    for seed in range(50):
        edges = SimulatedSwitches(Random(seed), bounce_share=1.0).report(magnets)
        assert [edge.at_s for edge in edges] == sorted(edge.at_s for edge in edges)
        last = {edge.hole: edge.is_present for edge in edges}
        assert last == {5: False, 6: True}


def test_sampled_switches_report_late_and_in_either_order() -> None:
    magnets = [MagnetEdge(1.0, 5, False), MagnetEdge(1.001, 6, True)]
    orders = Counter[tuple[int, ...]]()
    for seed in range(100):
        edges = SimulatedSwitches(Random(seed), period_s=0.05).report(magnets)
        assert all(0 <= edge.at_s - 1.0 <= 0.052 for edge in edges)
        orders[tuple(edge.hole for edge in edges)] += 1
    assert set(orders) == {(5, 6), (6, 5)}


def test_dead_switch_never_reports_and_stuck_switch_always_does() -> None:
    switches = SimulatedSwitches(Random(1), dead=frozenset({5}), stuck={6: 2.0})
    magnets = [(1.0, 5, True), (1.0, 6, True), (1.5, 6, False), (3.0, 6, False)]
    edges = switches.report(MagnetEdge(*magnet) for magnet in magnets)
    assert edges == [MagnetEdge(1.0, 6, True), MagnetEdge(1.5, 6, False), MagnetEdge(2.0, 6, True)]
