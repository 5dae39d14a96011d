"""A scanner on a USB cable, both ends of which are this kernel's: a gadget that looks like an Arduino Uno."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any

import serial

from board_drivers.hole_scan import FrameDecoder, Kind
from tests.drivers.cables import BenchScanner

GADGET = Path("/sys/kernel/config/usb_gadget/scanner")
FAR_END = "/dev/ttyGS0"
SERIAL_NUMBER = "75830303934351A0A1B2"
PACE_S = 0.05
FACTS = {
    "idVendor": "0x2341",
    "idProduct": "0x0043",
    "strings/0x409/manufacturer": "Arduino",
    "strings/0x409/product": "Uno",
    "strings/0x409/serialnumber": SERIAL_NUMBER,
}


class UsbPlug:
    """It starts out unplugged."""

    def __init__(self) -> None:
        for folder in ("", "strings/0x409", "configs/c.1", "functions/acm.0"):
            (GADGET / folder).mkdir(exist_ok=True)
        for name, value in FACTS.items():
            (GADGET / name).write_text(value)
        (GADGET / "configs/c.1/acm.0").symlink_to(GADGET / "functions/acm.0")
        (self._port,) = Path("/sys/class/udc").iterdir()

    def plug_in(self) -> None:
        (GADGET / "UDC").write_text(self._port.name)

    def unplug(self) -> None:
        (GADGET / "UDC").write_text("\n")


class ScannerAtFarEnd:
    """A `BenchScanner` that answers, and tells all holes every 50 ms, as long as it is not `silenced`."""

    def __init__(self, strips: int) -> None:
        self.bench, self.lock = BenchScanner(strips), Lock()
        self.silenced = Event()
        self.chatter = b""
        """What it says instead, where it is no scanner at all."""
        self._decoder = FrameDecoder()
        Thread(target=self._run, name="far end", daemon=True).start()

    def put(self, strip: int, inputs: int) -> None:
        """From now on its chain reads this."""
        with self.lock:
            self.bench.change(strip, inputs)

    def _run(self) -> None:
        while True:
            with suppress(OSError), serial.Serial(FAR_END, timeout=PACE_S, write_timeout=PACE_S) as wire:
                while True:
                    self._speak(wire)

    def _speak(self, wire: Any) -> None:
        """One look at what was asked, and one snapshot. Raises OSError once it is unplugged."""
        for frame in self._decoder.feed(wire.read(256)):
            if frame.kind == Kind.ASK_HELLO:
                self.bench.hello()
        with self.lock:
            self.bench.snapshot()
            told = bytes(self.bench.cable.incoming)
            self.bench.cable.incoming.clear()
        if not self.silenced.is_set():
            wire.write(self.chatter or told)
