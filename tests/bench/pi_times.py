"""The section of the performance page about a Raspberry Pi, derived from counted instructions."""

from __future__ import annotations

import json
from collections.abc import Iterator

from firmware_host.cli.doctor_bench import NAMES
from firmware_host.doctor.benchmark import Work
from firmware_host.doctor.expected_times import COUNTS_FILE, FASTEST, PROCESSORS, SLOWEST, expected, instructions

SHOWN = ("Raspberry Pi Zero 2", "Raspberry Pi 4", "Raspberry Pi 5")

INTRODUCTION = """\
## On a Raspberry Pi

**Derived, not measured.** `make test-arm64` boots an emulated 64-bit ARM with the wheels that a Pi gets and counts the
instructions of each work, those of the kernel included. The times follow from clock rates, and from the instructions
a cycle by published 7-zip ratings, times {slowest} to {fastest}
([sources](doctor/expected_times.py)). They are processor time: waiting for an SD card or a network comes on top.
`cribboard doctor --bench` measures the same on your computer in 20 s; a report of the first real Pi will replace these.
"""


HEADING = ("work", "instructions, ARM64", "x86-64", *(f"{model}, expected" for model in SHOWN))


def introduction() -> str:
    """What the table is, and how to get a measured one."""
    return INTRODUCTION.format(slowest=SLOWEST, fastest=FASTEST)


def rows() -> Iterator[tuple[str, ...]]:
    """One row for each work."""
    pc = json.loads(COUNTS_FILE.read_text(encoding="utf-8"))["instructions_of_a_pc"]
    shown = [processor for processor in PROCESSORS if processor.model in SHOWN]
    for work in Work:
        times = (expected(work, processor) for processor in shown)
        ranges = (f"{_ms(least_s)} to {_ms(most_s)}" for least_s, most_s in times)
        yield (NAMES[work], _count(instructions()[work]), _count(pc[work]), *ranges)


def _count(number: float) -> str:
    return f"{number / 1e6:,.3g} M" if number < 1e9 else f"{number / 1e6:,.0f} M"


def _ms(seconds: float) -> str:
    return f"{1e3 * seconds:.2g} ms" if seconds < 0.0995 else f"{seconds:.2g} s"
