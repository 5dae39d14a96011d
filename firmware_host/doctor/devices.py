"""Checks of the devices through their own drivers: sensor chain, lights, keys, piezo and display.

They are skipped while a program uses the board: a second latch pulse would corrupt a scan in progress.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import chdir, closing
from functools import partial
from tempfile import TemporaryDirectory
from time import sleep

from board_drivers import sensor_chain
from board_drivers.header import Header
from board_drivers.keypad_matrix import SETTLE_S
from board_drivers.light_chain import rate_hz
from board_drivers.oled import find_display
from board_drivers.pi import DISPLAY, KEYS, LIGHTS, LIGHTS_SELECT, PEGS, SENSORS_SELECT
from board_drivers.pins import KEYPAD_COLUMNS, KEYPAD_ROWS, LIGHTS_ENABLE, PIEZO, SENSOR_LATCH, header_pins
from board_drivers.ports import KEY_ROWS, DriverError
from board_drivers.sensor_chain import SensorChain
from firmware_host.doctor.buses import board_users
from firmware_host.doctor.findings import DoctorContext, Finding, failed, failed_driver, note, passed, warning

SCANS = 50
"""Scans of the chain: enough to catch a loose joint that fails now and then."""

BEEP_HZ = 2000.0
BEEP_S = 0.5

NOT_OPEN = " to open"
"""How the drivers end the `expected` of a node that does not open."""

PartCheck = Callable[[Header, DoctorContext], Iterable[Finding]]


def check_parts(context: DoctorContext) -> Iterable[Finding]:
    """All devices on the header, each in its own right: an error of one does not end the others."""
    if user := board_users(context):
        yield note("parts", f"not checked: in use by {user}", "a board that no program uses")
        return
    with TemporaryDirectory() as folder, chdir(folder):  # lgpio makes a pipe in the current folder
        yield from _reported("lines", partial(_on_header, context))
        if context.has_on_header(DISPLAY):
            yield from _reported("display", check_display)


def _on_header(context: DoctorContext) -> Iterator[Finding]:
    with closing(Header()) as header:
        for about, (part, check) in PARTS.items():
            if part and not context.has_on_header(part):
                continue
            yield from _reported(about, partial(check, header, context))


def _reported(about: str, check: Callable[[], Iterable[Finding]]) -> Iterator[Finding]:
    """The findings of a device check; a DriverError becomes a finding too.

    A node that does not open becomes a note only: buses.py has reported it as a FAULT.
    """
    try:
        yield from check()
    except DriverError as fault:
        if fault.expected.endswith(NOT_OPEN):
            yield note(about, f"not checked: {fault.expected.removesuffix(NOT_OPEN)} does not open")
        else:
            yield failed_driver(about, fault)


def check_sensor_chain(header: Header, context: DoctorContext) -> Iterator[Finding]:
    """Every strip sends its signature bits, there are as many as the plan says, and SCANS scans agree on that."""
    latch = header.output(SENSOR_LATCH, active_high=False)
    port = header.spi(SENSORS_SELECT, sensor_chain.RATE_HZ)
    strips = context.plan.strip_count
    chain = SensorChain(latch, port, strips)
    for _ in range(SCANS):
        frame = chain.scan()
    foreign = frame - context.plan.at_sensor.keys()
    answer = "1 strip answers" if strips == 1 else f"{strips} strips answer"
    yield passed("sensors", f"{strips} strips for {context.plan.id}", f"{answer}, {SCANS} times in a row")
    if foreign:
        fix = "Check their solder joints: these inputs have no switch, and are pulled up on the strip."
        yield failed("sensors", "magnets over holes only", f"inputs {sorted(foreign)} low", fix)
    else:
        found = "1 hole detects" if len(frame) == 1 else f"{len(frame)} holes detect"
        yield passed("magnets", "magnets over holes only", f"{found} a magnet")


def check_lights(header: Header, context: DoctorContext) -> Iterator[Finding]:
    """Only that rail switch and bus can be opened: the lights have no way to answer."""
    header.output(LIGHTS_ENABLE)
    header.spi(LIGHTS_SELECT, rate_hz(context.plan.led_count))
    yield note("lights", "rail switch and bus are free; lights cannot answer: watch them", "a free rail switch and bus")


def check_keys(header: Header, context: DoctorContext) -> Iterator[Finding]:
    """No key is down and no column is shorted.

    Columns are pulled up: with all rows high each column must read high. Then each row is driven low in turn, and a
    column that reads low shows a key that is down.
    """
    rows = [header.output(row, active_high=False) for row in KEYPAD_ROWS]
    columns = [header.input(column) for column in KEYPAD_COLUMNS]
    sleep(SETTLE_S)
    grounded = [use for use, column in zip(KEYPAD_COLUMNS, columns, strict=True) if column.is_active]
    for use in grounded:
        got = "low, with all rows high"
        fix = "Look for a short to ground at its pin and along the ribbon."
        yield failed("keys", f"{use.replace('_', ' ')} (GPIO{header_pins().bcm(use)}) high", got, fix)
    if grounded:
        return
    down = list[str]()
    for row, keys in zip(rows, KEY_ROWS, strict=True):
        row.on()
        sleep(SETTLE_S)
        down += [key.legend for key, column in zip(keys, columns, strict=True) if column.is_active]
        row.off()
    if down:
        fix = "Release it; if nobody presses it, its contact is stuck or its row and column touch."
        yield failed("keys", "no key down", f"{', '.join(down)} down", fix)
    else:
        yield passed("keys", "no key down", "four rows and four columns, no key down")


def check_piezo(header: Header, context: DoctorContext) -> Iterator[Finding]:
    """A game can be played without sound, so a piezo that fails is a WARNING."""
    try:
        tone = header.tone(PIEZO)
        if context.may_sound:
            tone.sound(BEEP_HZ)
            sleep(BEEP_S)
            tone.stop()
    except DriverError as fault:
        yield warning("piezo", fault.expected, f"{fault.device}: {fault.got}", fault.fix)
    else:
        beep = f"it beeped for {BEEP_S} s: was it audible?" if context.may_sound else "not tested: use --sound"
        yield note("piezo", f"its line is free; {beep}", "a free line")


def check_display() -> Iterator[Finding]:
    """A display answers at one of its two I2C addresses."""
    yield passed("display", "an answer at 0x3c or 0x3d", f"a display answers at {find_display():#x}")


PARTS: dict[str, tuple[str, PartCheck]] = {
    "sensors": (PEGS, check_sensor_chain),
    "lights": (LIGHTS, check_lights),
    "keys": (KEYS, check_keys),
    "piezo": ("", check_piezo),
}
"""What is checked on the header -> the part that it belongs to, "" for what belongs to any board there; its check."""
