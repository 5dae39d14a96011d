"""Fixtures: a modelled Pi behind this guest's kernel, and the program on it, started as by its service."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from firmware_host.board.course import START_HOLES
from firmware_host.config.board_plans import load_plan
from tests.board_drivers.bench_board import BenchBoard
from tests.board_drivers.bench_pi import BenchPi
from tests.kernel.inside.header import KernelHeader
from tests.kernel.inside.program import Program

PLAN = load_plan("classic-61")

Start = Callable[..., Program]


@pytest.fixture(scope="session")
def header() -> KernelHeader:
    return KernelHeader()


@pytest.fixture
def pi(header: KernelHeader) -> BenchPi:
    pi = BenchPi()
    header.connect(pi)
    return pi


@pytest.fixture
def bench(pi: BenchPi) -> BenchBoard:
    """A board with all pegs in the start holes."""
    bench = BenchBoard(pi, PLAN.strip_count)
    for sensor in PLAN.frame_of([START_HOLES] * PLAN.tracks):
        bench.strips.place_peg(sensor)
    return bench


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts the program in a folder with these settings; `before` is a command that runs it, such as setpriv."""
    started: list[Program] = []

    def start(folder: Path = tmp_path, before: Sequence[str] = (), **settings: object) -> Program:
        started.append(Program(folder, before, **settings))
        return started[-1]

    yield start
    for program in started:
        program.stop()


@pytest.fixture
def program(bench: BenchBoard, start: Start) -> Program:
    """The program, running on the board."""
    program = start()
    program.wait_until_open()
    return program
