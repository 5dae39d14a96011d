"""What a page costs the processor, before the bus carries it."""

from __future__ import annotations

from itertools import count
from time import perf_counter

import pytest

from board_drivers.simulated import SimulatedBoard

PAGES = 200


@pytest.mark.bench
def test_pages_drawn_a_second() -> None:
    board = SimulatedBoard(sensor_count=1, led_count=1)
    numbers = count()

    def draw_one() -> float:
        began_s = perf_counter()
        board.scoreboard.show([(f"Ann: {next(numbers)} more, to 36", 1)] * 8)
        return perf_counter() - began_s

    first_s, *later_s = (draw_one() for _ in range(PAGES))
    began_s = perf_counter()
    png = board.oled_png()
    png_s = perf_counter() - began_s
    print(f"\nfirst page {1e3 * first_s:.1f} ms, then {1e3 * sum(later_s) / len(later_s):.2f} ms a page of 168 cells")
    print(f"PNG of the OLED: {1e3 * png_s:.2f} ms, {len(png)} bytes")
    assert board.oled_version == PAGES
