"""The simulated board beyond its ports: a clumsy hand hurts, threads may share it, and its OLED can be looked at."""

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
def restless_threads() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_no_peg_can_be_lifted_from_an_empty_hole(board: SimulatedBoard) -> None:
    with pytest.raises(KeyError, match="no peg over sensor 7"):
        board.lift_peg(7)


def test_a_hole_takes_one_peg(board: SimulatedBoard) -> None:
    board.place_peg(7)
    with pytest.raises(KeyError, match="sensor 7 has a peg"):
        board.place_peg(7)


@pytest.mark.parametrize("sensor", [-1, 40])
def test_a_peg_needs_a_sensor_that_is_there(board: SimulatedBoard, sensor: int) -> None:
    with pytest.raises(IndexError, match="from 0 to 39"):
        board.place_peg(sensor)


def test_only_a_key_that_is_up_goes_down_and_the_reverse(board: SimulatedBoard) -> None:
    board.press("Q")
    with pytest.raises(KeyError, match="Q is down already"):
        board.press("Q")
    with pytest.raises(KeyError, match="K is up already"):
        board.release("K")
    with pytest.raises(KeyError, match="JOKER"):
        board.tap("JOKER")


def test_a_refused_finger_leaves_no_edge(board: SimulatedBoard) -> None:
    with pytest.raises(KeyError):
        board.release("K")
    assert board.keypad.edges() == ()


def test_edges_and_lights_carry_the_time_of_the_clock(board: SimulatedBoard) -> None:
    board.tap("A")
    down, up = board.keypad.edges()
    board.lights.show([(1, 2, 3), (4, 5, 6)])
    assert down.at_s < up.at_s < board.lights.written_at_s


class Fumbled(int):
    """A sensor number that lets other threads in where a careless update of the frame would lose their pegs."""

    def __hash__(self) -> int:
        return hash(int(self))


def test_pegs_placed_from_many_threads_are_all_seen(board: SimulatedBoard, restless_threads: None) -> None:
    def fidget(own: range) -> None:
        for _ in range(50):
            for sensor in own:
                board.place_peg(Fumbled(sensor))
            for sensor in own[1:]:
                board.lift_peg(Fumbled(sensor))
            board.lift_peg(own[0])
        board.place_peg(own[0])

    threads = [Thread(target=fidget, args=(range(first, first + 10),)) for first in range(0, 40, 10)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        assert board.sensors.scan() <= set(range(40))
    assert board.sensors.scan() == {0, 10, 20, 30}


def test_taps_from_many_threads_are_all_told(board: SimulatedBoard, restless_threads: None) -> None:
    def drum(legend: str) -> None:
        for _ in range(2000):
            board.tap(legend)

    threads = [Thread(target=drum, args=(key.legend,)) for key in KEY_ROWS[0]]
    for thread in threads:
        thread.start()
    told: list[KeyEdge] = []
    while any(thread.is_alive() for thread in threads):
        told += board.keypad.edges()
    told += board.keypad.edges()
    assert all([edge.legend for edge in told].count(key.legend) == 4000 for key in KEY_ROWS[0])


def test_the_oled_version_grows_only_with_a_new_picture(board: SimulatedBoard) -> None:
    versions = []
    for text in ("Ann 5", "Ann 5", "Ann 5  ", "Ann 6", ""):
        board.scoreboard.show([(text, 1)])
        versions.append(board.oled_version)
    assert versions == [1, 1, 1, 2, 3]


def test_an_empty_first_page_is_no_news(board: SimulatedBoard) -> None:
    board.scoreboard.show([])
    assert board.oled_version == 0 and not any(map(any, board.oled_pixels()))


def test_the_png_is_the_picture_bit_for_bit(board: SimulatedBoard) -> None:
    board.scoreboard.show([("Łukasz 29", 2), ("♠♥♦♣", 3)])
    png = Image.open(BytesIO(board.oled_png()))
    assert (png.mode, png.size) == ("1", (128, 64))
    seen = tuple(tuple(bool(png.getpixel((x, y))) for x in range(128)) for y in range(64))
    assert seen == board.oled_pixels()


def test_the_pad_has_sixteen_keys_and_its_suits_on_the_right() -> None:
    assert [len(row) for row in KEY_ROWS] == [4, 4, 4, 4]
    assert len({key.legend for row in KEY_ROWS for key in row}) == 16
    assert [[key.suit for key in row] for row in KEY_ROWS] == [["", "", "", suit] for suit in "♠♥♦♣"]
