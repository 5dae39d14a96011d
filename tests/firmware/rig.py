"""The scanner's real firmware on an emulated ATmega328P, connected to a real tty.

The emulator has no model of the chain: it is given the bytes that the modelled strips of `tests/board_drivers/chips.py`
shift out. The cable between chip and tty can corrupt, drop and inject bytes, and can be unplugged.
"""

from __future__ import annotations

import hashlib
import os
import pty
import select
import shutil
import socket
import subprocess
import tty
from collections.abc import Callable
from pathlib import Path
from threading import Lock, Thread
from typing import Any, NamedTuple

import pytest

from tests.board_drivers.chips import OledChip, SensorStrips, Wire

FIRMWARE = Path(__file__).parents[2] / "hardware" / "firmware"
NEEDED = ("make", "cc", "avr-gcc", "avr-objcopy", "avr-size")
SIMAVR = Path("/usr/include/simavr/sim_avr.h")
PACKAGES = "gcc make gcc-avr avr-libc libsimavr-dev libelf-dev"
CHUNK = 4096


def missing() -> str:
    """The tools that are missing to build and run the firmware; empty if there are none."""
    missing = [tool for tool in NEEDED if not shutil.which(tool)]
    missing += [] if SIMAVR.exists() else ["libsimavr-dev"]
    return ", ".join(missing)


def built(cache: Path, *targets: str, defines: str = "") -> Path:
    """The folder with these make targets, built from the present sources; built once, and cached by their digest."""
    sources = sorted(file for file in FIRMWARE.rglob("*") if file.suffix in {".c", ".h"} or file.name == "Makefile")
    inputs = b"".join(file.read_bytes() for file in sources) + " ".join((*targets, defines)).encode()
    folder = cache / hashlib.sha256(inputs).hexdigest()[:16]
    if not folder.exists():
        fresh = cache / f"{folder.name}.{os.getpid()}"
        command = ["make", "-s", "-C", str(FIRMWARE), f"BUILD={fresh}", f"DEFINES={defines}", *targets]
        subprocess.run(command, check=True, capture_output=True)
        try:
            fresh.rename(folder)
        except OSError:  # another process was faster
            shutil.rmtree(fresh)
    return folder


def builder(config: pytest.Config) -> Callable[..., Path]:
    """Builds these make targets in the cache of pytest; skips the test, with the reason, if a tool is missing."""
    if lacking := missing():
        pytest.skip(f"THE FIRMWARE IS NOT TESTED: {lacking} not found. Fix: apt install {PACKAGES}")
    assert config.cache
    cache = config.cache.mkdir("firmware")
    return lambda *targets, defines="": built(cache, *targets, defines=defines)


def variables_of(elf: Path) -> int:
    """The bytes of memory that a firmware's variables take."""
    size = subprocess.run(["avr-size", elf], capture_output=True, text=True, check=True).stdout.split()
    return int(size[-5]) + int(size[-4])


