"""The light chain, on modelled LEDs that receive every clock edge which passes the gate: frames, current, rail."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_drivers.header import Header
from board_drivers.light_chain import (
    COLOUR_MA,
    DEFAULT_BRIGHTNESS,
    IDLE_MA,
    RAIL_RISE_S,
    LightChain,
    encode,
    rate_hz,
    within_budget,
)
from board_drivers.pins import LIGHTS_ENABLE, SENSOR_LATCH
from board_drivers.ports import Colour, DriverError
from board_drivers.sensor_chain import RATE_HZ, SensorChain
from firmware_host.board.course import Hole
from firmware_host.config.board_plans import load_plan
from firmware_host.host.parts.outputs import REFRESH_S, LightOutput
from firmware_host.ui.lights.lights import HoleSignal, Signal
from tests.board_drivers.bench_board import BenchBoard
from tests.board_drivers.bench_pi import BenchPi
from tests.board_drivers.chips import LightStrips, Wire, bits_of

WHITE, RED, DARK = (255, 255, 255), (255, 0, 0), (0, 0, 0)
AMPLE_MA = 100_000.0
COLOURS = st.lists(st.tuples(*[st.integers(0, 255)] * 3), min_size=1, max_size=40)


def lights_on(header: Header, lights: int, budget_ma: float = AMPLE_MA) -> LightChain:
    return LightChain(header.output(LIGHTS_ENABLE), header.spi(1, rate_hz(lights)), lights, budget_ma)


@pytest.mark.parametrize(("strips", "is_sk9822"), [(1, False), (1, True), (25, False), (25, True), (101, True)])
def test_every_light_shows_its_own_colour(pi: BenchPi, header: Header, strips: int, is_sk9822: bool) -> None:
    leds = BenchBoard(pi, strips, is_sk9822=is_sk9822).lights
    lights = lights_on(header, 5 * strips)
    for shift in (0, 7):
        frame = [((light + shift) % 256, light * 7 % 256, light % 251) for light in range(5 * strips)]
        lights.show(frame)
        assert leds.colours == frame


def test_without_the_zeros_after_the_frame_the_last_lights_do_not_show_it() -> None:
    """The end of a frame makes up for the half clocks lost on the way, and has the word that an SK9822 waits for."""
    for is_sk9822, cut_bytes in ((True, 4), (False, 4 + 7)):
        clock, data, power = Wire(), Wire(), Wire(pull=True)
        leds = LightStrips(100, clock, data, power, is_sk9822=is_sk9822)
        for word in encode([RED] * 100, 5)[:-cut_bytes]:
            for bit in bits_of(word):
                data.drive(bit)
                clock.drive(True)
                clock.drive(False)
        assert leds.colours[0] == RED and leds.colours[-1] == DARK


def test_lights_receive_no_clock_of_other_devices(pi: BenchPi, header: Header) -> None:
    bench = BenchBoard(pi, strips=3)
    lights = lights_on(header, 15)
    lights.show([RED] * 15)
    header.spi(0, RATE_HZ).transfer(encode([WHITE] * 15, 31))
    assert bench.lights.colours == [RED] * 15


def test_scans_and_light_frames_do_not_disturb_each_other(pi: BenchPi, header: Header) -> None:
    bench = BenchBoard(pi, strips=3)
    lights = lights_on(header, 15)
    sensors = SensorChain(header.output(SENSOR_LATCH, active_high=False), header.spi(0, RATE_HZ), 3)
    for colour in (RED, WHITE, RED):
        lights.show([colour] * 15)
        assert sensors.scan() == frozenset()
        assert bench.lights.colours == [colour] * 15


def test_lights_are_dark_and_powered_at_the_start_and_unpowered_after_close(pi: BenchPi, header: Header) -> None:
    bench = BenchBoard(pi, strips=1)
    assert not bench.rail.is_high
    lights = lights_on(header, 5)
    assert bench.rail.is_high and bench.lights.words == [(DEFAULT_BRIGHTNESS, DARK)] * 5
    lights.show([RED] * 5)
    lights.close()
    assert not bench.rail.is_high and bench.lights.colours == [DARK] * 5


def test_the_first_frame_is_written_when_the_rail_is_up() -> None:
    """What lights receive without power is lost, and they would show random colours."""
    steps: list[str] = []

    class Rail:
        def on(self) -> None:
            steps.append("on")

        def off(self) -> None:
            steps.append("off")

    class Port:
        def transfer(self, words: Sequence[int]) -> Sequence[int]:
            steps.append("frame")
            return words

    LightChain(Rail(), Port(), 5, AMPLE_MA, sleep=lambda seconds: steps.append(f"wait {seconds:g}"))
    assert steps == ["on", f"wait {RAIL_RISE_S:g}", "frame"]


def test_a_wrong_light_and_a_rail_that_was_off_are_corrected_within_a_second(pi: BenchPi, header: Header) -> None:
    plan = load_plan("classic-61")
    bench = BenchBoard(pi, plan.strip_count)
    output = LightOutput(plan, lights_on(header, plan.led_count))
    signals = (HoleSignal(0, Hole(5), Signal.REST),)
    output.show(signals, 0.0, can_read=True)
    words = list(bench.lights.words)
    bench.lights.words[7] = (31, WHITE)
    output.show(signals, REFRESH_S - 0.01, can_read=True)
    assert bench.lights.words != words
    output.show(signals, REFRESH_S, can_read=True)
    assert bench.lights.words == words
    bench.lights.power(False)
    output.show(signals, 2 * REFRESH_S, can_read=True)
    bench.lights.power(True)
    assert bench.lights.colours == [DARK] * plan.led_count
    output.show(signals, 3 * REFRESH_S, can_read=True)
    assert bench.lights.words == words


def test_rail_is_turned_off_even_if_the_bus_fails(pi: BenchPi, header: Header) -> None:
    bench = BenchBoard(pi, strips=1)
    lights = lights_on(header, 5)
    pi.refused["/dev/spidev0.1"] = 19
    with pytest.raises(DriverError, match="/dev/spidev0.1"):
        lights.show([RED] * 5)
    lights.close()
    assert not bench.rail.is_high


@pytest.mark.parametrize(("lights", "clock_hz"), [(125, 4_000_000), (500, 4_000_000), (505, 2_000_000)])
def test_long_chain_uses_the_slower_clock(pi: BenchPi, header: Header, lights: int, clock_hz: int) -> None:
    BenchBoard(pi, strips=1)
    lights_on(header, lights)
    assert pi.spi[1].rate_hz == clock_hz


@pytest.mark.parametrize("lights", [125, 255, 380, 505])
def test_frame_of_every_board_fits_into_one_spidev_transfer(lights: int) -> None:
    assert len(encode([RED] * lights, 5)) == 4 + 4 * lights + 4 + -(-lights // 16) <= 4096


@given(frame=COLOURS, budget_ma=st.floats(0.5, 3000))
def test_no_frame_exceeds_the_budget_and_brightness_is_reduced_before_colours(
    frame: list[Colour], budget_ma: float
) -> None:
    brightness, dimmed = within_budget(frame, budget_ma)
    assert 1 <= brightness <= DEFAULT_BRIGHTNESS
    assert dimmed == frame or brightness == 1
    drawn_ma = sum(map(sum, dimmed)) / 255 * COLOUR_MA * brightness / 31
    assert drawn_ma <= budget_ma * (1 + 1e-9)


def test_highest_brightness_within_the_budget_is_used() -> None:
    draws_ma: Callable[[int], float] = lambda brightness: 100 * 3 * COLOUR_MA * brightness / 31  # noqa: E731
    for brightness in range(1, DEFAULT_BRIGHTNESS + 1):
        assert within_budget([WHITE] * 100, draws_ma(brightness) + 0.01)[0] == brightness
    assert within_budget([WHITE] * 100, AMPLE_MA) == (DEFAULT_BRIGHTNESS, [WHITE] * 100)


def test_all_white_board_stays_within_the_budget(pi: BenchPi, header: Header) -> None:
    bench = BenchBoard(pi, strips=25)
    lights = lights_on(header, 125, budget_ma=800)
    lights.show([WHITE] * 125)
    assert 600 < bench.lights.draw_ma(COLOUR_MA) <= 800


def test_budget_below_the_idle_current_is_refused(pi: BenchPi, header: Header) -> None:
    with pytest.raises(DriverError, match="more than 125 mA for 125 lights"):
        lights_on(header, 125, budget_ma=125 * IDLE_MA)
