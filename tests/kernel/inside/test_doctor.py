"""`cribboard doctor` on real nodes: what it finds of the bench, and how it behaves beside a board that is running."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.drivers.bench_board import BenchBoard
from tests.kernel.inside.conftest import PLAN
from tests.kernel.inside.program import Program

Findings = dict[str, dict[str, Any]]


def examined(folder: Path) -> Findings:
    """What it says of each thing."""
    settings = folder / "real.toml"
    settings.write_text(f"simulate = false\nstate_folder = '{folder}'\n")
    command: list[str | Path] = [
        Path(sys.executable).with_name("cribboard"),
        "doctor",
        "--json",
        "--settings",
        settings,
    ]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert not done.stderr
    return {told["check"]: told for told in map(json.loads, done.stdout.splitlines())}


def test_the_bench_is_well(wood: BenchBoard, tmp_path: Path) -> None:
    found = examined(tmp_path)
    well = ("GPIO", "SPI0 spidev0.0", "SPI0 spidev0.1", "I2C1 i2c-1", "sensors", "magnets", "keys", "display")
    assert {about: found[about]["verdict"] for about in well} == dict.fromkeys(well, "ok")
    assert f"{PLAN.strip_count} strips" in found["sensors"]["got"] and "0x3c" in found["display"]["got"]


def test_a_cut_chain_and_a_display_that_is_missing_are_found(wood: BenchBoard, tmp_path: Path) -> None:
    wood.strips.floats[11] = 1
    wood.oled.unplug()
    found = examined(tmp_path)
    assert found["sensors"]["verdict"] == "mend" and "strip 12" in json.dumps(found["sensors"])
    assert found["display"]["verdict"] != "ok" and found["display"]["mend"]


def test_a_board_that_is_running_is_left_alone(program: Program, wood: BenchBoard, tmp_path: Path) -> None:
    found = examined(tmp_path)
    assert (found["lines"]["verdict"], found["SPI0 spidev0.0"]["verdict"]) == ("note", "note")
    assert "held by" in found["lines"]["got"] and "in use by" in found["SPI0 spidev0.0"]["got"]
    assert "sensors" not in found
    assert not program.state()["trouble"]
