"""Faults of a board, each as a change of a machine without faults."""

from __future__ import annotations

import errno
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from firmware_host.doctor.machine import Program
from tests.doctor.fake_machine import CONFIG_TXT, FakeMachine

SPI_NODE, I2C_NODE, CHIP = "/dev/spidev0.0", "/dev/i2c-1", "/dev/gpiochip0"
OUR_LINES = (25, 24, 23, 5, 6, 13, 26, 12, 16, 27, 22)
MachineFault = Callable[[FakeMachine], object]


def both(*faults: MachineFault) -> MachineFault:
    def apply(machine: FakeMachine) -> None:
        for each in faults:
            each(machine)

    return apply


FAULTS: Mapping[str, MachineFault] = {
    "a computer that is not a Pi": lambda it: it.files.pop("/proc/device-tree/model"),
    "another operating system": lambda it: it.files.update({"/etc/os-release": 'PRETTY_NAME="Raspbian 11"\n'}),
    "a weak power supply": lambda it: it.commands.update({("vcgencmd", "get_throttled"): "throttled=0x50005"}),
    "no vcgencmd": lambda it: it.commands.pop(("vcgencmd", "get_throttled")),
    "a clock not set by the network": lambda it: it.commands.update(
        {("timedatectl", "show", "-p", "NTPSynchronized", "--value"): "no"}
    ),
    "a clock that lost its time": lambda it: setattr(it, "time", datetime(1970, 1, 1, 0, 17, tzinfo=UTC)),
    "an empty lgpio package": lambda it: it.packages.update(lgpio="0.0.0.2"),
    "no lgpio": lambda it: it.packages.pop("lgpio"),
    "an old gpiozero": lambda it: it.packages.update(gpiozero="1.6.2"),
    "1-Wire on the power button's pin": lambda it: it.files.update(
        {"/boot/firmware/config.txt": f"{CONFIG_TXT}dtoverlay=w1-gpio\n"}
    ),
    "an amplifier driver on the power button's pin": lambda it: it.files.update(
        {"/boot/firmware/config.txt": CONFIG_TXT.replace("max98357a,no-sdmode", "max98357a")}
    ),
    "SPI off": both(
        lambda it: it.pi.refused.update({SPI_NODE: errno.ENOENT, "/dev/spidev0.1": errno.ENOENT}),
        lambda it: it.files.update({"/boot/firmware/config.txt": CONFIG_TXT.replace("dtparam=spi=on\n", "")}),
    ),
    "SPI turned off again further down": lambda it: it.files.update(
        {"/boot/firmware/config.txt": f"{CONFIG_TXT}dtparam=spi=off\n"}
    ),
    "I2C off": both(
        lambda it: it.pi.refused.update({I2C_NODE: errno.ENOENT}),
        lambda it: it.files.update(
            {"/boot/firmware/config.txt": CONFIG_TXT.replace("dtparam=i2c_arm=on,", "dtparam=")}
        ),
    ),
    "no permission for SPI": both(
        lambda it: it.pi.refused.update({SPI_NODE: errno.EACCES}),
        lambda it: it.member_of.remove("spi"),
    ),
    "no permission for I2C": both(
        lambda it: it.pi.refused.update({I2C_NODE: errno.EACCES}),
        lambda it: it.member_of.remove("i2c"),
    ),
    "no permission for GPIO": both(
        lambda it: it.pi.refused.update({CHIP: errno.EACCES}),
        lambda it: it.member_of.remove("gpio"),
    ),
    "no permission for a serial device": both(
        lambda it: it.folders.update({"/dev/serial/by-id": ["usb-1a86_USB_Serial-if00-port0"]}),
        lambda it: it.pi.refused.update({"/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0": errno.EACCES}),
        lambda it: it.member_of.remove("dialout"),
    ),
    "a Pi 5 with its header on another chip": lambda it: it.pi.chips.update(
        {0: "gpio-brcmstb@107d508500", 4: "pinctrl-rp1"}
    ),
    "a Pi 5 with its header on no chip": lambda it: it.pi.chips.update({0: "gpio-brcmstb@107d508500"}),
    "a board that is running": both(
        lambda it: it.programs.update(
            {
                node: [Program(812, "/opt/cribboard/venv/bin/python3 /opt/cribboard/venv/bin/cribboard run")]
                for node in (CHIP, SPI_NODE, "/dev/spidev0.1", I2C_NODE)
            }
        ),
        lambda it: it.pi.busy.update({25, 24}),
    ),
    "a board that another user runs": lambda it: it.pi.busy.update(OUR_LINES),
    "another program on the lines": lambda it: it.pi.busy.update({25, 24}),
    "a second program on the SPI bus": lambda it: it.programs.update(
        {SPI_NODE: [Program(812, "cribboard run"), Program(4711, "/usr/bin/python3 blink.py")]}
    ),
    "two boards on the SPI bus": lambda it: it.programs.update(
        {SPI_NODE: [Program(812, "cribboard run"), Program(913, "cribboard run")]}
    ),
    "another program on the display's bus": lambda it: it.programs.update(
        {I2C_NODE: [Program(4711, "/usr/sbin/i2cdump -y 1 0x3c")]}
    ),
    "a ribbon cut before strip 7": lambda it: it.board.strips.floats.update({6: 1}),
    "a chain that ends at strip 24": lambda it: it.board.strips.floats.update({24: 0}),
    "shifted bits at strip 12": lambda it: it.board.strips.missed_clocks.update({11: 1}),
    "a data line stuck high": lambda it: setattr(it.board.strips, "stuck", True),
    "a data line stuck low": lambda it: setattr(it.board.strips, "stuck", False),
    "a latch that reaches no strip": lambda it: setattr(it.board.strips, "unlatched", 0),
    "a key held down": lambda it: it.board.keys.press("Q"),
    "a keypad column shorted to ground": lambda it: it.pi.gpio[16].ground(),
    "a program on the piezo's line": lambda it: it.pi.busy.add(23),
    "no display at its addresses": lambda it: it.board.oled.unplug(),
    "a display at the other address": lambda it: setattr(it.board.oled, "address", 0x3D),
    "a folder that cannot be written": lambda it: setattr(it, "is_read_only", True),
    "a disk almost full": lambda it: setattr(it, "free", 52_000_000),
    "a full disk": lambda it: setattr(it, "free", 40_000),
}
"""Name -> the function that puts the fault into a machine."""
