"""Wiring calibration with the keypad and the display, on a board whose strips were connected in another order."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from msgspec import field
from msgspec.structs import replace

from board_drivers.fault_injection import FaultyBoard
from firmware_host.board.course import Hole
from firmware_host.board.plan import BoardPlan
from firmware_host.config.board_plans import load_plan
from firmware_host.config.wiring_store import WiringStoreError, save_wiring, wiring_file, with_saved_wiring
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.host.loop import Host
from firmware_host.simulation.fault_plan import parse_fault_plan
from firmware_host.storage.journal import Journal
from firmware_host.ui.keys.input_state import CalibrateWiring
from tests.host.bench import HostBench
from web_panel.views.state import state_view

PLAN = load_plan("classic-61")
RULES = rules_for("six_card", {"target": 61})
SWAPPED = '[[fault]]\nkind = "swapped_strips"\nstrips = [3, 9]\n[[fault]]\nkind = "swapped_strips"\nstrips = [9, 20]'


class MiswiredBench(HostBench):
    """A board with three strips connected in each other's place. Its wiring file is in `folder`."""

    folder: Path = field(default_factory=Path)

    def open_board(self, plan: BoardPlan) -> FaultyBoard:
        faults = parse_fault_plan(SWAPPED, PLAN).on_board
        self.board = FaultyBoard(plan.bit_count, plan.led_count, faults, lambda: self.now_s)
        return self.board

    def place_pegs(self, board: object, frame: frozenset[int]) -> None:
        """Does nothing, as for a real board: people place the pegs."""

    def switch_on(self) -> None:
        wired = with_saved_wiring(PLAN, self.folder)
        self.setup = replace(self.setup, plans=(wired,), save_wiring=partial(save_wiring, self.folder, PLAN))
        self.host = Host(self.setup, self.journal, clock=lambda: self.now_s)
        self.wait(0.1)

    def touch(self, name: str) -> None:
        """Touches a hole with a peg: `red 8`."""
        self.board.place_peg(PLAN.named(name).sensor)
        self.wait(0.1)
        self.board.lift_peg(PLAN.named(name).sensor)
        self.wait(0.1)

    @property
    def requested_hole(self) -> str:
        return self.host.snapshot.prompt.removeprefix("Put a peg in ")

    def lines(self) -> list[str]:
        return [line for line, _ in self.host.snapshot.oled_page]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[MiswiredBench]:
    bench = MiswiredBench(Journal.in_memory(), folder=tmp_path)
    yield bench
    bench.host.stop()


def calibrate(bench: MiswiredBench) -> None:
    bench.host.execute(CalibrateWiring())
    bench.wait(0.1)
    while bench.host.snapshot.prompt.startswith("Put a peg in "):
        bench.touch(bench.requested_hole)


def test_calibrated_board_follows_pegs(bench: MiswiredBench) -> None:
    calibrate(bench)
    assert bench.host.snapshot.prompt == "Wiring saved"
    strips = json.loads(wiring_file(bench.folder, PLAN).read_text(encoding="utf-8"))["strips"]
    assert [place for place, strip in enumerate(strips) if place != strip] == [2, 8, 19]
    bench.board.set_pegs(PLAN.frame_of([[Hole(-1), Hole(0)]] * 2))
    bench.keys("ENTER ENTER ENTER ENTER A")
    bench.board.lift_peg(PLAN.named("red start").sensor)
    bench.wait(0.3)
    bench.board.place_peg(PLAN.named("red 8").sensor)
    bench.wait(0.6)
    assert bench.table.scores == (8, 0)


def test_wiring_is_restored_at_the_next_start(bench: MiswiredBench) -> None:
    calibrate(bench)
    bench.host.stop()
    bench.journal = Journal.in_memory()
    bench.switch_on()
    assert bench.host.plan == with_saved_wiring(PLAN, bench.folder) != PLAN
    calibrate(bench)
    assert bench.host.plan == with_saved_wiring(PLAN, bench.folder), "a second calibration finds the same wiring"


def test_menu_offers_wiring_calibration(bench: MiswiredBench) -> None:
    bench.hold_fn()
    bench.keys("FN")
    assert any("Calibrate wiring" in line for line in bench.lines())


def test_found_strip_lights_up(bench: MiswiredBench) -> None:
    bench.host.execute(CalibrateWiring())
    bench.wait(0.1)
    bench.touch(bench.requested_hole)
    assert any(bench.board.lights.frame[:5]) and not any(any(colour) for colour in bench.board.lights.frame[5:])
    assert "1 of 25 strips" in bench.lines() and "Strip 1 found" in bench.lines()


def test_undo_cancels_calibration(bench: MiswiredBench) -> None:
    bench.host.execute(CalibrateWiring())
    bench.wait(0.1)
    bench.touch(bench.requested_hole)
    bench.keys("UNDO")
    assert bench.host.snapshot.prompt == "Wiring not changed"
    assert not wiring_file(bench.folder, PLAN).exists() and bench.host.plan is PLAN


def test_enter_skips_hole_that_does_not_answer(bench: MiswiredBench) -> None:
    bench.host.execute(CalibrateWiring())
    bench.wait(0.1)
    first = bench.requested_hole
    bench.keys("ENTER")
    assert bench.requested_hole != first


def test_wiring_file_of_another_board_is_refused(bench: MiswiredBench) -> None:
    wiring_file(bench.folder, PLAN).write_text('{"strips": [1, 2, 3]}', encoding="utf-8")
    with pytest.raises(WiringStoreError, match="calibrate the wiring again"):
        with_saved_wiring(PLAN, bench.folder)


def test_phones_show_the_same_first_line_as_the_display_during_calibration(bench: MiswiredBench) -> None:
    bench.host.execute(c.StartGame(RULES, ("Ann", "Ben"), dealer=Seat(0)))
    bench.host.execute(CalibrateWiring())
    bench.wait(0.1)
    snapshot = bench.host.snapshot
    assert snapshot.prompt.startswith("Put a peg in ")
    assert state_view(snapshot)["prompt"] == snapshot.prompt
