"""How soon the board answers a peg or a key, and how much of a core it takes while nothing happens."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median
from threading import Event, Thread
from time import perf_counter

import pytest
from msgspec import Struct

from board_drivers.ports import Board, SensorFrame
from board_drivers.simulated import SimulatedBoard
from firmware_host.board.course import Hole
from firmware_host.board.plan import BoardPlan
from firmware_host.config.board_plans import load_plan
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game.commands import StartGame
from firmware_host.host.loop import Host
from firmware_host.host.setup import HostSetup
from firmware_host.storage.journal import Journal
from firmware_host.tracking.timing import Timing
from tests.bench.recording import Recorder
from tests.bench.timing import percentile_99, seconds

pytestmark = pytest.mark.bench

SIX_CARD = rules_for("six_card", {})
START = StartGame(SIX_CARD, ("Ann", "Ben"), dealer=Seat(0))
PATIENCE_S = 3.0
PLANS = ("classic-61", "continuous-121-4")


def set_pegs(board: Board, standing: SensorFrame) -> None:
    assert isinstance(board, SimulatedBoard)
    board.set_pegs(standing)


def setup_of(plan_id: str) -> HostSetup:
    def open_board(plan: BoardPlan) -> SimulatedBoard:
        return SimulatedBoard(plan.bit_count, plan.led_count, clock=perf_counter)

    return HostSetup((load_plan(plan_id),), open_board, set_pegs, (SIX_CARD,), START.names)


def board_of(host: Host) -> SimulatedBoard:
    assert isinstance(host.board, SimulatedBoard)
    return host.board


@contextmanager
def running(plan_id: str, journal: Journal) -> Iterator[tuple[Host, SimulatedBoard]]:
    """A host in its own thread, with a game that has just begun."""
    host = Host(setup_of(plan_id), journal, perf_counter)
    host.start()
    host.submit(START)
    try:
        yield host, board_of(host)
    finally:
        host.stop()


def wait_for_light(board: SimulatedBoard, after_s: float) -> None:
    """Until a frame of lights is written after this moment."""
    while board.lights.written_at_s <= after_s:
        assert perf_counter() < after_s + PATIENCE_S
        time.sleep(0.0002)


def land_peg(host: Host, board: SimulatedBoard, hole: int, random: Random) -> float:
    """The back peg leaps to this hole, one ahead of the front peg, at a random moment between two scans. Returns the
    seconds until a light is written."""
    board.lift_peg(host.plan.at(0, Hole(hole - 2)).sensor)
    time.sleep(0.1 + random.random() / 20)
    written_s, placed_s = board.lights.written_at_s, perf_counter()
    board.place_peg(host.plan.at(0, Hole(hole)).sensor)
    wait_for_light(board, max(written_s, placed_s))
    return board.lights.written_at_s - placed_s


def test_delay_from_a_peg_to_its_light_and_to_a_phone(recorder: Recorder, tmp_path: Path) -> None:
    """Phones wait in `wait_for_change`."""
    random, to_light_s, to_phone_s = Random(1), list[float](), list[float]()
    with running("continuous-121-4", Journal.open(tmp_path / "journal.sqlite3")) as (host, board):
        for hole in range(1, recorder.pick(full=110, small=3) + 1):
            to_light_s.append(land_peg(host, board, hole, random))
            seen_s, snapshot = perf_counter(), host.snapshot
            while snapshot.table and snapshot.table.scores[0] != hole:
                snapshot = host.wait_for_change(snapshot.version, PATIENCE_S)
            to_phone_s.append(perf_counter() - seen_s - Timing().settle_s)
    recorder.record(
        "response",
        {
            "peg_to_light_median_ms": 1e3 * median(to_light_s),
            "peg_to_light_99_percent_ms": 1e3 * percentile_99(to_light_s),
            "settled_to_phone_median_ms": 1e3 * median(to_phone_s),
            "settled_to_phone_worst_ms": 1e3 * max(to_phone_s),
        },
    )


class SteppedHost(Struct, dict=True):
    """A host that is stepped by hand on a simulated clock, so that nothing waits for a scan or for a peg to settle.

    Its board keeps real time, so that the moment its lights were written can be compared with `perf_counter`.
    """

    now_s: float = 0.0

    def __post_init__(self) -> None:
        self.host = Host(setup_of("classic-61"), Journal.in_memory(), lambda: self.now_s)
        self.host.execute(START)
        self.wait(0.5)

    @property
    def board(self) -> SimulatedBoard:
        return board_of(self.host)

    @property
    def score(self) -> int:
        """Of the first player."""
        assert self.host.snapshot.table
        return self.host.snapshot.table.scores[0]

    def sensor_at(self, hole: int) -> int:
        """Of a hole of the first player, on the first lap."""
        return self.host.plan.at(0, Hole(hole)).sensor

    def step(self) -> None:
        self.now_s += self.host.setup.scan_s
        self.host.step()

    def wait(self, period_s: float) -> None:
        end_s = self.now_s + period_s
        while self.now_s < end_s:
            self.step()

    def step_that_draws_s(self) -> float:
        """How long the next step takes that draws another page on the display."""
        version, took_s = self.board.oled_version, 0.0
        while self.board.oled_version == version:
            took_s = seconds(self.step)
        return took_s


def test_processing_time_of_a_peg_and_of_a_key(recorder: Recorder) -> None:
    """What decisions, lights and drawing take, without the waiting for scans, for settling and for a disk."""
    stepped, light_s, settled_s, key_s, front, back = SteppedHost(), list[float](), list[float](), list[float](), 0, -1
    for _ in range(recorder.pick(full=50, small=3)):
        front, back, left = front + 1, front, back
        stepped.board.lift_peg(stepped.sensor_at(left))
        stepped.wait(0.2)
        stepped.board.place_peg(stepped.sensor_at(front))
        began_s = perf_counter()
        stepped.step()
        light_s.append(stepped.board.lights.written_at_s - began_s)
        settled_s.append(stepped.step_that_draws_s())
        assert stepped.score == front
        stepped.board.tap("5")
        key_s.append(stepped.step_that_draws_s())
        stepped.board.tap("UNDO")
        stepped.wait(0.5)
    stepped.host.stop()
    recorder.record(
        "processing",
        {
            "frame_to_light_ms": 1e3 * median(light_s),
            "settled_to_page_ms": 1e3 * median(settled_s),
            "key_to_page_ms": 1e3 * median(key_s),
        },
    )


def test_processor_use_while_nothing_happens(recorder: Recorder) -> None:
    figures = {"waking_only_percent": percent_of_a_core_waking(recorder)}
    for plan_id in PLANS:
        with running(plan_id, Journal.in_memory()):
            time.sleep(0.5)
            figures[f"{plan_id.replace('-', '_')}_percent"] = percent_of_a_core(recorder)
    recorder.record("idle", figures)


def percent_of_a_core(recorder: Recorder) -> float:
    """What this process takes for some seconds."""
    began_s, processor_s = perf_counter(), time.process_time()
    time.sleep(recorder.pick(full=10, small=1))
    return 100 * (time.process_time() - processor_s) / (perf_counter() - began_s)


def percent_of_a_core_waking(recorder: Recorder) -> float:
    """What a thread takes that wakes as often as the host scans, and does nothing."""
    stopping, scan_s = Event(), setup_of(PLANS[0]).scan_s

    def wake() -> None:
        while not stopping.wait(scan_s):
            pass

    thread = Thread(target=wake)
    thread.start()
    percent = percent_of_a_core(recorder)
    stopping.set()
    thread.join()
    return percent
