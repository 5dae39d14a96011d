"""How long a page of the OLED takes to draw, before the bus transfers it."""

from __future__ import annotations

from itertools import count
from statistics import mean

import pytest

from board_drivers.simulated import SimulatedBoard
from tests.bench.recording import Recorder
from tests.bench.timing import seconds


@pytest.mark.bench
def test_drawing_a_page(recorder: Recorder) -> None:
    pages = recorder.pick(full=200, small=5)
    board, numbers = SimulatedBoard(sensor_count=1, led_count=1), count()

    def draw_page() -> None:
        board.scoreboard.show([(f"Ann: {next(numbers)} more, to 36", 1)] * 8)

    draw_page()  # imports what it needs
    drawn_s = mean(seconds(draw_page) for _ in range(pages))
    png_s = seconds(board.oled_png)
    assert board.oled_version == pages + 1
    recorder.record("oled", {"page_ms": 1e3 * drawn_s, "png_ms": 1e3 * png_s})
