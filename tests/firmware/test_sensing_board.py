"""The firmware of the sensing board on an emulated chip, a real tty, and the real drivers at the other end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from board_drivers.light_chain import COLOUR_MA, FULL, IDLE_MA
from board_drivers.ports import Colour, DriverError, KeyEdge
from board_drivers.scan_protocol import MAX_PAYLOAD, ErrorCode, Frame, FrameDecoder, Kind, Refusal, encode
from board_drivers.serial_lights import BOARD_MA
from tests.firmware.driving import SCAN_S, TIMEOUT_S, await_fault, await_frame
from tests.firmware.rig import SensingBoard, UsbCable, variables_of
from tests.firmware.sensing_desk import (
    CLASSIC,
    DARK,
    LARGEST,
    Desk,
    classic_desk,
    largest_desk,
    measured_times,
)


@pytest.fixture
def desk(build: Callable[..., Path], cable: UsbCable) -> Iterator[Desk]:
    """The classic board."""
    with classic_desk(build, cable) as made:
        yield made


@pytest.fixture
def large_desk(build: Callable[..., Path], cable: UsbCable) -> Iterator[Desk]:
    """The largest board, on a USB supply for 3 A."""
    with largest_desk(build, cable) as made:
        yield made


COLOURS: list[Colour] = [(200, 0, 0), (0, 0, 200), (7, 90, 3), DARK, (1, 2, 3)]


def test_every_hole_is_read_in_its_place(desk: Desk) -> None:
    for hole in CLASSIC.holes[::9]:
        desk.chip.place_peg(desk.place[hole.sensor])
        await_frame(desk.scanner, frozenset({hole.sensor}))
        desk.chip.lift_peg(desk.place[hole.sensor])
        await_frame(desk.scanner, frozenset())
    hello = desk.scanner.session.hello
    assert hello and (hello.protocol, hello.layout, hello.strips, hello.supply_ma) == (1, 1, 16, 500)


def test_lights_are_dark_after_a_reset(desk: Desk) -> None:
    desk.await_picture(desk.picture(COLOURS))
    desk.chip.reset()
    await_dark(desk)


def await_dark(desk: Desk) -> None:
    until_s = time.monotonic() + TIMEOUT_S
    while set(desk.shown()) != {DARK}:
        assert time.monotonic() < until_s
        time.sleep(0.05)


def test_every_light_shows_its_colour(desk: Desk) -> None:
    desk.await_picture(desk.picture(COLOURS))
    desk.await_picture(desk.picture(COLOURS[::-1]))


def test_lights_draw_no_more_than_the_usb_port_promises(desk: Desk) -> None:
    desk.board.lights.show([(255, 255, 255)] * CLASSIC.led_count)
    until_s = time.monotonic() + TIMEOUT_S
    while not (drawn_ma := draw_ma(desk.chip.lights())):
        assert time.monotonic() < until_s
        desk.scanner.poll()
    assert 150 < drawn_ma < 500 - BOARD_MA


def draw_ma(lights: Sequence[tuple[int, Colour]]) -> float:
    """The current of lights that show something; 0 while all are dark."""
    colours_ma = sum(sum(colour) / FULL * COLOUR_MA * brightness / 31 for brightness, colour in lights)
    return colours_ma and colours_ma + len(lights) * IDLE_MA


def test_noise_delays_a_picture_and_never_mixes_two(desk: Desk) -> None:
    random = Random(3)

    def noisy(sent: bytes) -> bytes:
        return bytes(byte ^ 0x20 if random.random() < 0.004 else byte for byte in sent)

    desk.cable.to_chip = desk.cable.to_host = noisy
    for start in range(len(COLOURS)):
        desk.await_picture(desk.picture(COLOURS[start:] + COLOURS[:start]))


@pytest.mark.slow
def test_lights_go_dark_when_the_host_is_silent(desk: Desk) -> None:
    desk.await_picture(desk.picture(COLOURS))
    time.sleep(1.0)
    assert set(desk.shown()) == set(COLOURS)
    await_dark(desk)


def test_broken_chain_of_lights_is_reported(desk: Desk) -> None:
    frame = desk.picture(COLOURS)
    desk.await_picture(frame)
    desk.chip.command("cut 60")
    fault = desk.await_light_fault(frame)
    assert (fault.device, fault.got) == ("Lights", "nothing") and "first dark light" in fault.fix
    desk.chip.command("cut -1")
    await_repair(desk, frame)


def await_repair(desk: Desk, frame: Sequence[Colour]) -> None:
    until_s = time.monotonic() + TIMEOUT_S
    while time.monotonic() < until_s:
        with suppress(DriverError):
            desk.board.lights.show(frame)
            assert desk.shown() == frame
            return
        time.sleep(SCAN_S)
    pytest.fail("the lights still have a fault")


def test_dead_column_names_its_holes_and_recovers(desk: Desk) -> None:
    desk.chip.command("dead 2")
    fault = await_fault(desk.scanner, "Sensor column 3")
    assert fault.got == "0 mA" and "red 46 to 60" in fault.expected
    desk.chip.command("dead -1")
    await_frame(desk.scanner, frozenset())


def test_switch_without_power_shows_in_the_current_of_its_column(desk: Desk) -> None:
    await_frame(desk.scanner, frozenset())
    desk.chip.command("open 2 1")
    desk.scanner.send(lambda _: encode(Frame(Kind.DIAGNOSE, 1)))
    until_s = time.monotonic() + TIMEOUT_S
    while (diagnosis := desk.scanner.session.diagnosis) is None:
        assert time.monotonic() < until_s
        time.sleep(SCAN_S)
        desk.scanner.poll()
    others = {ma for column, ma in enumerate(diagnosis.column_ma) if column != 2}
    assert min(others) - diagnosis.column_ma[2] >= 2


def test_shorted_row_names_its_holes_and_recovers(desk: Desk) -> None:
    desk.chip.command("short 15")
    fault = await_fault(desk.scanner, "Sensor row 16")
    assert "red start, blue back start" in fault.fix and "game hole" in fault.fix
    desk.chip.command("short -1")
    await_frame(desk.scanner, frozenset())


def test_board_of_another_size_is_refused(desk: Desk) -> None:
    desk.chip.command("board 16 125")
    fault = await_fault(desk.scanner, "Another board")
    assert (fault.expected, fault.got) == ("8 columns of sensors", "16")


def test_switch_that_wakes_slowly_is_still_read(desk: Desk) -> None:
    """The datasheet says 35 us; until then the model disturbs its row."""
    desk.chip.command("wake 90")
    desk.chip.place_peg((4, 11))
    await_frame(desk.scanner, frozenset({desk.wiring.sensors[4, 11]}))


def test_keys_are_pressed_and_released(desk: Desk) -> None:
    edges: list[KeyEdge] = []
    for mask, count in (("8001", 2), ("0001", 3), ("0", 4)):
        desk.chip.command(f"keys {mask}")
        until_s = time.monotonic() + TIMEOUT_S
        while len(edges) < count:
            assert time.monotonic() < until_s
            desk.scanner.poll()
            edges += desk.board.keypad.edges()
            time.sleep(SCAN_S)
    assert [(edge.legend, edge.is_down) for edge in edges] == [
        ("A", True),
        ("ENTER", True),
        ("ENTER", False),
        ("A", False),
    ]


def test_scan_and_light_are_fast_enough_on_the_classic_board(desk: Desk) -> None:
    """In emulated cycles: how busy this computer is makes no difference."""
    assert_times(desk, scan_ms=5.0, lit_ms=15.0)


def test_stack_stays_clear_of_the_variables(desk: Desk, build: Callable[..., Path]) -> None:
    desk.await_picture(desk.picture([(step, 2 * step, 255 - step) for step in range(16)]))
    desk.scanner.send(lambda _: encode(Frame(Kind.DIAGNOSE, 1)) + encode(Frame(Kind.PING, 2, bytes(MAX_PAYLOAD))))
    desk.chip.command("keys 8001")
    desk.chip.command("dead 2")
    await_fault(desk.scanner, "Sensor column 3")
    variables = variables_of(build("all", "rig") / "hole_matrix.elf")
    stack = int(desk.chip.command("stack"))
    print(f"{variables=} {stack=}")
    assert stack > 40 and variables + stack < 2048 - 200


@pytest.mark.slow
def test_scan_and_light_are_fast_enough_on_the_largest_board(large_desk: Desk) -> None:
    assert_times(large_desk, scan_ms=5.0, lit_ms=50.0)


def assert_times(desk: Desk, scan_ms: float, lit_ms: float) -> None:
    times = measured_times(desk)
    print(times)
    assert times.scan_ms < scan_ms
    assert times.lit_ms < lit_ms


@pytest.mark.slow
def test_every_hole_and_light_of_the_largest_board(large_desk: Desk) -> None:
    large_desk.await_picture(large_desk.picture(COLOURS))
    for hole in LARGEST.holes[::40]:
        large_desk.chip.place_peg(large_desk.place[hole.sensor])
        await_frame(large_desk.scanner, frozenset({hole.sensor}))
        large_desk.chip.lift_peg(large_desk.place[hole.sensor])
        await_frame(large_desk.scanner, frozenset())
    large_desk.await_picture(large_desk.picture(COLOURS[::-1]))


LIGHTS = bytes([5 | 0x80, 1, 0, 0, 9, 9, 9])


@pytest.mark.parametrize(
    ("command", "kind", "payload"),
    [
        (Frame(Kind.LIGHTS, 3, LIGHTS + bytes(63)), Kind.LIGHTS_RECEIVED, bytes([3, 1])),
        (
            Frame(Kind.LIGHTS, 4, bytes([5, 0, 1, 0, 0])),
            Kind.ERROR,
            bytes([ErrorCode.LIGHTS_REFUSED, Refusal.OUT_OF_ORDER, 4]),
        ),
        (
            Frame(Kind.LIGHTS, 5, bytes([5, 0, 2, 0, 0])),
            Kind.ERROR,
            bytes([ErrorCode.LIGHTS_REFUSED, Refusal.OUT_OF_RANGE, 5]),
        ),
        (Frame(Kind.LIGHTS, 6, b""), Kind.ERROR, bytes([ErrorCode.LIGHTS_REFUSED, Refusal.WRONG_LENGTH, 6])),
        (Frame(Kind.DIAGNOSE, 7), Kind.DIAGNOSIS, bytes([5, 1, *[40] * 8])),
    ],
)
def test_firmware_answers_commands(
    build: Callable[..., Path], cable: UsbCable, command: Frame, kind: int, payload: bytes
) -> None:
    """A command may be lost while the chip is starting, so it is repeated."""
    import serial

    chip = SensingBoard(build("all", "rig"), 8, 125, cable.far_end)
    decoder, until_s = FrameDecoder(), time.monotonic() + TIMEOUT_S
    try:
        with serial.Serial(str(cable.by_id), 115200, timeout=0.05) as port:
            while time.monotonic() < until_s:
                port.write(encode(command))
                repeat_s = time.monotonic() + 0.5
                while time.monotonic() < repeat_s:
                    if (kind, payload) in [(frame.kind, frame.payload) for frame in decoder.feed(port.read(64))]:
                        return
    finally:
        chip.close()
    pytest.fail(f"expected {payload!r}, got other frames")


def test_scanner_of_strips_refuses_lights(chip: object, cable: UsbCable) -> None:
    import serial

    decoder, until_s = FrameDecoder(), time.monotonic() + TIMEOUT_S
    refused = (Kind.ERROR, bytes([ErrorCode.LIGHTS_REFUSED, Refusal.NO_LIGHTS, 9]))
    with serial.Serial(str(cable.by_id), 115200, timeout=0.05) as port:
        while time.monotonic() < until_s:
            port.write(encode(Frame(Kind.LIGHTS, 9, LIGHTS + bytes(63))))
            if refused in [(frame.kind, frame.payload) for frame in decoder.feed(port.read(512))]:
                return
    pytest.fail("no answer to a frame of lights")
