"""How long the peg tracker takes for one changed frame, the timers that expire before it included."""

from __future__ import annotations

import pytest

from board_drivers.simulated_hands import UNTIDY
from firmware_host.board.course import AT_START, Hole
from firmware_host.tracking.peg_tracker import PegTracker
from tests.bench.recording import Recorder
from tests.bench.timing import seconds
from tests.tracking.recorded_game import SwitchSettings
from tests.tracking.trace_check import COURSES, simulate_game


@pytest.mark.bench
def test_time_for_a_frame(recorder: Recorder) -> None:
    recorder.record("peg_tracking", {f"{tracks}_tracks_us_per_frame": frame_us(tracks) for tracks in (2, 4)})


def frame_us(tracks: int) -> float:
    """Over one simulated game of untidy players with switches that chatter."""
    frames = [
        ([frozenset(map(Hole, track)) for track in frame.holes], frame.at_s)
        for frame in simulate_game(1, COURSES[0], tracks, UNTIDY, SwitchSettings(bounce_share=0.6)).frames
    ]
    reader = PegTracker(COURSES[0], [AT_START] * tracks)

    def read_all() -> None:
        for holes, at_s in frames:
            reader.update(holes, at_s)

    took_s = seconds(read_all)
    assert reader.pegs[0].front > 0
    return 1e6 * took_s / len(frames)
