"""A Pi on the bench behind this guest's kernel, and the program on it as people start it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from firmware_host.board.course import START_HOLES
from firmware_host.plans import load_plan
from tests.drivers.bench_board import BenchBoard
from tests.drivers.bench_pi import BenchPi
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
    header.lead_to(pi)
    return pi


@pytest.fixture
def wood(pi: BenchPi) -> BenchBoard:
    """Pegs in the start holes, as people set them out."""
    wood = BenchBoard(pi, PLAN.strip_count)
    for sensor in PLAN.frame_of([START_HOLES] * PLAN.tracks):
        wood.strips.place_peg(sensor)
    return wood


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts the program in a folder, with a command before it, and with these settings."""
    started: list[Program] = []

    def start(folder: Path = tmp_path, before: Sequence[str] = (), **settings: object) -> Program:
        started.append(Program(folder, before, **settings))
        return started[-1]

    yield start
    for program in started:
        program.stop()


@pytest.fixture
def program(wood: BenchBoard, start: Start) -> Program:
    """The program at work on the board."""
    program = start()
    program.wait_until_open()
    return program
