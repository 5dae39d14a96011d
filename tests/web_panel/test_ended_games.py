"""A player who would end a game that others play by phones asks them first; what ends a deal alone is undone with one
tap. One phone for the whole family is asked nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from firmware_host.host.parts.asked_game import ANSWER_S
from tests.web_panel.conftest import PhoneClient, Rig, json_of
from tests.web_panel.test_private_hands import BENS, Players

NEW_GAME: dict[str, Any] = {"variant": "six_card", "names": ["Ann", "Ben"], "board": "classic-61", "dealer": 1}


@pytest.fixture
def players(real_rig: Rig) -> Iterator[Players]:
    players = Players(real_rig)
    players.deal()
    yield players


def dealer(players: Players) -> str:
    """Ann deals in the first game, Ben in the one that is asked for."""
    name: str = players.rig.state()["deal"]["dealer"]
    return name


def agreeing(players: Players) -> list[Any]:
    return [each for each in players.rig.state()["actions"] if each["command"] == "agree-to-game"]


def test_a_new_game_begins_when_another_player_agrees(players: Players) -> None:
    state = players.ann.command("new-game", **NEW_GAME)
    assert state["guidance"]["headline"] == "Ann asks for a new game." and dealer(players) == "Ann"
    (action,) = agreeing(players)
    assert (action["seats"], action["is_for_seats_only"]) == ([1], True)
    assert action["question"] == "Ann asks for a new game. This one ends."
    assert json_of(players.ann.send("agree-to-game"))["kind"] == "nothing_asked"
    players.ben.command("agree-to-game")
    assert dealer(players) == "Ben" and not agreeing(players)
    assert json_of(players.ben.send("agree-to-game"))["kind"] == "nothing_asked"


def test_without_an_answer_the_game_goes_on(players: Players) -> None:
    players.ann.command("new-game", **NEW_GAME)
    players.rig.wait(ANSWER_S)
    assert not agreeing(players) and dealer(players) == "Ann"
    assert json_of(players.ben.send("agree-to-game"))["kind"] == "nothing_asked"
    assert json_of(players.ben.get("/me/hand"))["dealt"] == BENS


def test_an_owner_who_plays_asks_too(real_rig: Rig) -> None:
    players = Players(real_rig)
    assert players.ann.post("/me/seat", {"seat": None}).status_code == 200
    assert players.eve.post("/me/seat", {"seat": 0}).status_code == 200
    players.eve.command("starter", card="5H")
    assert players.eve.command("new-game", **NEW_GAME)["deal"]["dealer"] == "Ann"
    assert agreeing(players)


def test_somebody_without_a_seat_who_keeps_the_board_asks_nobody(players: Players) -> None:
    players.eve.command("new-game", **NEW_GAME)
    assert dealer(players) == "Ben"


def test_a_game_that_is_over_or_not_begun_is_ended_without_a_question(real_rig: Rig) -> None:
    players = Players(real_rig)
    players.ann.command("new-game", **NEW_GAME)
    assert dealer(players) == "Ben"
    players.eve.command("correct", side=0, score=121, reason="over")
    players.ann.command("new-game", **NEW_GAME | {"dealer": 0})
    assert dealer(players) == "Ann"


def test_one_phone_for_all_is_asked_nothing(real_rig: Rig) -> None:
    phone = PhoneClient(real_rig).pair("Ann")
    phone.command("new-game", **NEW_GAME)
    assert phone.post("/me/seat", {"seat": 0}).status_code == 200
    phone.command("starter", card="5H")
    assert phone.command("new-game", **NEW_GAME | {"dealer": 0})["deal"]["dealer"] == "Ann"


def test_a_misdeal_is_taken_back_with_one_tap_and_the_hands_are_back(players: Players) -> None:
    players.ann.command("misdeal")
    assert json_of(players.ben.get("/me/hand"))["dealt"] == []
    players.ben.command("undo")
    assert json_of(players.ben.get("/me/hand"))["dealt"] == BENS
