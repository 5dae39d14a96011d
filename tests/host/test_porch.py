"""The porch, on a clock that moves only when told: who gets in, who does not, and what guessing brings."""

from __future__ import annotations

import pytest

from firmware_host.phones import PhoneBook
from firmware_host.porch import (
    CODE_LENGTH,
    HUSH_S,
    LOCKED_S,
    OPEN_S,
    WRONG_CODES,
    DoorClosed,
    DoorLocked,
    NotLetIn,
    OneAtATime,
    Porch,
    TurnedAway,
    WrongCode,
    random_code,
)
from firmware_host.table.door import CloseDoor, LetIn, OpenDoor, SendAway, TurnAway

CODE = "KRTMWX"


class Entrance:
    """A porch with a clock of its own."""

    def __init__(self) -> None:
        self.now_s = 1000.0
        self.book = PhoneBook()
        self.porch = Porch(self.book, lambda: self.now_s, lambda: CODE)

    def guess(self, times: int) -> None:
        for _ in range(times):
            with pytest.raises(WrongCode):
                self.porch.knock("Eve", "BBBBBB")


@pytest.fixture
def entrance() -> Entrance:
    return Entrance()


def test_a_phone_knocks_is_let_in_and_picks_up_its_token_once(entrance: Entrance) -> None:
    porch = entrance.porch
    porch.do(OpenDoor())
    assert porch.door().code == CODE
    secret = porch.knock("Ann", "krt mwx")
    assert porch.door().knocking == "Ann" and porch.pick_up(secret) is None and not entrance.book.phones
    porch.do(LetIn())
    assert porch.door().knocking == "" and not entrance.book.phones
    admitted = porch.pick_up(secret)
    assert admitted and entrance.book.holder_of(admitted[1]) == admitted[0]
    assert [guest.name for guest in porch.door().guests] == ["Ann"]
    with pytest.raises(NotLetIn):
        porch.pick_up(secret)


def test_who_is_turned_away_gets_no_token(entrance: Entrance) -> None:
    entrance.porch.do(OpenDoor())
    secret = entrance.porch.knock("Eve", CODE)
    entrance.porch.do(TurnAway())
    entrance.porch.do(LetIn())
    for _ in range(2):
        with pytest.raises(TurnedAway):
            entrance.porch.pick_up(secret)


def test_another_phone_cannot_pick_up_what_was_granted(entrance: Entrance) -> None:
    entrance.porch.do(OpenDoor())
    entrance.porch.knock("Ann", CODE)
    entrance.porch.do(LetIn())
    for guess in ("", CODE, "é", "\ud800".encode("utf-8", "replace").decode()):
        with pytest.raises(NotLetIn):
            entrance.porch.pick_up(guess)


def test_nobody_knocks_at_a_closed_door(entrance: Entrance) -> None:
    for code in ("", CODE):
        with pytest.raises(DoorClosed):
            entrance.porch.knock("Ann", code)
    entrance.porch.do(OpenDoor())
    entrance.porch.do(CloseDoor())
    with pytest.raises(DoorClosed):
        entrance.porch.knock("Ann", CODE)


def test_the_door_closes_after_two_minutes(entrance: Entrance) -> None:
    entrance.porch.do(OpenDoor())
    entrance.now_s += OPEN_S - 1
    assert entrance.porch.door().code
    entrance.now_s += 1
    assert not entrance.porch.door().code
    with pytest.raises(DoorClosed):
        entrance.porch.knock("Ann", CODE)


@pytest.mark.parametrize("is_answered", [True, False])
def test_a_knock_is_forgotten_after_two_minutes(entrance: Entrance, is_answered: bool) -> None:
    entrance.porch.do(OpenDoor())
    secret = entrance.porch.knock("Ann", CODE)
    if is_answered:
        entrance.porch.do(LetIn())
    entrance.now_s += OPEN_S
    assert not entrance.porch.door().knocking
    with pytest.raises(NotLetIn):
        entrance.porch.pick_up(secret)


def test_who_walks_away_is_not_asked_about(entrance: Entrance) -> None:
    entrance.porch.do(OpenDoor())
    secret = entrance.porch.knock("Ann", CODE)
    entrance.porch.walk_away("not hers")
    assert entrance.porch.door().knocking == "Ann"
    entrance.porch.walk_away(secret)
    assert not entrance.porch.door().knocking
    with pytest.raises(NotLetIn):
        entrance.porch.pick_up(secret)
    assert entrance.porch.knock("Ben", CODE)


def test_one_phone_waits_at_a_time(entrance: Entrance) -> None:
    entrance.porch.do(OpenDoor())
    entrance.porch.knock("Ann", CODE)
    with pytest.raises(OneAtATime, match="Ann"):
        entrance.porch.knock("Ben", CODE)


def test_a_key_pressed_with_the_knock_is_no_answer(entrance: Entrance) -> None:
    assert not entrance.porch.is_hushed
    entrance.porch.do(OpenDoor())
    entrance.porch.knock("Ann", CODE)
    assert entrance.porch.is_hushed
    entrance.now_s += HUSH_S
    assert not entrance.porch.is_hushed


def test_five_wrong_codes_lock_the_door_for_a_while(entrance: Entrance) -> None:
    entrance.porch.do(OpenDoor())
    entrance.guess(WRONG_CODES)
    assert not entrance.porch.door().code
    with pytest.raises(DoorLocked) as locked:
        entrance.porch.knock("Ann", CODE)
    assert LOCKED_S <= locked.value.retry_s <= LOCKED_S + 1
    with pytest.raises(DoorLocked):
        entrance.porch.do(OpenDoor())
    entrance.now_s += LOCKED_S
    entrance.porch.do(OpenDoor())
    assert entrance.porch.knock("Ann", CODE)


def test_four_wrong_codes_do_not(entrance: Entrance) -> None:
    entrance.porch.do(OpenDoor())
    entrance.guess(WRONG_CODES - 1)
    assert entrance.porch.knock("Ann", CODE)


def test_a_phone_is_sent_away_at_the_board(entrance: Entrance) -> None:
    phone, token = entrance.book.admit("Ann")
    entrance.porch.do(SendAway(phone.id))
    assert entrance.book.holder_of(token) is None and not entrance.porch.door().guests


def test_every_door_has_a_code_of_its_own() -> None:
    codes = {random_code() for _ in range(50)}
    assert len(codes) == 50 and all(len(code) == CODE_LENGTH for code in codes)
