"""Holes that are about to fail are found; hands and bouncing switches are not mistaken for them."""

from __future__ import annotations

import pytest

from board_drivers.simulated_hands import EVERYDAY, UNTIDY
from firmware_host.tracking.weak_holes import GAPS_TO_REPORT, WeakHoles
from tests.tracking.recorded_game import SwitchSettings
from tests.tracking.trace_check import COURSES, simulate_game

HOLE = frozenset({42})


def test_a_hole_that_keeps_losing_a_still_peg_is_weak() -> None:
    weak_holes, found = WeakHoles(), list[tuple[int, ...]]()
    weak_holes.update(HOLE, 0.0)
    for gap in range(GAPS_TO_REPORT + 3):
        assert weak_holes.update(frozenset(), 1.0 + gap) == ()
        found.append(weak_holes.update(HOLE, 1.04 + gap))
    assert found == [()] * (GAPS_TO_REPORT - 1) + [(42,)] + [()] * 3
    assert weak_holes.gaps == {42: GAPS_TO_REPORT + 3}


def test_rare_gaps_do_not_make_a_hole_weak() -> None:
    weak_holes = WeakHoles()
    weak_holes.update(HOLE, 0.0)
    for gap in range(20):
        weak_holes.update(frozenset(), 5.0 * gap + 4)
        assert weak_holes.update(HOLE, 5.0 * gap + 4.05) == ()


def test_a_peg_taken_out_and_put_back_does_not_make_a_hole_weak() -> None:
    weak_holes = WeakHoles()
    weak_holes.update(HOLE, 0.0)
    for gap in range(20):
        weak_holes.update(frozenset(), 1.0 + gap)
        assert weak_holes.update(HOLE, 1.3 + gap) == ()


@pytest.mark.parametrize("style", [EVERYDAY, UNTIDY], ids=["everyday", "untidy"])
@pytest.mark.parametrize(
    "wood",
    [SwitchSettings(), SwitchSettings(bounce_share=0.6), SwitchSettings(period_s=0.05)],
    ids=["ideal", "bouncing", "sampled"],
)
def test_no_hole_of_a_sound_board_is_called_weak(style: object, wood: SwitchSettings) -> None:
    for seed in range(6):
        game = simulate_game(seed, COURSES[seed % len(COURSES)], 2, style, wood)  # type: ignore[arg-type]
        weak_holes = WeakHoles()
        for frame in game.frames:
            sensors = frozenset(200 * track + hole + 1 for track, holes in enumerate(frame.holes) for hole in holes)
            assert weak_holes.update(sensors, frame.at_s) == ()
