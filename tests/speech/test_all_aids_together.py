"""Tall letters, dark on light, colours for the colour-blind, and the voice, all at once: none hinders another."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from firmware_host.board.course import Hole
from firmware_host.storage.journal import Journal
from firmware_host.ui.display.look import Look
from firmware_host.ui.lights.colours import FOR_COLOUR_BLIND, LightColours
from tests.speech.listening_bench import ListeningBench

DARK_ON_LIGHT = 0.5
"""More than this share of the pixels of an inverted page is lit."""


@pytest.fixture
def bench() -> Iterator[ListeningBench]:
    bench = ListeningBench(Journal.in_memory())
    bench.setup = replace(bench.setup, look=Look(True, True, LightColours.COLOUR_BLIND))
    bench.switch_on()
    yield bench
    bench.host.stop()


def test_points_are_said_shown_and_lit(bench: ListeningBench) -> None:
    bench.begin()
    bench.keys("2 ENTER 10 5")
    assert bench.new()[-1] == "Ann: a five. Fifteen for two, Ann. Ann, peg two, to two."
    snapshot = bench.host.snapshot
    assert snapshot.look.is_inverted and max(scale for _line, scale in snapshot.oled_page) > 1
    picture = bench.board.scoreboard.picture.convert("L").tobytes()
    assert sum(pixel > 0 for pixel in picture) > DARK_ON_LIGHT * len(picture)
    red = tuple(bytes.fromhex(FOR_COLOUR_BLIND[0][1:]))
    goal = bench.host.plan.at(0, Hole(2)).led
    shown = set()
    for _blink in range(40):
        bench.wait(0.05)
        shown.add(bench.board.lights.frame[goal])
    assert red in shown


def test_the_menu_and_a_wrong_peg_are_said_as_without_them(bench: ListeningBench) -> None:
    bench.hold_fn()
    assert bench.new()[-1].startswith("Choose. UNDO: back. Ace: New game.")
    bench.keys("UNDO")
    bench.begin()
    bench.keys("2 ENTER 10 5")
    bench.leap(0, -1, 2)
    bench.lift(0, 2)
    bench.wait(10)
    assert bench.new()[-1] == "The front peg is out: Ann. Pegs belong in: two."
