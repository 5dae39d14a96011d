"""The kept file of the sensing board's firmware, which makers flash without a compiler, is built from these sources."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.firmware.rig import FIRMWARE

KEPT = FIRMWARE / "hole_matrix.hex"
BUILT_WITH = "5.4.0"
"""Another compiler makes other code from the same sources."""
CRYSTAL_FUSES = {"lfuse": 0xFF, "hfuse": 0xD9, "efuse": 0xFD}
"""ATmega328P data sheet, tables of the fuse bytes: CKSEL and SUT all 1, which is a crystal of 8 MHz or more and 65 ms;
no boot loader, programming by SPI stays on; reset below 2.7 V."""


def test_kept_file_is_the_built_one(build: Callable[..., Path]) -> None:
    version = subprocess.run(["avr-gcc", "-dumpversion"], check=True, capture_output=True, text=True).stdout.strip()
    if version != BUILT_WITH:
        pytest.skip(f"the kept file is built by avr-gcc {BUILT_WITH}, this is {version}")
    built = build("all", "rig") / KEPT.name
    assert KEPT.read_text("ascii") == built.read_text("ascii"), "make -C hardware/firmware keep"


def test_new_chip_gets_the_fuses_of_its_crystal() -> None:
    shown = subprocess.run(
        ["make", "-n", "-C", str(FIRMWARE), "program"], check=True, capture_output=True, text=True
    ).stdout
    fuses = {name: int(value, 16) for name, value in re.findall(r"-U (\w+):w:(0x[0-9A-F]+):m", shown)}
    assert fuses == CRYSTAL_FUSES
    assert f"-U flash:w:{KEPT.name}:i" in shown and "-B 10" in shown
