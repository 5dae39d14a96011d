"""Reads from the kernel which lines of a gpiochip are in use, and by whom, without claiming one and without a library.

The structures are those of linux/gpio.h, version 2 of the interface, in every kernel since 5.10.
"""

from __future__ import annotations

import fcntl
import struct
from collections.abc import Callable, Collection, Mapping

from msgspec import Struct

CHIP_INFO = 0x8044B401
LINE_INFO = 0xC100B405
"""GPIO_GET_CHIPINFO_IOCTL and GPIO_V2_GET_LINEINFO_IOCTL."""
_CHIP = struct.Struct("=32s32sI")
_LINE = struct.Struct("=32s32sIIQ176x")
"""Name, consumer, offset, number of attributes, flags; then attributes and padding."""
_IS_USED = 1

IoctlCall = Callable[[int, int, bytearray], object]
"""`fcntl.ioctl`, or a substitute in tests: file descriptor, request, buffer that is filled in place."""


class ChipInfo(Struct, frozen=True):
    """`label`: the chip's name for itself, such as pinctrl-bcm2835. `users`: number of a used line -> its consumer."""

    label: str
    users: Mapping[int, str]


def read_chip_info(path: str, lines: Collection[int], ioctl: IoctlCall | None = None) -> ChipInfo:
    """The label of the chip at this node, and the users of those of `lines` that are in use. Raises OSError."""
    call = ioctl or fcntl.ioctl
    with open(path, "rb+", buffering=0) as node:
        chip = bytearray(_CHIP.size)
        call(node.fileno(), CHIP_INFO, chip)
        _, label, count = _CHIP.unpack(chip)
        users = {line: user for line in lines if line < count and (user := _user_of(node.fileno(), line, call))}
    return ChipInfo(_text(label), users)


def _user_of(chip: int, line: int, ioctl: IoctlCall) -> str:
    """Empty if the line is free."""
    info = bytearray(_LINE.pack(b"", b"", line, 0, 0))
    ioctl(chip, LINE_INFO, info)
    _, consumer, _, _, flags = _LINE.unpack(info)
    return (_text(consumer) or "the kernel") if flags & _IS_USED else ""


def _text(padded: bytes) -> str:
    return padded.split(b"\0", 1)[0].decode(errors="replace")