class BenchChain:
    """So many modelled strips on three wires."""

    def __init__(self, strips: int) -> None:
        self._clock, self._latch, self._data = Wire(), Wire(pull=True), Wire()
        self.strips = SensorStrips(strips, self._clock, self._latch, self._data)

    def shifted_out(self) -> bytes:
        """The bytes that the strips shift out after a latch: one a strip, and one past the end."""
        self._latch.drive(False)
        self._latch.drive(True)
        bits = "".join(self._bit() for _ in range(8 * (len(self.strips.registers) + 1)))
        return int(bits, 2).to_bytes(len(bits) // 8, "big")

    def _bit(self) -> str:
        bit = str(int(self._data.is_high))
        self._clock.drive(True)
        self._clock.drive(False)
        return bit


class EmulatedChip:
    """An emulated chip that runs the firmware `elf` on the board of `rig`; `cable` is its end of the serial line."""

    def __init__(self, folder: Path, rig: str, elf: str, cable: socket.socket) -> None:
        command = [str(folder / rig), str(folder / elf), str(cable.fileno())]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self._process = subprocess.Popen(command, pass_fds=[cable.fileno()], text=True, **pipes)  # type: ignore[call-overload]

    def reset(self) -> None:
        self.command("reset")

    def close(self) -> None:
        self._process.stdin.close()
        self._process.wait(60)
        self._process.stdout.close()

    def command(self, line: str) -> str:
        """Give the emulator a command; what it prints before it is done."""
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        printed = ""
        while (answer := self._process.stdout.readline()) != "ok\n":  # the emulator prints other lines too
            assert answer, "the chip has stopped"
            printed += answer
        return printed


class Chip(EmulatedChip):
    """The scanner of a chain of so many strips."""

    def __init__(self, folder: Path, strips: int, cable: socket.socket) -> None:
        super().__init__(folder, "chain_rig", "hole_scan.elf", cable)
        self.chain = BenchChain(strips)
        self.update_chain()

    def place_peg(self, sensor: int) -> None:
        self.chain.strips.place_peg(sensor)
        self.update_chain()

    def lift_peg(self, sensor: int) -> None:
        self.chain.strips.lift_peg(sensor)
        self.update_chain()

    def update_chain(self) -> None:
        """Give the emulator the present bytes of the chain."""
        self.command(f"chain {self.chain.shifted_out().hex()}")

    def hang(self) -> None:
        """Switch the SPI unit off, so the firmware waits for ever and only the watchdog can reset it."""
        self.command("hang")


class Times(NamedTuple):
    """The longest of each since they were asked for last, in microseconds: a scan, writing a picture, and from the last
    byte of its frame to its last light."""

    scan_us: int
    picture_us: int
    lit_us: int


class SensingBoard(EmulatedChip):
    """The sensing board with so many columns and lights. A place is (column, row)."""

    def __init__(self, folder: Path, columns: int, lights: int, cable: socket.socket) -> None:
        super().__init__(folder, "matrix_rig", "hole_matrix.elf", cable)
        self._magnets = bytearray(2 * columns)
        self.command(f"board {columns} {lights}")

    def place_peg(self, place: tuple[int, int]) -> None:
        self._set(place, is_there=True)

    def lift_peg(self, place: tuple[int, int]) -> None:
        self._set(place, is_there=False)

    def lights(self) -> list[tuple[int, tuple[int, int, int]]]:
        """What each light shows, as the pins wrote it: global brightness and (red, green, blue)."""
        words = bytes.fromhex(self.command("lights"))
        return [(words[at] & 31, (words[at + 3], words[at + 2], words[at + 1])) for at in range(0, len(words), 4)]

    def update_display(self, display: OledChip) -> None:
        """Write to the display what the pins have written to its address since the last call."""
        for line in self.command("written").splitlines():
            control, *block = bytes.fromhex(line) or b"\0"
            display.write(display.address, control, block)

    def times(self) -> Times:
        return Times(*map(int, self.command("times").split()))

    def _set(self, place: tuple[int, int], *, is_there: bool) -> None:
        column, row = place
        byte = 2 * column + row // 8
        bit = 1 << row % 8
        self._magnets[byte] = self._magnets[byte] & ~bit | bit * is_there
        self.command(f"magnets {self._magnets.hex()}")


class UsbCable:
    """Carries bytes between the chip and a tty, in its own thread. `by_id` is a link to the present tty.

    `to_host` and `to_chip` are applied to all bytes on their way; they can corrupt or drop them.
    """

    def __init__(self, by_id: Path) -> None:
        self.by_id = by_id
        self.to_host: Callable[[bytes], bytes] = bytes
        self.to_chip: Callable[[bytes], bytes] = bytes
        self._chip_end, self.far_end = socket.socketpair()
        self._stop, self._stopping = socket.socketpair()
        self._ends: tuple[int, int] | None = None
        self._lock = Lock()
        self._thread = Thread(target=self._run, name="cable", daemon=True)
        self.plug_in()
        self._thread.start()

    @property
    def path(self) -> str:
        """The name of the tty as it is now."""
        return os.readlink(self.by_id)

    def plug_in(self) -> None:
        """Open a new tty; its name is never one that is still open."""
        ends = pty.openpty()
        tty.setraw(ends[1])
        os.set_blocking(ends[0], False)
        self.by_id.unlink(missing_ok=True)
        self.by_id.symlink_to(os.ttyname(ends[1]))
        with self._lock:
            self._ends = ends

    def unplug(self) -> None:
        with self._lock:
            for end in self._ends or ():
                os.close(end)
            self._ends = None
        self.by_id.unlink()

    def inject(self, noise: bytes) -> None:
        """Send bytes to the host that do not come from the chip."""
        with self._lock:
            assert self._ends
            os.write(self._ends[0], noise)

    def close(self) -> None:
        self._stop.close()
        self._thread.join()
        if self._ends:
            self.unplug()
        for end in (self._chip_end, self.far_end, self._stopping):
            end.close()

    def _run(self) -> None:
        while True:
            waited: list[Any] = [self._stopping, self._chip_end, *([self._ends[0]] if self._ends else [])]
            try:
                ready, _, _ = select.select(waited, [], [], 0.05)
            except OSError:  # unplugged just now
                continue
            if self._stopping in ready:
                return
            self._carry(ready)

    def _carry(self, ready: list[Any]) -> None:
        sent = self._chip_end.recv(CHUNK) if self._chip_end in ready else b""
        with self._lock:
            if self._ends is None:
                return
            if self._ends[0] in ready:
                self._chip_end.send(self.to_chip(os.read(self._ends[0], CHUNK)))
            if passed := self.to_host(sent):
                os.write(self._ends[0], passed)
