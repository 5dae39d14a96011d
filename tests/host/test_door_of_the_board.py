"""Letting phones in with the keys and the display of the board. The display is read as a phone's camera reads it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import zxingcpp
from PIL import Image

from firmware_host.doorplate import doorplate
from firmware_host.journal import Journal
from firmware_host.porch import OPEN_S, WRONG_CODES, WrongCode
from tests.host.bench import Bench

LONGEST = "http://192.168.100.100:65535/"
PHOTO_ZOOM = 4


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench(Journal.in_memory())
    yield bench
    bench.host.stop()


def open_door(bench: Bench) -> str:
    """Hold FN, `Phones` on the second page, `Let one in`."""
    bench.hold_fn()
    bench.keys("FN 5 ENTER")
    return bench.host.porch.door().code


def photo(bench: Bench) -> Image.Image:
    rows = bench.board.oled_pixels()
    picture = Image.frombytes("L", (len(rows[0]), len(rows)), bytes(255 * lit for row in rows for lit in row))
    return picture.resize((picture.width * PHOTO_ZOOM, picture.height * PHOTO_ZOOM))


def test_a_camera_reads_the_address_from_the_pixels_of_the_display(bench: Bench) -> None:
    code = open_door(bench)
    [read] = zxingcpp.read_barcodes(photo(bench))
    assert read.text == f"HTTP://LOCALHOST:8080/IN/{code}"


def test_the_longest_address_of_a_home_makes_a_code_of_25_modules() -> None:
    picture = doorplate(LONGEST, "KRTMWX")
    assert len(picture) == 25 and {len(row) for row in picture} == {25 + 4 + 18}


def test_the_code_stands_beside_its_picture_in_letters(bench: Bench) -> None:
    code = open_door(bench)
    seen = doorplate(bench.host.house.address, code)
    other = doorplate(bench.host.house.address, code[::-1])
    assert [row[25:] for row in seen] != [row[25:] for row in other]


def test_the_display_asks_and_enter_lets_in(bench: Bench) -> None:
    secret = bench.host.porch.knock("Ann", open_door(bench))
    bench.wait(1.1)
    assert bench.first_line == bench.host.snapshot.prompt == "Let Ann in?"
    bench.keys("5 FN ENTER")
    admitted = bench.host.porch.pick_up(secret)
    assert admitted and admitted[0].name == "Ann"
    bench.wait(0.1)
    assert bench.first_line == "ENTER: new game" and bench.host.snapshot.doorplate


def test_undo_turns_away(bench: Bench) -> None:
    bench.host.porch.knock("Eve", open_door(bench))
    bench.wait(1.1)
    bench.keys("UNDO UNDO")
    assert bench.first_line == "ENTER: new game" and not bench.host.porch.book.phones


def test_a_key_that_was_on_its_way_lets_nobody_in(bench: Bench) -> None:
    bench.host.porch.knock("Eve", open_door(bench))
    bench.keys("ENTER ENTER")
    assert bench.first_line == "Let Eve in?"


def test_what_was_half_typed_waits_behind_the_question(bench: Bench) -> None:
    bench.begin()
    open_door(bench)
    bench.host.porch.knock("Ann", bench.host.porch.door().code)
    bench.lift(0, 0)
    assert bench.first_line == "Let Ann in?"  # before odd pegs too: ENTER would agree to it
    bench.wait(1.1)
    bench.keys("UNDO")
    assert bench.first_line != "Let Ann in?"


def test_any_key_takes_the_code_off_the_display_and_so_does_time(bench: Bench) -> None:
    open_door(bench)
    bench.keys("7")
    assert not bench.host.snapshot.doorplate
    open_door(bench)
    bench.wait(OPEN_S + 0.1)
    assert not bench.host.snapshot.doorplate


def test_a_phone_is_sent_away_by_its_name(bench: Bench) -> None:
    bench.host.porch.book.admit("Ann")
    _, token = bench.host.porch.book.admit("Ben")
    bench.hold_fn()
    bench.keys("FN 5 3")
    assert bench.first_line == "Send off Ben? ENTER"
    bench.keys("5 ENTER")
    assert [phone.name for phone in bench.host.porch.book.phones] == ["Ann"]
    assert bench.host.porch.book.holder_of(token) is None


def test_a_locked_door_says_so_on_the_display(bench: Bench) -> None:
    open_door(bench)
    for _ in range(WRONG_CODES):
        with pytest.raises(WrongCode):
            bench.host.porch.knock("Eve", "no")
    bench.wait(0.1)
    open_door(bench)
    assert bench.host.snapshot.prompt == "Too many wrong letters: the door stays locked for 59 s"
    assert bench.first_line == "Too many wrong"
    assert not bench.host.snapshot.doorplate
