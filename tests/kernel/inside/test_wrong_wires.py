"""Wrong wires and wrong settings on real nodes: the device at fault, the place and the fix are named."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.board_drivers.bench_board import BenchBoard
from tests.board_drivers.bench_pi import BenchPi
from tests.kernel.inside.conftest import PLAN, Start
from tests.kernel.inside.display import shows
from tests.kernel.inside.players import wait_until
from tests.kernel.inside.program import Program

SPIDEV = Path("/sys/bus/spi/drivers/spidev")
WITHOUT_RIGHTS = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
"""Runs a command as root without the right to open other users' files."""
OTHERS = 990


@contextmanager
def spi_off(select: int) -> Iterator[None]:
    """Remove the node, as with SPI off in config.txt."""
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
def owned_by_others(node: Path) -> Iterator[None]:
    """Give the node to another user and group, as it is for a user who is not in its group."""
    os.chown(node, OTHERS, OTHERS)
    node.chmod(0o660)
    yield
    os.chown(node, 0, 0)


def assert_fault(program: Program, begin: str, sentence: str) -> None:
    """The panel shows a fault that begins like this, and the first lines of the display show the sentence for it."""
    state = program.wait_for(lambda now: now["fault"].startswith(begin), begin)
    assert " ".join(state["display"]).startswith(sentence)


@pytest.mark.parametrize("select", [0, 1])
def test_spi_turned_off_names_the_setting(bench: BenchBoard, start: Start, select: int) -> None:
    with spi_off(select):
        program = start()
        assert program.exit_status() == 1
    assert program.output.startswith(f"SPI0: expected /dev/spidev0.{select} to open, got no such file or directory; ")
    assert "dtparam=spi=on" in program.output and program.output.count("\n") == 1


@pytest.mark.parametrize(
    ("node", "device", "group"), [("/dev/gpiochip0", "GPIO", "gpio"), ("/dev/spidev0.1", "SPI0", "spi")]
)
def test_node_of_another_group_names_the_group(
    bench: BenchBoard, start: Start, node: str, device: str, group: str
) -> None:
    with owned_by_others(Path(node)):
        program = start(before=WITHOUT_RIGHTS)
        assert program.exit_status() == 1
    assert program.output.startswith(f"{device}: expected {node} to open, got permission denied; ")
    assert f"usermod -aG {group}" in program.output and program.output.count("\n") == 1


def test_program_starts_without_i2c(bench: BenchBoard, start: Start) -> None:
    with node_gone(Path("/dev/i2c-1")):
        program = start()
        program.wait_until_open()
        wait_until(
            lambda: "I2C1: expected /dev/i2c-1 to open, got no such file" in program.output,
            "the missing bus to be logged",
        )
        assert "dtparam=i2c_arm=on" in program.output and program.state()["prompt"]


def test_second_program_names_the_line_in_use(program: Program, start: Start, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    second = start(folder=other)
    assert second.exit_status() == 1
    expected = r"GPIO(\d+): expected a free line for the [a-z ]+, got GPIO busy; .*`gpioinfo \| grep -w GPIO\1`.*\n"
    assert re.fullmatch(expected, second.output)
    assert not program.state()["fault"]


def test_missing_display_is_logged_and_found_later(bench: BenchBoard, start: Start) -> None:
    bench.oled.unplug()
    program = start()
    program.wait_until_open()
    wait_until(
        lambda: "OLED: expected a display at 0x3c or 0x3d on I2C1" in program.output, "the missing display to be logged"
    )
    assert not bench.oled.is_on
    bench.oled.plug_in()
    wait_until(lambda: shows(bench.oled.pixels(), program.state()["display"]), "the page to be back")
    assert bench.oled.is_on


def test_cut_chain_names_the_strip(program: Program, bench: BenchBoard) -> None:
    bench.strips.floats[11] = 1
    assert_fault(program, "Chain fault at strip 12:", "Fault at strip 12. Check its ribbon.")
    bench.strips.floats.clear()
    program.wait_for(lambda now: not now["fault"], "a repaired chain")


@pytest.mark.parametrize("level", [False, True])
def test_stuck_data_line_is_named(program: Program, bench: BenchBoard, level: bool) -> None:
    bench.strips.stuck = level
    assert_fault(program, "Sensor chain silent: ", "No sensor data. Check the ribbon cable.")
    bench.strips.stuck = None
    program.wait_for(lambda now: not now["fault"], "a repaired line")


def test_shorter_chain_names_the_missing_strip(pi: BenchPi, start: Start) -> None:
    BenchBoard(pi, PLAN.strip_count - 1)
    program = start()
    program.wait_until_open()
    strip = PLAN.strip_count
    assert_fault(program, f"Chain fault at strip {strip}:", f"Fault at strip {strip}. Check its ribbon.")
