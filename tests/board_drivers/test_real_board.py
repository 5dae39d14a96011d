"""The whole application on modelled hardware (`simulate = false`), from the hall switches to lights and display."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace
from werkzeug.test import Client

from board_drivers import oled
from board_drivers.simulated import SimulatedBoard
from firmware_host.app import RunningApp, build_app
from firmware_host.board.course import START_HOLES, Hole
from firmware_host.cli import main
from firmware_host.config.board_plans import load_plan
from firmware_host.config.settings import Settings
from firmware_host.config.settings_sources import load_settings
from firmware_host.cribbage.variants import rules_for
from firmware_host.game.commands import StartGame
from firmware_host.startup.boards import wizard_steps_of
from firmware_host.startup.errors import StartupError
from firmware_host.ui.wizard.wizard import in_playing_order
from firmware_host.ui.wizard_commands import GoToStep, Step
from tests.board_drivers.app_on_bench import IGNORE_LUMA_DEPRECATION, real_parts_settings, running_app, wait_for
from tests.board_drivers.bench_board import TIMEOUT_S, BenchBoard
from tests.board_drivers.bench_pi import BenchPi

pytestmark = IGNORE_LUMA_DEPRECATION

PLAN = load_plan("classic-61")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return real_parts_settings(tmp_path)


@pytest.fixture
def bench(pi: BenchPi) -> BenchBoard:
    """A board with all pegs in the start holes."""
    bench = BenchBoard(pi, PLAN.strip_count)
    for sensor in PLAN.frame_of([START_HOLES] * PLAN.tracks):
        bench.strips.place_peg(sensor)
    return bench


@pytest.fixture
def running(bench: BenchBoard, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[RunningApp]:
    monkeypatch.setattr(oled, "RETRY_DELAYS_S", (0.001,))
    with running_app(settings) as app:
        yield app


def test_moved_peg_becomes_a_score_and_a_light(running: RunningApp, bench: BenchBoard) -> None:
    running.host.submit(StartGame(rules_for("six_card", {"target": 121}), ("Ann", "Ben"), PLAN.id))
    bench.strips.lift_peg(PLAN.at(0, START_HOLES[0]).sensor)
    bench.strips.place_peg(PLAN.at(0, Hole(8)).sensor)
    snapshot = wait_for(running, lambda now: bool(now.table and now.table.scores[0] == 8))
    assert snapshot.signals
    assert bench.lights.colours[PLAN.at(0, Hole(8)).led] != (0, 0, 0)


def test_the_set_up_wizard_opens_at_the_first_start(bench: BenchBoard, settings: Settings) -> None:
    """It lights the first hole, and a peg leads to the next one."""
    settings.wizard.unlink()
    with running_app(settings) as running:
        running.host.submit(GoToStep(Step.SENSORS))
        first, second, *_ = in_playing_order(PLAN)
        wait_for(running, lambda now: bool(now.wizard and now.wizard.step is Step.SENSORS))
        bench.strips.lift_peg(first.sensor)
        wait_for(running, lambda now: bool(now.wizard and now.wizard.next_hole(PLAN) == second))
        assert bench.lights.colours[second.led] != (0, 0, 0)
        bench.press("FN")
        wait_for(running, lambda now: now.wizard is None)
    with running_app(settings) as running:
        assert running.host.snapshot.wizard is None


def test_a_board_without_pins_has_fewer_steps(settings: Settings) -> None:
    on_a_scanner = replace(settings, gpio=False, scanner="auto")
    assert set(Step) - set(wizard_steps_of(on_a_scanner.parts)) == {Step.LIGHTS, Step.KEYS, Step.SOUND}
    assert set(Step) - set(wizard_steps_of(replace(on_a_scanner, gpio=True).parts)) == {Step.LIGHTS}
    assert wizard_steps_of(settings.parts) == tuple(Step)


def test_key_press_changes_the_page_on_the_display(running: RunningApp, bench: BenchBoard) -> None:
    before = running.host.snapshot.oled_page
    bench.press("ENTER")
    bench.release("ENTER")
    page = wait_for(running, lambda now: now.oled_page != before).oled_page
    reference = SimulatedBoard(sensor_count=1, led_count=1)
    reference.scoreboard.show(page)
    with bench.oled.written:
        assert bench.oled.written.wait_for(lambda: bench.oled.pixels() == reference.oled_pixels(), TIMEOUT_S)


def test_chain_broken_during_a_game_is_shown_on_the_first_lines_and_recovers(
    running: RunningApp, bench: BenchBoard
) -> None:
    bench.strips.floats[11] = 1
    page = wait_for(running, lambda now: bool(now.fault)).oled_page
    assert " ".join(text for text, _ in page).startswith("Fault at strip 12.")
    bench.strips.floats.clear()
    assert wait_for(running, lambda now: not now.fault)


def test_neither_phone_nor_autoplay_can_move_real_pegs(running: RunningApp) -> None:
    assert running.demo is None
    phone = Client(running.panel)
    here = {"REMOTE_ADDR": "127.0.0.1"}
    assert phone.get("/", environ_base=here).status_code == 200
    for path in ("/api/v1/pegs/lift", "/api/v1/keys", "/api/v1/demo"):
        assert phone.post(path, json={}, environ_base=here).status_code == 404, path


def test_missing_spi_is_reported_with_how_to_turn_it_on(pi: BenchPi, settings: Settings) -> None:
    pi.refused["/dev/spidev0.1"] = errno.ENOENT
    with pytest.raises(StartupError, match="SPI0: expected /dev/spidev0.1 to open, got no such file .*dtparam=spi=on"):
        build_app(settings)


def test_run_command_prints_one_line_and_fails(pi: BenchPi, tmp_path: Path) -> None:
    pi.busy.add(25)
    file = tmp_path / "cribboard.toml"
    file.write_text(f"simulate = false\nstate_folder = '{tmp_path}'")
    done = CliRunner().invoke(main, ["run", "--settings", str(file)])
    assert done.exit_code == 1 and done.stderr.startswith("GPIO25: expected a free line for the sensor latch")
    assert done.stderr.count("\n") == 1
    demo = CliRunner().invoke(main, ["run", "--settings", str(file), "--demo"])
    assert demo.exit_code == 1 and "--demo: expected a board on the page, got kit sensing" in demo.stderr


def test_current_limit_too_small_for_the_lights_names_the_setting(
    pi: BenchPi, tmp_path: Path, settings: Settings
) -> None:
    options = {"simulate": False, "state_folder": tmp_path, "lights_ma": 120}
    with pytest.raises(StartupError, match="Lights: expected more than 125 mA .*lights_ma"):
        build_app(load_settings(None, {}, options))
