"""`cribboard doctor` on real nodes: a board in order, faults, and a board that is running."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.board_drivers.bench_board import BenchBoard
from tests.kernel.inside.conftest import PLAN
from tests.kernel.inside.program import Program

Findings = dict[str, dict[str, Any]]


def findings_of(folder: Path) -> Findings:
    """Name of each check -> its finding."""
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
    return {finding["check"]: finding for finding in map(json.loads, done.stdout.splitlines())}


def test_board_in_order_has_no_findings(bench: BenchBoard, tmp_path: Path) -> None:
    found = findings_of(tmp_path)
    checks = ("GPIO", "SPI0 spidev0.0", "SPI0 spidev0.1", "I2C1 i2c-1", "sensors", "magnets", "keys", "display")
    assert {check: found[check]["verdict"] for check in checks} == dict.fromkeys(checks, "ok")
    assert f"{PLAN.strip_count} strips" in found["sensors"]["got"] and "0x3c" in found["display"]["got"]


def test_cut_chain_and_missing_display_are_found(bench: BenchBoard, tmp_path: Path) -> None:
    bench.strips.floats[11] = 1
    bench.oled.unplug()
    found = findings_of(tmp_path)
    assert found["sensors"]["verdict"] == "fault" and "strip 12" in json.dumps(found["sensors"])
    assert found["display"]["verdict"] != "ok" and found["display"]["fix"]


def test_running_board_is_not_disturbed(program: Program, bench: BenchBoard, tmp_path: Path) -> None:
    found = findings_of(tmp_path)
    assert (found["lines"]["verdict"], found["SPI0 spidev0.0"]["verdict"]) == ("note", "note")
    assert "held by" in found["lines"]["got"] and "in use by" in found["SPI0 spidev0.0"]["got"]
    assert "sensors" not in found
    assert not program.state()["fault"]
