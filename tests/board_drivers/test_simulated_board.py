"""The simulated board beyond its ports: misuse raises, threads may share it, and its OLED can be read."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from io import BytesIO
from itertools import count
from threading import Thread

import pytest
from PIL import Image

from board_drivers.ports import KEY_ROWS, KeyEdge
from board_drivers.simulated import SimulatedBoard


@pytest.fixture
def board() -> SimulatedBoard:
    return SimulatedBoard(sensor_count=40, led_count=2, clock=map(float, count()).__next__)


@pytest.fixture
def frequent_thread_switches() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_lifting_from_an_empty_hole_raises(board: SimulatedBoard) -> None:
    with pytest.raises(KeyError, match="no peg over sensor 7"):
        board.lift_peg(7)


def test_hole_takes_one_peg(board: SimulatedBoard) -> None:
    board.place_peg(7)
    with pytest.raises(KeyError, match="sensor 7 has a peg"):
        board.place_peg(7)


@pytest.mark.parametrize("sensor", [-1, 40])
def test_unknown_sensor_raises(board: SimulatedBoard, sensor: int) -> None:
    with pytest.raises(IndexError, match="from 0 to 39"):
        board.place_peg(sensor)


def test_pressing_a_key_twice_or_releasing_it_twice_raises(board: SimulatedBoard) -> None:
    board.press("Q")
    with pytest.raises(KeyError, match="Q is down already"):
        board.press("Q")
    with pytest.raises(KeyError, match="K is up already"):
        board.release("K")
    with pytest.raises(KeyError, match="JOKER"):
        board.tap("JOKER")


def test_refused_key_move_leaves_no_edge(board: SimulatedBoard) -> None:
    with pytest.raises(KeyError):
        board.release("K")
    assert board.keypad.edges() == ()


def test_edges_and_lights_have_the_time_of_the_clock(board: SimulatedBoard) -> None:
    board.tap("A")
    down, up = board.keypad.edges()
    board.lights.show([(1, 2, 3), (4, 5, 6)])
    assert down.at_s < up.at_s < board.lights.written_at_s


class SlowHashInt(int):
    """A sensor number whose hash lets another thread run in the middle of an unlocked update of the frame."""

    def __hash__(self) -> int:
        return hash(int(self))


def test_pegs_placed_from_many_threads_are_all_kept(board: SimulatedBoard, frequent_thread_switches: None) -> None:
    def place_and_lift(own: range) -> None:
        for _ in range(50):
            for sensor in own:
                board.place_peg(SlowHashInt(sensor))
            for sensor in own[1:]:
                board.lift_peg(SlowHashInt(sensor))
            board.lift_peg(own[0])
        board.place_peg(own[0])

    threads = [Thread(target=place_and_lift, args=(range(first, first + 10),)) for first in range(0, 40, 10)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        assert board.sensors.scan() <= set(range(40))
    assert board.sensors.scan() == {0, 10, 20, 30}


def test_taps_from_many_threads_are_all_reported(board: SimulatedBoard, frequent_thread_switches: None) -> None:
    def tap_often(legend: str) -> None:
        for _ in range(2000):
            board.tap(legend)

    threads = [Thread(target=tap_often, args=(key.legend,)) for key in KEY_ROWS[0]]
    for thread in threads:
        thread.start()
    edges: list[KeyEdge] = []
    while any(thread.is_alive() for thread in threads):
        edges += board.keypad.edges()
    edges += board.keypad.edges()
    assert all([edge.legend for edge in edges].count(key.legend) == 4000 for key in KEY_ROWS[0])


def test_oled_version_grows_only_with_a_new_picture(board: SimulatedBoard) -> None:
    versions = []
    for text in ("Ann 5", "Ann 5", "Ann 5  ", "Ann 6", ""):
        board.scoreboard.show([(text, 1)])
        versions.append(board.oled_version)
    assert versions == [1, 1, 1, 2, 3]


def test_empty_first_page_is_no_change(board: SimulatedBoard) -> None:
    board.scoreboard.show([])
    assert board.oled_version == 0 and not any(map(any, board.oled_pixels()))


def test_png_has_the_same_pixels_as_the_picture(board: SimulatedBoard) -> None:
    board.scoreboard.show([("Łukasz 29", 2), ("♠♥♦♣", 3)])
    png = Image.open(BytesIO(board.oled_png()))
    assert (png.mode, png.size) == ("1", (128, 64))
    pixels = tuple(tuple(bool(png.getpixel((x, y))) for x in range(128)) for y in range(64))
    assert pixels == board.oled_pixels()


def test_keypad_has_sixteen_keys_and_its_suits_on_the_right() -> None:
    assert [len(row) for row in KEY_ROWS] == [4, 4, 4, 4]
    assert len({key.legend for row in KEY_ROWS for key in row}) == 16
    assert [[key.suit for key in row] for row in KEY_ROWS] == [["", "", "", suit] for suit in "♠♥♦♣"]
