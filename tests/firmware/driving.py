"""Scans with a real driver until the emulated chip has done something."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from board_drivers.ports import DriverError, SensorFrame
from board_drivers.serial_scanner import SerialScanner

TIMEOUT_S = 60.0
"""How long a test waits for the chip before it fails."""
SCAN_S = 0.005


def scans(scanner: SerialScanner) -> Iterator[SensorFrame | DriverError]:
    """The frame or the fault of each scan, until the time is over."""
    until_s = time.monotonic() + TIMEOUT_S
    while time.monotonic() < until_s:
        try:
            yield scanner.scan()
        except DriverError as fault:
            yield fault
        time.sleep(SCAN_S)
    pytest.fail(f"not seen within {TIMEOUT_S} s")


def await_frame(scanner: SerialScanner, expected: SensorFrame) -> None:
    for seen in scans(scanner):
        if seen == expected:
            return


def await_fault(scanner: SerialScanner, device: str) -> DriverError:
    return next(seen for seen in scans(scanner) if isinstance(seen, DriverError) and seen.device == device)
