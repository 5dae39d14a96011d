"""Pairing phones with the keypad and the display of the board. Its QR code is read as a phone's camera reads it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import zxingcpp
from PIL import Image

from firmware_host.pairing.pairing import OPEN_S, WRONG_CODES, WrongCode
from firmware_host.pairing.qr_code import pairing_picture
from firmware_host.storage.journal import Journal
from tests.host.bench import HostBench

LONGEST_URL = "http://192.168.100.100:65535/"
PHOTO_ZOOM = 4


@pytest.fixture
def bench() -> Iterator[HostBench]:
    bench = HostBench(Journal.in_memory())
    yield bench
    bench.host.stop()


def open_pairing(bench: HostBench) -> str:
    """Holds FN, chooses `Phones` on the second page of the menu, then the first entry. Returns the pairing code."""
    bench.hold_fn()
    bench.keys("FN 5 ENTER")
    return bench.host.pairing.pairing_state().code


def photo(bench: HostBench) -> Image.Image:
    rows = bench.board.oled_pixels()
    picture = Image.frombytes("L", (len(rows[0]), len(rows)), bytes(255 * lit for row in rows for lit in row))
    return picture.resize((picture.width * PHOTO_ZOOM, picture.height * PHOTO_ZOOM))


def test_qr_code_on_display_has_panel_address_and_code(bench: HostBench) -> None:
    code = open_pairing(bench)
    [read] = zxingcpp.read_barcodes(photo(bench))
    assert read.text == f"HTTP://LOCALHOST:8080/IN/{code}"


def test_qr_code_of_longest_home_address_has_25_modules() -> None:
    picture = pairing_picture(LONGEST_URL, "KRTMWX")
    assert len(picture) == 25 and {len(row) for row in picture} == {25 + 4 + 18}


def test_pairing_code_stands_in_letters_beside_qr_code(bench: HostBench) -> None:
    code = open_pairing(bench)
    shown = pairing_picture(bench.host.setup.address, code)
    other = pairing_picture(bench.host.setup.address, code[::-1])
    assert [row[25:] for row in shown] != [row[25:] for row in other]


def question(bench: HostBench, name: str) -> str:
    """What the board asks, with the number that the phone shows."""
    return f"Add {name} {bench.host.pairing.pairing_state().number}? ENTER"


def test_enter_accepts_phone(bench: HostBench) -> None:
    secret = bench.host.pairing.request_pairing("Ann", open_pairing(bench))
    bench.wait(1.1)
    assert bench.first_line == bench.host.snapshot.prompt == question(bench, "Ann")
    bench.keys("5 FN ENTER")
    accepted = bench.host.pairing.collect_token(secret)
    assert accepted and accepted[0].name == "Ann"
    bench.wait(0.1)
    assert bench.first_line == "ENTER: new game" and bench.host.snapshot.pairing_picture


def test_undo_rejects_phone(bench: HostBench) -> None:
    bench.host.pairing.request_pairing("Eve", open_pairing(bench))
    bench.wait(1.1)
    bench.keys("UNDO UNDO")
    assert bench.first_line == "ENTER: new game" and not bench.host.pairing.registry.phones


def test_keys_are_ignored_just_after_the_question_appears(bench: HostBench) -> None:
    bench.host.pairing.request_pairing("Eve", open_pairing(bench))
    bench.keys("ENTER ENTER")
    assert bench.first_line == question(bench, "Eve")


def test_question_of_pairing_comes_before_peg_faults(bench: HostBench) -> None:
    bench.begin()
    open_pairing(bench)
    bench.host.pairing.request_pairing("Ann", bench.host.pairing.pairing_state().code)
    bench.lift(0, 0)
    assert bench.first_line == question(bench, "Ann")  # also before peg faults, because ENTER would accept the phone
    bench.wait(1.1)
    bench.keys("UNDO")
    assert not bench.first_line.startswith("Add Ann")


def test_key_press_or_timeout_ends_pairing(bench: HostBench) -> None:
    open_pairing(bench)
    bench.keys("7")
    assert not bench.host.snapshot.pairing_picture
    open_pairing(bench)
    bench.wait(OPEN_S + 0.1)
    assert not bench.host.snapshot.pairing_picture


def test_phone_is_removed_by_name(bench: HostBench) -> None:
    bench.host.pairing.registry.add_phone("Ann")
    _, token = bench.host.pairing.registry.add_phone("Ben")
    bench.hold_fn()
    bench.keys("FN 5 3")
    assert bench.first_line == "Remove Ben? ENTER"
    bench.keys("5 ENTER")
    assert [phone.name for phone in bench.host.pairing.registry.phones] == ["Ann"]
    assert bench.host.pairing.registry.phone_with_token(token) is None


def test_pairing_can_be_opened_after_wrong_codes(bench: HostBench) -> None:
    open_pairing(bench)
    for _ in range(WRONG_CODES):
        with pytest.raises(WrongCode):
            bench.host.pairing.request_pairing("Eve", "no", "192.0.2.66")
    bench.wait(0.1)
    assert bench.host.snapshot.pairing_picture
    bench.keys("7")
    open_pairing(bench)
    assert bench.host.snapshot.pairing_picture
