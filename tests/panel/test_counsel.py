""" "Why 73?" and what to lay away, as pages."""

from __future__ import annotations

from firmware_host.table.entries import SetManner
from firmware_host.table.manner import Manner
from tests.panel.conftest import Room
from web_panel.panel import Openness


def test_every_score_is_explained_by_cards_and_holes(room: Room) -> None:
    room.begin()
    room.leap(0, -1, 8)
    page = room.phone.get("/why").get_data(as_text=True)
    assert "0 → 8" in page and "The pegs alone tell." in page


def test_a_game_that_began_in_the_middle_is_explained_from_there(room: Room) -> None:
    room.begin(scores=[47, 53])
    room.order("correct", side=1, score=60, reason="a slip")
    page = room.phone.get("/why").get_data(as_text=True)
    assert "53 → 60" in page and "Ann: 47" in page


def test_advice_is_given_for_cards_in_the_address(room: Room) -> None:
    page = room.phone.get("/advice?cards=3C+3D+4S+4H+5C+9D&crib=own").get_data(as_text=True)
    assert "5♣ 9♦" in page and "13.74" in page


def test_cards_that_cannot_be_are_answered_with_a_sentence(room: Room) -> None:
    page = room.phone.get("/advice?cards=3C").get_data(as_text=True)
    assert "6 cards are needed" in page


def test_a_silent_referee_explains_nothing(room: Room) -> None:
    room.begin()
    room.host.do(SetManner(Manner.SILENT))
    room.wait(0.1)
    assert "nothing to explain" in room.phone.get("/why").get_data(as_text=True)


def test_advice_is_given_where_the_table_wants_it() -> None:
    room = Room(openness=Openness(gives_advice=lambda table: False))
    assert "gives no advice" in room.phone.get("/advice?cards=3C+3D+4S+4H+5C+9D").get_data(as_text=True)
    room.host.stop()
