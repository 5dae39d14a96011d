"""Runs `kicad-cli` and reads its reports."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

from msgspec import Struct

TEMPLATES = Path("/usr/share/kicad/template")
_TIMEOUT_S = 600


class KicadError(RuntimeError):
    """KiCad is missing, or could not do what it was asked."""


class CheckReport(Struct, frozen=True):
    """The findings of a design or electrical rule check, one text per finding."""

    errors: tuple[str, ...]
    warnings: tuple[str, ...]
    unconnected: tuple[str, ...]
    parity: tuple[str, ...] = ()

    @property
    def findings(self) -> tuple[str, ...]:
        """All of them."""
        return (*self.errors, *self.unconnected, *self.parity, *self.warnings)


def run_kicad(settings: Path, *words: str) -> str:
    """The output of `kicad-cli`. Its settings are in the folder `settings`. Raises KicadError if it fails."""
    if shutil.which("kicad-cli") is None:
        raise KicadError("kicad-cli: expected KiCad 9, got none. Fix: hardware/pcb/get_kicad.sh")
    home = settings / "9.0"
    if not home.exists():
        home.mkdir(parents=True)
        for table in ("sym-lib-table", "fp-lib-table"):
            shutil.copy(TEMPLATES / table, home / table)
    environment = {**os.environ, "KICAD_CONFIG_HOME": str(settings)}
    done = subprocess.run(
        ["kicad-cli", *words], capture_output=True, text=True, timeout=_TIMEOUT_S, env=environment, check=False
    )
    if done.returncode not in (0, 5):  # 5: the check found something
        raise KicadError(f"kicad-cli {' '.join(words)}: exit {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout


def check_board(settings: Path, board: Path) -> CheckReport:
    """KiCad's design rule check of a board, with parity against the schematic of the same name."""
    file = board.with_suffix(".drc.json")
    words = ("--format", "json", "--severity-all", "--schematic-parity", "--exit-code-violations")
    run_kicad(settings, "pcb", "drc", *words, "-o", str(file), str(board))
    return read_report(json.loads(file.read_text(encoding="utf-8")))


def check_schematic(settings: Path, schematic: Path) -> CheckReport:
    """KiCad's electrical rule check of a schematic."""
    file = schematic.with_suffix(".erc.json")
    words = ("--format", "json", "--severity-all", "--exit-code-violations")
    run_kicad(settings, "sch", "erc", *words, "-o", str(file), str(schematic))
    report = json.loads(file.read_text(encoding="utf-8"))
    found = [violation for sheet in report["sheets"] for violation in sheet["violations"]]
    return read_report({"violations": found})


def read_report(report: dict[str, list[dict[str, object]]]) -> CheckReport:
    """The findings of a report of `kicad-cli` in JSON."""
    by_severity: dict[str, list[str]] = {"error": [], "warning": []}
    for violation in report.get("violations", []):
        by_severity[str(violation["severity"])].append(_finding(violation))
    return CheckReport(
        tuple(by_severity["error"]),
        tuple(by_severity["warning"]),
        tuple(_finding(item) for item in report.get("unconnected_items", [])),
        tuple(_finding(item) for item in report.get("schematic_parity", [])),
    )


def _finding(violation: dict[str, object]) -> str:
    items = violation.get("items", [])
    assert isinstance(items, list)
    where = "; ".join(f"{item['description']} at {item['pos']['x']:g}, {item['pos']['y']:g}" for item in items)
    return f"{violation['type']}: {violation['description']} [{where}]"
