"""A Pi 5 whose header has a number at which nobody looks: neither gpiochip0 nor gpiochip4."""

from __future__ import annotations

from tests.drivers.bench_board import BenchBoard
from tests.kernel.inside.conftest import Start


def test_the_chips_that_are_there_are_named(wood: BenchBoard, start: Start) -> None:
    program = start()
    assert program.exit_status() == 1
    assert program.said.startswith("GPIO: expected one of pinctrl-bcm2835, pinctrl-bcm2711, pinctrl-rp1, got gpiochip0")
    assert "gpiochip4 = gpio-brcmstb" in program.said and "full-upgrade" in program.said
