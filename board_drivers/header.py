"""GPIO lines and SPI ports of the Pi's header, through gpiozero and lgpio, with errors that say why one cannot be had.

This is the only module that uses gpiozero. gpiozero reserves a pin before it opens it and keeps the reservation if that
fails, so whatever may fail is tried first. lgpio raises its own subclass of Exception, so Exception is caught.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from board_drivers import device_nodes
from board_drivers.device_nodes import GPIO, SPI, node_error
from board_drivers.pins import HeaderPins, header_pins
from board_drivers.ports import DriverError

CHIPS = (0, 4)
"""Numbers of the gpiochips that may own the header: 0, or 4 on a Pi 5 with its first kernels."""
LABELS = ("pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1")
"""Labels of the chip that owns the header: up to the Pi 3, on the Pi 4, and on the Pi 5, which has other chips too."""


class OutputLine(Protocol):
    """A line that is driven."""

    def on(self) -> None: ...
    def off(self) -> None: ...


class InputLine(Protocol):
    """A line that is read. `when_activated` is called in lgpio's thread at each edge to active."""

    when_activated: Callable[[], None] | None

    @property
    def is_active(self) -> bool: ...


class Tone:
    """A square wave on one line, with a duty cycle of 50 %. lgpio makes it in software: accurate enough for a piezo."""

    def __init__(self, line: Any, bcm: int) -> None:
        self._line = line
        self._bcm = bcm

    def sound(self, hz: float) -> None:
        """Start this frequency; lgpio refuses more than 10 kHz. Raises DriverError."""
        self._call(lambda: self._start(hz))

    def stop(self) -> None:
        """Stop the wave and drive the line low. Raises DriverError."""
        self._call(self._rest)

    def _start(self, hz: float) -> None:
        self._line.frequency = hz
        self._line.value = 0.5  # gpiozero sets 0 when the frequency was None

    def _rest(self) -> None:
        self._line.frequency = None
        self._line.off()

    def _call(self, action: Callable[[], None]) -> None:
        try:
            action()
        except Exception as error:
            fix = "Restart cribboard; if it happens again, run cribboard doctor."
            raise DriverError(f"GPIO{self._bcm}", "a tone on the line", str(error).strip("'"), fix) from error


class SpiLink:
    """One device on SPI0, in mode 0, driven by the kernel's spidev."""

    def __init__(self, spi: Any, path: str) -> None:
        self._spi = spi
        self._path = path

    def transfer(self, words: Sequence[int]) -> Sequence[int]:
        """Send these bytes and return as many received ones. Raises DriverError."""
        try:
            answer: Sequence[int] = self._spi.transfer(words)
        except Exception as error:
            raise node_error(SPI, self._path, error) from error
        return answer


class Header:
    """All lines and SPI ports that this program holds. Every method but `close` raises DriverError."""

    def __init__(self, pins: HeaderPins | None = None) -> None:
        self._pins = pins or header_pins()
        self._factory = _open_factory()
        self._held: list[Any] = []

    def output(self, use: str, *, active_high: bool = True) -> OutputLine:
        """Claim a line to drive, by its use in pins.toml. It starts off."""
        from gpiozero import OutputDevice

        line: OutputLine = self._claimed(OutputDevice, use, active_high=active_high)
        return line

    def input(self, use: str) -> InputLine:
        """Claim a line to read, with pull-up; it is active while it is low."""
        from gpiozero import DigitalInputDevice

        line: InputLine = self._claimed(DigitalInputDevice, use, pull_up=True)
        return line

    def tone(self, use: str) -> Tone:
        """Claim a line for tones. It starts low."""
        from gpiozero import PWMOutputDevice

        return Tone(self._claimed(PWMOutputDevice, use, frequency=None), self._pins.bcm(use))

    def spi(self, device: int, rate_hz: int) -> SpiLink:
        """Open SPI0 with chip select 0 or 1 at `rate_hz`, in hardware only.

        gpiozero would fall back to software SPI, which reads each bit after the clock edge that shifts the register:
        every hole would appear as its neighbour.
        """
        from gpiozero import SPISoftwareFallback

        path = f"/dev/spidev0.{device}"
        try:
            device_nodes.probe_node(path)
            with warnings.catch_warnings():
                warnings.simplefilter("error", SPISoftwareFallback)
                spi = self._factory.spi(port=0, device=device)
            self._held.append(spi)
            spi.rate = rate_hz
        except Exception as error:
            raise node_error(SPI, path, error) from error
        return SpiLink(spi, path)

    def close(self) -> None:
        """Release every line and port. May be called twice."""
        while self._held:
            self._held.pop().close()
        self._factory.close()

    def _claimed(self, device: Callable[..., Any], use: str, **how: bool | None) -> Any:
        bcm = self._pins.bcm(use)
        try:
            self._factory.pin(bcm)
            line = device(bcm, pin_factory=self._factory, **how)
        except Exception as error:
            raise DriverError(
                device=f"GPIO{bcm}",
                expected=f"a free line for the {use.replace('_', ' ')}",
                got=str(error).strip("'"),
                fix=f"Is cribboard already running? `gpioinfo | grep -w GPIO{bcm}` names the program that holds it.",
            ) from error
        self._held.append(line)
        return line


def _open_factory() -> Any:
    """gpiozero's pin factory for the gpiochip of the header."""
    try:
        from gpiozero.pins.lgpio import LGPIOFactory
    except ImportError as error:
        fix = "sudo apt install python3-lgpio, and make the environment with --system-site-packages."
        raise DriverError("GPIO", "the library lgpio", str(error), fix) from error
    except OSError as error:
        fix = "Start cribboard in a folder it may write to: lgpio makes a pipe there."
        raise DriverError("GPIO", "a writable working folder", f"{error.strerror} in {os.getcwd()}", fix) from error
    chip = _header_chip()
    try:
        return LGPIOFactory(chip)
    except Exception as error:
        raise node_error(GPIO, f"/dev/gpiochip{chip}", error) from error


def _header_chip() -> int:
    """The number of the gpiochip that owns the header."""
    labels = {chip: label for chip in CHIPS if (label := _label_of(chip))}
    if not labels:
        raise node_error(GPIO, f"/dev/gpiochip{CHIPS[0]}", Exception("lgpio could not open it"))
    return chip_of_header(labels)


def chip_of_header(labels: Mapping[int, str]) -> int:
    """The number of the chip that owns the header, by its label; `labels` is number -> label. Raises DriverError."""
    for chip, label in labels.items():
        if label in LABELS:
            return chip
    raise DriverError(
        device="GPIO",
        expected=f"one of {', '.join(LABELS)}",
        got=", ".join(f"gpiochip{chip} = {label}" for chip, label in labels.items()),
        fix="On a Pi 5: sudo apt full-upgrade, then restart it. On another computer: set kit = page.",
    )


def _label_of(chip: int) -> str:
    """The chip's label; empty if it cannot be opened."""
    import lgpio

    try:
        handle = lgpio.gpiochip_open(chip)
    except lgpio.error:
        return ""
    label: str = lgpio.gpio_get_chip_info(handle)[3]
    lgpio.gpiochip_close(handle)
    return label
