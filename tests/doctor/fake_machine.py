"""A fake Machine for the doctor: files, commands and programs are tables; buses and lines are those of BenchPi."""

from __future__ import annotations

import errno
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct, field

from board_drivers.gpio_info import ChipInfo
from firmware_host.doctor.machine import Program
from tests.board_drivers.bench_board import BenchBoard
from tests.board_drivers.bench_pi import BenchPi

STRIPS = 25
"""The strips of a classic-61."""

CONFIG_TXT = """\
# For more options and information see the documentation of config.txt
dtparam=audio=on
[cm4]
otg_mode=1
[all]
# cribboard: begin
dtparam=spi=on
dtparam=i2c_arm=on,i2c_arm_baudrate=400000
dtoverlay=gpio-shutdown,gpio_pin=4,active_low=1,gpio_pull=up,debounce=1000
gpio=24=op,dl
dtoverlay=max98357a,no-sdmode
# cribboard: end
"""


class FakeMachine(Struct, dict=True):
    """A Machine: a Zero 2 W without faults, until a test changes a field."""

    pi: BenchPi
    board: BenchBoard
    files: dict[str, str] = field(
        default_factory=lambda: {
            "/proc/device-tree/model": "Raspberry Pi Zero 2 W Rev 1.0\0",
            "/etc/os-release": 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\nVERSION_CODENAME=trixie\n',
            "/boot/firmware/config.txt": CONFIG_TXT,
        }
    )
    commands: dict[tuple[str, ...], str] = field(
        default_factory=lambda: {
            ("vcgencmd", "get_throttled"): "throttled=0x0",
            ("espeak-ng", "--version"): "eSpeak NG text-to-speech: 1.52.0",
            ("aplay", "--version"): "aplay: version 1.2.14",
            ("aplay", "-l"): "card 0: Headphones [bcm2835 Headphones], device 0: bcm2835 Headphones []\n"
            "card 1: MAX98357A [MAX98357A], device 0: bcm2835-i2s-HiFi HiFi-0 [bcm2835-i2s-HiFi HiFi-0]",
            ("timedatectl", "show", "-p", "NTPSynchronized", "--value"): "yes",
        }
    )
    packages: dict[str, str] = field(
        default_factory=lambda: {
            "gpiozero": "2.0.1.post3",
            "luma-oled": "3.16.0",
            "pyserial": "3.5",
            "lgpio": "0.2.2.0",
        }
    )
    member_of: set[str] = field(default_factory=lambda: {"cribboard", "gpio", "spi", "i2c", "dialout", "audio"})
    folders: dict[str, list[str]] = field(default_factory=lambda: {"/usr/bin": ["aplay", "espeak-ng"]})
    programs: dict[str, list[Program]] = field(default_factory=dict)
    """Device node -> the programs that have it open."""
    line_user: str = "lg"
    time: datetime = datetime(2026, 12, 24, 20, 15, tzinfo=UTC)
    free: int = 9_000_000_000
    is_read_only: bool = False
    name: str = "cribboard"

    def user(self) -> str:
        return self.name

    def groups(self) -> Collection[str]:
        return self.member_of

    def read(self, path: str) -> str:
        return self.files.get(path, "")

    def names(self, folder: str) -> Sequence[str]:
        return self.folders.get(folder, [])

    def run(self, *command: str) -> str:
        return self.commands.get(command, "")

    def refusal(self, node: str) -> int:
        try:
            self.pi.probe_node(node)
        except OSError as refused:
            return refused.errno or errno.EIO
        return 0

    def chip(self, node: str, lines: Collection[int]) -> ChipInfo | None:
        number = int(node.removeprefix("/dev/gpiochip"))
        if number not in self.pi.chips or self.refusal(node):
            return None
        is_header = self.pi.chips[number].startswith("pinctrl-")
        users = {line: self.line_user for line in lines if line in self.pi.busy and is_header}
        return ChipInfo(self.pi.chips[number], users)

    def users_of(self, node: str) -> Sequence[Program]:
        return self.programs.get(node, [])

    def version(self, package: str) -> str:
        return self.packages.get(package, "")

    def may_write(self, folder: Path) -> bool:
        return not self.is_read_only

    def free_bytes(self, folder: Path) -> int:
        return self.free

    def now(self) -> datetime:
        return self.time
