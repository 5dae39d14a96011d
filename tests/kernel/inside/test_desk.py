"""Kit `desk`: a game by keys with its score on the display. Nothing reads pegs, and no sensor is wired."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.board_drivers.bench_board import BenchBoard
from tests.board_drivers.bench_pi import BenchPi
from tests.board_drivers.desk_game import DESK, TARGET, Scores, play_game
from tests.kernel.inside.conftest import Start
from tests.kernel.inside.display import shows
from tests.kernel.inside.players import type_keys, wait_until


@pytest.fixture
def bench(pi: BenchPi) -> BenchBoard:
    """A keypad and a display on the header."""
    return BenchBoard(pi, strips=0)


def test_whole_game_by_keys_with_the_score_on_the_display(bench: BenchBoard, start: Start) -> None:
    program = start(**DESK)
    program.wait_until_open()

    def scores() -> Scores:
        first, second = (side["score"] for side in program.state()["sides"])
        return first, second

    def press(legend: str) -> None:
        """A key that does something shows another page."""
        before = program.state()["version"]
        type_keys(bench, legend)
        program.wait_for(lambda now: now["version"] > before, f"a page after {legend}")

    def check(expected: Scores) -> None:
        state = program.wait_for(lambda now: scores() == expected, f"scores {expected}")
        assert not state["fault"], "no alarm of missing sensors"
        lines = [line.split() for line in state["display"]]
        assert list(map(str, expected)) in lines, "the scores are on the display"
        wait_until(lambda: shows(bench.oled.pixels(), program.state()["display"]), "these pixels")

    play_game(press, scores, check)
    over = program.wait_for(lambda now: now["game"]["winner"] is not None, "a winner")
    assert max(side["score"] for side in over["sides"]) == TARGET
    wait_until(lambda: shows(bench.oled.pixels(), program.state()["display"]), "the winner on the display")


def test_doctor_checks_the_parts_of_the_kit_alone(bench: BenchBoard, tmp_path: Path) -> None:
    settings = tmp_path / "desk.toml"
    settings.write_text(f"kit = 'desk'\nstate_folder = '{tmp_path}'\n")
    command: list[str | Path] = [Path(sys.executable).with_name("cribboard"), "doctor", "--json"]
    done = subprocess.run([*command, "--settings", settings], cwd=tmp_path, capture_output=True, text=True, check=False)
    found = {finding["check"]: finding["verdict"] for finding in map(json.loads, done.stdout.splitlines())}
    assert (found["keys"], found["display"]) == ("ok", "ok")
    assert not {"sensors", "magnets", "lights", "SPI0 spidev0.0", "SPI0 spidev0.1"} & set(found)
