"""A Pi 5 whose header is on a gpiochip that is not tried: neither gpiochip0 nor gpiochip4."""

from __future__ import annotations

from tests.board_drivers.bench_board import BenchBoard
from tests.kernel.inside.conftest import Start


def test_present_chips_are_named(bench: BenchBoard, start: Start) -> None:
    program = start()
    assert program.exit_status() == 1
    assert program.output.startswith(
        "GPIO: expected one of pinctrl-bcm2835, pinctrl-bcm2711, pinctrl-rp1, got gpiochip0"
    )
    assert "gpiochip4 = gpio-brcmstb" in program.output and "full-upgrade" in program.output
