"""What the program costs on this computer: `cribboard doctor --bench`.

The program runs as its owner runs it, on a simulated board, with a journal in a temporary folder, and is driven over
HTTP as a phone does it. A board that is running is not disturbed. What counts is the processor time of its process, so
that other programs disturb little.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.request import Request, urlopen

from msgspec import Struct

from board_drivers.hardware_files import hardware_file
from firmware_host.board.course import Hole
from firmware_host.board.plan import BoardPlan
from firmware_host.config.board_plans import load_plan
from firmware_host.config.settings import Settings
from firmware_host.config.settings_sources import FILE_NAME, PREFIX
from firmware_host.errors import HostError

PATIENCE_S = 120.0
"""How long a step of the slowest computer may take, an emulated one included."""
GAME = {"variant": "six_card", "names": ["Ann", "Ben"], "dealer": 0}


class Work(StrEnum):
    """What is measured. The values are the names in the JSON and in the table of expected instructions."""

    DISPLAY = "start_until_display"
    """From the start of the process until the display has its first page."""
    READY = "start_until_panel"
    """From the start of the process until the panel has an address."""
    SCAN = "scan"
    """One scan of a board on which nothing changes, 50 times a second."""
    SETTLE = "settle"
    """A peg is moved: seen, pending, settled, decided, made durable and shown, with the scans meanwhile."""
    PUBLISH = "publish"
    """A command of a phone: decided, made durable, and shown on the display, the lights and one phone."""
    PAGE = "page"
    """The main page, as a browser loads it while a game is on."""


class Rounds(Struct, frozen=True):
    """How often each work is done. The defaults take 20 s on a Pi Zero 2 W, by the expectation."""

    idle_s: float = 3.0
    moves: int = 8
    commands: int = 30
    pages: int = 10


class Measured(Struct, frozen=True):
    """`cpu_s`: processor seconds of one work. `memory_mib`: resident memory with a game on and one phone."""

    cpu_s: dict[Work, float]
    memory_mib: float


class BenchmarkFailed(HostError):
    """The program did not start, or did not answer."""


def processor_s(pid: int) -> float:
    """Processor time of all threads of a process so far. Linux only: its clock is numbered as in clock_getres(2)."""
    return time.clock_gettime(~pid << 3 | 2)


def resident_mib(pid: int) -> float:
    """The resident memory of a process (VmRSS)."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


class RunningProgram:
    """`cribboard run` on a simulated board, with what its start cost in processor seconds."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout and process.stderr
        self.process = process
        while b"first page" not in (line := process.stderr.readline()):
            if not line:
                raise BenchmarkFailed("a program that starts", "it ended", "cribboard run", "start it and read its log")
        self.display_s = self.cpu_s
        self.address = process.stdout.readline().decode().split()[3]
        self.ready_s = self.cpu_s

    @property
    def cpu_s(self) -> float:
        """Its processor time so far."""
        return processor_s(self.process.pid)

    @property
    def memory_mib(self) -> float:
        """Its resident memory now."""
        return resident_mib(self.process.pid)

    def get(self, path: str) -> bytes:
        """The body of an answer. Raises OSError."""
        with urlopen(self.address + path, timeout=PATIENCE_S) as answer:
            body: bytes = answer.read()
            return body

    def post(self, path: str, body: object) -> None:
        """Raises OSError."""
        headers = {"Content-Type": "application/json"}
        urlopen(Request(f"{self.address}api/v1/{path}", json.dumps(body).encode(), headers), timeout=PATIENCE_S).close()

    def state(self) -> Any:
        """The public state of the board."""
        return json.loads(self.get("api/v1/state"))


def service_environment() -> dict[str, str]:
    """The environment of this process, with the variables that the service sets, and none that are settings."""
    unit = hardware_file("system", "cribboard.service").read_text(encoding="utf-8")
    lines = [line.partition("=")[2] for line in unit.splitlines() if line.startswith("Environment=")]
    mine = {name: text for name, text in os.environ.items() if not name.startswith(PREFIX)}
    return mine | dict(word.split("=", 1) for line in lines for word in shlex.split(line))


@contextmanager
def running_program(state_folder: Path) -> Iterator[RunningProgram]:
    """The program with the environment of the service and the settings in the folder, until the block ends; then it is
    terminated, and waited for. Raises BenchmarkFailed."""
    settings = state_folder / FILE_NAME
    settings.touch()
    command = [sys.executable, "-m", "firmware_host", "run"]
    command += ["--settings", str(settings), "--state-folder", str(state_folder)]
    with subprocess.Popen(
        command, env=service_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        try:
            yield RunningProgram(process)
        finally:
            process.terminate()


USUAL_ROUNDS = Rounds()


def measure(rounds: Rounds = USUAL_ROUNDS) -> Measured:
    """Start the program, drive it, and return what each work took. Raises BenchmarkFailed."""
    with TemporaryDirectory(prefix="cribboard-bench-") as folder:
        try:
            with running_program(Path(folder)) as program:
                return _measure(program, rounds)
        except (OSError, TimeoutError) as error:
            fix = "start it, open its page, and read its log"
            raise BenchmarkFailed("a program that answers", str(error), "cribboard run", fix) from error


def _measure(program: RunningProgram, rounds: Rounds) -> Measured:
    program.get("")  # the first visit compiles the templates, once
    defaults = Settings(state_folder=Path())
    plan = load_plan(defaults.board)
    program.post("commands/new-game", GAME)
    with urlopen(f"{program.address}api/v1/stream", timeout=PATIENCE_S):
        scans = rounds.idle_s * defaults.scan_hz
        cpu_s = {
            Work.DISPLAY: program.display_s,
            Work.READY: program.ready_s,
            Work.SCAN: _cost(program, lambda: time.sleep(rounds.idle_s)) / scans,
            Work.SETTLE: _cost(program, lambda: _move_pegs(program, plan, rounds.moves)) / rounds.moves,
            Work.PUBLISH: _cost(program, lambda: _correct_scores(program, rounds.commands)) / rounds.commands,
            Work.PAGE: _cost(program, lambda: _load_pages(program, rounds.pages)) / rounds.pages,
        }
        return Measured(cpu_s, program.memory_mib)


def _cost(program: RunningProgram, work: Callable[[], None]) -> float:
    before_s = program.cpu_s
    work()
    return program.cpu_s - before_s


def _move_pegs(program: RunningProgram, plan: BoardPlan, moves: int) -> None:
    """The back peg of the first player leaps over the front one, a point at a time."""
    for hole in range(1, moves + 1):
        program.post("pegs/lift", {"sensor": plan.at(0, Hole(hole - 2)).sensor})
        program.post("pegs/place", {"sensor": plan.at(0, Hole(hole)).sensor})
        deadline_s = time.monotonic() + PATIENCE_S
        while program.state()["sides"][0]["score"] != hole:
            if time.monotonic() > deadline_s:
                raise TimeoutError(f"a peg in hole {hole} was not followed")
            time.sleep(0.2)


def _correct_scores(program: RunningProgram, commands: int) -> None:
    for number in range(commands):
        program.post("commands/correct", {"side": 1, "score": 20 + number % 2, "reason": "measured"})


def _load_pages(program: RunningProgram, pages: int) -> None:
    for _ in range(pages):
        program.get("")
