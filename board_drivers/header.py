"""The Pi's header through gpiozero and lgpio: its lines, its SPI port, and what keeps a program from having them.

Only here does anything know gpiozero, which reserves a pin before it tries to have it, and forgets that when it fails:
so what may fail is tried first. lgpio raises a plain Exception of its own, and failures are caught as such.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from board_drivers import nodes
from board_drivers.nodes import GPIO, SPI, node_fault
from board_drivers.pins import HeaderPins, header_pins
from board_drivers.ports import DriverFault

CHIPS = (0, 4)
"""Where the header's lines are: gpiochip0, but gpiochip4 on a Pi 5 with the first kernels made for it."""
LABELS = ("pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1")
"""How the chip that owns the header calls itself: up to the Pi 3, on the 4, and on the 5, which has others besides."""


class OutputLine(Protocol):
    def on(self) -> None: ...
    def off(self) -> None: ...


class InputLine(Protocol):
    when_activated: Callable[[], None] | None

    @property
    def is_active(self) -> bool: ...


class Tone:
    """A line that swings half high, half low. lgpio does it by program, which is near enough for a piezo."""

    def __init__(self, line: Any, bcm: int) -> None:
        self._line, self._bcm = line, bcm

    def sound(self, hz: float) -> None:
        """From now on. Raises DriverFault."""
        self._do(lambda: self._swing(hz))

    def hush(self) -> None:
        """Nothing runs any more, and the line is low. Raises DriverFault."""
        self._do(self._rest)

    def _swing(self, hz: float) -> None:
        self._line.frequency = hz
        self._line.value = 0.5  # a line that was at rest begins at none

    def _rest(self) -> None:
        self._line.frequency = None
        self._line.off()

    def _do(self, what: Callable[[], None]) -> None:
        try:
            what()
        except Exception as error:
            mend = "Restart cribboard; if it comes again, run cribboard doctor."
            raise DriverFault(f"GPIO{self._bcm}", "a line that swings", str(error).strip("'"), mend) from error


class SpiLink:
    """One device on SPI0, driven by the kernel, mode 0."""

    def __init__(self, spi: Any, path: str) -> None:
        self._spi, self._path = spi, path

    def transfer(self, words: Sequence[int]) -> Sequence[int]:
        """Send these bytes and take as many. Raises DriverFault."""
        try:
            answer: Sequence[int] = self._spi.transfer(words)
        except Exception as error:
            raise node_fault(SPI, self._path, error) from error
        return answer


class Header:
    """All lines this program holds; closing it lets go of every one. Everything here raises DriverFault."""

    def __init__(self, pins: HeaderPins | None = None) -> None:
        self._pins = pins or header_pins()
        self._factory = _open_factory()
        self._held: list[Any] = []

    def output(self, use: str, *, active_high: bool = True) -> OutputLine:
        """A line to drive, named as in pins.toml; it starts out off."""
        from gpiozero import OutputDevice

        line: OutputLine = self._claimed(OutputDevice, use, active_high=active_high)
        return line

    def input(self, use: str) -> InputLine:
        """A line to read, pulled up: active while something pulls it to ground."""
        from gpiozero import DigitalInputDevice

        line: InputLine = self._claimed(DigitalInputDevice, use, pull_up=True)
        return line

    def tone(self, use: str) -> Tone:
        """A line to swing; it starts out low."""
        from gpiozero import PWMOutputDevice

        return Tone(self._claimed(PWMOutputDevice, use, frequency=None), self._pins.bcm(use))

    def spi(self, device: int, rate_hz: int) -> SpiLink:
        """SPI0, chip select 0 or 1, in hardware or not at all.

        gpiozero would fall back on driving the pins by program, which reads each bit after the edge that replaced it:
        every hole would seem to be its neighbour.
        """
        from gpiozero import SPISoftwareFallback

        path = f"/dev/spidev0.{device}"
        try:
            nodes.open_node(path)
            with warnings.catch_warnings():
                warnings.simplefilter("error", SPISoftwareFallback)
                spi = self._factory.spi(port=0, device=device)
            self._held.append(spi)
            spi.rate = rate_hz
        except Exception as error:
            raise node_fault(SPI, path, error) from error
        return SpiLink(spi, path)

    def close(self) -> None:
        """May be called twice."""
        while self._held:
            self._held.pop().close()
        self._factory.close()

    def _claimed(self, device: Callable[..., Any], use: str, **how: bool | None) -> Any:
        bcm = self._pins.bcm(use)
        try:
            self._factory.pin(bcm)
            line = device(bcm, pin_factory=self._factory, **how)
        except Exception as error:
            raise DriverFault(
                device=f"GPIO{bcm}",
                expected=f"a free line for the {use.replace('_', ' ')}",
                got=str(error).strip("'"),
                mend=f"Is cribboard running already? `gpioinfo | grep -w GPIO{bcm}` names the program that holds it.",
            ) from error
        self._held.append(line)
        return line


def _open_factory() -> Any:
    """gpiozero's factory on the chip that has the header."""
    try:
        from gpiozero.pins.lgpio import LGPIOFactory
    except ImportError as error:
        mend = "sudo apt install python3-lgpio, and make the environment with --system-site-packages."
        raise DriverFault("GPIO", "the library lgpio", str(error), mend) from error
    except OSError as error:
        mend = "Start cribboard in a folder it may write to: lgpio keeps a pipe there."
        raise DriverFault("GPIO", "a folder to work in", f"{error.strerror} in {os.getcwd()}", mend) from error
    chip = _header_chip()
    try:
        return LGPIOFactory(chip)
    except Exception as error:
        raise node_fault(GPIO, f"/dev/gpiochip{chip}", error) from error


def _header_chip() -> int:
    """The number of the gpiochip that owns the header."""
    labels = {chip: label for chip in CHIPS if (label := _label_of(chip))}
    if not labels:
        raise node_fault(GPIO, f"/dev/gpiochip{CHIPS[0]}", Exception("lgpio could not open it"))
    return chip_of_header(labels)


def chip_of_header(labels: Mapping[int, str]) -> int:
    """The one that owns the header among these chips, told by its label. Raises DriverFault."""
    for chip, label in labels.items():
        if label in LABELS:
            return chip
    raise DriverFault(
        device="GPIO",
        expected=f"one of {', '.join(LABELS)}",
        got=", ".join(f"gpiochip{chip} = {label}" for chip, label in labels.items()),
        mend="On a Pi 5: sudo apt full-upgrade, then restart it. On another computer: set simulate = true.",
    )


def _label_of(chip: int) -> str:
    """What the chip calls itself; nothing if it cannot be opened."""
    import lgpio

    try:
        handle = lgpio.gpiochip_open(chip)
    except lgpio.error:
        return ""
    label: str = lgpio.gpio_get_chip_info(handle)[3]
    lgpio.gpiochip_close(handle)
    return label
