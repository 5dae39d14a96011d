"""The keypad matrix: bouncing contacts, ghost keys, and no scanning while no key is down."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from board_drivers import keypad_matrix
from board_drivers.header import Header
from board_drivers.keypad_matrix import EQUAL_SCANS, KeyFilter, KeypadMatrix
from board_drivers.pins import KEYPAD_COLUMNS, KEYPAD_ROWS
from board_drivers.ports import KEY_ROWS, KeyEdge
from tests.board_drivers.bench_board import TIMEOUT_S, BenchBoard
from tests.board_drivers.bench_pi import BenchPi

A, B = frozenset("5"), frozenset("8")
NONE = frozenset[str]()


@pytest.fixture
def bench(pi: BenchPi) -> BenchBoard:
    return BenchBoard(pi, strips=1)


@pytest.fixture
def keypad(header: Header, bench: BenchBoard) -> Iterator[KeypadMatrix]:
    rows = [header.output(row, active_high=False) for row in KEYPAD_ROWS]
    pad = KeypadMatrix(rows, [header.input(column) for column in KEYPAD_COLUMNS], clock=lambda: 7.0)
    yield pad
    pad.close()


def edges_of(key_filter: KeyFilter, *scans: frozenset[str]) -> list[KeyEdge]:
    return [edge for at, scan in enumerate(scans) for edge in key_filter.update(scan, at / 100)]


def test_key_is_down_once_three_scans_agree() -> None:
    assert edges_of(KeyFilter(), A, A) == []
    assert edges_of(KeyFilter(), NONE, A, A, A, A) == [KeyEdge("5", True, 0.03)]


def test_bouncing_key_goes_down_once_and_up_once() -> None:
    pressed = (A, NONE, A, A, NONE, A, A, A, A)
    released = (NONE, A, NONE, NONE, A, NONE, NONE, NONE)
    assert [edge.is_down for edge in edges_of(KeyFilter(), *pressed, *released)] == [True, False]


def test_rolling_from_key_to_key_reports_the_release_first() -> None:
    edges = edges_of(KeyFilter(), *[A] * EQUAL_SCANS, *[B] * EQUAL_SCANS)
    assert [(edge.legend, edge.is_down) for edge in edges] == [("5", True), ("5", False), ("8", True)]


def test_two_keys_at_once_are_both_reported() -> None:
    assert [edge.legend for edge in edges_of(KeyFilter(), *[A | B] * EQUAL_SCANS)] == ["5", "8"]


def test_ghost_key_of_three_pressed_keys_is_ignored(bench: BenchBoard, keypad: KeypadMatrix) -> None:
    """A, 2 and 4 down: their contacts make 5 appear pressed."""
    for legend in ("A", "2"):
        bench.press(legend)
    assert [edge.legend for edge in keypad.edges()] == ["A", "2"]
    bench.press("4")
    assert keypad.edges() == []
    for legend in ("A", "2"):
        bench.keys.release(legend)
    bench.press("K")
    assert {(edge.legend, edge.is_down) for edge in keypad.edges()} >= {("A", False), ("2", False), ("K", True)}
    bench.keys.release("K")
    bench.release("4")
    assert "5" not in {edge.legend for edge in keypad.edges()}


def test_nothing_is_scanned_while_no_key_is_down(bench: BenchBoard, keypad: KeypadMatrix) -> None:
    bench.press("Q")
    bench.release("Q")
    scans = bench.keys.scans
    assert bench.keys.is_idle
    with bench.keys.driven:
        assert not bench.keys.driven.wait_for(lambda: bench.keys.scans != scans, timeout=0.05)


def test_press_whose_edge_was_lost_is_found_by_polling(
    header: Header, bench: BenchBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keypad_matrix, "RECHECK_S", 0.001)
    rows = [header.output(row, active_high=False) for row in KEYPAD_ROWS]
    columns = [header.input(column) for column in KEYPAD_COLUMNS]
    pad = KeypadMatrix(rows, columns)
    for column in columns:
        column.when_activated = None
    bench.press("7")
    assert [edge.legend for edge in pad.edges()] == ["7"]
    pad.close()


def test_edges_have_the_time_at_which_they_settled(bench: BenchBoard, keypad: KeypadMatrix) -> None:
    bench.press("UNDO")
    assert keypad.edges() == [KeyEdge("UNDO", True, 7.0)]


def test_columns_are_pulled_up_and_rows_low_when_idle(bench: BenchBoard, keypad: KeypadMatrix) -> None:
    with bench.keys.driven:
        assert bench.keys.driven.wait_for(lambda: bench.keys.is_idle, TIMEOUT_S)
    assert all(column.is_high for column in bench.keys.columns)


def test_legends_match_rows_and_columns(bench: BenchBoard, keypad: KeypadMatrix) -> None:
    for legend in (key.legend for row in KEY_ROWS for key in row):
        bench.press(legend)
        bench.release(legend)
    down = [edge.legend for edge in keypad.edges() if edge.is_down]
    assert down == [key.legend for row in KEY_ROWS for key in row]


def test_close_ends_the_thread_even_with_a_key_down_and_may_be_repeated(
    bench: BenchBoard, keypad: KeypadMatrix
) -> None:
    bench.press("9")
    keypad.close()
    keypad.close()
    assert bench.keys.is_idle
