"""Turns that were once read wrong, one a file: what one track showed, and the score that was meant.

A file starts with the board, the target and the pegs; further holes that read at 0 have done so for long. Then come
lines of a time and the holes that read from then on, and last the score that must have been reported in the end.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from firmware_host.board.course import AT_START, Course, Hole, TrackPegs, parse_hole
from firmware_host.tracking.peg_tracker import PegTracker
from tests.tracking.trace_check import readings_due

FILES = sorted((Path(__file__).parent / "misread_turns").glob("*.pegs"))
LONG_AGO_S = -60.0
LAPS = {"continuous-121": 120, "classic-61": 60}


class Scene(NamedTuple):
    course: Course
    pegs: TrackPegs
    frames: list[tuple[float, frozenset[Hole]]]
    score: int


def read_scene(text: str) -> Scene:
    head, *rows, last = [line for line in text.splitlines() if not line.startswith("#")]
    found = re.fullmatch(r"(\S+) to (\d+), back peg at (\d+), front peg at (\d+)", head)
    assert found, head
    target, back, front = map(int, found.groups()[1:])
    lap = LAPS[found[1]]
    frames = [(float(at_s), frozenset(map(hole_of, holes))) for at_s, *holes in map(str.split, rows)]
    return Scene(Course(lap, min(lap + 1, target), target), TrackPegs(back, front), frames, int(last.split()[1]))


def hole_of(text: str) -> Hole:
    return parse_hole(int(text) if text.isdigit() else text)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_turn_once_read_wrong_is_read_right(file: Path) -> None:
    scene = read_scene(file.read_text())
    start = frozenset({Hole(-1), Hole(0)})
    tracker = PegTracker(scene.course, [scene.pegs, AT_START])
    tracker.update([frozenset(scene.course.holes_of(scene.pegs)), start], LONG_AGO_S - 60)
    tracker.update([scene.frames[0][1], start], LONG_AGO_S)
    for at_s, holes in scene.frames:
        tracker.update([holes, start], at_s)
    list(readings_due(tracker, scene.frames[-1][0] + 1.5))
    assert tracker.pegs[0].front == scene.score
