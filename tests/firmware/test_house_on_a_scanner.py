"""The whole house on a computer with a scanner and no Pi: pegs on wood, keys and display on the screen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from werkzeug.test import Client

from board_drivers.misbehaving_cable import PulledCable, SerialNoise
from board_drivers.span import Span
from firmware_host.assemble import Running
from firmware_host.board.course import START_HOLES, Hole
from firmware_host.cribbage.variants import rules_for
from firmware_host.mischief import Mischief
from firmware_host.plans import load_plan
from firmware_host.settings import Settings
from firmware_host.table.orders import StartGame
from tests.drivers.whole_house import LUMA_READS_PICTURES, on_real_parts, opened, seen
from tests.firmware.rig import Chip, UsbCable

pytestmark = LUMA_READS_PICTURES

PLAN = load_plan("classic-61")

AT_HOME = {"REMOTE_ADDR": "127.0.0.1"}


@pytest.fixture
def settings(tmp_path: Path, cable: UsbCable) -> Settings:
    return on_real_parts(tmp_path, header=False, scanner=str(cable.by_id))


@pytest.fixture
def running(chip: Chip, settings: Settings) -> Iterator[Running]:
    """Pegs stand in the start holes, as people set them out."""
    for sensor in PLAN.frame_of([START_HOLES] * PLAN.tracks):
        chip.chain.strips.place_peg(sensor)
    chip.see_chain()
    with opened(settings) as made:
        yield made


def leap(running: Running, chip: Chip, came_from: Hole, to: Hole) -> None:
    """One peg of the first track, seen to leave and to arrive."""
    chip.lift_peg(PLAN.at(0, came_from).sensor)
    seen(running, lambda now: came_from not in now.seen[0])
    chip.place_peg(PLAN.at(0, to).sensor)


def test_a_game_goes_on_where_it_was_after_the_cable_was_pulled(running: Running, chip: Chip, cable: UsbCable) -> None:
    seen(running, lambda now: not now.trouble and bool(now.seen[0]))
    running.host.submit(StartGame(rules_for("six_card", {"target": 121}), ("Ann", "Ben"), PLAN.id))
    leap(running, chip, START_HOLES[0], Hole(8))
    seen(running, lambda now: bool(now.table and now.table.scores[0] == 8))

    cable.unplug()
    lost = seen(running, lambda now: bool(now.trouble))
    assert " ".join(text for text, _ in lost.page).startswith("Board lost:")
    chip.lift_peg(PLAN.at(0, START_HOLES[1]).sensor)
    chip.place_peg(PLAN.at(0, Hole(20)).sensor)
    cable.plug_in()
    chip.reset()

    back = seen(running, lambda now: bool(now.table and now.table.scores[0] == 20))
    assert not back.trouble


def test_a_cable_that_goes_wrong_as_planned(chip: Chip, settings: Settings) -> None:
    """`--faults` between the real driver and the real firmware: noise costs nothing, a pulled cable is waited for."""
    now_s = 0.0
    noise = SerialNoise(Span(0.0, 10.0), flipped=0.005, lost=0.001, extra=0.001, random=Random(5))
    mischief = Mischief((noise, PulledCable(Span(10.0, 10.0))), lambda: now_s)
    for sensor in PLAN.frame_of([START_HOLES] * PLAN.tracks):
        chip.place_peg(sensor)
    with opened(settings, mischief) as made:
        seen(made, lambda now: not now.trouble and bool(now.seen[0]))
        made.host.submit(StartGame(rules_for("six_card", {"target": 121}), ("Ann", "Ben"), PLAN.id))
        leap(made, chip, START_HOLES[0], Hole(8))
        seen(made, lambda now: bool(now.table and now.table.scores[0] == 8))
        now_s = 10.0
        assert seen(made, lambda now: bool(now.trouble)).prompt == "Board lost: check its cable"
        now_s = 20.0
        assert seen(made, lambda now: not now.trouble).prompt != "Board lost: check its cable"


def test_the_screen_has_keys_and_display_but_no_pegs_to_drag(running: Running) -> None:
    assert running.demo is None
    phone = Client(running.server.application)
    page = phone.get("/", environ_base=AT_HOME).text
    assert 'data-legend="ENTER"' in page and "data-has-loose-pegs" not in page
    before = running.host.snapshot.page
    for is_down in (True, False):
        told = {"legend": "ENTER", "down": is_down}
        assert phone.post("/api/v1/keys", json=told, environ_base=AT_HOME).status_code < 300
    assert seen(running, lambda now: now.page != before)
    assert phone.get("/oled.png", environ_base=AT_HOME).mimetype == "image/png"
    lifted = phone.post("/api/v1/hands/lift", json={"sensor": 3}, environ_base=AT_HOME)
    assert lifted.status_code == 404
    elsewhere = phone.get("/oled.png", environ_base={"REMOTE_ADDR": "192.168.1.7"})
    assert elsewhere.status_code in (401, 403), "the code at the door is for those who sit here"


def test_without_a_scanner_it_starts_and_says_what_is_missing(settings: Settings, cable: UsbCable) -> None:
    cable.by_id.rename(cable.by_id.with_name("gone"))
    with opened(settings) as made:
        trouble = seen(made, lambda now: "to open" in now.trouble).trouble
    cable.by_id.with_name("gone").rename(cable.by_id)
    assert f"{cable.by_id} to open, got no such file or directory" in trouble
