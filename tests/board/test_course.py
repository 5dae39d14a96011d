"""Where the pegs of a track stand after points forward and back. The ids are the worked cases of the rules."""

from __future__ import annotations

import pytest

from firmware_host.board.course import Course, TrackPegs


def course(target: int) -> Course:
    """A lap of sixty holes, and the game hole."""
    return Course(lap=60, game_hole=61, target=target)


@pytest.mark.parametrize(
    ("target", "before", "points", "after", "hole"),
    [
        pytest.param(61, (0, 0), (2, 3, 8), (13, 5), 13, id="R46"),
        pytest.param(121, (58, 50), (5,), (63, 58), 3, id="R47"),
        pytest.param(61, (57, 55), (8,), (61, 57), 61, id="R48"),
        pytest.param(121, (119, 112), (2,), (121, 119), 61, id="R50 game"),
        pytest.param(181, (118, 110), (4,), (122, 118), 2, id="R50 third lap"),
        pytest.param(121, (0, 0), (60, 1), (61, 60), 1, id="R50 second lap"),
        pytest.param(121, (30, 24), (6,), (36, 30), 36, id="R51"),
    ],
)
def test_pegs_leap_forward(
    target: int, before: tuple[int, int], points: tuple[int, ...], after: tuple[int, int], hole: int
) -> None:
    pegs = TrackPegs(front=before[0], back=before[1])
    for leap in points:
        pegs = pegs.leapt_to(min(pegs.front + leap, target))
    assert pegs == TrackPegs(front=after[0], back=after[1])
    assert course(target).hole_of(pegs.front) == hole


@pytest.mark.parametrize(
    ("before", "points", "after"),
    [
        pytest.param((40, 33), 5, (35, 33), id="R49"),
        pytest.param((40, 33), 7, (33, 32), id="R49 onto the other peg"),
        pytest.param((40, 33), 10, (30, 29), id="R49 past the other peg"),
        pytest.param((4, 1), 9, (0, 0), id="R49 to the start"),
        pytest.param((118, 112), 15, (103, 102), id="R54"),
    ],
)
def test_pegs_go_back(before: tuple[int, int], points: int, after: tuple[int, int]) -> None:
    pegs = TrackPegs(front=before[0], back=before[1])
    assert pegs.slid_to(pegs.front - points) == TrackPegs(front=after[0], back=after[1])
