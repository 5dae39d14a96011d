"""The parts behind the wires, through their own drivers: the chain of sensors, lights, keys, piezo and display.

They are left alone while anybody uses the board: a second hand on the latch would spoil the first one's scan.
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
from board_drivers.pi import LIGHTS_SELECT, SENSORS_SELECT
from board_drivers.pins import KEYPAD_COLUMNS, KEYPAD_ROWS, LIGHTS_ENABLE, PIEZO, SENSOR_LATCH, header_pins
from board_drivers.ports import KEY_ROWS, DriverFault
from board_drivers.sensor_chain import SensorChain
from firmware_host.doctor.buses import holders
from firmware_host.doctor.findings import Finding, Patient, ill, look, note, of_driver, sound

SCANS = 50
"""A joint that fails now and then will do so in one of so many."""

BEEP_HZ, BEEP_S = 2000.0, 0.5

NOT_OPEN = " to open"
"""How the drivers end what they expect of a node."""

PartCheck = Callable[[Header, Patient], Iterable[Finding]]


def check_parts(patient: Patient) -> Iterable[Finding]:
    if user := holders(patient):
        yield note("parts", f"not touched: {user} is using the board", "a board that nobody uses now")
        return
    with TemporaryDirectory() as folder, chdir(folder):  # lgpio makes a pipe where it is
        yield from _told("lines", partial(_on_header, patient))
        yield from _told("display", look_at_display)


def _on_header(patient: Patient) -> Iterator[Finding]:
    with closing(Header()) as header:
        for about, check in PARTS.items():
            if about == "sensors" and not patient.has_own_chain:
                continue
            yield from _told(about, partial(check, header, patient))


def _told(about: str, check: Callable[[], Iterable[Finding]]) -> Iterator[Finding]:
    """A fault of one part does not keep us from the next; a bus that will not open was told of already."""
    try:
        yield from check()
    except DriverFault as fault:
        if fault.expected.endswith(NOT_OPEN):
            yield note(about, f"out of reach: {fault.expected.removesuffix(NOT_OPEN)} does not open")
        else:
            yield of_driver(about, fault)


def look_at_chain(header: Header, patient: Patient) -> Iterator[Finding]:
    """Each strip signs its byte, and there are as many as the plan says, scan after scan."""
    latch = header.output(SENSOR_LATCH, active_high=False)
    port = header.spi(SENSORS_SELECT, sensor_chain.RATE_HZ)
    strips = patient.plan.strip_count
    chain = SensorChain(latch, port, strips)
    for _ in range(SCANS):
        frame = chain.scan()
    foreign = frame - patient.plan.at_sensor.keys()
    signed = "1 strip signs" if strips == 1 else f"{strips} strips sign"
    yield sound("sensors", f"{strips} strips for {patient.plan.id}", f"{signed}, {SCANS} times in a row")
    if foreign:
        mend = "Look at their solder joints: these inputs have no switch, and are pulled up on the strip."
        yield ill("sensors", "magnets over holes only", f"inputs {sorted(foreign)} low", mend)
    else:
        yield sound("magnets", "magnets over holes only", f"{len(frame)} holes see a magnet")


def look_at_lights(header: Header, patient: Patient) -> Iterator[Finding]:
    header.output(LIGHTS_ENABLE)
    header.spi(LIGHTS_SELECT, rate_hz(patient.plan.led_count))
    yield note("lights", "rail and bus are free; lights cannot answer: look at them", "a free rail switch and bus")


def look_at_keys(header: Header, patient: Patient) -> Iterator[Finding]:
    """Columns are pulled up: with all rows high each must read high, and then with each row low in its turn."""
    rows = [header.output(row, active_high=False) for row in KEYPAD_ROWS]
    columns = [header.input(column) for column in KEYPAD_COLUMNS]
    sleep(SETTLE_S)
    grounded = [use for use, column in zip(KEYPAD_COLUMNS, columns, strict=True) if column.is_active]
    for use in grounded:
        got, mend = "low, with all rows high", "Look for a short to ground at its pin and along the ribbon."
        yield ill("keys", f"{use.replace('_', ' ')} (GPIO{header_pins().bcm(use)}) high", got, mend)
    if grounded:
        return
    down = list[str]()
    for row, keys in zip(rows, KEY_ROWS, strict=True):
        row.on()
        sleep(SETTLE_S)
        down += [key.legend for key, column in zip(keys, columns, strict=True) if column.is_active]
        row.off()
    if down:
        mend = "Let go of it; if nobody presses it, its contact is stuck or its row and column touch."
        yield ill("keys", "no key down", f"{', '.join(down)} down", mend)
    else:
        yield sound("keys", "no key down", "four rows and four columns at rest")


def look_at_piezo(header: Header, patient: Patient) -> Iterator[Finding]:
    """A board plays without it, so nothing here is to be mended before a game."""
    try:
        tone = header.tone(PIEZO)
        if patient.may_sound:
            tone.sound(BEEP_HZ)
            sleep(BEEP_S)
            tone.hush()
    except DriverFault as fault:
        yield look("piezo", fault.expected, f"{fault.device}: {fault.got}", fault.mend)
    else:
        asked = f"sounded for {BEEP_S} s: was it heard?" if patient.may_sound else "not sounded: ask with --sound"
        yield note("piezo", f"its line is free; {asked}", "a free line")


def look_at_display() -> Iterator[Finding]:
    yield sound("display", "an answer at 0x3c or 0x3d", f"one answers at {find_display():#x}")


PARTS: dict[str, PartCheck] = {
    "sensors": look_at_chain,
    "lights": look_at_lights,
    "keys": look_at_keys,
    "piezo": look_at_piezo,
}
