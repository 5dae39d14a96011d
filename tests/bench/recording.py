"""Records what the benchmarks measure, with the date, the machine and the size of the run.

`BENCH_SIZE=small` makes every benchmark short: it shows that they run, and its speeds mean little. `KEEP_FIGURES=1`
stores the figures of a full run in `tests/bench/figures/`, from which `firmware_host/PERFORMANCE.md` is generated.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct, field

from tests.figures import print_figures, read_json, write_json

FOLDER = Path(__file__).parent / "figures"
SIGNIFICANT_DIGITS = 3


class Size(StrEnum):
    """How much a run measures. Only full runs are stored."""

    FULL = "full"
    SMALL = "small"


class Machine(NamedTuple):
    """Where figures were measured."""

    processor: str
    cores: int
    python: str

    def __str__(self) -> str:
        return f"{self.processor}, {self.cores} cores, Python {self.python}"


class Measurement(Struct, frozen=True):
    """The content of one file of figures. `date` is the UTC day, as YYYY-MM-DD; keys of `figures` end in their unit."""

    date: str
    machine: Machine
    load: float
    """The load average of the last minute. A benchmark alone makes it 1 to 2; more means that others disturbed it."""
    size: Size
    figures: Mapping[str, float]


class Recorder(Struct, frozen=True):
    """Prints the figures of benchmarks and stores them where `keep` is set and the size is full."""

    size: Size
    keep: bool
    folder: Path = FOLDER
    measured: dict[str, Mapping[str, float]] = field(default_factory=dict)
    """The figures of this run, by benchmark."""

    @classmethod
    def from_environment(cls) -> Recorder:
        """The recorder that BENCH_SIZE and KEEP_FIGURES ask for. Raises ValueError for an unknown size."""
        return cls(Size(os.environ.get("BENCH_SIZE", Size.FULL)), "KEEP_FIGURES" in os.environ)

    def pick(self, *, full: int, small: int) -> int:
        """The number of games, rounds or seconds for the size of this run."""
        return full if self.size is Size.FULL else small

    def record(self, name: str, figures: Mapping[str, float]) -> None:
        """Print and perhaps store what one benchmark measured.

        Raises AssertionError where a small run has other figures than the stored ones: then the page would lack some.
        """
        rounded = {figure: _rounded(value) for figure, value in figures.items()}
        self.measured[name] = figures
        print()
        print_figures(name, rounded)
        if self.size is Size.SMALL:
            stored = read_measurement(name, self.folder).figures.keys()
            assert figures.keys() == stored, f"run {name} at full size with KEEP_FIGURES=1"
        elif self.keep:
            taken = {"date": f"{datetime.now(UTC):%Y-%m-%d}", "machine": this_machine()._asdict()}
            load = _rounded(os.getloadavg()[0])
            write_json(self.folder, name, {**taken, "load": load, "size": self.size, "figures": rounded})


def read_measurement(name: str, folder: Path = FOLDER) -> Measurement:
    """The stored figures of one benchmark. Raises FileNotFoundError."""
    content: dict[str, Any] = read_json(folder, name)
    machine, size = Machine(**content["machine"]), Size(content["size"])
    return Measurement(content["date"], machine, content["load"], size, content["figures"])


def this_machine() -> Machine:
    """The computer and the Python that run now."""
    return Machine(_processor(), os.cpu_count() or 1, platform.python_version())


def _processor() -> str:
    """The model of the processor on a PC, that of the whole board on a Raspberry Pi."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    entries = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
    return entries.get("model name") or entries.get("Model") or platform.processor() or platform.machine()


def _rounded(value: float) -> float:
    return value if isinstance(value, int) else float(f"{value:.{SIGNIFICANT_DIGITS}g}")
