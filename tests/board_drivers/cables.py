"""Modelled serial ports and a scanner that sends what a test tells it to, for drivers without a kernel."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from board_drivers.ports import DriverError
from board_drivers.scan_protocol import PROTOCOL, Frame, Kind, encode
from board_drivers.serial_port import PortInfo

EMPTY_STRIP = 0xBF
UNPLUGGED = DriverError("Serial port", "it to stay plugged in", "input/output error", "Plug it in.")


class BenchCable(Struct):
    """A `Cable`. `incoming`: the bytes of the next read. `sent`: all bytes that the driver wrote."""

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

    def write(self, data: bytes) -> None:
        assert not self.is_closed
        self.sent += data

    def close(self) -> None:
        self.is_closed = True


class BenchScanner:
    """A scanner with so many strips that sends a frame when a test calls a method, with correct sequence numbers."""

    def __init__(self, strips: int) -> None:
        self.cable = BenchCable()
        self.state = [EMPTY_STRIP] * strips
        self._sequence = 0

    def send(self, kind: int, payload: bytes, *, is_corrupt: bool = False) -> None:
        wire = bytearray(encode(Frame(kind, self._sequence, payload)))
        self._sequence = (self._sequence + 1) % 256
        if is_corrupt:
            wire[2] ^= 0x10 if wire[2] != 0x10 else 0x20
        self.cable.incoming += wire

    def hello(self, protocol: int = PROTOCOL) -> None:
        self._sequence = 0
        self.send(Kind.HELLO, bytes([protocol, 1, 0, len(self.state), 0, 0, 0, 9]))

    def snapshot(self, *, is_corrupt: bool = False) -> None:
        self.send(Kind.SNAPSHOT, bytes(self.state), is_corrupt=is_corrupt)

    def change(self, strip: int, now: int) -> None:
        before, self.state[strip] = self.state[strip], now
        self.send(Kind.CHANGE, bytes([0, 0, 0, 0, strip, before, now]))

    def place_peg(self, sensor: int) -> None:
        self.change(sensor // 8, self.state[sensor // 8] & ~(0x80 >> sensor % 8))

    def lift_peg(self, sensor: int) -> None:
        self.change(sensor // 8, self.state[sensor // 8] | 0x80 >> sensor % 8)

    def lose_frame(self) -> None:
        """Skip a sequence number, as for a frame that never arrives."""
        self._sequence = (self._sequence + 1) % 256


class BenchPorts:
    """The serial ports of a computer, and a clock. `plugged`: path -> the cable in that port."""

    def __init__(self) -> None:
        self.plugged: dict[str, BenchCable] = {}
        self.serials: dict[str, str] = {}
        self.opened: list[str] = []
        self.now_s = 100.0

    def find(self) -> Sequence[PortInfo]:
        return [PortInfo(path, "WCH CH340", self.serials.get(path, "")) for path in self.plugged]

    def open(self, path: str, baud: int) -> BenchCable:
        if path not in self.plugged:
            raise DriverError("Serial port", f"{path} to open", "no such file or directory", "Plug it in.")
        self.opened.append(path)
        return self.plugged[path]

    def clock(self) -> float:
        return self.now_s
