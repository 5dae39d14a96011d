"""A Pi 5 with its first kernels: the header is gpiochip4, after other chips."""

from __future__ import annotations

from pathlib import Path

from tests.board_drivers.bench_board import BenchBoard
from tests.kernel.inside.display import shows
from tests.kernel.inside.players import wait_until
from tests.kernel.inside.program import Program


def test_header_is_found_by_its_label(program: Program, bench: BenchBoard) -> None:
    assert Path("/dev/gpiochip4").exists()
    bench.press("ENTER")
    bench.release("ENTER")
    program.wait_for(lambda now: now["prompt"] != "ENTER: new game", "an answer to a key")
    wait_until(lambda: shows(bench.oled.pixels(), program.state()["display"]), "the display to show the page")
    assert not program.state()["fault"]
