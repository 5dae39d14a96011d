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

UI_ROOMS = {
    *("ui.texts", "ui.lights", "ui.sounds", "ui.keys", "ui.phases", "ui.situation", "ui.display", "ui.wizard"),
    "ui.spoken",
}
"""The packages and the module of `ui` above its loose modules, from the lowest up."""

MAY_IMPORT: dict[str, set[str]] = {
    # Pure packages.
    "validation": set(),
    "cribbage": set(),
    "board": {"validation"},
    "coach": {"cribbage", "strategy"},
    "tracking": {"board"},
    "game": CORE,
    "strategy": {"cribbage", "game"},
    "ui": {"game"} | CORE,
    "ui.texts": {"coach", "strategy", "ui"} | GAME,
    "ui.lights": {"board", "game", "tracking", "ui"},
    "ui.sounds": {"board", "game", "ui", "ui.lights", "ui.texts"},
    "ui.keys": {"cribbage", "game", "mqtt_messages", "strategy", "ui", "ui.texts"},
    "ui.situation": {"game", "tracking", "ui", "ui.keys", "ui.lights"},
    "ui.phases": {"cribbage", "game", "ui", "ui.texts"},
    "ui.display": {
        "cribbage",
        "game",
        "mqtt_messages",
        "tracking",
        "ui",
        "ui.keys",
        "ui.lights",
        "ui.phases",
        "ui.situation",
        "ui.texts",
    },
    "ui.wizard": {"tracking", "ui", "ui.display", "ui.keys", "ui.lights"} | CORE,
    "ui.spoken": {"mqtt_messages", "ui", "ui.display", "ui.keys", "ui.phases", "ui.situation", "ui.texts", "ui.wizard"}
    | GAME,
    "club": {"cribbage", "mqtt_messages"},
    # The host and what it stores.
    "errors": set(),
    "mqtt_messages": {"cribbage", "errors"},
    "optional_packages": set(),
    "storage": {"cribbage", "errors", "game", "validation"},
    "club_server": {
        "club",
        "club.history",
        "cribbage",
        "errors",
        "https",
        "mqtt_messages",
        "optional_packages",
        "storage",
        "telemetry",
        "ui",
        "validation",
    },
    "club.remarks": {"club", "ui", "ui.texts"},
    "club.history": {"club", "club.remarks", "ui"},
    "config": {
        "board_drivers",
        "errors",
        "storage",
        "tracking",
        "ui",
        "ui.display",
        "ui.keys",
        "ui.lights",
        "validation",
    }
    | CORE,
    "pairing": {"board_drivers", "cribbage", "errors", "storage", "ui", "validation"},
    "https": {"errors", "optional_packages", "storage"},
    "stats": {"coach", "cribbage", "game", "storage", "strategy"},
    "circuits": {"board", "board_drivers"},
    "fabrication": {"board", "board_drivers", "circuits"},
    "host": {
        "board_drivers",
        "pairing",
        "storage",
        "ui",
        "ui.display",
        "ui.keys",
        "ui.lights",
        "ui.situation",
        "ui.spoken",
        "ui.texts",
        "ui.wizard",
    }
    | GAME,
    "host.parts": {
        "board_drivers",
        "errors",
        "host",
        "pairing",
        "storage",
        "ui",
        "ui.display",
        "ui.keys",
        "ui.lights",
        "ui.situation",
        "ui.sounds",
        "ui.spoken",
        "ui.texts",
        "ui.wizard",
        "validation",
    }
    | GAME,
    "host.loop": {"board", "board_drivers", "host", "host.parts", "pairing", "storage", "ui.keys", "ui.texts"},
    "speech": {"game", "host", "optional_packages", "ui", "ui.keys", "ui.spoken", "ui.texts"},
    "opponent": {"board_drivers", "errors", "game", "host", "host.loop", "strategy", "ui.keys"} | CORE,
    "simulation": {"board_drivers", "config", "errors", "game", "host.loop", "strategy"} | CORE,
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
        "ui.keys",
        "ui.situation",
    },
    "league": {
        "club",
        "club_server",
        "cribbage",
        "errors",
        "https",
        "mqtt_messages",
        "optional_packages",
        "storage",
        "telemetry",
    },
    "doctor": {
        "board",
        "board_drivers",
        "config",
        "errors",
        "host",
        "https",
        "optional_packages",
        "pairing",
        "speech",
        "storage",
        "ui",
    },
    "startup": {
        "board_drivers",
        "club",
        "club_server",
        "coach",
        "config",
        "errors",
        "host",
        "host.loop",
        "https",
        "opponent",
        "simulation",
        "speech",
        "stats",
        "storage",
        "telemetry",
        "ui",
        "ui.keys",
        "ui.texts",
        "web_panel.app",
        "web_panel.security",
    }
    | GAME,
    "app": {
        "board_drivers",
        "config",
        "host",
        "host.loop",
        "https",
        "pairing",
        "simulation",
        "speech",
        "startup",
        "storage",
        "telemetry",
        "web_panel.app",
        "web_panel.server",
    },
    "cli": {
        "app",
        "board_drivers",
        "club",
        "club.history",
        "club.remarks",
        "club_server",
        "coach",
        "config",
        "doctor",
        "errors",
        "fabrication",
        "host",
        "https",
        "league",
        "optional_packages",
        "simulation",
        "startup",
        "stats",
        "storage",
        "strategy",
        "telemetry",
        "ui",
        "ui.texts",
        "validation",
        "web_panel.club",
        "web_panel.security",
    }
    | GAME,
    "__main__": {"cli"},
    # The panel. Its packages share its loose modules, and `app` assembles all of it.
    "web_panel": {"config", "storage"},
    "web_panel.security": {"cribbage", "game", "pairing", "ui.keys", "web_panel"},
    "web_panel.rendering": {"config", "web_panel", "web_panel.security", "web_panel.views"},
    "web_panel.views": {
        "coach",
        "config",
        "host",
        "host.loop",
        "stats",
        "ui",
        "ui.keys",
        "ui.lights",
        "ui.phases",
        "ui.situation",
        "ui.texts",
        "ui.wizard",
        "web_panel",
    }
    | GAME,
    "web_panel.api": {
        "coach",
        "config",
        "errors",
        "game",
        "host.loop",
        "pairing",
        "stats",
        "strategy",
        "ui",
        "ui.keys",
        "ui.texts",
        "validation",
        "web_panel",
        "web_panel.security",
        "web_panel.views",
    }
    | CORE,
    "web_panel.pages": {
        "board_drivers",
        "coach",
        "config",
        "errors",
        "game",
        "host",
        "host.loop",
        "https",
        "pairing",
        "stats",
        "storage",
        "strategy",
        "ui",
        "ui.keys",
        "ui.texts",
        "ui.wizard",
        "web_panel",
        "web_panel.api",
        "web_panel.rendering",
        "web_panel.security",
        "web_panel.views",
    }
    | CORE,
    "web_panel.app": {
        "config",
        "game",
        "host.loop",
        "stats",
        "web_panel",
        "web_panel.api",
        "web_panel.pages",
        "web_panel.security",
        "web_panel.server",
        "web_panel.views",
    },
    "web_panel.club": {
        "club",
        "club.history",
        "club.remarks",
        "club_server",
        "config",
        "cribbage",
        "errors",
        "ui",
        "validation",
        "web_panel",
        "web_panel.api",
        "web_panel.pages",
        "web_panel.rendering",
        "web_panel.security",
        "web_panel.server",
    },
    "web_panel.server": {"web_panel", "web_panel.security"},
    # Drivers and hardware, which import nothing of the host but the board plans.
    "board_drivers": set(),
    "hardware": set(),
    "hardware.pcb": {"circuits"},
    "hardware.kicad": {"board", "board_drivers", "circuits", "config", "fabrication", "hardware.pcb"},
}
"""Package -> the packages it may import, besides itself. Names in `firmware_host` leave out that prefix."""

LOOSE_MODULES = {"__init__", "__main__", "app", "errors", "optional_packages"}
"""The only modules of `firmware_host` outside a package."""

PURE = {"validation", "cribbage", "strategy", "coach", "board", "tracking", "game", "ui", "club"} | UI_ROOMS
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
