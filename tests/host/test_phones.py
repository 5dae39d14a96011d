"""The record of phones: whole at every moment, and of no use to whoever reads it."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host import durable
from firmware_host.cribbage.rules import Seat
from firmware_host.phones import NoSuchPhone, PhoneBook, PhoneBookFault, Role, SeatTaken


def test_the_first_phone_owns_the_board_and_the_next_ones_play() -> None:
    book = PhoneBook()
    assert [book.admit(name)[0].role for name in ("Ann", "Ben", "Cleo")] == [Role.OWNER, Role.PLAYER, Role.PLAYER]


def test_a_board_without_an_owner_gets_the_next_phone_for_one() -> None:
    book = PhoneBook()
    book.remove(book.admit("Ann")[0].id)
    assert book.admit("Ben")[0].role is Role.OWNER


def test_a_token_opens_for_its_phone_alone_and_no_more_once_it_is_sent_away() -> None:
    book = PhoneBook()
    (ann, token), (ben, other) = book.admit("Ann"), book.admit("Ben")
    assert (book.holder_of(token), book.holder_of(other)) == (ann, ben)
    assert book.holder_of("") is book.holder_of("\ud800") is book.holder_of(ann.token_hash) is None
    book.remove(ann.id)
    assert book.holder_of(token) is None and book.holder_of(other) == ben


def test_a_seat_is_held_by_one_phone(tmp_path: Path) -> None:
    book = PhoneBook()
    ann, ben = book.admit("Ann")[0], book.admit("Ben")[0]
    assert book.sit(ann.id, Seat(0)).seat == book.sit(ann.id, Seat(0)).seat == 0
    with pytest.raises(SeatTaken, match="Ann"):
        book.sit(ben.id, Seat(0))
    book.sit(ann.id, None)
    assert book.sit(ben.id, Seat(0)).seat == 0


def test_a_phone_that_is_not_there_is_not_changed() -> None:
    with pytest.raises(NoSuchPhone):
        PhoneBook().remove("1f")


def test_phones_outlive_the_program_and_their_tokens_are_not_written(tmp_path: Path) -> None:
    path = tmp_path / "state" / "phones.json"
    book = PhoneBook(path)
    ann, token = book.admit("Ann <b>ï</b>")
    book.entrust(ann.id, Role.KEEPER)
    book.sit(ann.id, Seat(1))
    again = PhoneBook(path)
    assert again.phones == book.phones and again.holder_of(token) == book.phones[0]
    assert token not in path.read_text("utf-8") and path.stat().st_mode & 0o077 == 0


def test_what_cannot_be_written_did_not_happen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room(path: Path, content: bytes, mode: int) -> None:
        path.write_bytes(content[:9])
        raise OSError(28, "No space left on device")

    path = tmp_path / "phones.json"
    book = PhoneBook(path)
    book.admit("Ann")
    before = book.phones
    monkeypatch.setattr(durable, "_write", no_room)
    with pytest.raises(PhoneBookFault, match="No space left"):
        book.admit("Ben")
    assert book.phones == PhoneBook(path).phones == before


@pytest.mark.parametrize(
    "text", ["", "[]", '{"format": 1}', '{"format": 9, "phones": []}', '{"format": 1, "phones": [{"id": 1}]}']
)
def test_a_damaged_record_is_named_with_its_mend(tmp_path: Path, text: str) -> None:
    path = tmp_path / "phones.json"
    path.write_text(text)
    with pytest.raises(PhoneBookFault, match="phones.json"):
        PhoneBook(path)
    assert path.read_text() == text
