"""The scanner on its cable, asked as a board asks it: whether it says hello, in our version, with as many strips."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from time import monotonic, sleep

from board_drivers.ports import DriverFault
from board_drivers.scanner_talk import HELLO_S, LOST, STARTING
from board_drivers.serial_scanner import SerialScanner, finder
from firmware_host.doctor.buses import holders
from firmware_host.doctor.findings import Finding, Patient, note, of_driver, sound
from firmware_host.settings import NONE

PATIENCE_S = 4 * HELLO_S
"""Long enough for a few ports, one after the other."""
LOOK_S = 0.05

Clock = Callable[[], float]
Wait = Callable[[float], None]


def check_scanner(patient: Patient) -> Iterator[Finding]:
    """Opening its port restarts a scanner: while a board uses it, nobody else does."""
    settings = patient.settings
    if settings.scanner == NONE:
        return
    find = finder(settings.scanner, never=settings.card_reader)
    nodes = {os.path.realpath(port.path) for port in find()}
    if users := [user for node in nodes for user in patient.machine.users_of(node)]:
        yield note("scanner", f"not asked: {', '.join(map(str, users))} listens to it")
    elif user := holders(patient):
        yield note("scanner", f"not asked: {user} is using the board")
    else:
        with closing(SerialScanner(find, patient.plan.strip_count)) as scanner:
            yield ask(scanner, patient)


def ask(scanner: SerialScanner, patient: Patient, clock: Clock = monotonic, wait: Wait = sleep) -> Finding:
    """What it says once it has said hello; else why none came from any port."""
    until_s, fault = clock() + PATIENCE_S, STARTING
    while clock() < until_s:
        try:
            frame = scanner.scan()
        except DriverFault as refused:
            fault, hello = refused, scanner.talk.hello
            if hello and fault not in (STARTING, LOST):
                break
            wait(LOOK_S)
        else:
            return _well(scanner, patient, len(frame))
    return of_driver("scanner", fault)


def _well(scanner: SerialScanner, patient: Patient, magnets: int) -> Finding:
    hello = scanner.talk.hello
    assert hello is not None, "nothing is believed of a scanner before it said hello"
    got = f"firmware {hello.firmware[0]}.{hello.firmware[1]}, {hello.strips} strips, {magnets} magnets"
    return sound("scanner", f"a scanner with {patient.plan.strip_count} strips", got)
