"""The whole application on a computer with a scanner and no Pi; keys and display are on the screen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from socket import create_connection, socket

import pytest
from werkzeug.test import Client

from board_drivers.cable_faults import PulledCable, SerialNoise
from board_drivers.fault_window import FaultWindow
from firmware_host.app import RunningApp
from firmware_host.board.course import START_HOLES, Hole
from firmware_host.config.board_plans import load_plan
from firmware_host.config.settings import Settings
from firmware_host.cribbage.variants import rules_for
from firmware_host.game.commands import StartGame
from firmware_host.simulation.fault_plan import FaultPlan
from tests.board_drivers.app_on_bench import IGNORE_LUMA_DEPRECATION, real_parts_settings, running_app, wait_for
from tests.firmware.rig import Chip, UsbCable

pytestmark = IGNORE_LUMA_DEPRECATION

PLAN = load_plan("classic-61")


@pytest.fixture
def on_this_computer() -> Iterator[dict[str, str]]:
    """Variables of a request that comes through a socket of this computer and this user."""
    with socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        server_port = listener.getsockname()[1]
        with create_connection(("127.0.0.1", server_port)) as visitor:
            port = visitor.getsockname()[1]
            yield {"REMOTE_ADDR": "127.0.0.1", "REMOTE_PORT": str(port), "SERVER_PORT": str(server_port)}


@pytest.fixture
def settings(tmp_path: Path, cable: UsbCable) -> Settings:
    return real_parts_settings(tmp_path, gpio=False, scanner=str(cable.by_id))


@pytest.fixture
def running(chip: Chip, settings: Settings) -> Iterator[RunningApp]:
    """The application, with all pegs in the start holes."""
    for sensor in PLAN.frame_of([START_HOLES] * PLAN.tracks):
        chip.chain.strips.place_peg(sensor)
    chip.update_chain()
    with running_app(settings) as app:
        yield app


def leap(running: RunningApp, chip: Chip, came_from: Hole, to: Hole) -> None:
    """Move one peg of the first track; the host sees it leave before it arrives."""
    chip.lift_peg(PLAN.at(0, came_from).sensor)
    wait_for(running, lambda now: came_from not in now.occupied[0])
    chip.place_peg(PLAN.at(0, to).sensor)


def test_game_continues_after_the_cable_was_unplugged(running: RunningApp, chip: Chip, cable: UsbCable) -> None:
    wait_for(running, lambda now: not now.fault and bool(now.occupied[0]))
    running.host.submit(StartGame(rules_for("six_card", {"target": 121}), ("Ann", "Ben"), PLAN.id))
    leap(running, chip, START_HOLES[0], Hole(8))
    wait_for(running, lambda now: bool(now.table and now.table.scores[0] == 8))

    cable.unplug()
    lost = wait_for(running, lambda now: bool(now.fault))
    assert " ".join(text for text, _ in lost.oled_page).startswith("Board not connected.")
    chip.lift_peg(PLAN.at(0, START_HOLES[1]).sensor)
    chip.place_peg(PLAN.at(0, Hole(20)).sensor)
    cable.plug_in()
    chip.reset()

    back = wait_for(running, lambda now: bool(now.table and now.table.scores[0] == 20))
    assert not back.fault


def test_planned_cable_faults_lose_no_move(chip: Chip, settings: Settings) -> None:
    """`--faults` between the real driver and the real firmware: noise loses nothing; a pulled cable is waited for."""
    now_s = 0.0
    noise = SerialNoise(FaultWindow(0.0, 10.0), flipped=0.005, lost=0.001, extra=0.001, random=Random(5))
    fault_plan = FaultPlan((noise, PulledCable(FaultWindow(10.0, 10.0))), lambda: now_s)
    for sensor in PLAN.frame_of([START_HOLES] * PLAN.tracks):
        chip.place_peg(sensor)
    with running_app(settings, fault_plan) as app:
        wait_for(app, lambda now: not now.fault and bool(now.occupied[0]))
        app.host.submit(StartGame(rules_for("six_card", {"target": 121}), ("Ann", "Ben"), PLAN.id))
        leap(app, chip, START_HOLES[0], Hole(8))
        wait_for(app, lambda now: bool(now.table and now.table.scores[0] == 8))
        now_s = 10.0
        assert wait_for(app, lambda now: bool(now.fault)).prompt == "Board not connected. Check its cable."
        now_s = 20.0
        assert wait_for(app, lambda now: not now.fault).prompt != "Board not connected. Check its cable."


def test_screen_has_keys_and_display_but_no_pegs_to_drag(running: RunningApp, on_this_computer: dict[str, str]) -> None:
    assert running.demo is None
    phone = Client(running.panel)
    page = phone.get("/", environ_overrides=on_this_computer).text
    assert 'data-legend="ENTER"' in page and "data-has-loose-pegs" not in page
    before = running.host.snapshot.oled_page
    for is_down in (True, False):
        body = {"legend": "ENTER", "down": is_down}
        assert phone.post("/api/v1/keys", json=body, environ_overrides=on_this_computer).status_code < 300
    assert wait_for(running, lambda now: now.oled_page != before)
    assert phone.get("/oled.png", environ_overrides=on_this_computer).mimetype == "image/png"
    lifted = phone.post("/api/v1/pegs/lift", json={"sensor": 3}, environ_overrides=on_this_computer)
    assert lifted.status_code == 404
    elsewhere = phone.get("/oled.png", environ_base={"REMOTE_ADDR": "192.168.1.7"})
    assert elsewhere.status_code in (401, 403), "the pairing code is only for this computer's screen"


def test_app_starts_without_a_scanner_and_reports_it(settings: Settings, cable: UsbCable) -> None:
    cable.by_id.rename(cable.by_id.with_name("gone"))
    with running_app(settings) as app:
        fault = wait_for(app, lambda now: "to open" in now.fault).fault
    cable.by_id.with_name("gone").rename(cable.by_id)
    assert f"{cable.by_id} to open, got no such file or directory" in fault
