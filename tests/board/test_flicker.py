"""A hole about to fail is named; hands and bouncing switches are not."""

from __future__ import annotations

import pytest

from board_drivers.hands import EVERYDAY, UNTIDY
from board_drivers.recorded_game import Wood
from firmware_host.board.flicker import TIMES, Flicker
from tests.board.judge import COURSES, play

HOLE = frozenset({42})


def test_a_peg_that_stands_still_and_is_lost_again_and_again_is_held_by_a_weak_hole() -> None:
    flicker, told = Flicker(), list[tuple[int, ...]]()
    flicker.see(HOLE, 0.0)
    for gap in range(TIMES + 3):
        assert flicker.see(frozenset(), 1.0 + gap) == ()
        told.append(flicker.see(HOLE, 1.04 + gap))
    assert told == [()] * (TIMES - 1) + [(42,)] + [()] * 3
    assert flicker.gaps == {42: TIMES + 3}


def test_gaps_far_apart_are_hands() -> None:
    flicker = Flicker()
    flicker.see(HOLE, 0.0)
    for gap in range(20):
        flicker.see(frozenset(), 5.0 * gap + 4)
        assert flicker.see(HOLE, 5.0 * gap + 4.05) == ()


def test_a_peg_taken_out_and_put_back_is_a_hand() -> None:
    flicker = Flicker()
    flicker.see(HOLE, 0.0)
    for gap in range(20):
        flicker.see(frozenset(), 1.0 + gap)
        assert flicker.see(HOLE, 1.3 + gap) == ()


@pytest.mark.parametrize("style", [EVERYDAY, UNTIDY], ids=["everyday", "untidy"])
@pytest.mark.parametrize(
    "wood", [Wood(), Wood(chatters=0.6), Wood(period_s=0.05)], ids=["ideal", "bouncing", "sampled"]
)
def test_no_hole_of_a_sound_board_is_called_weak(style: object, wood: Wood) -> None:
    for seed in range(6):
        game = play(seed, COURSES[seed % len(COURSES)], 2, style, wood)  # type: ignore[arg-type]
        flicker = Flicker()
        for frame in game.frames:
            sensors = frozenset(200 * track + hole + 1 for track, holes in enumerate(frame.holes) for hole in holes)
            assert flicker.see(sensors, frame.at_s) == ()
