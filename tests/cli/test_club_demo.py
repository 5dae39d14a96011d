"""`cribboard club demo`: simulated boards play a round over a real Mosquitto, and everything ends with the program."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import urlopen

import pytest

from firmware_host.club.members import USUAL_PRESET
from firmware_host.club_server.store import open_club
from firmware_host.cribbage.variants import PRESETS
from firmware_host.startup.club_demo import begin_night
from tests.telemetry.mosquitto import needs_mosquitto

ROOT = Path(__file__).parents[2]
PATIENCE_S = 240.0


def test_the_night_has_the_rules_that_a_club_night_usually_has(tmp_path: Path) -> None:
    with open_club(tmp_path / "club.sqlite3") as file:
        begin_night(file, players=2, rounds=1)
        assert file.club.nights[0].settings.rules == PRESETS[USUAL_PRESET].rules()


@pytest.mark.slow
@pytest.mark.timeout(300)
@needs_mosquitto
def test_a_round_of_simulated_boards_is_played_to_its_end(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "firmware_host", "club", "demo", "--boards", "2", "--rounds", "1", "--speed", "10"]
    environ = {**os.environ, "TMPDIR": str(tmp_path), "CRIBBOARD_STATE_FOLDER": str(tmp_path / "own")}
    process = subprocess.Popen(command, cwd=ROOT, env=environ, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout
        address = process.stdout.readline().split()[-1]
        until_s = time.monotonic() + PATIENCE_S
        while (text := room(address)).count('<p class="state">final') < 2:
            assert time.monotonic() < until_s and process.poll() is None
            time.sleep(0.5)
        assert "All rounds are played" in text and text.count(">121<") == 2
    finally:
        process.send_signal(signal.SIGTERM)
        output, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert sorted(line.split()[0] for line in output.splitlines() if " joins at " in line) == ["table-1", "table-2"]
    assert [each.name for each in tmp_path.glob("cribboard-club-*")] == []
    assert str(tmp_path) not in running_commands()


def room(address: str) -> str:
    with urlopen(f"{address}room?lang=en") as answer:
        return str(answer.read().decode())


def running_commands() -> str:
    return subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
