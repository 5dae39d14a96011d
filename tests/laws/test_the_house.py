"""The laws of the house: what may import what, and what the pure rooms may know."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Each room and the rooms below it that it may see. A room that is not named here fails the test: give it a floor.
MAY_IMPORT = {
    "firmware_host.cribbage": set[str](),
    "firmware_host.board": set[str](),
    "firmware_host.table": {"firmware_host.cribbage", "firmware_host.board"},
    "firmware_host.faults": set[str](),
    "firmware_host.languages": set[str](),
    "firmware_host.supervisor": set[str](),
    "firmware_host.codec": {
        "firmware_host.faults",
        "firmware_host.table",
        "firmware_host.cribbage",
        "firmware_host.board",
    },
    "firmware_host.drafting": {
        "firmware_host.board",
        "board_drivers.pins",
        "board_drivers.light_chain",
        "hardware",
    },
    "firmware_host.plans": {"firmware_host.board", "hardware"},
    "firmware_host.settings": {
        "firmware_host.languages",
        "firmware_host.faults",
        "firmware_host.plans",
        "firmware_host.cribbage",
        "firmware_host.board",
    },
    "firmware_host.settings_desk": {
        "firmware_host.settings",
        "firmware_host.durable",
        "firmware_host.plans",
        "firmware_host.board",
    },
    "firmware_host.health": set[str](),
    "firmware_host.summary": {"firmware_host.table", "firmware_host.cribbage"},
    "firmware_host.match": {"firmware_host.summary", "firmware_host.cribbage"},
    "firmware_host.statistics": {
        "firmware_host.summary",
        "firmware_host.table",
        "firmware_host.cribbage",
    },
    "firmware_host.archive": {
        "firmware_host.journal",
        "firmware_host.statistics",
        "firmware_host.summary",
    },
    "firmware_host.ledger": {"firmware_host.faults"},
    "firmware_host.spare": {"firmware_host.durable", "firmware_host.ledger"},
    "firmware_host.rescue": {
        "firmware_host.codec",
        "firmware_host.durable",
        "firmware_host.journal",
        "firmware_host.ledger",
        "firmware_host.spare",
    },
    "firmware_host.backup": {"firmware_host.journal", "firmware_host.ledger", "firmware_host.rescue"},
    "firmware_host.journal": {
        "firmware_host.durable",
        "firmware_host.ledger",
        "firmware_host.spare",
        "firmware_host.codec",
        "firmware_host.summary",
        "firmware_host.table",
    },
    "firmware_host.durable": set[str](),
    "firmware_host.phones": {"firmware_host.faults", "firmware_host.durable", "firmware_host.cribbage"},
    "firmware_host.deck": {"firmware_host.faults", "firmware_host.cribbage"},
    "firmware_host.porch": {"firmware_host.phones", "firmware_host.table", "firmware_host.cribbage"},
    "firmware_host.doorplate": {"board_drivers.lettering"},
    "firmware_host.snapshot": {"firmware_host.doorplate", "firmware_host.table", "firmware_host.board"},
    "firmware_host.watch": {"firmware_host.table", "firmware_host.board", "board_drivers.ports"},
    "firmware_host.lamps": {"firmware_host.table", "firmware_host.board", "board_drivers.ports"},
    "firmware_host.presses": {"firmware_host.table", "board_drivers.ports"},
    "firmware_host.troubles": set[str](),
    "firmware_host.trace_log": {"firmware_host.board"},
    "firmware_host.lesson": {"firmware_host.table", "firmware_host.board", "board_drivers.ports"},
    "firmware_host.wiring_file": {"firmware_host.faults", "firmware_host.durable", "firmware_host.board"},
    "firmware_host.report": {
        "firmware_host.faults",
        "firmware_host.codec",
        "firmware_host.journal",
        "firmware_host.settings",
        "firmware_host.trace_log",
    },
    "firmware_host.mischief": {
        "firmware_host.faults",
        "firmware_host.board",
        "board_drivers.misbehaving",
        "board_drivers.misbehaving_cable",
        "board_drivers.ports",
        "board_drivers.span",
    },
    "firmware_host.house": {
        "firmware_host.table",
        "firmware_host.cribbage",
        "firmware_host.board",
        "board_drivers.ports",
    },
    "firmware_host.errands": {"firmware_host.snapshot"},
    "firmware_host.scorebook": {"firmware_host.journal", "firmware_host.rescue", "firmware_host.table"},
    "firmware_host.front": {
        "firmware_host.health",
        "firmware_host.lamps",
        "firmware_host.lesson",
        "firmware_host.snapshot",
        "firmware_host.troubles",
        "firmware_host.board",
        "board_drivers.ports",
    },
    "firmware_host.host": {
        "firmware_host.errands",
        "firmware_host.front",
        "firmware_host.house",
        "firmware_host.lesson",
        "firmware_host.trace_log",
        "firmware_host.troubles",
        "firmware_host.presses",
        "firmware_host.health",
        "firmware_host.rescue",
        "firmware_host.scorebook",
        "firmware_host.snapshot",
        "firmware_host.doorplate",
        "firmware_host.faults",
        "firmware_host.phones",
        "firmware_host.porch",
        "firmware_host.watch",
        "firmware_host.journal",
        "firmware_host.table",
        "firmware_host.cribbage",
        "firmware_host.board",
        "board_drivers.ports",
    },
    # The doctor looks at the wires through the very drivers a board uses.
    "firmware_host.doctor": {
        "firmware_host.faults",
        "firmware_host.journal",
        "firmware_host.phones",
        "firmware_host.settings",
        "firmware_host.board",
        "board_drivers",
        "hardware",
    },
    "firmware_host.record": {"firmware_host.table", "firmware_host.cribbage"},
    "firmware_host.demo": {
        "firmware_host.faults",
        "firmware_host.host",
        "firmware_host.table",
        "firmware_host.cribbage",
        "firmware_host.board",
        "board_drivers.ports",
        "board_drivers.hands",
    },
    "web_panel": {
        "firmware_host.faults",
        "firmware_host.languages",
        "firmware_host.statistics",
        "firmware_host.archive",
        "firmware_host.match",
        "firmware_host.backup",
        "firmware_host.host",
        "firmware_host.snapshot",
        "firmware_host.phones",
        "firmware_host.porch",
        "firmware_host.plans",
        "firmware_host.settings",
        "firmware_host.settings_desk",
        "firmware_host.health",
        "firmware_host.journal",
        "firmware_host.table",
        "firmware_host.cribbage",
        "firmware_host.board",
        "board_drivers.ports",
    },
    "board_drivers": set[str](),
    "hardware": set[str](),
    "hardware.pcb": set[str](),
    "hardware.strip": {"hardware.pcb", "firmware_host.board"},
    "hardware.stripboard": {"hardware.pcb", "hardware.strip", "firmware_host.board"},
    "hardware.hub": {"hardware.pcb", "hardware.strip", "board_drivers.pins"},
    "hardware.make_pcb": {"hardware.pcb", "hardware.strip", "hardware.hub", "firmware_host.plans"},
}
TOP = ("firmware_host.assemble", "firmware_host.cli", "firmware_host.__main__")

PURE = ("firmware_host.cribbage", "firmware_host.board", "firmware_host.table")
IMPURE_MODULES = {
    *("asyncio", "datetime", "io", "logging", "os", "pathlib", "random", "secrets", "socket", "sqlite3"),
    *("subprocess", "sys", "tempfile", "threading", "time"),
}
CHIP_LIBRARIES = {"gpiozero", "lgpio", "luma", "serial", "smbus2", "spidev", "RPi", "pcbnew"}


def modules() -> Iterator[tuple[str, Path]]:
    for package in ("firmware_host", "board_drivers", "web_panel", "hardware"):
        for file in sorted((ROOT / package).rglob("*.py")):
            parts = file.relative_to(ROOT).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), file


def imports_of(module: str, file: Path, *, top_level_only: bool = False) -> set[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    nodes = tree.body if top_level_only else list(ast.walk(tree))
    found = set[str]()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: relative import, line {node.lineno}"
            assert node.module
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def room_of(module: str) -> str | None:
    rooms = [room for room in MAY_IMPORT if module == room or module.startswith(room + ".")]
    return max(rooms, key=len, default=None)


def is_ours(module: str) -> bool:
    return module.split(".")[0] in {"firmware_host", "board_drivers", "web_panel", "hardware"}


@pytest.mark.parametrize(("module", "file"), [pytest.param(m, f, id=m) for m, f in modules()])
def test_imports_run_down(module: str, file: Path) -> None:
    if module in {"firmware_host"} or module.startswith(TOP):
        return
    room = room_of(module)
    assert room, f"{module} stands on no floor: name what it may import in MAY_IMPORT"
    for imported in filter(is_ours, imports_of(module, file)):
        inside = imported == room or imported.startswith(room + ".")
        allowed = any(imported == low or imported.startswith(low + ".") for low in MAY_IMPORT[room])
        package_of_allowed = any(low.startswith(imported + ".") for low in MAY_IMPORT[room] | {room})
        assert inside or allowed or package_of_allowed, f"{module} must not reach up to {imported}"


@pytest.mark.parametrize(("module", "file"), [pytest.param(m, f, id=m) for m, f in modules() if m.startswith(PURE)])
def test_the_core_is_pure(module: str, file: Path) -> None:
    imported = {name.split(".")[0] for name in imports_of(module, file)}
    assert not imported & IMPURE_MODULES, f"{module} must stay pure, but imports {imported & IMPURE_MODULES}"


@pytest.mark.parametrize(("module", "file"), [pytest.param(m, f, id=m) for m, f in modules()])
def test_chip_libraries_wait_for_a_constructor(module: str, file: Path) -> None:
    imported = {name.split(".")[0] for name in imports_of(module, file, top_level_only=True)}
    assert not imported & CHIP_LIBRARIES, f"{module} imports {imported & CHIP_LIBRARIES} before it is needed"


def test_everything_imports_with_no_chip_library_at_hand() -> None:
    hide = f"import sys; sys.modules.update(dict.fromkeys({sorted(CHIP_LIBRARIES)!r}))"
    names = [m for m, _ in modules() if not m.endswith("__main__")]
    subprocess.run([sys.executable, "-c", f"{hide}; import {', '.join(names)}"], check=True, cwd=ROOT)
