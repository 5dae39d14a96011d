"""Kit `lights` on modelled hardware: lights on the pins beside a board that people own; nothing reads pegs."""

from __future__ import annotations

from pathlib import Path
from time import monotonic, sleep

import pytest

from firmware_host.config.board_plans import load_plan
from firmware_host.cribbage.cards import parse_card
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.ui.lights.lights import Signal
from tests.board_drivers.app_on_bench import IGNORE_LUMA_DEPRECATION, real_parts_settings, running_app, wait_for
from tests.board_drivers.bench_board import TIMEOUT_S, BenchBoard
from tests.board_drivers.bench_pi import BenchPi

pytestmark = IGNORE_LUMA_DEPRECATION

PLAN = load_plan("continuous-121-2")
"""A row of 121 holes for each of two players."""
START = c.StartGame(rules_for("six_card"), ("Ann", "Ben"), dealer=Seat(0))
FIFTEEN = (c.CutStarter(parse_card("2H")), c.PlayCard(parse_card("5C")), c.PlayCard(parse_card("10D")))


@pytest.mark.parametrize("with_keys", [True, False])
def test_light_beside_the_next_hole_is_lit(pi: BenchPi, tmp_path: Path, with_keys: bool) -> None:
    """With keypad and display on the header, and with both on the page."""
    bench = BenchBoard(pi, PLAN.strip_count)
    others = {} if with_keys else {"keys": "page", "display": "page"}
    with running_app(real_parts_settings(tmp_path, kit="lights", lights="pins", board=PLAN.id, **others)) as running:
        for command in (START, *FIFTEEN):
            running.host.submit(command)
        snapshot = wait_for(running, lambda now: now.table is not None and now.table.scores == (2, 0))
        assert not snapshot.fault
        (to,) = (each for each in snapshot.signals if each.signal is Signal.TO)
        assert (to.track, to.hole) == (0, 2)
        led = PLAN.at(to.track, to.hole).led
        end_s = monotonic() + TIMEOUT_S
        while not any(bench.lights.colours[led]):  # it blinks
            assert monotonic() < end_s, "the light stays dark"
            sleep(0.01)
        assert bench.oled.is_on is with_keys
    assert not any(map(any, bench.lights.colours)), "dark when the program ends"
