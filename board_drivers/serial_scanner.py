"""Driver of the peg sensors behind a scanner on USB, which may be unplugged at any time and return as another port."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Lock
from time import monotonic, sleep

from board_drivers.matrix_wiring import MatrixWiring
from board_drivers.ports import DriverError, SensorFrame
from board_drivers.scanner_session import HELLO_S, LOST, STARTING, ScannerSession
from board_drivers.serial_port import USB_BRIDGES, Cable, PortInfo, SerialCable, find_ports

log = logging.getLogger(__name__)

BAUD = 115_200
BYTE_S = 10 / BAUD
"""Time of one byte on the wire."""
RETRY_S = 1.0
"""Pause between attempts to find the scanner."""
AUTO = "auto"

PortFinder = Callable[[], Sequence[PortInfo]]


def port_finder(name: str, *, exclude: str = "") -> PortFinder:
    """Lists the ports on which to look for a scanner: the one of this name or, for `auto`, all with a known USB chip.

    A name under /dev/serial/by-id stays valid when the device gets another port. `exclude`: another device's port,
    which `auto` never opens.
    """
    if name != AUTO:
        return lambda: [PortInfo(name, "")]
    return lambda: [port for port in find_ports() if os.path.realpath(port.path) != os.path.realpath(exclude)]


class SerialScanner:
    """`PegSensors` read through a scanner; sensors have the same numbers as on the Pi's own chain.

    `strips`: how many the board has; `matrix`: its wiring if the scanner is a sensing board, which its hello says.
    `clock` gives seconds. Nothing blocks. While there is no valid state, `scan` raises DriverError with the reason and
    tries to find the scanner again, at its last port first. The port is closed as soon as it fails: the kernel gives a
    device another name if its old port is still open when it returns.
    """

    def __init__(
        self,
        find: PortFinder,
        strips: int,
        *,
        matrix: MatrixWiring | None = None,
        open_cable: Callable[[str, int], Cable] = SerialCable,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.matrix = matrix
        self._find = find
        self._strips = strips
        self._open = open_cable
        self._clock = clock
        self._cable: Cable | None = None
        self._at_cable = Lock()
        self._wire_is_free_s = 0.0
        self._session = ScannerSession(strips, 0.0, matrix)
        self._port = self._last_good_port = PortInfo("", "")
        self._tried: set[str] = set()
        self._next_try_s = float("-inf")
        self._fault: DriverError | None = STARTING
        self._state = b""
        self._frame = SensorFrame()

    @property
    def session(self) -> ScannerSession:
        """The session with the present or last scanner: its hello, and the number of corrupt frames."""
        return self._session

    def scan(self) -> SensorFrame:
        """The sensors that see a magnet. Raises DriverError while the scanner's state is unknown."""
        self.poll()
        if self._fault:
            raise self._fault.with_traceback(None)  # the same object is raised at each scan: do not grow its traceback
        return self._frame

    def poll(self) -> None:
        """Look for the scanner if it is not there, and process what it has sent. Never raises."""
        at_s = self._clock()
        if self._cable is None and at_s >= self._next_try_s:
            self._try_a_port(at_s)
        if self._cable is not None:
            self._read(self._cable, at_s)

    @property
    def is_open(self) -> bool:
        """Whether the port of a scanner, or of what may be one, is open."""
        return self._cable is not None

    @property
    def fault(self) -> DriverError | None:
        """Why the state of the sensors is unknown; None if it is known."""
        return self._fault

    def send(self, make: Callable[[float], bytes]) -> bool:
        """Send the bytes that `make` returns for the present time; whether a scanner is there to get them."""
        at_s = self._clock()
        if self._cable is None or self._session.hello is None:
            return False
        data = make(at_s)
        try:
            self._write(self._cable, data)
        except DriverError as fault:
            self._drop(self._cable, _lost(fault), at_s)
            return False
        return True

    def transmit(self, data: bytes) -> bool:
        """Send bytes that are not urgent from another thread, once everything before them has left.

        Returns whether the port is open; `poll` finds out if it has failed.
        """
        while (wait_s := self._wire_is_free_s - monotonic()) > 0:
            sleep(wait_s)
        cable = self._cable
        if cable:
            with suppress(DriverError):
                self._write(cable, data)
        return cable is not None

    def close(self) -> None:
        """Close the port and stop looking for the scanner. May be called twice."""
        if self._cable:
            self._close(self._cable)
        self._next_try_s = float("inf")

    # Finding the scanner

    def _try_a_port(self, at_s: float) -> None:
        self._next_try_s = at_s + RETRY_S
        port = self._next_port()
        if port is None:
            self._set_fault(self._not_found(_no_port_error()))
            return
        try:
            self._cable = self._open(port.path, BAUD)
        except DriverError as fault:
            self._set_fault(self._not_found(fault))
        else:
            self._port = port
            self._session = ScannerSession(self._strips, at_s, self.matrix)

    def _not_found(self, fault: DriverError) -> DriverError:
        """This fault, as one of a lost board if there was a scanner before."""
        device = LOST.device if self._last_good_port.path else "No scanner"
        return DriverError(device, fault.expected, fault.got, fault.fix)

    def _next_port(self) -> PortInfo | None:
        """The next port of a round through all of them; the one that last had the scanner comes first."""
        found = self._find()
        if all(port.path in self._tried for port in found):
            self._tried.clear()
        untried = [port for port in found if port.path not in self._tried]
        untried.sort(key=lambda port: not self._is_last_good(port))
        if untried:
            self._tried.add(untried[0].path)
        return untried[0] if untried else None

    def _is_last_good(self, port: PortInfo) -> bool:
        """Whether the scanner was last on this port: compared by serial number if it has one, else by path."""
        last = self._last_good_port
        return port.serial == last.serial if last.serial else port.path == last.path

    # Reading the scanner

    def _read(self, cable: Cable, at_s: float) -> None:
        try:
            with self._at_cable:
                received = cable.read()
            if answer := self._session.receive(received, at_s):
                self._write(cable, answer)
        except DriverError as fault:
            self._drop(cable, _lost(fault), at_s)
            return
        fault_now = self._session.fault(at_s)
        if fault_now is None:
            self._accept(self._session)
        elif fault_now is LOST or (self._session.hello is None and fault_now is not STARTING):
            self._drop(cable, fault_now, at_s)
        elif fault_now is not STARTING or self._fault is None:
            self._set_fault(fault_now)  # a lost scanner that restarts stays lost until it has sent a snapshot

    def _accept(self, session: ScannerSession) -> None:
        self._set_fault(None)
        self._last_good_port = self._port
        self._tried.clear()
        if session.state != self._state:
            frame = session.magnets
            self._state = session.state
            self._frame = self._frame if frame == self._frame else frame

    def _drop(self, cable: Cable, fault: DriverError, at_s: float) -> None:
        self._close(cable)
        self._next_try_s = at_s + (RETRY_S if self._session.hello is None else 0.0)
        self._set_fault(fault)

    def _write(self, cable: Cable, data: bytes) -> None:
        """Write to a cable that is still open. Raises DriverError."""
        with self._at_cable:
            if cable is self._cable:
                self._wire_is_free_s = max(self._wire_is_free_s, monotonic()) + len(data) * BYTE_S
                cable.write(data)

    def _close(self, cable: Cable) -> None:
        with self._at_cable:
            cable.close()
            self._cable = None

    def _set_fault(self, fault: DriverError | None) -> None:
        """Log when the scanner is found; faults are raised by `scan`, and its caller logs them."""
        hello = self._session.hello
        if self._fault and not fault and hello:
            log.info("scanner found at %s: firmware %d.%d, %d strips", self._port.path, *hello.firmware, hello.strips)
        self._fault = fault


def _lost(fault: DriverError) -> DriverError:
    """The fault of a board whose port has this fault."""
    return DriverError(LOST.device, LOST.expected, fault.got, LOST.fix)


def _no_port_error() -> DriverError:
    return DriverError(
        device="No scanner",
        expected=f"a USB serial port of one of {', '.join(USB_BRIDGES.values())}",
        got="none",
        fix=f"Plug the scanner in, or name its port in the settings; it is found within {HELLO_S:.0f} s.",
    )
