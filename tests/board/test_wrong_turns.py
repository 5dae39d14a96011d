"""Boards that were once read wrong, one a file: what one track showed, and the score that was meant.

A file starts with the board, the target and the pegs; whatever further holes read at 0 have done so for long. Then
come the holes that read from a time on, and the score that must have been told in the end.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from firmware_host.board.course import Course, Hole, TrackPegs, parse_hole
from firmware_host.board.pegs import PegReader
from tests.board.judge import due

FILES = sorted((Path(__file__).parent / "wrong_turns").glob("*.pegs"))
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
    reader = PegReader(scene.course, [scene.pegs, TrackPegs()])
    reader.see([frozenset(scene.course.holes_of(scene.pegs)), start], LONG_AGO_S - 60)
    reader.see([scene.frames[0][1], start], LONG_AGO_S)
    for at_s, holes in scene.frames:
        reader.see([holes, start], at_s)
    list(due(reader, scene.frames[-1][0] + 1.5))
    assert reader.pegs[0].front == scene.score
