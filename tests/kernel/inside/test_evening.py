"""A long evening, in a guest whose clock jumps over every pause: it costs no more than what is computed in it."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic, sleep

from board_drivers.hands import EVERYDAY
from tests.drivers.bench_board import BenchBoard
from tests.kernel.inside.conftest import Start
from tests.kernel.inside.glass import shows
from tests.kernel.inside.people import NEW_GAME, begin, until
from tests.kernel.inside.program import Program

BOUNCE_S, AWAY_S, ALONE_S = 0.001, 90.0, 120.0
SELDOM_HZ = 10
"""Reading the sensors is all that such a time costs here."""
UNTIDY_BUT_LEAPING = replace(EVERYDAY, slides=0.0)


def bounce(wood: BenchBoard, legend: str) -> None:
    """A contact that chatters for 5 ms before it rests."""
    for _ in range(5):
        wood.keys.press(legend)
        sleep(BOUNCE_S / 2)
        wood.keys.release(legend)
        sleep(BOUNCE_S / 2)


def test_keys_that_bounce_are_pressed_once(program: Program, wood: BenchBoard) -> None:
    """A key told twice would have begun another game, or none."""
    for legend in NEW_GAME:
        bounce(wood, legend)
        wood.press(legend)
        bounce_off(wood, legend)
    state = program.wait_for(lambda now: now["game"] is not None, "a game begun with keys")
    assert state["game"]["target"] == 121 and [side["is_dealer"] for side in state["sides"]] == [True, False]


def test_people_with_untidy_hands_play_to_the_end(program: Program, wood: BenchBoard) -> None:
    people = begin(program, wood, UNTIDY_BUT_LEAPING)
    people.play_to_the_end()
    assert program.state()["game"]["winner"] == people.table.winner is not None
    print(f"{people.leaps} leaps, {people.table.scores}")


def bounce_off(wood: BenchBoard, legend: str) -> None:
    wood.keys.release(legend)
    bounce(wood, legend)
    until(lambda: wood.keys.is_idle, "the keypad to come to rest")


def test_a_display_that_is_away_is_looked_for_ever_more_seldom(wood: BenchBoard, start: Start) -> None:
    program = start(scan_hz=SELDOM_HZ)
    program.wait_until_open()
    until(lambda: wood.oled.is_on, "the first page")
    wood.oled.unplug()
    tries, gone_s = [], monotonic()
    while monotonic() < gone_s + AWAY_S:
        await_try(wood)
        tries.append(monotonic())
    pauses = [round(later - earlier) for earlier, later in zip(tries, tries[1:], strict=False)]
    assert pauses[:6] == [0, 1, 2, 4, 8, 15] and set(pauses[5:]) == {15}
    wood.oled.plug_in()
    until(lambda: shows(wood.oled.pixels(), program.state()["display"]), "the page to be back")


def await_try(wood: BenchBoard) -> None:
    """Until somebody next asks for the display."""
    with wood.oled.heard:
        before = wood.oled.asked
        assert wood.oled.heard.wait_for(lambda: wood.oled.asked > before, 30)


def test_two_minutes_in_which_nobody_touches_anything(wood: BenchBoard, start: Start) -> None:
    program = start(scan_hz=SELDOM_HZ)
    program.wait_until_open()
    state, scans, words = program.state(), wood.keys.scans, list(wood.lights.words)
    sleep(ALONE_S)
    assert (program.state(), wood.keys.scans, wood.lights.words) == (state, scans, words)
    assert program.said.count("\n") == 1, program.said
