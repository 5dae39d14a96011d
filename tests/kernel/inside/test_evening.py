"""A long evening in a guest with time travel: its clock jumps over every pause, so only computing takes time."""

from __future__ import annotations

from time import monotonic, sleep

from msgspec.structs import replace

from board_drivers.simulated_hands import EVERYDAY
from firmware_host.host.parts.outputs import REFRESH_S
from tests.board_drivers.bench_board import BenchBoard
from tests.kernel.inside.conftest import Start
from tests.kernel.inside.display import shows
from tests.kernel.inside.players import NEW_GAME, begin, type_keys, wait_until
from tests.kernel.inside.program import Program

BOUNCE_S, AWAY_S, ALONE_S = 0.001, 90.0, 120.0
SELDOM_HZ = 10
"""A low scan rate: in an idle hour, reading the sensors is all that takes computing time."""
UNTIDY_BUT_LEAPING = replace(EVERYDAY, slides=0.0)


def bounce(bench: BenchBoard, legend: str) -> None:
    """Bounce a contact for 5 ms."""
    for _ in range(5):
        bench.keys.press(legend)
        sleep(BOUNCE_S / 2)
        bench.keys.release(legend)
        sleep(BOUNCE_S / 2)


def test_bouncing_keys_are_pressed_once(program: Program, bench: BenchBoard) -> None:
    """A key reported twice would have begun another game, or none."""
    for legend in NEW_GAME:
        bounce(bench, legend)
        bench.press(legend)
        release_with_bounce(bench, legend)
    state = program.wait_for(lambda now: now["game"] is not None, "a game begun with keys")
    assert state["game"]["target"] == 121 and [side["is_dealer"] for side in state["sides"]] == [True, False]


def test_untidy_players_play_to_the_end(program: Program, bench: BenchBoard) -> None:
    players = begin(program, bench, UNTIDY_BUT_LEAPING)
    players.play_to_the_end()
    assert program.state()["game"]["winner"] == players.table.winner is not None
    print(f"{players.leaps} leaps, {players.table.scores}")


def release_with_bounce(bench: BenchBoard, legend: str) -> None:
    bench.keys.release(legend)
    bounce(bench, legend)
    wait_until(lambda: bench.keys.is_idle, "the keypad to be idle")


def test_missing_display_is_retried_with_growing_pauses(bench: BenchBoard, start: Start) -> None:
    program = start(scan_hz=SELDOM_HZ)
    program.wait_until_open()
    wait_until(lambda: bench.oled.is_on, "the first page")
    bench.oled.unplug()
    tries, gone_s = [], monotonic()
    while monotonic() < gone_s + AWAY_S:
        await_try(bench)
        tries.append(monotonic())
    pauses = [round(later - earlier) for earlier, later in zip(tries, tries[1:], strict=False)]
    assert pauses[:6] == [0, 1, 2, 4, 8, 15] and set(pauses[5:]) == {15}
    bench.oled.plug_in()
    wait_until(lambda: shows(bench.oled.pixels(), program.state()["display"]), "the page to be back")


def await_try(bench: BenchBoard) -> None:
    """Wait until the program next writes to the display."""
    with bench.oled.written:
        before = bench.oled.attempts
        assert bench.oled.written.wait_for(lambda: bench.oled.attempts > before, 30)


def test_a_wrong_light_is_corrected_within_a_second(bench: BenchBoard, start: Start) -> None:
    """A light that received a wrong bit, and a rail that was off for a moment."""
    program = start(scan_hz=SELDOM_HZ)
    program.wait_until_open()
    type_keys(bench, *NEW_GAME)
    program.wait_for(lambda now: now["game"] is not None, "a game begun with keys")
    wait_until(lambda: any(any(colour) for _, colour in bench.lights.words), "the lights of the pegs")
    words = list(bench.lights.words)
    bench.lights.words[7] = (31, (255, 0, 255))
    sleep(REFRESH_S + 2 / SELDOM_HZ)
    assert bench.lights.words == words
    for is_on in (False, True):
        bench.lights.power(is_on)
    assert bench.lights.words != words
    sleep(REFRESH_S + 2 / SELDOM_HZ)
    assert bench.lights.words == words


def test_nothing_happens_in_two_idle_minutes(bench: BenchBoard, start: Start) -> None:
    program = start(scan_hz=SELDOM_HZ)
    program.wait_until_open()
    state, scans, words = program.state(), bench.keys.scans, list(bench.lights.words)
    output = program.output
    sleep(ALONE_S)
    after = program.state()
    changed = {key: (state[key], after[key]) for key in state if state[key] != after[key]}
    assert changed.keys() <= {"version"}, changed  # each minute the picture of the display moves by a pixel
    assert (bench.keys.scans, bench.lights.words) == (scans, words)
    assert program.output == output
