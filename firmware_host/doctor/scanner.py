"""Checks the scanner on its serial cable: its hello, its protocol version and its number of strips."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from time import monotonic, sleep

from board_drivers.ports import DriverError
from board_drivers.scanner_session import HELLO_S, LOST, STARTING
from board_drivers.serial_scanner import SerialScanner, port_finder
from firmware_host.doctor.buses import board_users
from firmware_host.doctor.findings import DoctorContext, Finding, failed_driver, note, passed

PATIENCE_S = 4 * HELLO_S
"""Time for all ports together. A scanner says hello every HELLO_S, and several ports may be tried in turn."""
POLL_S = 0.05

Clock = Callable[[], float]
Wait = Callable[[float], None]


def check_scanner(context: DoctorContext) -> Iterator[Finding]:
    """Skipped while a program uses the board or the port: opening the port restarts the scanner."""
    settings = context.settings
    if not settings.parts.has_scanner:
        return
    find = port_finder(settings.scanner, exclude=settings.card_reader)
    nodes = {os.path.realpath(port.path) for port in find()}
    if users := [user for node in nodes for user in context.machine.users_of(node)]:
        yield note("scanner", f"not checked: in use by {', '.join(map(str, users))}")
    elif user := board_users(context):
        yield note("scanner", f"not checked: the board is in use by {user}")
    else:
        with closing(SerialScanner(find, context.plan.strip_count)) as scanner:
            yield probe_scanner(scanner, context)


def probe_scanner(
    scanner: SerialScanner, context: DoctorContext, clock: Clock = monotonic, wait: Wait = sleep
) -> Finding:
    """Wait up to PATIENCE_S for hello and a first frame. Returns OK with the firmware version, or the driver's last
    fault."""
    until_s = clock() + PATIENCE_S
    fault = STARTING
    while clock() < until_s:
        try:
            frame = scanner.scan()
        except DriverError as refused:
            fault = refused
            hello = scanner.session.hello
            if hello and fault not in (STARTING, LOST):
                break
            wait(POLL_S)
        else:
            return _answered(scanner, context, len(frame))
    return failed_driver("scanner", fault)


def _answered(scanner: SerialScanner, context: DoctorContext, magnets: int) -> Finding:
    hello = scanner.session.hello
    assert hello is not None, "a frame is accepted only after hello"
    got = f"firmware {hello.firmware[0]}.{hello.firmware[1]}, {hello.strips} strips, {magnets} magnets"
    return passed("scanner", f"a scanner with {context.plan.strip_count} strips", got)
