"""Simulated hands and switches: seeded, untidy, and never breaking the wood."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from board_drivers.halls import Halls, Magnet
from board_drivers.hands import EVERYDAY, TIDY, UNTIDY, Gesture, Hands, Style
from board_drivers.recorded_game import Wood, record_game, truth_lines

ROUTE = range(122)
ALWAYS = Style(counts=1, errs=1, hesitates=1, jostles=1, fingers=1, wipes=1)


def hands(style: Style, seed: int = 1) -> Hands:
    return Hands(Random(seed), style, ROUTE, second_start=-1, target=121)


def test_a_tidy_hand_lifts_and_seats() -> None:
    lift, seat = hands(TIDY).turn(6)
    assert (lift.hole, lift.is_down) == (-1, False)
    assert (seat.hole, seat.is_down) == (6, True)
    assert 0.2 <= seat.after_s <= 0.8


def test_a_turn_never_passes_the_target() -> None:
    player = Hands(Random(1), TIDY, range(130), -1, target=121)
    player.score = 119
    assert player.turn(8)[-1].hole == 121
    assert player.score == 121


def test_a_counting_hand_rests_in_the_holes_on_its_way() -> None:
    rests = [gesture.hole for gesture in hands(Style(counts=1), seed=4).turn(12) if gesture.is_down]
    assert rests == sorted(rests)
    assert len(rests) > 2
    assert rests[-1] == 12


def test_a_sliding_hand_moves_the_front_peg() -> None:
    player = hands(Style(slides=1))
    player.turn(6)
    lift, seat = player.turn(4)
    assert (lift.hole, seat.hole, player.holes) == (6, 10, (0, 10))


@pytest.mark.parametrize("style", [TIDY, EVERYDAY, UNTIDY, ALWAYS])
def test_no_hand_lifts_what_is_not_there_or_fills_a_full_hole(style: Style) -> None:
    for seed in range(50):
        player = hands(style, seed)
        holes = set(player.holes)
        while player.score < 121:
            for gesture in [*player.turn(7), *player.fidget()]:
                follow(gesture, holes)
            assert holes == set(player.holes)


def follow(gesture: Gesture, holes: set[int]) -> None:
    assert gesture.after_s >= 0
    assert (gesture.hole in holes) is not gesture.is_down
    holes ^= {gesture.hole}


def test_the_same_seed_plays_the_same_game() -> None:
    games = [record_game(7, ROUTE, 121, 2, UNTIDY, Wood(chatters=0.5)) for _ in range(2)]
    assert games[0] == games[1]
    assert list(truth_lines(games[0])) == list(truth_lines(games[1]))


def test_bounces_end_where_the_magnet_is() -> None:
    magnets = [Magnet(1.0, 5, True), Magnet(1.06, 5, False), Magnet(1.12, 6, True)]
    for seed in range(50):
        told = Halls(Random(seed), chatters=1.0).told(magnets)
        assert [change.at_s for change in told] == sorted(change.at_s for change in told)
        last = {change.hole: change.is_there for change in told}
        assert last == {5: False, 6: True}


def test_sampled_switches_tell_late_and_in_either_order() -> None:
    orders = Counter[tuple[int, ...]]()
    for seed in range(100):
        told = Halls(Random(seed), period_s=0.05).told([Magnet(1.0, 5, False), Magnet(1.001, 6, True)])
        assert all(0 <= change.at_s - 1.0 <= 0.052 for change in told)
        orders[tuple(change.hole for change in told)] += 1
    assert set(orders) == {(5, 6), (6, 5)}


def test_a_dead_switch_never_tells_and_a_stuck_one_tells_for_ever() -> None:
    halls = Halls(Random(1), dead=frozenset({5}), stuck={6: 2.0})
    told = halls.told([Magnet(1.0, 5, True), Magnet(1.0, 6, True), Magnet(1.5, 6, False), Magnet(3.0, 6, False)])
    assert told == [Magnet(1.0, 6, True), Magnet(1.5, 6, False), Magnet(2.0, 6, True)]
