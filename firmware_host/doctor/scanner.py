"""Checks the scanner on its serial cable: its hello, its protocol version and its sensors.

A sensing board also tells the currents of its columns, its supply, and whether its chain of lights is whole.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from statistics import median
from time import monotonic, sleep

from board_drivers.matrix_wiring import MatrixWiring
from board_drivers.ports import DriverError
from board_drivers.scan_protocol import Diagnosis, Frame, Hello, Kind, LightReturn, SensorLayout, encode
from board_drivers.scanner_session import HELLO_S, LOST, STARTING
from board_drivers.serial_scanner import SerialScanner, port_finder
from firmware_host.config.matrix_wiring import matrix_wiring
from firmware_host.doctor.buses import board_users
from firmware_host.doctor.findings import DoctorContext, Finding, failed, failed_driver, note, passed, warning

PATIENCE_S = 4 * HELLO_S
"""Time for all ports together. A scanner says hello every HELLO_S, and several ports may be tried in turn."""
POLL_S = 0.05
ANSWER_S = 2.0
"""Time for the answer to a diagnosis."""
SWITCHES_OF_COLUMN_MA = range(30, 65)
"""What the fifteen or sixteen switches of a column draw, at 2 to 4 mA each."""
MISSING_SHARE = 0.7
"""A column that draws so much of one switch less than the others lets expect has one without power."""

Clock = Callable[[], float]
Wait = Callable[[float], None]


def check_scanner(context: DoctorContext) -> Iterator[Finding]:
    """Skipped while a program uses the board or the port: opening the port restarts the scanner."""
    settings = context.settings
    if not settings.parts.has_scanner:
        return
    find = port_finder(settings.parts.scanner, exclude=settings.card_reader)
    nodes = {os.path.realpath(port.path) for port in find()}
    if users := [user for node in nodes for user in context.machine.users_of(node)]:
        yield note("scanner", f"not checked: in use by {', '.join(map(str, users))}")
    elif user := board_users(context):
        yield note("scanner", f"not checked: the board is in use by {user}")
    else:
        matrix = matrix_wiring(context.plan, context.plan)
        with closing(SerialScanner(find, context.plan.strip_count, matrix=matrix)) as scanner:
            yield from probe_all(scanner, context)


def probe_all(
    scanner: SerialScanner, context: DoctorContext, clock: Clock = monotonic, wait: Wait = sleep
) -> Iterator[Finding]:
    """The findings about a scanner, and about the parts of a sensing board."""
    yield probe_scanner(scanner, context, clock, wait)
    hello = scanner.session.hello
    if scanner.matrix and hello and hello.layout == SensorLayout.MATRIX:
        if hello.display:
            got = f"a display answers at {hello.display:#x} on J3 of the circuit board"
            yield passed("display", "an answer at 0x3c or 0x3d", got)
        has_sensors = context.settings.parts.has_sensors
        yield from _sensing_board(scanner, scanner.matrix, clock, wait, has_sensors=has_sensors)


def probe_scanner(
    scanner: SerialScanner, context: DoctorContext, clock: Clock = monotonic, wait: Wait = sleep
) -> Finding:
    """Wait up to PATIENCE_S for hello and a first frame. Returns OK with the firmware version, or the driver's last
    fault. Where nothing reads the pegs the hello of a board with lights is enough: its switches may be missing."""
    until_s = clock() + PATIENCE_S
    fault = STARTING
    while clock() < until_s:
        try:
            frame = scanner.scan()
        except DriverError as refused:
            fault = refused
            hello = scanner.session.hello
            if hello and hello.lights and not context.settings.parts.has_sensors:
                got = f"sensing board, firmware {_version(hello)}; its switches are not used"
                return passed("scanner", "a sensing board with lights", got)
            if hello and fault not in (STARTING, LOST):
                break
            wait(POLL_S)
        else:
            return _answered(scanner, context, len(frame))
    return failed_driver("scanner", fault)


def _answered(scanner: SerialScanner, context: DoctorContext, magnets: int) -> Finding:
    hello = scanner.session.hello
    assert hello is not None, "a frame is accepted only after hello"
    if scanner.matrix and hello.layout == SensorLayout.MATRIX:
        columns = scanner.matrix.columns
        got = f"sensing board, firmware {_version(hello)}, {columns} columns, {magnets} magnets"
        return passed("scanner", f"a sensing board with {columns} columns", got)
    got = f"firmware {_version(hello)}, {hello.strips} strips, {magnets} magnets"
    return passed("scanner", f"a scanner with {context.plan.strip_count} strips", got)


def _version(hello: Hello) -> str:
    return f"{hello.firmware[0]}.{hello.firmware[1]}"


def _sensing_board(
    scanner: SerialScanner, matrix: MatrixWiring, clock: Clock, wait: Wait, *, has_sensors: bool
) -> Iterator[Finding]:
    diagnosis = _diagnosis(scanner, clock, wait)
    if diagnosis is None:
        yield note("sensing board", "it did not answer a diagnosis", "the currents of its columns")
        return
    yield note("supply", f"{diagnosis.supply_ma} mA", "the current that the USB port promises; the lights keep to it")
    yield _lights_of(diagnosis)
    if has_sensors:
        yield from _columns_of(diagnosis, matrix)


def _diagnosis(scanner: SerialScanner, clock: Clock, wait: Wait) -> Diagnosis | None:
    """None: no answer within ANSWER_S."""
    scanner.send(lambda _: encode(Frame(Kind.DIAGNOSE, 0)))
    until_s = clock() + ANSWER_S
    while scanner.session.diagnosis is None and clock() < until_s:
        wait(POLL_S)
        scanner.poll()
    return scanner.session.diagnosis


def _lights_of(diagnosis: Diagnosis) -> Finding:
    expected = "the data to come back from the last light"
    if diagnosis.light_return is LightReturn.INTACT:
        return passed("lights", expected, "the chain of lights is whole")
    fix = "Run the light test of the set-up: the first dark light, or the one before it, is broken or badly soldered."
    return failed("lights", expected, "nothing", fix)


def _columns_of(diagnosis: Diagnosis, matrix: MatrixWiring) -> Iterator[Finding]:
    """Warns of each column outside the tolerance of its switches, and of each that lacks the current of a switch.

    A dead or shorted column is a fault of the scanner. The switches of one board are alike, so the current of one is
    the median of all columns; fifteen of them differ by less than one does.
    """
    currents_ma = diagnosis.column_ma[: matrix.columns]
    one_ma = median(ma / matrix.switches(column) for column, ma in enumerate(currents_ma)) if currents_ma else 0.0
    expected = f"{SWITCHES_OF_COLUMN_MA[0]} to {SWITCHES_OF_COLUMN_MA[-1]} mA into each column of sensors"
    has_odd = False
    for column, current_ma in enumerate(currents_ma):
        usual_ma = one_ma * matrix.switches(column)
        if current_ma not in SWITCHES_OF_COLUMN_MA or usual_ma - current_ma > MISSING_SHARE * one_ma:
            has_odd = True
            got = f"{current_ma} mA into column {column + 1}"
            holes = matrix.column_holes[column]
            fix = f"Try a peg in each of the holes {holes}; resolder the sensor of one that is dead."
            yield warning("column", f"{expected}, and {usual_ma:.0f} mA into this one by the others", got, fix)
    if not has_odd:
        got = f"{min(currents_ma)} to {max(currents_ma)} mA" if currents_ma else "no column"
        yield passed("columns", expected, got)
