"""How long one frame takes to read."""

from __future__ import annotations

from time import perf_counter

import pytest

from board_drivers.hands import UNTIDY
from board_drivers.recorded_game import Wood
from firmware_host.board.course import Hole, TrackPegs
from firmware_host.board.pegs import PegReader
from tests.board.judge import COURSES, play


@pytest.mark.bench
@pytest.mark.parametrize("tracks", [2, 4])
def test_microseconds_a_frame(tracks: int) -> None:
    frames = [
        ([frozenset(map(Hole, track)) for track in frame.holes], frame.at_s)
        for frame in play(1, COURSES[0], tracks, UNTIDY, Wood(chatters=0.6)).frames
    ]
    reader = PegReader(COURSES[0], [TrackPegs()] * tracks)
    start_s = perf_counter()
    for holes, at_s in frames:
        reader.see(holes, at_s)
    frame_us = (perf_counter() - start_s) / len(frames) * 1e6
    print(
        f"\n{tracks} tracks: {frame_us:.0f} us a frame, all that falls due in between included ({len(frames)} frames)"
    )
    assert reader.pegs[0].front > 0
