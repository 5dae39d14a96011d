"""The tone that guides a wrong peg."""

from __future__ import annotations

from itertools import pairwise

from firmware_host.board.course import Hole
from firmware_host.ui.lights.lights import HoleSignal, Signal
from firmware_host.ui.sounds.guide_tone import FOUND, HOLE_HZ, NOBODY, guide_tune


def lights(wrong: int | None, right: int | None, track: int = 0) -> list[HoleSignal]:
    found = ((wrong, Signal.WRONG), (right, Signal.TO))
    return [HoleSignal(track, Hole(hole), signal) for hole, signal in found if hole is not None]


def test_the_tone_rises_to_the_hole_and_starts_higher_the_nearer_the_peg_is() -> None:
    starts = [guide_tune(holes)[0][0] for holes in range(1, 25)]
    assert all(near > far for near, far in pairwise(starts)) and starts[0] < HOLE_HZ
    assert starts[-1] == guide_tune(90)[0][0] == 440
    assert {guide_tune(holes)[-1][0] for holes in range(1, 90)} == {HOLE_HZ}


def test_each_place_of_a_wrong_peg_is_heard_once_and_its_hole_at_last() -> None:
    heard, guided = [], NOBODY
    shown_and_occupied: tuple[tuple[list[HoleSignal], set[int]], ...] = (
        (lights(20, 25), {20}),
        (lights(20, 25), {20}),
        (lights(None, 25), set()),
        (lights(23, 25), {23}),
        (lights(None, 25), set()),
        ([], {25}),
        ([], {25}),
    )
    for shown, occupied in shown_and_occupied:
        before, guided = guided, guided.after(shown)
        heard.append(before.tune_to(guided, [set(map(Hole, occupied))]))
    assert heard == [guide_tune(5), (), (), guide_tune(2), (), FOUND, ()]


def test_a_fault_that_ends_without_its_peg_is_not_found() -> None:
    """Such as a hole that is now taken to be broken, or a turn that was undone."""
    assert NOBODY.after(lights(20, 25)).tune_to(NOBODY, [{Hole(20)}]) == ()


def test_a_move_that_is_due_makes_no_tone() -> None:
    due = [HoleSignal(0, Hole(3), Signal.FROM), HoleSignal(0, Hole(9), Signal.TO)]
    assert NOBODY.tune_to(NOBODY.after(due), [{Hole(3)}]) == ()


def test_tracks_are_guided_apart() -> None:
    one = NOBODY.after(lights(20, 25))
    both = one.after([*lights(20, 25), *lights(40, 43, track=1)])
    assert one.tune_to(both, [set(), set()]) == guide_tune(3)
    assert both.tune_to(both.after(lights(20, 25)), [set(), {Hole(43)}]) == FOUND
