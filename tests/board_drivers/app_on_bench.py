"""Runs the whole application on modelled hardware (`simulate = false`) and waits for its snapshots."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware_host.app import RunningApp, build_app
from firmware_host.config.board_plans import load_plan
from firmware_host.config.settings import Settings
from firmware_host.config.settings_sources import load_settings
from firmware_host.host.parts.wizard_store import save_wizard
from firmware_host.host.snapshot import Snapshot
from firmware_host.simulation.fault_plan import FaultPlan
from firmware_host.ui.wizard.wizard import Wizard

TIMEOUT_S = 60.0

# luma.oled 3.16 calls a method that Pillow 14 removes.
IGNORE_LUMA_DEPRECATION = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")


def real_parts_settings(state_folder: Path, **options: object) -> Settings:
    """Settings without `simulate`, and with short times: a peg settles soon and is scanned often.

    The board was set up before: its wizard does not open.
    """
    settings = load_settings(
        None, {}, {"simulate": False, "state_folder": state_folder, "settle_s": 0.05, "scan_hz": 200, **options}
    )
    save_wizard(settings.wizard, load_plan(settings.board), Wizard())
    return settings


@contextmanager
def running_app(settings: Settings, fault_plan: FaultPlan | None = None) -> Iterator[RunningApp]:
    """The application, stopped after the block."""
    app = build_app(settings, fault_plan=fault_plan)
    try:
        yield app
    finally:
        app.stop()
        app.server.close()


def wait_for(running: RunningApp, is_so: Callable[[Snapshot], bool]) -> Snapshot:
    """The first snapshot for which `is_so` returns True."""
    snapshot = running.host.snapshot
    while not is_so(snapshot):
        newer = running.host.wait_for_change(snapshot.version, TIMEOUT_S)
        assert newer is not snapshot, f"no new snapshot after {snapshot.prompt!r}"
        snapshot = newer
    return snapshot
