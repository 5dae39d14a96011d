"""A club night of real board processes, with faults at the worst moments, compared with the journals in the end.

Every board is a process with its own host, journal and password, and its own line to the broker. A kill or a power cut
comes when so many results of the night have arrived and the broker has just been sent another one, so that a result is
always on its way.
"""

from __future__ import annotations

import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path

from msgspec import Struct, field

from firmware_host.club_server.store import open_club
from firmware_host.startup.club_demo import add_board, begin_night
from firmware_host.telemetry.local_broker import LocalBroker
from tests.club.load.comparison import Comparison, compare, games_of, is_confirmed
from tests.club.load.lines import Cut, Lines
from tests.club.load.machine import OrganisersMachine
from tests.free_port import free_port
from tests.reliability.recording import ROOT
from tests.reliability.simulated_disk import Cut as DiskCut

LOOK_S = 0.5
BOOT_S = 15.0
"""How long the organiser's machine is off in a power cut."""
STOP_S = 60.0
RESULT_S = 30.0
"""How long a fault waits for another result on its way."""
RESULT = re.compile(r"^table-\d+: (Round \d+, table \d+)", re.MULTILINE)
"""A result in the output of the organiser's program."""


class NightPlan(Struct, frozen=True):
    """What is played, and what fails. Rounds count from 1."""

    boards: int = 50
    rounds: int = 9
    speed: float = 5.0
    """Speed of the players: 1 is that of people."""
    scan_hz: int = 20
    """Sensor readings a second: fewer than usual, because all boards share one computer."""
    kills: Sequence[int] = (2, 3, 6, 7, 8)
    """Rounds in which the broker is killed, with half of the results there."""
    power_cuts: Sequence[int] = (4, 9)
    """Rounds in which the organiser's machine loses its power, with half of the results there."""
    cut_off: int | None = 5
    """The round in which every board is cut off, once the first result is there."""
    cut_off_s: float = 600.0
    between_cuts_s: float = 1.0
    """From one board to the next."""
    limit_s: float = 7200.0


class NightFigures(Struct):
    """What happened."""

    comparison: Comparison
    minutes: float
    result_messages: int
    cores: float
    board_mib: float
    """Memory that one board adds to the computer (PSS), the mean."""
    boards_mib: float
    organiser_mib: float
    broker_mib: float


