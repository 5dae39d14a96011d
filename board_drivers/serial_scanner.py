"""The peg sensors behind a scanner on a USB cable, which may be pulled at any time and come back under another name."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from time import monotonic

from board_drivers.ports import DriverFault, SensorFrame
from board_drivers.scanner_talk import HELLO_S, LOST, STARTING, ScannerTalk
from board_drivers.sensor_chain import magnets_in
from board_drivers.serial_port import BRIDGES, Cable, PortFound, SerialCable, ports_found

log = logging.getLogger(__name__)

BAUD = 115_200
RETRY_S = 1.0
"""How long to wait before each next try to find it."""
AUTO = "auto"

Finder = Callable[[], Sequence[PortFound]]


def finder(named: str, *, never: str = "") -> Finder:
    """Where to look for a scanner: behind the port that is named, or `auto`: behind every known bridge.

    A name under /dev/serial/by-id stays with its device, whatever port that comes back as. `never`: another device's.
    """
    if named != AUTO:
        return lambda: [PortFound(named, "")]
    return lambda: [port for port in ports_found() if os.path.realpath(port.path) != os.path.realpath(never)]


class SerialScanner:
    """`PegSensors` by way of a scanner; sensors are numbered as on a chain of the Pi's own.

    Never waits. While there is no scanner that may be believed, each scan raises DriverFault and says why; it looks
    for one again by itself, first where it was last. At once after an error the port is closed: a device that comes
    back while its old port is still open is given another name.
    """

    def __init__(
        self,
        find: Finder,
        strips: int,
        *,
        open_cable: Callable[[str, int], Cable] = SerialCable,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._find, self._strips, self._open, self._clock = find, strips, open_cable, clock
        self._cable: Cable | None = None
        self._talk = ScannerTalk(strips, 0.0)
        self._port = self._home = PortFound("", "")
        self._tried: set[str] = set()
        self._next_try_s = float("-inf")
        self._fault: DriverFault | None = STARTING
        self._state, self._frame = b"", SensorFrame()

    @property
    def talk(self) -> ScannerTalk:
        """What the scanner said: its hello, and how many frames were spoiled."""
        return self._talk

    def scan(self) -> SensorFrame:
        at_s = self._clock()
        if self._cable is None and at_s >= self._next_try_s:
            self._try_a_port(at_s)
        if self._cable is not None:
            self._listen(self._cable, at_s)
        if self._fault:
            raise self._fault.with_traceback(None)  # raised at each scan, it would grow a traceback without end
        return self._frame

    def close(self) -> None:
        """May be called twice."""
        if self._cable:
            self._cable.close()
        self._cable, self._next_try_s = None, float("inf")

    # Finding it.

    def _try_a_port(self, at_s: float) -> None:
        self._next_try_s = at_s + RETRY_S
        port = self._next_port()
        if port is None:
            self._say(self._missed(_none_found()))
            return
        try:
            self._cable = self._open(port.path, BAUD)
        except DriverFault as fault:
            self._say(self._missed(fault))
        else:
            self._port, self._talk = port, ScannerTalk(self._strips, at_s)

    def _missed(self, fault: DriverFault) -> DriverFault:
        """What keeps us from a scanner; of one that was there already, that it is lost goes first."""
        device = LOST.device if self._home.path else "No scanner"
        return DriverFault(device, fault.expected, fault.got, fault.mend)

    def _next_port(self) -> PortFound | None:
        """Every port in its turn, the last home of the scanner first, by its serial number if it has one."""
        found = self._find()
        if all(port.path in self._tried for port in found):
            self._tried.clear()
        fresh = [port for port in found if port.path not in self._tried]
        fresh.sort(key=lambda port: not self._is_home(port))
        if fresh:
            self._tried.add(fresh[0].path)
        return fresh[0] if fresh else None

    def _is_home(self, port: PortFound) -> bool:
        home = self._home
        return port.serial == home.serial if home.serial else port.path == home.path

    # Listening to it.

    def _listen(self, cable: Cable, at_s: float) -> None:
        try:
            if answer := self._talk.take(cable.read(), at_s):
                cable.write(answer)
        except DriverFault as fault:
            self._let_go(cable, DriverFault(LOST.device, LOST.expected, fault.got, LOST.mend), at_s)
            return
        fault_now = self._talk.fault(at_s)
        if fault_now is None:
            self._believe(self._talk.state)
        elif fault_now is LOST or (self._talk.hello is None and fault_now is not STARTING):
            self._let_go(cable, fault_now, at_s)
        elif fault_now is not STARTING or self._fault is None:
            self._say(fault_now)  # one that starts anew is still lost, for all that people know

    def _believe(self, state: bytes) -> None:
        self._say(None)
        self._home = self._port
        self._tried.clear()
        if state != self._state:
            frame = magnets_in((*state, 0))
            self._state, self._frame = state, self._frame if frame == self._frame else frame

    def _let_go(self, cable: Cable, fault: DriverFault, at_s: float) -> None:
        cable.close()
        self._cable, self._next_try_s = None, at_s + (RETRY_S if self._talk.hello is None else 0.0)
        self._say(fault)

    def _say(self, fault: DriverFault | None) -> None:
        """Into the log when it is there or back; what is wrong is for whoever scans to tell."""
        hello = self._talk.hello
        if self._fault and not fault and hello:
            log.info("firmware %d.%d, %d strips, at %s", *hello.firmware, hello.strips, self._port.path)
        self._fault = fault


def _none_found() -> DriverFault:
    return DriverFault(
        device="No scanner",
        expected=f"a USB serial port of one of {', '.join(BRIDGES.values())}",
        got="none",
        mend=f"Plug it in, or name its port in the settings; hello follows within {HELLO_S:.0f} s.",
    )
