"""Who holds a line, as the kernel's own structures tell it (linux/gpio.h, version 2)."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from board_drivers.lines import CHIP_INFO, LINE_INFO, ChipSeen, look_at_chip


class Kernel:
    """The two questions of `lines` answered as the kernel would, for a chip of 54 lines."""

    def __init__(self, held: dict[int, bytes]) -> None:
        self._held = held

    def __call__(self, node: int, asked: int, told: bytearray) -> None:
        if asked == CHIP_INFO:
            assert len(told) == 68
            told[:] = struct.pack("=32s32sI", b"gpiochip0", b"pinctrl-bcm2835", 54)
        else:
            assert asked == LINE_INFO and len(told) == 256
            (line,) = struct.unpack_from("=I", told, 64)
            assert line < 54, "the kernel says EINVAL"
            struct.pack_into("=32s", told, 32, self._held.get(line, b""))
            struct.pack_into("=Q", told, 72, int(line in self._held))


@pytest.fixture
def node(tmp_path: Path) -> str:
    (tmp_path / "gpiochip0").touch()
    return str(tmp_path / "gpiochip0")


def test_the_chip_tells_its_label_and_who_holds_its_lines(node: str) -> None:
    seen = look_at_chip(node, (24, 25, 7), Kernel({25: b"lg", 7: b"spi0 CS1", 30: b"led0"}))
    assert seen == ChipSeen("pinctrl-bcm2835", {25: "lg", 7: "spi0 CS1"})


def test_a_holder_without_a_name_is_the_kernel(node: str) -> None:
    assert look_at_chip(node, [4], Kernel({4: b""})).users == {4: "the kernel"}


def test_a_line_that_the_chip_does_not_have_is_held_by_nobody(node: str) -> None:
    assert look_at_chip(node, [99], Kernel({})).users == {}


def test_what_is_no_chip_refuses(node: str) -> None:
    with pytest.raises(OSError):
        look_at_chip(node, [4])
