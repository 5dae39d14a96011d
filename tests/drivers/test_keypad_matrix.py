"""The keypad: contacts that bounce, fingers that press too much, and nothing to do while nobody plays."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from board_drivers import keypad_matrix
from board_drivers.header import Header
from board_drivers.keypad_matrix import EQUAL_SCANS, KeyFilter, KeypadMatrix
from board_drivers.pins import KEYPAD_COLUMNS, KEYPAD_ROWS
from board_drivers.ports import KEY_ROWS, KeyEdge
from tests.drivers.bench_board import PATIENCE_S, BenchBoard
from tests.drivers.bench_pi import BenchPi

A, B = frozenset("5"), frozenset("8")
NONE = frozenset[str]()


@pytest.fixture
def wood(pi: BenchPi) -> BenchBoard:
    return BenchBoard(pi, strips=1)


@pytest.fixture
def keypad(header: Header, wood: BenchBoard) -> Iterator[KeypadMatrix]:
    rows = [header.output(row, active_high=False) for row in KEYPAD_ROWS]
    pad = KeypadMatrix(rows, [header.input(column) for column in KEYPAD_COLUMNS], clock=lambda: 7.0)
    yield pad
    pad.close()


def told(filtered: KeyFilter, *scans: frozenset[str]) -> list[KeyEdge]:
    return [edge for at, scan in enumerate(scans) for edge in filtered.see(scan, at / 100)]


def test_a_key_is_down_once_three_scans_agree() -> None:
    assert told(KeyFilter(), A, A) == []
    assert told(KeyFilter(), NONE, A, A, A, A) == [KeyEdge("5", True, 0.03)]


def test_a_bouncing_key_goes_down_once_and_comes_up_once() -> None:
    pressed = (A, NONE, A, A, NONE, A, A, A, A)
    let_go = (NONE, A, NONE, NONE, A, NONE, NONE, NONE)
    assert [edge.is_down for edge in told(KeyFilter(), *pressed, *let_go)] == [True, False]


def test_rolling_from_key_to_key_tells_the_release_first() -> None:
    edges = told(KeyFilter(), *[A] * EQUAL_SCANS, *[B] * EQUAL_SCANS)
    assert [(edge.legend, edge.is_down) for edge in edges] == [("5", True), ("5", False), ("8", True)]


def test_two_keys_at_once_are_both_heard() -> None:
    assert [edge.legend for edge in told(KeyFilter(), *[A | B] * EQUAL_SCANS)] == ["5", "8"]


def test_three_corners_press_the_fourth_and_nothing_is_believed(wood: BenchBoard, keypad: KeypadMatrix) -> None:
    """A 2 and 4 down: the contacts join what makes 5 look pressed as well."""
    for legend in ("A", "2"):
        wood.press(legend)
    assert [edge.legend for edge in keypad.edges()] == ["A", "2"]
    wood.press("4")
    assert keypad.edges() == []
    for legend in ("A", "2"):
        wood.keys.release(legend)
    wood.press("K")
    assert {(edge.legend, edge.is_down) for edge in keypad.edges()} >= {("A", False), ("2", False), ("K", True)}
    wood.keys.release("K")
    wood.release("4")
    assert "5" not in {edge.legend for edge in keypad.edges()}


def test_nothing_is_scanned_while_no_key_is_down(wood: BenchBoard, keypad: KeypadMatrix) -> None:
    wood.press("Q")
    wood.release("Q")
    scans = wood.keys.scans
    assert wood.keys.is_idle
    with wood.keys.driven:
        assert not wood.keys.driven.wait_for(lambda: wood.keys.scans != scans, timeout=0.05)


def test_a_press_that_no_edge_told_of_is_found_by_looking_again(
    header: Header, wood: BenchBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keypad_matrix, "LOOK_AGAIN_S", 0.001)
    rows = [header.output(row, active_high=False) for row in KEYPAD_ROWS]
    columns = [header.input(column) for column in KEYPAD_COLUMNS]
    pad = KeypadMatrix(rows, columns)
    for column in columns:
        column.when_activated = None
    wood.press("7")
    assert [edge.legend for edge in pad.edges()] == ["7"]
    pad.close()


def test_edges_bear_the_time_they_were_believed(wood: BenchBoard, keypad: KeypadMatrix) -> None:
    wood.press("UNDO")
    assert keypad.edges() == [KeyEdge("UNDO", True, 7.0)]


def test_columns_are_pulled_up_and_rows_low_at_rest(wood: BenchBoard, keypad: KeypadMatrix) -> None:
    with wood.keys.driven:
        assert wood.keys.driven.wait_for(lambda: wood.keys.is_idle, PATIENCE_S)
    assert all(column.is_high for column in wood.keys.columns)


def test_the_legends_lie_as_they_are_printed(wood: BenchBoard, keypad: KeypadMatrix) -> None:
    for legend in (key.legend for row in KEY_ROWS for key in row):
        wood.press(legend)
        wood.release(legend)
    down = [edge.legend for edge in keypad.edges() if edge.is_down]
    assert down == [key.legend for row in KEY_ROWS for key in row]


def test_closing_twice_ends_the_thread_even_with_a_finger_on_a_key(wood: BenchBoard, keypad: KeypadMatrix) -> None:
    wood.press("9")
    keypad.close()
    keypad.close()
    assert wood.keys.is_idle
