"""The wheel works away from the checkout: board plans, lettering, pages and all travel with it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the checkout and installed into a folder of its own."""
    built, installed = tmp_path_factory.mktemp("built"), tmp_path_factory.mktemp("installed")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(built), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = built.glob("cribboard-*.whl")
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(installed)]
    subprocess.run([*install, str(wheel)], check=True, capture_output=True)
    return installed


def run_away(unpacked: Path, tmp_path: Path, *arguments: str) -> str:
    """Python far from the checkout, with the installed packages first on its path."""
    environ = os.environ | {"PYTHONPATH": str(unpacked), "PYTHONSAFEPATH": "1"}
    done = subprocess.run([sys.executable, *arguments], cwd=tmp_path, env=environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_installed_packages_are_the_ones_that_run(unpacked: Path, tmp_path: Path) -> None:
    where = run_away(unpacked, tmp_path, "-c", "import firmware_host; print(firmware_host.__file__)")
    assert where.startswith(str(unpacked))


def test_board_plans_travel_with_it(unpacked: Path, tmp_path: Path) -> None:
    asked = "from firmware_host.plans import *; print(*(load_plan(p).sensor_count for p in plan_ids()))"
    assert run_away(unpacked, tmp_path, "-c", asked).split() == ["125", "245", "367", "489"]


def test_the_wiring_travels_with_it(unpacked: Path, tmp_path: Path) -> None:
    asked = "from board_drivers.pins import header_pins; print(header_pins().bcm('sensor_latch'))"
    assert run_away(unpacked, tmp_path, "-c", asked).split() == ["25"]


def test_a_maker_can_draw_a_board(unpacked: Path, tmp_path: Path) -> None:
    run_away(unpacked, tmp_path, "-m", "firmware_host", "draw", "classic-61", "--out", "drawn")
    assert (tmp_path / "drawn" / "classic-61" / "drill-a4.pdf").read_bytes().startswith(b"%PDF")


def test_the_command_counts(unpacked: Path, tmp_path: Path) -> None:
    said = run_away(unpacked, tmp_path, "-m", "firmware_host", "count", "5H 5S 5D JC", "5C", "--json")
    assert '"total": 29' in said


def test_the_whole_house_opens(unpacked: Path, tmp_path: Path) -> None:
    """Host, OLED, panel and its page, from the wheel alone."""
    script = """
from pathlib import Path
from threading import Thread
from urllib.request import urlopen
from firmware_host.assemble import assemble
from firmware_host.settings import load_settings
running = assemble(load_settings(None, {}, {"state_folder": Path("state"), "port": 18080}))
Thread(target=running.serve, daemon=True).start()
print(running.host.snapshot.prompt, urlopen(running.address).read().decode())
running.stop()
"""
    said = run_away(unpacked, tmp_path, "-c", script)
    assert said.startswith("ENTER: new game") and "</html>" in said
