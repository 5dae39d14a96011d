"""Which package may import which, and which modules the pure packages may not use."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
OURS = ("firmware_host", "board_drivers", "web_panel", "hardware")

CORE = {"cribbage", "board"}
GAME = CORE | {"game", "tracking"}

MAY_IMPORT: dict[str, set[str]] = {
    # Pure packages.
    "validation": set(),
    "cribbage": set(),
    "board": {"validation"},
    "coach": {"cribbage"},
    "tracking": {"board"},
    "game": CORE,
    "ui": GAME | {"coach", "mqtt_messages"},
    "club": {"cribbage", "mqtt_messages"},
    # The host and what it stores.
    "errors": set(),
    "mqtt_messages": {"errors", "cribbage"},
    "optional_packages": set(),
    "storage": {"cribbage", "errors", "game", "validation"},
    "club_server": set(),
    "club_server.store": {"errors", "storage", "club"},
    "club_server.accounts": {"errors", "optional_packages", "storage", "cribbage"},
    "club_server.backup": {"errors", "storage", "club", "club_server.store"},
    "club.store": {"errors", "storage", "club"},
    "club.accounts": {"errors", "optional_packages", "storage", "cribbage"},
    "club.backup": {"errors", "storage", "club", "club.store"},
    "club.remarks": {"club", "ui"},
    "config": {"errors", "storage", "tracking", "ui", "validation", "board_drivers"} | CORE,
    "pairing": {"errors", "storage", "ui", "cribbage", "board_drivers", "validation"},
    "https": {"errors", "optional_packages", "storage"},
    "stats": {"storage", "coach", "cribbage", "game"},
    "circuits": {"board", "board_drivers"},
    "fabrication": {"board", "board_drivers", "circuits"},
    "host": {"pairing", "ui", "board_drivers"} | GAME,
    "host.parts": {"errors", "storage", "pairing", "host", "ui", "board_drivers", "validation"} | GAME,
    "host.loop": {"storage", "pairing", "host", "host.parts", "ui", "board", "board_drivers"},
    "speech": {"optional_packages", "host", "ui", "game"},
    "simulation": {"board_drivers", "errors", "game", "host", "host.loop"} | CORE,
    "telemetry": {
        "cribbage",
        "errors",
        "game",
        "host",
        "https",
        "mqtt_messages",
        "optional_packages",
        "storage",
        "ui",
        "validation",
    },
    "club_server": {"errors", "optional_packages", "storage", "https", "mqtt_messages", "telemetry", "club", "ui"}
    | {"cribbage"},
    "club_server.demo": {"club", "club_server", "telemetry", "startup", "simulation", "host", "storage", "config"}
    | {"game"},
    "league": {
        "club",
        "club_server",
        "club_server.store",
        "cribbage",
        "errors",
        "https",
        "mqtt_messages",
        "optional_packages",
        "storage",
        "telemetry",
    },
    "doctor": {"errors", "optional_packages", "storage", "config", "pairing", "host", "https", "board", "board_drivers"}
    | {"speech", "ui"},
    "startup": {
        "errors",
        "storage",
        "config",
        "https",
        "simulation",
        "speech",
        "telemetry",
        "host",
        "host.loop",
        "ui",
        "coach",
        "stats",
    }
    | GAME
    | {"board_drivers", "web_panel.app", "web_panel.security"},
    "app": {"startup", "simulation", "speech", "telemetry", "host", "host.loop", "board_drivers"}
    | {"storage", "config", "pairing", "https", "web_panel.app", "web_panel.server"},
    "cli": {
        "app",
        "startup",
        "telemetry",
        "doctor",
        "simulation",
        "host",
        "host.loop",
        "ui",
        "board_drivers",
        "fabrication",
    }
    | GAME
    | {"errors", "optional_packages", "storage", "config", "https", "stats", "validation", "coach"}
    | {"club", "club_server", "club_server.demo", "club.remarks"}
    | {"league", "web_panel.club", "web_panel.security"},
    "__main__": {"cli"},
    # The panel. Its packages share its loose modules, and `app` assembles all of it.
    "web_panel": {"config"},
    "web_panel.security": {"web_panel", "pairing", "ui", "game", "cribbage"},
    "web_panel.rendering": {"web_panel", "web_panel.security", "web_panel.views", "config"},
    "web_panel.views": {"web_panel", "host", "host.loop", "config", "ui", "game", "tracking", "stats", "coach"} | CORE,
    "web_panel.api": {"web_panel", "web_panel.security", "web_panel.views", "host.loop", "ui", "game", "cribbage"}
    | {"errors", "config", "pairing", "validation", "stats", "board", "coach"},
    "web_panel.pages": {"web_panel", "web_panel.rendering", "web_panel.api", "web_panel.security", "web_panel.views"}
    | {
        "board_drivers",
        "storage",
        "config",
        "pairing",
        "stats",
        "validation",
        "host",
        "host.loop",
        "https",
        "ui",
        "game",
    }
    | CORE
    | {"coach"},
    "web_panel.app": {"web_panel", "web_panel.api", "web_panel.security", "web_panel.views", "web_panel.pages"}
    | {"web_panel.server", "host.loop", "game", "stats", "config"},
    "web_panel.club": {"web_panel", "web_panel.rendering", "web_panel.security", "web_panel.server", "web_panel.api"}
    | {"web_panel.pages", "club", "club_server", "club.remarks", "config", "ui", "cribbage"}
    | {"stats", "validation"},
    "web_panel.server": {"web_panel", "web_panel.security"},
    # Drivers and hardware, which import nothing of the host but the board plans.
    "board_drivers": set(),
    "hardware": set(),
    "hardware.pcb": {"circuits"},
    "hardware.row": {"hardware.pcb", "circuits", "board"},
    "hardware.hub": {"hardware.pcb", "hardware.row", "circuits", "board", "board_drivers"},
    "hardware.make_pcb": {"config", "board", "circuits", "hardware.pcb", "hardware.row"},
    "hardware.clock_page": {"config", "board", "board_drivers", "circuits", "hardware.row", "hardware.hub"},
}
"""Package -> the packages it may import, besides itself. Names in `firmware_host` leave out that prefix."""

LOOSE_MODULES = {"__init__", "__main__", "app", "errors", "optional_packages"}
"""The only modules of `firmware_host` outside a package."""

PURE = {"validation", "cribbage", "coach", "board", "tracking", "game", "ui", "club"}
IMPURE_MODULES = {
    *("asyncio", "datetime", "io", "logging", "os", "pathlib", "random", "secrets", "socket", "sqlite3"),
    *("subprocess", "sys", "tempfile", "threading", "time"),
}
CHIP_LIBRARIES = {"gpiozero", "lgpio", "luma", "serial", "smbus2", "spidev", "RPi", "pcbnew"}


def modules() -> Iterator[tuple[str, Path]]:
    for top in OURS:
        for file in sorted((ROOT / top).rglob("*.py")):
            parts = file.relative_to(ROOT).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), file


MODULES = tuple(modules())


@cache
def imports_of(module: str, file: Path, *, top_level_only: bool = False) -> frozenset[str]:
    """The imported modules, and `module.name` for each name imported from one. Relative imports are not allowed."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    nodes = tree.body if top_level_only else list(ast.walk(tree))
    found = set[str]()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: relative import, line {node.lineno}"
            assert node.module
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(found)


