"""The unchanged program on a 64-bit ARM, with the wheels that a Raspberry Pi gets."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from firmware_host.doctor.benchmark import Work
from firmware_host.doctor.expected_times import COUNTS_FILE, instructions
from tests.emulated.computers import APP, ARM64, PC, make, measure, run_in_user_mode
from tests.figures import print_figures, write_json

pytestmark = pytest.mark.emulated
NEEDED = ("debootstrap", "qemu-aarch64-static", "qemu-system-aarch64", "qemu-system-x86_64", "cpio", "zstd")
MAY_DIFFER = 1.25
"""The stored count of a work may be this much off before it has to be stored anew."""


@pytest.fixture(scope="session", autouse=True)
def computer() -> None:
    """Fails where it cannot be made: a skipped test would hide that the program does not run on a Pi."""
    missing = [program for program in NEEDED if not shutil.which(program)]
    assert not missing and os.getuid() == 0, f"expected root and {', '.join(NEEDED)}; missing: {missing or 'root'}"
    make(ARM64)


def test_every_package_has_a_wheel_for_the_pi() -> None:
    """pip has resolved them all; here: compiled parts are there, and are of this architecture."""
    compiled = [file.name for file in (ARM64.root / APP).rglob("*.so")]
    assert compiled and all("aarch64" in name or "abi3" in name for name in compiled if "cpython" in name)


def test_a_hand_is_counted() -> None:
    process = run_in_user_mode("count", "5H", "5S", "5D", "JC", "5C")
    printed, errors = process.communicate(timeout=300)
    assert process.returncode == 0 and "his nobs is twenty-nine (29)" in printed, errors


def test_the_program_plays_and_serves_its_page(tmp_path: Path) -> None:
    with emulated_folder(tmp_path / "state") as folder, demonstration(folder) as address:
        with urlopen(f"{address}api/v1/state", timeout=120) as answer:
            assert json.load(answer)["game"]["phase"]
        with urlopen(address, timeout=120) as answer:
            assert b'id="game"' in answer.read()


@contextmanager
def emulated_folder(folder: Path) -> Iterator[Path]:
    """An empty folder that is the same one from whichever root the program comes to it.

    The emulator looks for a path below the root of the ARM system first, and for "/" as well: from there the program
    opens its state folder step by step. Files that are not there yet it looks for in this computer's own folders."""
    inside = ARM64.root / folder.relative_to("/")
    inside.mkdir(parents=True)
    folder.symlink_to(inside)
    try:
        yield folder
    finally:
        shutil.rmtree(inside)


@contextmanager
def demonstration(folder: Path) -> Iterator[str]:
    """A demonstration under the emulator, until the block ends; the address of its page."""
    process = run_in_user_mode("run", "--demo", "--state-folder", str(folder))
    assert process.stdout
    line = process.stdout.readline()
    try:
        assert "http" in line, line
        yield line.split()[3]
    finally:
        process.terminate()
        process.communicate(timeout=60)


def test_instructions_of_each_work_are_those_that_the_expectation_uses() -> None:
    """KEEP_FIGURES=1 stores them instead, with those of a PC for comparison."""
    counted = measure(ARM64)
    print_figures("arm64", counted)
    assert counted.keys() == {work.value for work in Work}
    if "KEEP_FIGURES" in os.environ:
        make(PC)
        keep(counted, measure(PC))
    for work, count in instructions().items():
        assert 1 / MAY_DIFFER < count / counted[work] < MAY_DIFFER, f"{work}: KEEP_FIGURES=1 make test-arm64"


def keep(arm64: Mapping[str, float], pc: Mapping[str, float]) -> None:
    """Store the counts for `cribboard doctor --bench` and for the page of figures, to three digits."""
    rounded = [{work: float(f"{count:.3g}") for work, count in counted.items()} for counted in (arm64, pc)]
    write_json(COUNTS_FILE.parent, COUNTS_FILE.stem, {"instructions": rounded[0], "instructions_of_a_pc": rounded[1]})
    instructions.cache_clear()
