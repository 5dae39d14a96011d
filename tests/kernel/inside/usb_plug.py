"""A scanner on USB with both ends in this kernel: a gadget that looks like an Arduino Uno, and a modelled scanner or
sensing board."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any

import serial

from board_drivers.scan_protocol import FrameDecoder, Kind
from board_drivers.simulated_sensing_board import SimulatedSensingBoard
from tests.board_drivers.cables import BenchScanner

GADGET = Path("/sys/kernel/config/usb_gadget/scanner")
FAR_END = "/dev/ttyGS0"
SERIAL_NUMBER = "75830303934351A0A1B2"
INTERVAL_S = 0.05
ATTRIBUTES = {
    "idVendor": "0x2341",
    "idProduct": "0x0043",
    "strings/0x409/manufacturer": "Arduino",
    "strings/0x409/product": "Uno",
    "strings/0x409/serialnumber": SERIAL_NUMBER,
}


class UsbPlug:
    """The gadget, which is unplugged at first."""

    def __init__(self) -> None:
        for folder in ("", "strings/0x409", "configs/c.1", "functions/acm.0"):
            (GADGET / folder).mkdir(exist_ok=True)
        for name, value in ATTRIBUTES.items():
            (GADGET / name).write_text(value)
        (GADGET / "configs/c.1/acm.0").symlink_to(GADGET / "functions/acm.0")
        (self._port,) = Path("/sys/class/udc").iterdir()

    def plug_in(self) -> None:
        (GADGET / "UDC").write_text(self._port.name)

    def unplug(self) -> None:
        (GADGET / "UDC").write_text("\n")


class FarEnd:
    """A device at the far end of the cable, in a thread of its own."""

    def start(self) -> None:
        Thread(target=self._run, name="far end", daemon=True).start()

    def exchange(self, port: Any) -> None:
        """Take what has arrived at this serial port, and send. Raises OSError once the gadget is unplugged."""
        raise NotImplementedError

    def _run(self) -> None:
        while True:
            with suppress(OSError), serial.Serial(FAR_END, timeout=INTERVAL_S, write_timeout=INTERVAL_S) as port:
                while True:
                    self.exchange(port)


class SensingBoardAtFarEnd(FarEnd):
    """A simulated sensing board."""

    def __init__(self, columns: int, lights: int) -> None:
        self.board = SimulatedSensingBoard(columns, lights, monotonic)
        self.start()

    def exchange(self, port: Any) -> None:
        self.board.write(port.read(256))
        port.write(self.board.read())


class ScannerAtFarEnd(FarEnd):
    """A `BenchScanner` that answers requests for a hello and sends a snapshot every 50 ms, unless it is `silenced`."""

    def __init__(self, strips: int) -> None:
        self.bench, self.lock = BenchScanner(strips), Lock()
        self.silenced = Event()
        self.chatter = b""
        """What it sends instead of frames, to act as a device that is no scanner."""
        self._decoder = FrameDecoder()
        self.start()

    def set_strip(self, strip: int, inputs: int) -> None:
        """Set the byte of one strip of its chain."""
        with self.lock:
            self.bench.change(strip, inputs)

    def exchange(self, port: Any) -> None:
        """Answer the received frames and send one snapshot."""
        for frame in self._decoder.feed(port.read(256)):
            if frame.kind == Kind.ASK_HELLO:
                self.bench.hello()
        with self.lock:
            self.bench.snapshot()
            frames = bytes(self.bench.cable.incoming)
            self.bench.cable.incoming.clear()
        if not self.silenced.is_set():
            port.write(self.chatter or frames)
