"""The matrix of the firmware: columns are counted by their current, rows are debounced, faults have their line."""

from __future__ import annotations

import ctypes

import pytest

from board_drivers.scan_protocol import ErrorCode
from tests.firmware.library import DEBOUNCE, Chain, Result

IDLE_ROWS = 0xFFFF


READ = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_uint8)
"""A `struct column` has four bytes and is returned as a number."""


class Matrix:
    """A matrix and the firmware's state of it."""

    def __init__(self, library: ctypes.CDLL, columns: int) -> None:
        self._library, self.chain = library, Chain(debounce=DEBOUNCE)
        self.rows = [IDLE_ROWS] * columns
        self.ma = [40] * columns
        self.idle = IDLE_ROWS
        self._read = READ(self._column)

    def _column(self, column: int) -> int:
        rows, ma = self.idle, 0
        if column < len(self.rows):
            rows, ma = self.rows[column] & self.idle, self.ma[column]
        return rows | ma << 16

    def scan(self) -> Result:
        return Result(self._library.scan_matrix(ctypes.byref(self.chain), self._read))

    def scans(self, times: int) -> list[Result]:
        return [self.scan() for _ in range(times)]

    @property
    def state(self) -> list[int]:
        state = bytes(self.chain.state[: self.chain.strips])
        return [int.from_bytes(state[at : at + 2], "little") for at in range(0, len(state), 2)]

    @property
    def fault(self) -> tuple[int, ...]:
        return tuple(self.chain.fault)


@pytest.fixture
def matrix(library: ctypes.CDLL) -> Matrix:
    matrix = Matrix(library, columns=8)
    assert matrix.scan() is Result.RECOUNTED
    return matrix


@pytest.mark.parametrize("columns", [8, 16, 24, 32])
def test_columns_are_counted_at_the_first_scan(library: ctypes.CDLL, columns: int) -> None:
    matrix = Matrix(library, columns)
    assert matrix.scans(2) == [Result.RECOUNTED, Result.SAME]
    assert matrix.state == [IDLE_ROWS] * columns


def test_peg_is_accepted_at_the_third_equal_reading(matrix: Matrix) -> None:
    matrix.rows[5] = IDLE_ROWS & ~(1 << 9)
    assert matrix.scans(4) == [Result.SAME, Result.SAME, Result.CHANGED, Result.SAME]
    assert matrix.state[5] == matrix.rows[5]


def test_column_without_current_is_named_at_the_third_scan(matrix: Matrix) -> None:
    matrix.ma[2] = 3
    assert matrix.scans(3) == [Result.SAME, Result.SAME, Result.BROKEN]
    assert matrix.fault == (ErrorCode.COLUMN_CURRENT, 2, 3)
    matrix.ma[2] = 40
    assert matrix.scan() is Result.SAME


def test_column_with_too_much_current_is_named(matrix: Matrix) -> None:
    matrix.ma[7] = 180
    assert matrix.scans(3)[-1] is Result.BROKEN and matrix.fault == (ErrorCode.COLUMN_CURRENT, 7, 180)


def test_shorted_row_is_named_and_is_no_peg(matrix: Matrix) -> None:
    matrix.idle = IDLE_ROWS & ~(1 << 12)
    assert matrix.scans(3) == [Result.SAME, Result.SAME, Result.BROKEN]
    assert matrix.fault == (ErrorCode.ROW_SHORTED, 12, 0) and matrix.state == [IDLE_ROWS] * 8


def test_disturbance_of_one_scan_is_no_fault(matrix: Matrix) -> None:
    matrix.ma[1] = 0
    assert matrix.scan() is Result.SAME
    matrix.ma[1] = 40
    assert matrix.scans(5) == [Result.SAME] * 5


def test_dead_last_columns_make_a_smaller_board(library: ctypes.CDLL) -> None:
    """A register without power looks like a board that lacks it; the host knows how many columns it should have."""
    matrix = Matrix(library, 16)
    matrix.scan()
    matrix.ma[8:] = [0] * 8
    assert matrix.scans(3)[-1] is Result.RECOUNTED and len(matrix.state) == 8
    matrix.ma[8:] = [40] * 8
    assert matrix.scans(3)[-1] is Result.RECOUNTED and len(matrix.state) == 16


def test_matrix_without_any_current_is_a_fault_of_the_first_column(library: ctypes.CDLL) -> None:
    matrix = Matrix(library, 8)
    matrix.ma = [0] * 8
    assert matrix.scan() is Result.BROKEN and matrix.fault == (ErrorCode.COLUMN_CURRENT, 0, 0)
    matrix.ma = [40] * 8
    assert matrix.scan() is Result.RECOUNTED
