"""Wrong wires and wrong settings on real nodes: what is at fault, where, and what mends it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.drivers.bench_board import BenchBoard
from tests.drivers.bench_pi import BenchPi
from tests.kernel.inside.conftest import PLAN, Start
from tests.kernel.inside.glass import shows
from tests.kernel.inside.people import until
from tests.kernel.inside.program import Program

SPIDEV = Path("/sys/bus/spi/drivers/spidev")
WITHOUT_RIGHTS = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
"""Root, but like anybody else before a file that belongs to others."""
OTHERS = 990


@contextmanager
def spi_off(select: int) -> Iterator[None]:
    """As with SPI off in config.txt: the kernel makes no node."""
    (SPIDEV / "unbind").write_text(f"spi0.{select}")
    yield
    (SPIDEV / "bind").write_text(f"spi0.{select}")


@contextmanager
def node_gone(node: Path) -> Iterator[None]:
    hidden = node.with_name("hidden")
    node.rename(hidden)
    yield
    hidden.rename(node)


@contextmanager
def of_others(node: Path) -> Iterator[None]:
    """The node is open to another user and another group only, as it is before somebody joins it."""
    os.chown(node, OTHERS, OTHERS)
    node.chmod(0o660)
    yield
    os.chown(node, 0, 0)


def trouble(program: Program, begin: str) -> None:
    """The panel and the first lines of the glass say so."""
    state = program.wait_for(lambda now: now["trouble"].startswith(begin), begin)
    assert "".join(state["display"])[:12] == begin[:12]


@pytest.mark.parametrize("select", [0, 1])
def test_spi_that_is_off(wood: BenchBoard, start: Start, select: int) -> None:
    with spi_off(select):
        program = start()
        assert program.exit_status() == 1
    assert program.said.startswith(f"SPI0: expected /dev/spidev0.{select} to open, got no such file or directory; ")
    assert "dtparam=spi=on" in program.said and program.said.count("\n") == 1


@pytest.mark.parametrize(
    ("node", "device", "group"), [("/dev/gpiochip0", "GPIO", "gpio"), ("/dev/spidev0.1", "SPI0", "spi")]
)
def test_a_node_that_belongs_to_a_group(wood: BenchBoard, start: Start, node: str, device: str, group: str) -> None:
    with of_others(Path(node)):
        program = start(before=WITHOUT_RIGHTS)
        assert program.exit_status() == 1
    assert program.said.startswith(f"{device}: expected {node} to open, got permission denied; ")
    assert f"usermod -aG {group}" in program.said and program.said.count("\n") == 1


def test_i2c_that_is_off_is_no_reason_not_to_play(wood: BenchBoard, start: Start) -> None:
    with node_gone(Path("/dev/i2c-1")):
        program = start()
        program.wait_until_open()
        until(lambda: "I2C1: expected /dev/i2c-1 to open, got no such file" in program.said, "the bus to be missed")
        assert "dtparam=i2c_arm=on" in program.said and program.state()["prompt"]


def test_a_second_program_is_told_which_line_is_taken(program: Program, start: Start, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    second = start(folder=other)
    assert second.exit_status() == 1
    told = r"GPIO(\d+): expected a free line for the [a-z ]+, got GPIO busy; .*`gpioinfo \| grep -w GPIO\1`.*\n"
    assert re.fullmatch(told, second.said)
    assert not program.state()["trouble"]


def test_a_display_that_is_not_at_its_address(wood: BenchBoard, start: Start) -> None:
    wood.oled.unplug()
    program = start()
    program.wait_until_open()
    until(lambda: "OLED: expected a display at 0x3c or 0x3d on I2C1" in program.said, "the display to be missed")
    assert not wood.oled.is_on
    wood.oled.plug_in()
    until(lambda: shows(wood.oled.pixels(), program.state()["display"]), "the page to be back")
    assert wood.oled.is_on


def test_a_chain_that_is_cut_at_a_strip(program: Program, wood: BenchBoard) -> None:
    wood.strips.floats[11] = 1
    trouble(program, "Chain fault at strip 12:")
    wood.strips.floats.clear()
    program.wait_for(lambda now: not now["trouble"], "a chain that is whole again")


@pytest.mark.parametrize("level", [False, True])
def test_a_data_line_that_is_stuck(program: Program, wood: BenchBoard, level: bool) -> None:
    wood.strips.stuck = level
    trouble(program, "Sensor chain silent: ")
    wood.strips.stuck = None
    program.wait_for(lambda now: not now["trouble"], "a line that moves again")


def test_a_chain_of_another_length(pi: BenchPi, start: Start) -> None:
    BenchBoard(pi, PLAN.strip_count - 1)
    program = start()
    program.wait_until_open()
    trouble(program, f"Chain fault at strip {PLAN.strip_count}:")