def package_of(name: str) -> str | None:
    """The longest key of MAY_IMPORT that contains this module, or name in a module; None for third-party modules."""
    if name.split(".")[0] not in OURS:
        return None
    short = name.removeprefix("firmware_host.")
    keys = [key for key in MAY_IMPORT if short == key or short.startswith(f"{key}.")]
    assert keys or name == "firmware_host", f"{name} is in no package of MAY_IMPORT"
    return max(keys, key=len, default=None)


def test_packages_import_only_allowed_packages() -> None:
    forbidden = [
        f"{module} must not import {name}"
        for module, file in MODULES
        if (package := package_of(module))
        for name in sorted(imports_of(module, file))
        if (other := package_of(name)) and other not in MAY_IMPORT[package] | {package}
    ]
    assert forbidden == []


def test_packages_form_no_cycle() -> None:
    known, remaining = set[str](), dict(MAY_IMPORT)
    while remaining:
        ready = {package for package, needed in remaining.items() if needed <= known}
        assert ready, f"a cycle among {sorted(remaining)}"
        known |= ready
        remaining = {package: needed for package, needed in remaining.items() if package not in ready}


def test_data_is_made_of_structs() -> None:
    """`msgspec.Struct` is made and replaced many times as fast as a dataclass, and takes less of a start."""
    users = [module for module, file in MODULES if "dataclasses" in {n.split(".")[0] for n in imports_of(module, file)}]
    assert users == []


def test_every_allowed_import_is_used() -> None:
    used = {package: set[str]() for package in MAY_IMPORT}
    for module, file in MODULES:
        if package := package_of(module):
            used[package] |= {other for name in imports_of(module, file) if (other := package_of(name))}
    unused = {package: sorted(allowed - used[package]) for package, allowed in MAY_IMPORT.items()}
    assert {package: names for package, names in unused.items() if names} == {}


def test_firmware_host_has_no_other_module_outside_a_package() -> None:
    assert {file.stem for file in (ROOT / "firmware_host").glob("*.py")} == LOOSE_MODULES


def test_pure_packages_import_no_clock_file_or_thread() -> None:
    pure = [(module, file) for module, file in MODULES if package_of(module) in PURE]
    assert len(pure) > len(PURE)
    impure = [
        f"{module} must stay pure, but imports {name}"
        for module, file in pure
        for name in sorted(imports_of(module, file))
        if name.split(".")[0] in IMPURE_MODULES
    ]
    assert impure == []


def test_chip_libraries_are_imported_in_constructors_only() -> None:
    at_top_level = [
        f"{module} imports {name} at its top level"
        for module, file in MODULES
        for name in sorted(imports_of(module, file, top_level_only=True))
        if name.split(".")[0] in CHIP_LIBRARIES
    ]
    assert at_top_level == []


def test_everything_imports_without_chip_libraries() -> None:
    hide = f"import sys; sys.modules.update(dict.fromkeys({sorted(CHIP_LIBRARIES)!r}))"
    names = [module for module, _ in MODULES if not module.endswith("__main__")]
    subprocess.run([sys.executable, "-c", f"{hide}; import {', '.join(names)}"], check=True, cwd=ROOT)
