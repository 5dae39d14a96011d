"""Who holds the lines of a gpiochip, as the kernel tells anybody who asks: no line is claimed, and no library needed.

The structures are those of linux/gpio.h, second version of the interface, in every kernel since 5.10.
"""

from __future__ import annotations

import fcntl
import struct
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

CHIP_INFO, LINE_INFO = 0x8044B401, 0xC100B405
"""GPIO_GET_CHIPINFO_IOCTL and GPIO_V2_GET_LINEINFO_IOCTL."""
_CHIP = struct.Struct("=32s32sI")
_LINE = struct.Struct("=32s32sIIQ176x")
"""Name, consumer, offset, number of attributes, flags; then attributes and padding."""
_IS_USED = 1

Ask = Callable[[int, int, bytearray], object]


@dataclass(frozen=True, slots=True)
class ChipSeen:
    """`label` is how the chip calls itself, `users` which of its lines are held -> under what name."""

    label: str
    users: Mapping[int, str]


def look_at_chip(path: str, lines: Collection[int], ask: Ask | None = None) -> ChipSeen:
    """The chip at this node, and who holds those of these lines that are held. Raises OSError."""
    asking = ask or fcntl.ioctl
    with open(path, "rb+", buffering=0) as node:
        chip = bytearray(_CHIP.size)
        asking(node.fileno(), CHIP_INFO, chip)
        _, label, count = _CHIP.unpack(chip)
        users = {line: user for line in lines if line < count and (user := _user_of(node.fileno(), line, asking))}
    return ChipSeen(_text(label), users)


def _user_of(chip: int, line: int, ask: Ask) -> str:
    """Nothing if the line is free."""
    asked = bytearray(_LINE.pack(b"", b"", line, 0, 0))
    ask(chip, LINE_INFO, asked)
    _, consumer, _, _, flags = _LINE.unpack(asked)
    return (_text(consumer) or "the kernel") if flags & _IS_USED else ""


def _text(padded: bytes) -> str:
    return padded.split(b"\0", 1)[0].decode(errors="replace")
