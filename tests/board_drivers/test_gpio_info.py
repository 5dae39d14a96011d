"""Reading the users of GPIO lines from the kernel's structures (linux/gpio.h, version 2)."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from board_drivers.gpio_info import CHIP_INFO, LINE_INFO, ChipInfo, read_chip_info


class Kernel:
    """Both ioctls as the kernel answers them, for a chip of 54 lines; `held`: line -> its consumer."""

    def __init__(self, held: dict[int, bytes]) -> None:
        self._held = held

    def __call__(self, node: int, request: int, buffer: bytearray) -> None:
        if request == CHIP_INFO:
            assert len(buffer) == 68
            buffer[:] = struct.pack("=32s32sI", b"gpiochip0", b"pinctrl-bcm2835", 54)
        else:
            assert request == LINE_INFO and len(buffer) == 256
            (line,) = struct.unpack_from("=I", buffer, 64)
            assert line < 54, "the kernel returns EINVAL"
            struct.pack_into("=32s", buffer, 32, self._held.get(line, b""))
            struct.pack_into("=Q", buffer, 72, int(line in self._held))


@pytest.fixture
def node(tmp_path: Path) -> str:
    (tmp_path / "gpiochip0").touch()
    return str(tmp_path / "gpiochip0")


def test_label_and_users_of_the_requested_lines_are_read(node: str) -> None:
    info = read_chip_info(node, (24, 25, 7), Kernel({25: b"lg", 7: b"spi0 CS1", 30: b"led0"}))
    assert info == ChipInfo("pinctrl-bcm2835", {25: "lg", 7: "spi0 CS1"})


def test_user_without_a_name_is_the_kernel(node: str) -> None:
    assert read_chip_info(node, [4], Kernel({4: b""})).users == {4: "the kernel"}


def test_line_that_the_chip_does_not_have_is_free(node: str) -> None:
    assert read_chip_info(node, [99], Kernel({})).users == {}


def test_file_that_is_no_gpiochip_raises(node: str) -> None:
    with pytest.raises(OSError):
        read_chip_info(node, [4])
