"""The wheel works outside the checkout: board plans, font, pages and everything else are packed in it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a wheel that was built from the checkout and installed."""
    built, installed = tmp_path_factory.mktemp("built"), tmp_path_factory.mktemp("installed")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(built), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = built.glob("cribboard-*.whl")
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(installed)]
    subprocess.run([*install, str(wheel)], check=True, capture_output=True)
    return installed


def run_installed(unpacked: Path, tmp_path: Path, *arguments: str) -> str:
    """Run Python outside the checkout, with the installed packages first on its path; returns its output."""
    environ = os.environ | {"PYTHONPATH": str(unpacked), "PYTHONSAFEPATH": "1"}
    done = subprocess.run([sys.executable, *arguments], cwd=tmp_path, env=environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_installed_packages_are_imported(unpacked: Path, tmp_path: Path) -> None:
    where = run_installed(unpacked, tmp_path, "-c", "import firmware_host; print(firmware_host.__file__)")
    assert where.startswith(str(unpacked))


def test_wheel_has_the_board_plans(unpacked: Path, tmp_path: Path) -> None:
    script = "from firmware_host.config.board_plans import *; print(*(load_plan(p).sensor_count for p in plan_ids()))"
    assert run_installed(unpacked, tmp_path, "-c", script).split() == ["125", "245", "367", "489"]


def test_wheel_has_the_wiring(unpacked: Path, tmp_path: Path) -> None:
    script = "from board_drivers.pins import header_pins; print(header_pins().bcm('sensor_latch'))"
    assert run_installed(unpacked, tmp_path, "-c", script).split() == ["25"]


def test_draw_command(unpacked: Path, tmp_path: Path) -> None:
    run_installed(unpacked, tmp_path, "-m", "firmware_host", "draw", "classic-61", "--out", "drawn")
    assert (tmp_path / "drawn" / "classic-61" / "drill-a4.pdf").read_bytes().startswith(b"%PDF")


def test_count_command(unpacked: Path, tmp_path: Path) -> None:
    output = run_installed(unpacked, tmp_path, "-m", "firmware_host", "count", "5H 5S 5D JC", "5C", "--json")
    assert '"total": 29' in output


def test_whole_application_starts(unpacked: Path, tmp_path: Path) -> None:
    """Host, display, web panel and its page, from the wheel alone."""
    script = """
from pathlib import Path
from threading import Thread
from urllib.request import urlopen
from firmware_host.app import build_app
from firmware_host.config.settings_sources import load_settings
running = build_app(load_settings(None, {}, {"state_folder": Path("state"), "port": 18080}))
Thread(target=running.serve, daemon=True).start()
print(running.host.snapshot.prompt, urlopen(running.address).read().decode())
running.stop()
"""
    output = run_installed(unpacked, tmp_path, "-c", script)
    assert output.startswith("ENTER: new game") and "</html>" in output
