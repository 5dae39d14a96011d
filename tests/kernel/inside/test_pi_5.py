"""A Pi 5 with the first kernels made for it: the header is gpiochip4, and the chips before it are not for us."""

from __future__ import annotations

from pathlib import Path

from tests.drivers.bench_board import BenchBoard
from tests.kernel.inside.glass import shows
from tests.kernel.inside.people import until
from tests.kernel.inside.program import Program


def test_the_header_is_found_by_its_label(program: Program, wood: BenchBoard) -> None:
    assert Path("/dev/gpiochip4").exists()
    wood.press("ENTER")
    wood.release("ENTER")
    program.wait_for(lambda now: now["prompt"] != "ENTER: new game", "an answer to a key")
    until(lambda: shows(wood.oled.pixels(), program.state()["display"]), "the glass to answer")
    assert not program.state()["trouble"]
