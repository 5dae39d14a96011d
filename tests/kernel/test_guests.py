"""The program on real kernels: runs each file of tests in `inside` in its own guest. `make test-kernel`."""

from __future__ import annotations

import pytest

from tests.kernel.guests import Ended, run_stock, run_user_mode
from tests.kernel.kernels import HERE, CannotBuild, StockKernel, UserModeKernel, stock_kernel, user_mode_kernel

pytestmark = pytest.mark.kernel

INSIDE = HERE / "inside"
LIMIT_S = 1800.0


@pytest.fixture(scope="session")
def user_mode() -> UserModeKernel:
    try:
        return user_mode_kernel()
    except CannotBuild as cannot:
        pytest.fail(f"NOT TESTED ON A KERNEL: {cannot}", pytrace=False)


@pytest.fixture(scope="session")
def stock() -> StockKernel:
    try:
        return stock_kernel()
    except CannotBuild as cannot:
        pytest.fail(f"NOT TESTED ON A KERNEL: {cannot}", pytrace=False)


def passed(ended: Ended) -> bool:
    """Whether all tests of the guest passed; prints its console either way."""
    print(ended.console)
    return ended.status == 0


@pytest.mark.parametrize("tests", ["test_game.py", "test_wrong_wires.py", "test_doctor.py"])
def test_on_the_header_of_a_pi(user_mode: UserModeKernel, tests: str) -> None:
    assert passed(run_user_mode(user_mode, INSIDE / tests, LIMIT_S))


@pytest.mark.parametrize("tests", ["test_evening.py", "test_desk.py"])
def test_with_time_travel(user_mode: UserModeKernel, tests: str) -> None:
    assert passed(run_user_mode(user_mode, INSIDE / tests, LIMIT_S, is_virtual=True))


@pytest.mark.parametrize(("tests", "chips_before"), [("test_pi_5.py", 4), ("test_no_header.py", 5)])
def test_on_the_header_of_a_pi_5(user_mode: UserModeKernel, tests: str, chips_before: int) -> None:
    pi_5 = {"LABEL": "pinctrl-rp1", "REVISION": "c04170", "CHIPS_BEFORE": str(chips_before)}
    assert passed(run_user_mode(user_mode, INSIDE / tests, LIMIT_S, variables=pi_5))


@pytest.mark.parametrize("tests", ["test_usb.py", "test_usb_sensing_board.py"])
def test_scanner_on_usb(stock: StockKernel, tests: str) -> None:
    assert passed(run_stock(stock, INSIDE / tests, LIMIT_S))
