"""How soon the board answers, and what it costs while nothing happens. Printed against the floor, never asserted."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median, quantiles

import pytest

from board_drivers.ports import Board, SensorFrame
from board_drivers.simulated import SimulatedBoard
from firmware_host.board.course import Hole
from firmware_host.board.plan import BoardPlan
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.host import Host
from firmware_host.house import House
from firmware_host.journal import Journal
from firmware_host.plans import load_plan
from firmware_host.table.orders import StartGame

pytestmark = pytest.mark.bench


def set_out(board: Board, standing: SensorFrame) -> None:
    assert isinstance(board, SimulatedBoard)
    board.set_pegs(standing)


def open_board(plan: BoardPlan) -> SimulatedBoard:
    return SimulatedBoard(plan.bit_count, plan.led_count)


@contextmanager
def running(plan_id: str, journal: Journal) -> Iterator[tuple[Host, SimulatedBoard]]:
    """A host in its own thread with a game on."""
    house = House((load_plan(plan_id),), open_board, set_out, (rules_for("six_card", {}),), ("Ann", "Ben"))
    host = Host(house, journal, time.monotonic)
    host.start()
    host.submit(StartGame(rules_for("six_card", {}), ("Ann", "Ben"), dealer=Seat(0)))
    assert isinstance(host.board, SimulatedBoard)
    try:
        yield host, host.board
    finally:
        host.stop()


def wait_for_light(board: SimulatedBoard, after_s: float) -> None:
    """Until a frame is written after this moment."""
    while board.lights.written_at_s <= after_s:
        assert time.monotonic() < after_s + 3.0
        time.sleep(0.0002)


def test_from_peg_to_light_and_to_the_news(tmp_path: Path) -> None:
    random, to_light, to_news, front, back = Random(1), list[float](), list[float](), 0, -1
    with running("continuous-121-4", Journal.open(tmp_path / "journal.sqlite3")) as (host, board):
        settle_s = 0.3
        for _ in range(38):
            front, back, left = front + 3, front, back
            board.lift_peg(host.plan.at(0, Hole(left)).sensor)
            time.sleep(0.1 + random.random() / 20)
            written_s, placed_s = board.lights.written_at_s, time.monotonic()
            board.place_peg(host.plan.at(0, Hole(front)).sensor)
            wait_for_light(board, max(written_s, placed_s))
            to_light.append(board.lights.written_at_s - placed_s)
            seen_s = time.monotonic()
            snapshot = host.snapshot
            while snapshot.table and snapshot.table.scores[0] != front:
                snapshot = host.wait_for_news(snapshot.version, 3.0)
            to_news.append(time.monotonic() - seen_s - settle_s)
    light_ms, news_ms = ([1000 * took_s for took_s in each] for each in (to_light, to_news))
    worst_ms = quantiles(light_ms, n=100)[98]
    print(f"\npeg to light: median {median(light_ms):.1f} ms, p99 {worst_ms:.1f} ms; a scan is 20 ms")
    print(f"to the news, after the settle time: median {median(news_ms):.1f} ms, most {max(news_ms):.1f} ms")


@pytest.mark.parametrize("plan_id", ["classic-61", "continuous-121-4"])
def test_idle_costs_little(plan_id: str) -> None:
    with running(plan_id, Journal.in_memory()) as (host, _):
        time.sleep(0.5)
        wall_s, cpu_s = time.monotonic(), time.process_time()
        time.sleep(5.0)
        share = (time.process_time() - cpu_s) / (time.monotonic() - wall_s)
        print(f"\nidle, {host.plan.sensor_count} holes at 50 Hz: {share:.2%} of a core")
