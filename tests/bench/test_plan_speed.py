"""How long the largest board takes to be read, audited, drawn, and seen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from timeit import repeat

import pytest

from firmware_host.board.audit import audit
from firmware_host.board.course import Hole
from firmware_host.board.drawing import draw
from firmware_host.board.plan import parse_plan

LARGEST = (Path(__file__).parents[2] / "hardware" / "boards" / "continuous-121-4.toml").read_text(encoding="utf-8")


@pytest.mark.bench
def test_the_largest_board() -> None:
    plan = parse_plan(LARGEST)
    frame = plan.frame_of([{Hole(30 + track), Hole(37 + track)} for track in range(plan.tracks)])
    works: dict[str, tuple[Callable[[], object], int]] = {
        "read a plan file": (lambda: parse_plan(LARGEST), 10),
        "audit": (lambda: audit(plan), 10),
        "draw": (lambda: draw(plan, 121), 10),
        "one frame as tracks": (lambda: plan.track_view(frame), 10_000),
    }
    for name, (work, times) in works.items():
        print(f"\n{name}: {min(repeat(work, number=times, repeat=3)) / times * 1e6:,.1f} us", end="")
