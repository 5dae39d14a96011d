"""What a start and a short command must not import: every module costs time on a slow computer, needed or not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

COUNT = """
import sys
from firmware_host.cli import main
try:
    main(["count", "5H", "5S", "5D", "JC", "5C"])
except SystemExit:
    pass
print(*sys.modules)
"""

UNTIL_THE_DISPLAY = """
import sys
from firmware_host import app
from firmware_host.config.settings_sources import sources_of
app.open_panel = lambda host, *others: host
host = app.build_app(sources_of(None, {}, {"state_folder": sys.argv[1]}).load())
assert host.snapshot.oled_page
print(*sys.modules)
host.stop()
"""

UNTIL_THE_PANEL = """
import sys
from firmware_host import app
from firmware_host.config.settings_sources import sources_of
sources = sources_of(None, {}, {"state_folder": sys.argv[1]})
running = app.build_app(sources.load(), sources=sources)
print(*sys.modules)
running.stop()
"""

FAULTS = {"board_drivers.fault_injection", "board_drivers.cable_faults", "firmware_host.simulation.fault_plan"}
REAL_PARTS = {"board_drivers.pi", "board_drivers.serial_scanner", "board_drivers.card_reader", "gpiozero", "serial"}
NEVER_AT_START = {
    "firmware_host.mqtt_messages.reading",
    *("firmware_host.league", "psycopg", "nats", "yoyo", "bcrypt"),
    *("cryptography", "paho", "segno", "firmware_host.doctor", "firmware_host.https.renewal"),
    *("firmware_host.fabrication", "firmware_host.board.audit", "xml", "urllib.request", "ctypes"),
    *("firmware_host.stats", "firmware_host.coach", "firmware_host.strategy", "firmware_host.opponent"),
    "firmware_host.https",
    *("firmware_host.speech.talker", "firmware_host.speech.engine", "subprocess"),
    *("web_panel.pages.history", "web_panel.pages.settings", "web_panel.pages.new_game", "web_panel.api.coach"),
    *FAULTS,
    *REAL_PARTS,
}
PANEL = {"flask", "werkzeug", "jinja2", "h11", "web_panel.app", "web_panel.server", "web_panel.pages"}
NETWORK = {"ssl", "http", "email", "xml", "urllib.request"}
AFTER_THE_DISPLAY = (
    NEVER_AT_START
    | PANEL
    | NETWORK
    | {
        *(
            "firmware_host.coach",
            "firmware_host.stats",
            "firmware_host.speech",
            "firmware_host.simulation",
            "firmware_host.https",
        ),
        "firmware_host.board.drawing",
    }
)
NOT_FOR_A_COUNT = (
    PANEL
    | NETWORK
    | {
        *(
            "json",
            "difflib",
            "PIL",
            "luma",
            "sqlite3",
            "tempfile",
            "importlib.resources",
            "board_drivers",
            "web_panel",
            "hardware",
        ),
        *(
            "firmware_host.app",
            "firmware_host.startup",
            "firmware_host.board",
            "firmware_host.game",
            "firmware_host.host",
            "firmware_host.storage",
        ),
        *("firmware_host.tracking", "firmware_host.stats", "firmware_host.validation", "firmware_host.config.settings"),
    }
)


@pytest.mark.parametrize(
    ("script", "unwanted"),
    [
        pytest.param(COUNT, NOT_FOR_A_COUNT, id="cribboard count"),
        pytest.param(UNTIL_THE_DISPLAY, AFTER_THE_DISPLAY, id="until the display shows its first page"),
        pytest.param(UNTIL_THE_PANEL, NEVER_AT_START, id="until the panel is ready"),
    ],
)
def test_start_imports_nothing_that_it_does_not_need(script: str, unwanted: set[str], tmp_path: Path) -> None:
    command = [sys.executable, "-c", script, str(tmp_path)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    imported = run.stdout.splitlines()[-1].split()
    assert "firmware_host" in imported
    assert [module for module in imported if within(module, unwanted)] == []


def within(module: str, packages: set[str]) -> bool:
    """Whether the module is one of these, or in one of these packages."""
    parts = module.split(".")
    return any(".".join(parts[:length]) in packages for length in range(1, len(parts) + 1))
