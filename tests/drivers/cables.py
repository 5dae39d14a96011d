"""A serial port without a kernel: what is said into it, and what a scanner answers, byte by byte and by the clock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from board_drivers.hole_scan import PROTOCOL, Frame, Kind, encode
from board_drivers.ports import DriverFault
from board_drivers.serial_port import PortFound

EMPTY_STRIP = 0xBF
UNPLUGGED = DriverFault("Serial port", "it to stay plugged in", "input/output error", "Plug it in.")


@dataclass
class BenchCable:
    """A `Cable`. `incoming` is read at once, `sent` is what the program wrote."""

    incoming: bytearray = field(default_factory=bytearray)
    sent: bytearray = field(default_factory=bytearray)
    is_unplugged: bool = False
    is_closed: bool = False

    def read(self) -> bytes:
        assert not self.is_closed
        if self.is_unplugged:
            raise UNPLUGGED
        received = bytes(self.incoming)
        self.incoming.clear()
        return received

    def write(self, told: bytes) -> None:
        assert not self.is_closed
        self.sent += told

    def close(self) -> None:
        self.is_closed = True


class BenchScanner:
    """Says what a scanner says, when it is told to, in its true sequence."""

    def __init__(self, strips: int) -> None:
        self.cable = BenchCable()
        self.state = [EMPTY_STRIP] * strips
        self._sequence = 0

    def say(self, kind: int, payload: bytes, *, spoiled: bool = False) -> None:
        wire = bytearray(encode(Frame(kind, self._sequence, payload)))
        self._sequence = (self._sequence + 1) % 256
        if spoiled:
            wire[2] ^= 0x10 if wire[2] != 0x10 else 0x20
        self.cable.incoming += wire

    def hello(self, protocol: int = PROTOCOL) -> None:
        self._sequence = 0
        self.say(Kind.HELLO, bytes([protocol, 1, 0, len(self.state), 0, 0, 0, 9]))

    def snapshot(self, *, spoiled: bool = False) -> None:
        self.say(Kind.SNAPSHOT, bytes(self.state), spoiled=spoiled)

    def change(self, strip: int, now: int) -> None:
        before, self.state[strip] = self.state[strip], now
        self.say(Kind.CHANGE, bytes([0, 0, 0, 0, strip, before, now]))

    def place_peg(self, sensor: int) -> None:
        self.change(sensor // 8, self.state[sensor // 8] & ~(0x80 >> sensor % 8))

    def lift_peg(self, sensor: int) -> None:
        self.change(sensor // 8, self.state[sensor // 8] | 0x80 >> sensor % 8)

    def lose(self) -> None:
        """A frame that never arrives."""
        self._sequence = (self._sequence + 1) % 256


class Desk:
    """The computer's ports: path -> what is plugged in there; and a clock."""

    def __init__(self) -> None:
        self.ports: dict[str, BenchCable] = {}
        self.serials: dict[str, str] = {}
        self.opened: list[str] = []
        self.now_s = 100.0

    def find(self) -> Sequence[PortFound]:
        return [PortFound(path, "WCH CH340", self.serials.get(path, "")) for path in self.ports]

    def open(self, path: str, baud: int) -> BenchCable:
        if path not in self.ports:
            raise DriverFault("Serial port", f"{path} to open", "no such file or directory", "Plug it in.")
        self.opened.append(path)
        return self.ports[path]

    def clock(self) -> float:
        return self.now_s
