"""Times to expect on a Raspberry Pi. Nobody has measured one yet: they are derived, as

    instructions of a work, counted on an emulated 64-bit ARM with the real packages  (`make test-arm64`)
    ------------------------------------------------------------------------------------------------
    instructions a second of one core: clock rate, times instructions a cycle

Instructions a cycle: from the single-threaded 7-zip ratings that sbc-bench publishes, per MHz: 0.75 for a Cortex-A53
(1,052 at 1,400 MHz), 1.05 for a Cortex-A72 (1,897 at 1,800), 1.37 for a Cortex-A76 (3,300 at 2,400). A rating is no
count: it compares with another processor. And an interpreter waits more for memory and for branches than 7-zip does. So
the range goes from half of the rating to 1.4 times of it; 1.05 is what a Cortex-A53 reached in a loop of CRC
arithmetic.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from firmware_host.doctor.benchmark import Work

COUNTS_FILE = Path(__file__).with_name("arm64_instructions.json")
SLOWEST = 0.5
FASTEST = 1.4
"""Shares of the rating between which the instructions a cycle are expected."""


class Processor(NamedTuple):
    """One core of a Pi. `model`: how /proc/device-tree/model begins. `rating`: instructions a cycle by 7-zip."""

    model: str
    mhz: int
    rating: float


PROCESSORS = (
    Processor("Raspberry Pi Zero 2", 1000, 0.75),
    Processor("Raspberry Pi 3 Model B Plus", 1400, 0.75),
    Processor("Raspberry Pi 3", 1200, 0.75),
    Processor("Raspberry Pi 4", 1500, 1.05),
    Processor("Raspberry Pi 5", 2400, 1.37),
)
SLOWEST_PI = PROCESSORS[0]


class Expected(NamedTuple):
    """Seconds of processor time that a work is expected to take, at least and at most."""

    least_s: float
    most_s: float


def processor_of(model: str) -> Processor | None:
    """The processor of a computer by its model; None for one that is not in the table."""
    return next((each for each in PROCESSORS if model.startswith(each.model)), None)


@cache
def instructions() -> Mapping[Work, float]:
    """ARM64 instructions of each work, those of the kernel included."""
    counted = json.loads(COUNTS_FILE.read_text(encoding="utf-8"))
    return {Work(name): count for name, count in counted["instructions"].items()}


def expected(work: Work, processor: Processor) -> Expected:
    """What a work takes on this processor."""
    per_s = processor.mhz * 1e6 * processor.rating
    count = instructions()[work]
    return Expected(count / (per_s * FASTEST), count / (per_s * SLOWEST))
