"""A game of a club night on the phones of its players: each confirms for itself, and no rematch is offered."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game.commands import CorrectScore, StartGame
from firmware_host.game.events import ClubGame
from firmware_host.pairing.registry import Role
from firmware_host.ui.club_night import ClubNight, ClubState, FollowClub
from firmware_host.ui.keys.input_state import TypingJoinCode
from tests.web_panel.conftest import PhoneClient, Rig, json_of

START = StartGame(
    rules_for("six_card"), ("Ann", "Ben"), "classic-61", dealer=Seat(0), sides_on_board=2, club_game=ClubGame(1, 2, 3)
)


def offered(state: Any) -> list[Any]:
    return [action for action in state["actions"] if action["place"] == "primary"]


@pytest.fixture
def phones(real_rig: Rig) -> dict[str, PhoneClient]:
    """A club game that Ann has won; Ann, Ben and Eve have phones, the first two their seats."""
    owner = PhoneClient(real_rig).pair("Olga", Role.OWNER)
    phones = {name: PhoneClient(real_rig).pair(name, Role.PLAYER) for name in ("Ann", "Ben", "Eve")}
    real_rig.host.execute(START)
    real_rig.host.step()
    for seat, name in enumerate(("Ann", "Ben")):
        assert phones[name].post("/me/seat", {"seat": seat}).status_code == 200
    real_rig.host.execute(CorrectScore(1, 98, "the loser"))
    real_rig.host.execute(CorrectScore(0, 121, "the end"))
    real_rig.host.step()
    return phones | {"Olga": owner}


def test_a_phone_confirms_the_result_of_its_own_seat(phones: dict[str, PhoneClient]) -> None:
    (button,) = offered(json_of(phones["Ann"].get("/state")))
    assert (button["command"], button["body"], button["seats"]) == ("confirm-result", {"side": 0}, [0])
    assert button["label"] == "Ann confirms"
    for other in ("Ben", "Eve"):
        refused = phones[other].send("confirm-result", side=0)
        assert (refused.status_code, json_of(refused)["kind"]) == (409, "not_your_seat")
    phones["Ann"].command("confirm-result", side=0)
    refused = phones["Ann"].send("confirm-result", side=0)
    assert json_of(refused)["kind"] == "nothing_to_confirm"
    state = phones["Ben"].command("confirm-result", side=1)
    assert state["log"][0]["text"] == "Ben confirms the result."
    assert offered(state) == [] and state["guidance"]["detail"].endswith("Both players confirmed the result.")


def test_the_phone_of_the_boards_owner_confirms_for_a_seat_without_a_phone(phones: dict[str, PhoneClient]) -> None:
    assert json_of(phones["Olga"].send("confirm-result", side=1))["kind"] == "not_your_seat"
    phones["Ben"].post("/me/seat", {"seat": None})
    phones["Olga"].command("confirm-result", side=1)
    assert json_of(phones["Ann"].get("/state"))["guidance"]["detail"].endswith("Ann, is that right?")


@pytest.mark.parametrize("side", [2, 99])
def test_a_side_that_does_not_exist_is_refused(phones: dict[str, PhoneClient], side: int) -> None:
    assert json_of(phones["Olga"].send("confirm-result", side=side))["kind"] == "nothing_to_confirm"


def test_a_game_of_no_club_is_not_confirmed(rig: Rig) -> None:
    rig.begin()
    assert rig.post("/commands/confirm-result", {"side": 0}).status_code == 409


def test_the_page_says_that_two_are_asked_to_sit_down_and_that_a_code_is_typed(real_rig: Rig) -> None:
    owner = PhoneClient(real_rig).pair("Olga", Role.OWNER)
    real_rig.host.execute(FollowClub(ClubNight(ClubState.JOINED, 3, START)))
    real_rig.host.step()
    real_rig.host._context.notices.clear()
    real_rig.host.step()
    assert json_of(owner.get("/state"))["guidance"]["headline"] == "Ann and Ben: do you sit here?"
    real_rig.host._parts.keypad.ask(TypingJoinCode("12"), 0.0)
    real_rig.host.step()
    state = json_of(owner.get("/state"))
    assert state["guidance"]["headline"] == "Somebody types the code of the club night."
