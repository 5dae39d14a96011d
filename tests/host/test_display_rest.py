"""The display of a board that nobody uses dims and sleeps, and wakes within 100 ms."""

from __future__ import annotations

from collections import Counter
from io import BytesIO

import pytest
from luma.core.device import dummy
from msgspec.structs import replace
from PIL import Image

from board_drivers.oled_scoreboard import OledScoreboard
from board_drivers.ports import BRIGHT, KEY_ROWS
from firmware_host.startup.board_screen import DisplayMirror
from firmware_host.storage.journal import Journal
from firmware_host.ui.display.look import Look
from firmware_host.ui.display.rest import ASLEEP, DIM
from firmware_host.ui.keys.input_state import CheckScore
from tests.host.bench import HostBench
from tests.host.test_tagged_cards import FakeReader

WAKES_WITHIN_S = 0.1
DAY_S = 24 * 3600.0
STEP_S = 30.0
BUDGET_S = 3600.0
"""How long a pixel may be lit in all while nobody uses the board."""


@pytest.fixture
def bench() -> HostBench:
    bench = HostBench(Journal.in_memory())
    bench.begin()
    return bench


def pause(bench: HostBench, seconds: float, step_s: float = 10.0) -> None:
    """Lets time pass with fewer scans than a host makes."""
    end_s = bench.now_s + seconds
    while bench.now_s < end_s:
        bench.now_s += step_s
        bench.host.step()


def let_sleep(bench: HostBench) -> None:
    pause(bench, 700)
    assert bench.board.scoreboard.contrast == ASLEEP


def is_awake_in_time(bench: HostBench) -> bool:
    bench.wait(WAKES_WITHIN_S)
    return bench.board.scoreboard.contrast == BRIGHT


def test_display_dims_then_sleeps_after_the_time_in_the_settings(bench: HostBench) -> None:
    bench.host._use_setup(replace(bench.setup, look=Look(sleeps_after_s=120)))
    seen = Counter[int]()
    for _second in range(200):
        bench.now_s += 1
        bench.host.step()
        seen[bench.board.scoreboard.contrast] += 1
    assert seen[BRIGHT] == pytest.approx(30, abs=2)
    assert seen[DIM] == pytest.approx(90, abs=2)
    assert bench.host.snapshot.display_light.contrast == ASLEEP


@pytest.mark.parametrize("legend", [key.legend for row in KEY_ROWS for key in row])
def test_every_key_wakes_the_display_when_it_goes_down(bench: HostBench, legend: str) -> None:
    let_sleep(bench)
    bench.board.press(legend)
    assert is_awake_in_time(bench)


def test_peg_wakes_the_display_when_it_is_lifted_and_when_it_is_placed(bench: HostBench) -> None:
    let_sleep(bench)
    sensor = min(bench.board.sensors.scan())
    bench.board.lift_peg(sensor)
    assert is_awake_in_time(bench)
    let_sleep(bench)
    bench.board.place_peg(sensor)
    assert is_awake_in_time(bench)


def test_command_of_a_phone_wakes_the_display(bench: HostBench) -> None:
    let_sleep(bench)
    bench.host.execute(CheckScore())
    assert is_awake_in_time(bench)


@pytest.mark.parametrize("tag", ["5H", "no card"])
def test_card_wakes_the_display(bench: HostBench, tag: str) -> None:
    reader = FakeReader()
    bench.host._use_setup(replace(bench.setup, card_reader=reader))
    let_sleep(bench)
    reader.queue.append(tag)
    assert is_awake_in_time(bench)


def test_fault_that_comes_and_goes_does_not_keep_the_display_awake(bench: HostBench) -> None:
    for minute in range(12):
        bench.host._context.faults.report("disk", "full" if minute % 2 else "")
        pause(bench, 60)
    assert bench.board.scoreboard.contrast == ASLEEP


def test_pages_show_a_dimmed_and_a_sleeping_display(bench: HostBench) -> None:
    def brightest(png: bytes) -> int:
        return max(Image.open(BytesIO(png)).convert("L").tobytes())

    mirror = DisplayMirror(bench.host)
    seen = []
    for seconds in (0, 200, 600):
        version = bench.host.snapshot.version
        pause(bench, seconds)
        seen.append(brightest(bench.board.oled_png()))
        assert brightest(mirror.picture()) == seen[-1]
        assert (bench.host.snapshot.version > version) is (seconds > 0), "a page learns that the display has changed"
    assert seen[0] == 255 > seen[1] > seen[2] == 0


class MeteredDummy(dummy):  # type: ignore[misc]  # luma has no types
    """luma's dummy display, which adds up how long each pixel is lit."""

    def __init__(self, bench: HostBench) -> None:
        self._bench = bench
        self._since_s = bench.now_s
        self._is_on = True
        self.lit_s = [0.0] * (128 * 64)
        super().__init__(width=128, height=64, mode="1")
        self.image = Image.new(self.mode, self.size)

    def count(self) -> None:
        """Adds the time since the last change."""
        passed_s = self._bench.now_s - self._since_s
        self._since_s = self._bench.now_s
        if self._is_on and passed_s:
            lit = self.image.convert("L").tobytes()
            self.lit_s = [so_far + passed_s if now else so_far for so_far, now in zip(self.lit_s, lit, strict=True)]

    def display(self, image: Image.Image) -> None:
        self.count()
        super().display(image)

    def show(self) -> None:
        self.count()
        self._is_on = True

    def hide(self) -> None:
        self.count()
        self._is_on = False


@pytest.mark.parametrize("is_inverted", [False, True])
def test_no_pixel_is_lit_for_more_than_an_hour_in_a_day_without_a_move(bench: HostBench, is_inverted: bool) -> None:
    look = Look(is_inverted=is_inverted, sleeps_after_s=30 * 60)
    bench.host._use_setup(replace(bench.setup, look=look))
    device = MeteredDummy(bench)
    bench.board.scoreboard = OledScoreboard(device)  # type: ignore[assignment]
    pause(bench, DAY_S, STEP_S)
    device.count()
    assert 0 < max(device.lit_s) <= 30 * 60 + STEP_S < BUDGET_S


def test_board_that_was_just_switched_on_sleeps_too() -> None:
    bench = HostBench(Journal.in_memory())
    let_sleep(bench)