class LoadedNight(Struct, dict=True):
    """One run in `folder`, which must be empty."""

    plan: NightPlan
    folder: Path
    say: Callable[[str], None] = print
    _boards: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    _memory: dict[str, float] = field(default_factory=dict)

    def run(self) -> NightFigures:
        """Play the night to its end. Raises AssertionError when it takes too long or a program ends by itself."""
        began_s, used_s = time.monotonic(), _processor_s()
        (self.folder / "boards").mkdir()
        (self.folder / "disk").mkdir()
        self.machine = OrganisersMachine(self.folder, free_port())
        names = [f"table-{number + 1}" for number in range(self.plan.boards)]
        broker = LocalBroker(self.machine.settings.club_broker)
        for name in names:
            add_board(self.folder / "boards", broker, name)
        with open_club(self.machine.settings.club) as file:
            begin_night(file, 2 * self.plan.boards, self.plan.rounds)
            self._code = file.club.nights[-1].join_code
        with ExitStack() as running:
            self.lines = running.enter_context(closing(Lines(self.machine.broker_port, names)))
            self.machine.start()
            running.callback(self.machine.stop)
            running.enter_context(self._boards_running(names))
            for results, happen in self._faults(names):
                self._wait_for(partial(self._has, results))
                happen()
            self._wait_for(self._is_over)
            sent = self.lines.results
        journals = {name: self.folder / "boards" / f"{name}.sqlite3" for name in names}
        seconds = time.monotonic() - began_s
        comparison = compare(self.machine.settings.club, journals)
        cores = (_processor_s() - used_s) / seconds
        boards = [size for name, size in self._memory.items() if name.startswith("table-")]
        memory = sum(boards) / len(boards), sum(boards), self._memory["organiser"], self._memory["broker"]
        return NightFigures(comparison, seconds / 60, sent, cores, *memory)

    def _faults(self, names: Sequence[str]) -> list[tuple[int, Callable[[], None]]]:
        """Number of results of the night -> what fails then."""
        boards = self.plan.boards
        faults: list[tuple[int, Callable[[], None]]] = [(boards, self._measure_memory)]
        faults += [(boards * (round - 1) + boards // 2, self._kill_broker) for round in self.plan.kills]
        for number, round in enumerate(self.plan.power_cuts):
            faults.append((boards * (round - 1) + boards // 2, self._power_cut(number)))
        if self.plan.cut_off:
            faults.append((boards * (self.plan.cut_off - 1) + 1, lambda: self._cut_off(names)))
        return sorted(faults, key=lambda fault: fault[0])

    def _kill_broker(self) -> None:
        self.lines.wait_for_result(RESULT_S)
        self.machine.kill_broker()
        self.say(f"{self._results()} results: the broker was killed")

    def _power_cut(self, number: int) -> Callable[[], None]:
        """Every second one loses the broker's database, and tears what was not synced."""

        def happen() -> None:
            cut = DiskCut.IN_DISORDER if number % 2 else DiskCut.LOST
            self.lines.wait_for_result(RESULT_S)
            self.machine.cut_power(cut, loses_broker_database=bool(number % 2))
            self.say(f"{self._results()} results: power cut of the organiser's machine, {cut.value}")
            time.sleep(BOOT_S)
            self.machine.start()

        return happen

    def _cut_off(self, names: Sequence[str]) -> None:
        """Each board for `cut_off_s`: every second line is silent, the others refuse connections."""
        self.say(f"{self._results()} results: every board is cut off for {self.plan.cut_off_s:.0f} s")
        began_s, dues_s = time.monotonic(), [number * self.plan.between_cuts_s for number in range(len(names))]
        for number, (name, due_s) in enumerate(zip(names, dues_s, strict=True)):
            _sleep_until(began_s + due_s)
            self.lines.cut(name, Cut.REFUSED if number % 2 else Cut.SILENT)
        for name, due_s in zip(names, dues_s, strict=True):
            _sleep_until(began_s + due_s + self.plan.cut_off_s)
            self.lines.restore(name)
        self.say(f"{self._results()} results, {self._finished()} finished games: all lines work again")

    @contextmanager
    def _boards_running(self, names: Sequence[str]) -> Iterator[None]:
        folder = self.folder / "boards"
        with ExitStack() as logs:
            for name in names:
                arguments = (str(folder), name, str(self.lines.port(name)), self._code)
                numbers = (str(self.plan.speed), str(self.plan.scan_hz))
                log = logs.enter_context((folder / f"{name}.log").open("wb"))
                command = [sys.executable, "-m", "tests.club.load.board", *arguments, *numbers]
                self._boards[name] = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)
        try:
            yield
        finally:
            for process in self._boards.values():
                process.send_signal(signal.SIGTERM)
            for process in self._boards.values():
                process.wait(STOP_S)

    def _measure_memory(self) -> None:
        processes = {name: process.pid for name, process in self._boards.items()} | self.machine.processes
        self._memory = {name: _memory_mib(process) for name, process in processes.items()}

    def _wait_for(self, condition: Callable[[], bool]) -> None:
        until_s = time.monotonic() + self.plan.limit_s
        while not condition():
            assert time.monotonic() < until_s, f"no end after {self._results()} results, see {self.folder}"
            assert not self.machine.has_ended, (self.folder / "organiser.log").read_text()[-2000:]
            ended = [name for name, process in self._boards.items() if process.poll() is not None]
            assert not ended, f"{ended} ended by themselves, see {self.folder / 'boards'}"
            time.sleep(LOOK_S)

    def _results(self) -> int:
        """Results that the organiser's program has printed. The file is left alone: a power cut is simulated on what
        that program alone does to it."""
        return len(set(RESULT.findall((self.folder / "organiser.log").read_text())))

    def _has(self, results: int) -> bool:
        return self._results() >= results

    def _finished(self) -> int:
        """Games that are over on the boards."""
        return sum(1 for name in self._boards for _ in games_of(name, self.folder / "boards" / f"{name}.sqlite3"))

    def _is_over(self) -> bool:
        with open_club(self.machine.settings.club) as file:
            night = file.club.nights[-1]
            if len(night.rounds) < self.plan.rounds or night.open_games:
                return False
        return all(is_confirmed(self.folder / "boards" / f"{name}.sqlite3") for name in self._boards)


def _sleep_until(moment_s: float) -> None:
    time.sleep(max(0.0, moment_s - time.monotonic()))


def _processor_s() -> float:
    """Processor time of all processes that this one started and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _memory_mib(process: int) -> float:
    """Its own memory, and its share of what it shares with others (PSS)."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024
