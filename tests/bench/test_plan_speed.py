"""How long the plan of the largest board takes to parse, audit and draw, and one of its sensor frames to interpret."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from timeit import repeat

import pytest

from firmware_host.board.audit import audit
from firmware_host.board.course import Hole
from firmware_host.board.drawing.drawing import draw
from firmware_host.board.plan import parse_plan
from tests.bench.recording import Recorder

LARGEST = (Path(__file__).parents[2] / "hardware" / "boards" / "continuous-121-4.toml").read_text(encoding="utf-8")


@pytest.mark.bench
def test_the_largest_board(recorder: Recorder) -> None:
    plan = parse_plan(LARGEST)
    frame = plan.frame_of([{Hole(30 + track), Hole(37 + track)} for track in range(plan.tracks)])
    few, many = recorder.pick(full=10, small=1), recorder.pick(full=10_000, small=100)

    def best_s(call: Callable[[], object], times: int) -> float:
        return min(repeat(call, number=times, repeat=3)) / times

    recorder.record(
        "board_plan",
        {
            "parse_ms": 1e3 * best_s(lambda: parse_plan(LARGEST), few),
            "audit_ms": 1e3 * best_s(lambda: audit(plan), few),
            "draw_ms": 1e3 * best_s(lambda: draw(plan, 121), few),
            "frame_to_holes_us": 1e6 * best_s(lambda: plan.track_view(frame), many),
        },
    )
