"""The whole house on a real board: `simulate = false`, from the hall switches to the lights and the glass."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from werkzeug.test import Client

from board_drivers import oled
from board_drivers.simulated import SimulatedBoard
from firmware_host.assemble import CannotServe, Running, assemble
from firmware_host.board.course import START_HOLES, Hole
from firmware_host.cli import main
from firmware_host.cribbage.variants import rules_for
from firmware_host.plans import load_plan
from firmware_host.settings import Settings, load_settings
from firmware_host.table.orders import StartGame
from tests.drivers.bench_board import PATIENCE_S, BenchBoard
from tests.drivers.bench_pi import BenchPi
from tests.drivers.whole_house import LUMA_READS_PICTURES, on_real_parts, opened, seen

pytestmark = LUMA_READS_PICTURES

PLAN = load_plan("classic-61")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return on_real_parts(tmp_path)


@pytest.fixture
def wood(pi: BenchPi) -> BenchBoard:
    """Pegs in the start holes, as people set them out."""
    wood = BenchBoard(pi, PLAN.strip_count)
    for sensor in PLAN.frame_of([START_HOLES] * PLAN.tracks):
        wood.strips.place_peg(sensor)
    return wood


@pytest.fixture
def running(wood: BenchBoard, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    monkeypatch.setattr(oled, "PATIENCE_S", (0.001,))
    with opened(settings) as made:
        yield made


def test_a_peg_moved_on_the_wood_is_a_score_and_its_light(running: Running, wood: BenchBoard) -> None:
    running.host.submit(StartGame(rules_for("six_card", {"target": 121}), ("Ann", "Ben"), PLAN.id))
    wood.strips.lift_peg(PLAN.at(0, START_HOLES[0]).sensor)
    wood.strips.place_peg(PLAN.at(0, Hole(8)).sensor)
    snapshot = seen(running, lambda now: bool(now.table and now.table.scores[0] == 8))
    assert snapshot.signals
    assert wood.lights.colours[PLAN.at(0, Hole(8)).led] != (0, 0, 0)


def test_the_keys_are_heard_and_the_glass_answers(running: Running, wood: BenchBoard) -> None:
    before = running.host.snapshot.page
    wood.press("ENTER")
    wood.release("ENTER")
    page = seen(running, lambda now: now.page != before).page
    reference = SimulatedBoard(sensor_count=1, led_count=1)
    reference.scoreboard.show(page)
    with wood.oled.heard:
        assert wood.oled.heard.wait_for(lambda: wood.oled.pixels() == reference.oled_pixels(), PATIENCE_S)


def test_a_chain_that_breaks_in_a_game_is_named_on_the_first_lines_and_comes_back(
    running: Running, wood: BenchBoard
) -> None:
    wood.strips.floats[11] = 1
    page = seen(running, lambda now: bool(now.trouble)).page
    assert " ".join(text for text, _ in page).startswith("Chain fault at strip 12:")
    wood.strips.floats.clear()
    assert seen(running, lambda now: not now.trouble)


def test_nobody_moves_real_pegs_from_a_phone_or_a_demonstration(running: Running) -> None:
    assert running.demo is None
    phone = Client(running.server.application)
    here = {"REMOTE_ADDR": "127.0.0.1"}
    assert phone.get("/", environ_base=here).status_code == 200
    for path in ("/api/v1/hands/lift", "/api/v1/keys", "/api/v1/demo"):
        assert phone.post(path, json={}, environ_base=here).status_code == 404, path


def test_a_pi_without_spi_is_told_how_to_turn_it_on(pi: BenchPi, settings: Settings) -> None:
    pi.refused["/dev/spidev0.1"] = errno.ENOENT
    with pytest.raises(CannotServe, match="SPI0: expected /dev/spidev0.1 to open, got no such file .*dtparam=spi=on"):
        assemble(settings)


def test_the_command_says_it_in_one_line_and_fails(pi: BenchPi, tmp_path: Path) -> None:
    pi.busy.add(25)
    file = tmp_path / "cribboard.toml"
    file.write_text(f"simulate = false\nstate_folder = '{tmp_path}'")
    done = CliRunner().invoke(main, ["run", "--settings", str(file)])
    assert done.exit_code == 1 and done.stderr.startswith("GPIO25: expected a free line for the sensor latch")
    assert done.stderr.count("\n") == 1
    demo = CliRunner().invoke(main, ["run", "--settings", str(file), "--demo"])
    assert demo.exit_code == 1 and "--demo: expected a simulated board" in demo.stderr


def test_a_budget_too_small_for_the_lights_is_told_with_the_setting(
    pi: BenchPi, tmp_path: Path, settings: Settings
) -> None:
    told = {"simulate": False, "state_folder": tmp_path, "lights_ma": 120}
    with pytest.raises(CannotServe, match="Lights: expected more than 125 mA .*lights_ma"):
        assemble(load_settings(None, {}, told))
