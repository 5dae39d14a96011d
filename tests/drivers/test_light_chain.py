"""The light chain on lights that see every edge the gate lets through: frames, budget, rail."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_drivers.header import Header
from board_drivers.light_chain import (
    COLOUR_MA,
    IDLE_MA,
    USUAL_BRIGHTNESS,
    LightChain,
    encode,
    rate_hz,
    within_budget,
)
from board_drivers.pins import LIGHTS_ENABLE, SENSOR_LATCH
from board_drivers.ports import Colour, DriverFault
from board_drivers.sensor_chain import RATE_HZ, SensorChain
from tests.drivers.bench_board import BenchBoard
from tests.drivers.bench_pi import BenchPi
from tests.drivers.chips import LightStrips, Wire, bits_of

WHITE, RED, DARK = (255, 255, 255), (255, 0, 0), (0, 0, 0)
AMPLE_MA = 100_000.0
COLOURS = st.lists(st.tuples(*[st.integers(0, 255)] * 3), min_size=1, max_size=40)


def lights_on(header: Header, lights: int, budget_ma: float = AMPLE_MA) -> LightChain:
    return LightChain(header.output(LIGHTS_ENABLE), header.spi(1, rate_hz(lights)), lights, budget_ma)


@pytest.mark.parametrize(("strips", "is_sk9822"), [(1, False), (1, True), (25, False), (25, True), (101, True)])
def test_every_light_shows_its_own_colour(pi: BenchPi, header: Header, strips: int, is_sk9822: bool) -> None:
    seen = BenchBoard(pi, strips, is_sk9822=is_sk9822).lights
    lights = lights_on(header, 5 * strips)
    for shift in (0, 7):
        frame = [((light + shift) % 256, light * 7 % 256, light % 251) for light in range(5 * strips)]
        lights.show(frame)
        assert seen.colours == frame


def test_without_the_zeros_after_the_frame_the_last_lights_do_not_show_it() -> None:
    """What the end of a frame is there for: the half clocks lost on the way, and the word an SK9822 waits for."""
    for is_sk9822, cut_bytes in ((True, 4), (False, 4 + 7)):
        clock, data, power = Wire(), Wire(), Wire(pull=True)
        seen = LightStrips(100, clock, data, power, is_sk9822=is_sk9822)
        for word in encode([RED] * 100, 5)[:-cut_bytes]:
            for bit in bits_of(word):
                data.drive(bit)
                clock.drive(True)
                clock.drive(False)
        assert seen.colours[0] == RED and seen.colours[-1] == DARK


def test_the_lights_hear_nothing_that_is_not_meant_for_them(pi: BenchPi, header: Header) -> None:
    wood = BenchBoard(pi, strips=3)
    lights = lights_on(header, 15)
    lights.show([RED] * 15)
    header.spi(0, RATE_HZ).transfer(encode([WHITE] * 15, 31))
    assert wood.lights.colours == [RED] * 15


def test_scans_and_frames_leave_each_other_alone(pi: BenchPi, header: Header) -> None:
    wood = BenchBoard(pi, strips=3)
    lights = lights_on(header, 15)
    sensors = SensorChain(header.output(SENSOR_LATCH, active_high=False), header.spi(0, RATE_HZ), 3)
    for colour in (RED, WHITE, RED):
        lights.show([colour] * 15)
        assert sensors.scan() == frozenset()
        assert wood.lights.colours == [colour] * 15


def test_lights_are_dark_and_powered_from_the_start_and_neither_at_the_end(pi: BenchPi, header: Header) -> None:
    wood = BenchBoard(pi, strips=1)
    assert not wood.rail.is_high
    lights = lights_on(header, 5)
    assert wood.rail.is_high and wood.lights.words == [(USUAL_BRIGHTNESS, DARK)] * 5
    lights.show([RED] * 5)
    lights.close()
    assert not wood.rail.is_high and wood.lights.colours == [DARK] * 5


def test_the_rail_goes_off_although_the_bus_is_gone(pi: BenchPi, header: Header) -> None:
    wood = BenchBoard(pi, strips=1)
    lights = lights_on(header, 5)
    pi.refused["/dev/spidev0.1"] = 19
    with pytest.raises(DriverFault, match="/dev/spidev0.1"):
        lights.show([RED] * 5)
    lights.close()
    assert not wood.rail.is_high


@pytest.mark.parametrize(("lights", "clock_hz"), [(125, 4_000_000), (500, 4_000_000), (505, 2_000_000)])
def test_a_long_chain_is_written_more_slowly(pi: BenchPi, header: Header, lights: int, clock_hz: int) -> None:
    BenchBoard(pi, strips=1)
    lights_on(header, lights)
    assert pi.spi[1].rate_hz == clock_hz


@pytest.mark.parametrize("lights", [125, 255, 380, 505])
def test_a_frame_of_every_board_fits_what_the_kernel_sends_at_once(lights: int) -> None:
    assert len(encode([RED] * lights, 5)) == 4 + 4 * lights + 4 + -(-lights // 16) <= 4096


@given(frame=COLOURS, room_ma=st.floats(0.5, 3000))
def test_no_frame_draws_more_than_its_share_and_brightness_gives_way_before_hue(
    frame: list[Colour], room_ma: float
) -> None:
    brightness, dimmed = within_budget(frame, room_ma)
    assert 1 <= brightness <= USUAL_BRIGHTNESS
    assert dimmed == frame or brightness == 1
    drawn_ma = sum(map(sum, dimmed)) / 255 * COLOUR_MA * brightness / 31
    assert drawn_ma <= room_ma * (1 + 1e-9)


def test_the_brightest_that_the_budget_allows_is_taken() -> None:
    draws_ma: Callable[[int], float] = lambda brightness: 100 * 3 * COLOUR_MA * brightness / 31  # noqa: E731
    for brightness in range(1, USUAL_BRIGHTNESS + 1):
        assert within_budget([WHITE] * 100, draws_ma(brightness) + 0.01)[0] == brightness
    assert within_budget([WHITE] * 100, AMPLE_MA) == (USUAL_BRIGHTNESS, [WHITE] * 100)


def test_a_white_board_keeps_to_the_budget_as_the_lights_draw_it(pi: BenchPi, header: Header) -> None:
    wood = BenchBoard(pi, strips=25)
    lights = lights_on(header, 125, budget_ma=800)
    lights.show([WHITE] * 125)
    assert 600 < wood.lights.draw_ma(COLOUR_MA) <= 800


def test_a_budget_that_darkness_alone_uses_up_is_refused(pi: BenchPi, header: Header) -> None:
    with pytest.raises(DriverFault, match="more than 125 mA for 125 lights"):
        lights_on(header, 125, budget_ma=125 * IDLE_MA)
