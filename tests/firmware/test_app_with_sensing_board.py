"""The whole application with a sensing board on its cable: pegs are read through the firmware, and its lights shown."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import cast

import pytest

from board_drivers.matrix_wiring import MatrixWiring
from board_drivers.ports import Colour
from firmware_host.app import RunningApp
from firmware_host.board.course import START_HOLES, Hole
from firmware_host.config.board_plans import load_plan
from firmware_host.config.matrix_wiring import matrix_wiring
from firmware_host.cribbage.variants import rules_for
from firmware_host.game.commands import StartGame
from firmware_host.game.state import Phase
from firmware_host.host.snapshot import Snapshot
from firmware_host.startup.boards import screen_of
from firmware_host.ui.lights.lights import light_frame
from tests.board_drivers.app_on_bench import IGNORE_LUMA_DEPRECATION, real_parts_settings, running_app, wait_for
from tests.board_drivers.chips import OledChip
from tests.firmware.driving import TIMEOUT_S
from tests.firmware.rig import SensingBoard, UsbCable

pytestmark = IGNORE_LUMA_DEPRECATION

PLAN = load_plan("classic-61")
WIRING = cast(MatrixWiring, matrix_wiring(PLAN, PLAN))
PLACES = {sensor: place for place, sensor in WIRING.sensors.items()}
COURSE = PLAN.course(61)
BLINKS_S = [quarter / 8 for quarter in range(8)]
"""Times at which each blinking light is seen lit and dark."""


class Table:
    """The application, the board and its people."""

    def __init__(self, app: RunningApp, chip: SensingBoard) -> None:
        self.app, self.chip = app, chip
        self._pegs = [list(START_HOLES) for _ in range(PLAN.tracks)]

    def start(self) -> None:
        wait_for(self.app, lambda now: not now.fault and bool(now.occupied[0]))
        self.app.host.submit(StartGame(rules_for("six_card", {"target": 61}), ("Ann", "Ben"), PLAN.id))
        wait_for(self.app, lambda now: now.table is not None)

    def leap(self, side: int, score: int) -> Snapshot:
        """Move the back peg of a side to this score, and wait until the host has counted it."""
        came_from = self._pegs[side].pop(0)
        to = COURSE.hole_of(score)
        self._pegs[side].append(to)
        self.chip.lift_peg(self._place(side, came_from))
        wait_for(self.app, lambda now: came_from not in now.occupied[side])
        self.chip.place_peg(self._place(side, to))
        return wait_for(self.app, lambda now: bool(now.table and now.table.scores[side] == score))

    def check_lights(self) -> None:
        """Each light of the board shows what the host means its hole to show, in one of the phases of its blinking."""
        until_s = time.monotonic() + TIMEOUT_S
        while wrong := self._wrong_lights():
            assert time.monotonic() < until_s, wrong
            time.sleep(0.02)

    def _wrong_lights(self) -> Sequence[tuple[str, Colour, set[Colour]]]:
        signals = self.app.host.snapshot.signals
        frames = [light_frame(signals, PLAN, at_s) for at_s in BLINKS_S]
        shown = dict(zip(WIRING.lights, (colour for _, colour in self.chip.lights()), strict=True))
        meant = [(hole, {frame[hole.led] for frame in frames}) for hole in PLAN.holes]
        return [
            (PLAN.name_of(hole.track, hole.hole), shown[hole.led], colours)
            for hole, colours in meant
            if shown[hole.led] not in colours
        ]

    def lit_holes(self) -> set[str]:
        """The names of the holes whose lights are on now."""
        shown = zip(WIRING.lights, self.chip.lights(), strict=True)
        at_led = {hole.led: PLAN.name_of(hole.track, hole.hole) for hole in PLAN.holes}
        return {at_led[led] for led, (_, colour) in shown if any(colour)}

    def _place(self, side: int, hole: Hole) -> tuple[int, int]:
        return PLACES[PLAN.at(side, hole).sensor]


@pytest.fixture
def table(build: Callable[..., Path], cable: UsbCable, tmp_path: Path) -> Iterator[Table]:
    """The application at a classic board, with all pegs in the start holes."""
    chip = SensingBoard(build("all", "rig"), WIRING.columns, len(WIRING.lights), cable.far_end)
    for sensor in PLAN.frame_of([START_HOLES] * PLAN.tracks):
        chip.place_peg(PLACES[sensor])
    settings = real_parts_settings(tmp_path, gpio=False, scanner=str(cable.by_id), lights="usb")
    with running_app(settings) as app:
        yield Table(app, chip)
    chip.close()


def test_moved_peg_becomes_a_score_and_a_light(table: Table) -> None:
    table.start()
    table.leap(0, 8)
    table.check_lights()
    assert {"red 8", "blue start"} <= table.lit_holes()


@pytest.mark.slow
def test_display_of_the_board_shows_what_the_page_shows(table: Table) -> None:
    oled = OledChip(first_column=2)
    screen = screen_of(table.app.host.board)
    assert screen
    table.chip.command(f"display {oled.address:x}")
    table.start()
    until_s = time.monotonic() + TIMEOUT_S
    while not oled.is_on or oled.pixels() != screen.oled_pixels():
        assert time.monotonic() < until_s, table.app.host.board.faults()
        time.sleep(0.02)
        table.chip.update_display(oled)


def test_game_continues_after_the_cable_was_unplugged(table: Table, cable: UsbCable) -> None:
    table.start()
    table.leap(0, 8)
    cable.unplug()
    wait_for(table.app, lambda now: bool(now.fault))
    cable.plug_in()
    table.chip.reset()
    wait_for(table.app, lambda now: not now.fault)
    table.leap(1, 12)
    table.check_lights()


def test_dead_column_stops_the_game_and_is_named_on_the_display(table: Table) -> None:
    table.start()
    table.chip.command("dead 1")
    lost = wait_for(table.app, lambda now: bool(now.fault))
    assert " ".join(text for text, _ in lost.oled_page).startswith("Fault at column 2.")
    assert "red 16 to 30" in lost.fault
    table.chip.command("dead -1")
    wait_for(table.app, lambda now: not now.fault)
    table.leap(0, 8)


def test_whole_game_is_read_and_lit_hole_by_hole(table: Table) -> None:
    """Both sides leap by turns to 61; after each leap every light is compared with what the host means."""
    table.start()
    table.check_lights()
    for step in range(1, 9):
        for side, points in ((0, 8), (1, 7)):
            score = min(61, step * points)
            over = table.leap(side, score)
            table.check_lights()
            if score == 61:
                assert over.table and over.table.phase is Phase.OVER and over.table.scores == (61, 49)
                return
    pytest.fail("nobody has won")
