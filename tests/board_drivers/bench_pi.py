"""A modelled Raspberry Pi: wires, an SPI port and an I2C bus behind the functions of lgpio and smbus2.

gpiozero and luma run on it unchanged, on the same code paths as on a real Pi.
"""

from __future__ import annotations

import errno
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import count
from threading import RLock
from typing import Any

import pytest
from msgspec import Struct

from tests.board_drivers.chips import OledChip, Wire, bits_of

ZERO_2_W, PI_4B, PI_5 = 0x902120, 0xC03114, 0xC04170
SCLK, MOSI, MISO, SELECTS = 11, 10, 9, (8, 7)


class LgpioError(Exception):
    """lgpio's own exception: it is no OSError, and its text is in quotes."""

    def __str__(self) -> str:
        return repr(self.args[0])


class SpiNode(Struct):
    """An open /dev/spidev0.N."""

    select: Wire
    rate_hz: int
    mode: int


class BenchPi:
    """`chips`: number of a gpiochip -> its label. `refused`: node -> errno. `busy`: lines held by another program."""

    def __init__(self, revision: int = ZERO_2_W) -> None:
        self.revision = revision
        self.gpio = {bcm: Wire(pull=bcm <= 8) for bcm in range(28)}
        self.chips = {0: "pinctrl-bcm2835"}
        self.refused: dict[str, int] = {}
        self.busy: set[int] = set()
        self.pwm_calls: list[tuple[int, float, float]] = []
        """(line, Hz, duty cycle in percent) of each call; 0 Hz stops the PWM."""
        self.pwm_lines: set[int] = set()
        """The lines with PWM at present."""
        self.header_chip: int | None = None
        """The chip on which a line was claimed last."""
        self.spi: dict[int, SpiNode] = {}
        self.i2c: list[OledChip] = []

    def clock(self, words: Sequence[int]) -> bytes:
        """A transfer on SPI0 in mode 0: MISO is sampled at the rising edge, before any part reacts to that edge."""
        return bytes(self._clock_byte(word) for word in bytes(words))

    def _clock_byte(self, word: int) -> int:
        received = 0
        for bit in bits_of(word):
            self.gpio[MOSI].drive(bit)
            received = received << 1 | self.gpio[MISO].is_high
            self.gpio[SCLK].drive(True)
            self.gpio[SCLK].drive(False)
        return received

    def write_i2c(self, address: int, block: Sequence[int]) -> None:
        """A write on I2C1: a control byte, then its data. Raises OSError if no chip acknowledges."""
        for chip in self.i2c:
            if chip.address == address:
                return chip.write(address, block[0], block[1:])
        raise OSError(errno.EREMOTEIO, "Remote I/O error")

    def probe_node(self, path: str) -> None:
        """Raises OSError as the kernel would."""
        if number := self.refused.get(path):
            raise OSError(number, os.strerror(number), path)

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Make gpiozero, luma and the drivers of this process run on this Pi."""
        from gpiozero.pins import local

        monkeypatch.setitem(sys.modules, "lgpio", BenchLgpio(self))
        monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
        monkeypatch.setattr(local, "get_pi_revision", lambda: self.revision)
        monkeypatch.setattr(local.LocalPiFactory, "pins", {})
        monkeypatch.setattr(local.LocalPiFactory, "_reservations", defaultdict(list))
        # A device that is garbage-collected while another one is opened takes the lock again: it must be reentrant.
        monkeypatch.setattr(local.LocalPiFactory, "_res_lock", RLock())
        monkeypatch.setattr("smbus2.SMBus", lambda bus: BenchSmbus(self, bus))
        monkeypatch.setattr("board_drivers.device_nodes.probe_node", self.probe_node)


class BenchSmbus:
    """smbus2's SMBus: blocks of 32 bytes, or whole messages."""

    def __init__(self, pi: BenchPi, bus: int) -> None:
        pi.probe_node(f"/dev/i2c-{bus}")
        self._pi = pi

    def write_i2c_block_data(self, address: int, control: int, block: Sequence[int]) -> None:
        assert len(block) <= 32, "SMBus carries blocks of 32 bytes at most"
        self._pi.write_i2c(address, (control, *block))

    def i2c_rdwr(self, message: Any) -> None:
        self._pi.write_i2c(message.addr, list(message))

    def close(self) -> None:
        """Nothing to close."""


class BenchLgpio:
    """The functions of lgpio 0.2.2 that gpiozero calls, over the wires of one Pi."""

    SET_ACTIVE_LOW, SET_OPEN_DRAIN, SET_OPEN_SOURCE = 4, 8, 16
    SET_PULL_UP, SET_PULL_DOWN, SET_PULL_NONE = 32, 64, 128
    RISING_EDGE, FALLING_EDGE, BOTH_EDGES = 1, 2, 3
    IS_OUTPUT = 2
    error = LgpioError

    def __init__(self, pi: BenchPi) -> None:
        self._pi = pi
        self._modes: dict[int, int] = {}
        self._callbacks: dict[int, Callable[..., None]] = {}
        self._handles = count()
        self._opened: dict[int, int] = {}
        for bcm, wire in pi.gpio.items():
            wire.listen(lambda is_high, bcm=bcm: self._alert(bcm, is_high))  # type: ignore[misc]

    def _alert(self, bcm: int, is_high: bool) -> None:
        if callback := self._callbacks.get(bcm):
            callback(0, bcm, int(is_high), 0)

    # The chip

    def gpiochip_open(self, number: int) -> int:
        if number not in self._pi.chips or f"/dev/gpiochip{number}" in self._pi.refused:
            raise LgpioError("can not open gpiochip")
        handle = next(self._handles)
        self._opened[handle] = number
        return handle

    def gpiochip_close(self, handle: int) -> None:
        del self._opened[handle]
        if not self._opened:
            for bcm in list(self._modes):
                self.gpio_free(handle, bcm)

    def gpio_get_chip_info(self, handle: int) -> list[Any]:
        number = self._opened[handle]
        return [0, 54, f"gpiochip{number}", self._pi.chips[number]]

    # Its lines

    def gpio_claim_input(self, handle: int, bcm: int, flags: int = 0) -> None:
        self._claim(handle, bcm, flags)
        self._pi.gpio[bcm].drive(None)
        if flags & (self.SET_PULL_UP | self.SET_PULL_DOWN):
            self._pi.gpio[bcm].pull(bool(flags & self.SET_PULL_UP))

    def gpio_claim_output(self, handle: int, bcm: int, level: int = 0, flags: int = 0) -> None:
        self._claim(handle, bcm, flags | self.IS_OUTPUT)
        self._pi.gpio[bcm].drive(bool(level))

    def gpio_claim_alert(self, handle: int, bcm: int, edges: int, flags: int = 0) -> None:
        self._claim(handle, bcm, flags)

    def _claim(self, handle: int, bcm: int, mode: int) -> None:
        label = self._pi.chips[self._opened[handle]]
        assert label.startswith("pinctrl-"), f"line {bcm} of {label} is not on the header"
        if bcm in self._pi.busy:
            raise LgpioError("GPIO busy")
        self._modes[bcm] = mode
        self._pi.header_chip = self._opened[handle]

    def gpio_free(self, handle: int, bcm: int) -> None:
        del self._modes[bcm]
        self._pi.gpio[bcm].drive(None)

    def gpio_get_mode(self, handle: int, bcm: int) -> int:
        return self._modes[bcm]

    def gpio_read(self, handle: int, bcm: int) -> int:
        return int(self._pi.gpio[bcm].is_high)

    def gpio_write(self, handle: int, bcm: int, level: int) -> None:
        assert self._modes[bcm] & self.IS_OUTPUT
        self._pi.gpio[bcm].drive(bool(level))

    def tx_pwm(self, handle: int, bcm: int, hz: float, duty: float) -> int:
        assert self._modes[bcm] & self.IS_OUTPUT
        if not 0 <= hz <= 10_000:
            raise LgpioError("bad PWM frequency")
        self._pi.pwm_calls.append((bcm, hz, duty))
        (self._pi.pwm_lines.add if hz else self._pi.pwm_lines.discard)(bcm)
        return 0

    def gpio_set_debounce_micros(self, handle: int, bcm: int, micros: int) -> None:
        assert micros == 0, "the drivers debounce by themselves"

    def callback(self, handle: int, bcm: int, edges: int, func: Callable[..., None]) -> Callback:
        self._callbacks[bcm] = func
        return Callback(self._callbacks, bcm)

    # The kernel's SPI port

    def spi_open(self, port: int, device: int, rate_hz: int, mode: int) -> int:
        if port != 0 or f"/dev/spidev0.{device}" in self._pi.refused:
            raise LgpioError("can not open SPI device")
        select = self._pi.gpio[SELECTS[device]]
        select.drive(True)
        self._pi.spi[device] = SpiNode(select, rate_hz, mode)
        return device

    def spi_close(self, device: int) -> None:
        del self._pi.spi[device]

    def spi_xfer(self, device: int, words: Sequence[int]) -> tuple[int, bytes]:
        if f"/dev/spidev0.{device}" in self._pi.refused:
            return -88, b""
        node = self._pi.spi[device]
        assert node.mode == 0
        node.select.drive(False)
        answer = self._pi.clock(words)
        node.select.drive(True)
        return len(answer), answer


class Callback(Struct, frozen=True):
    """What lgpio's `callback` returns."""

    callbacks: dict[int, Callable[..., None]]
    bcm: int

    def cancel(self) -> None:
        self.callbacks.pop(self.bcm, None)
