"""Counting hands and leaving a deal through the API: no suit is skipped, and nobody loses a hand or a deal to a tap."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.pairing.registry import Role
from tests.web_panel.conftest import PhoneClient, Rig, json_of

PLAY = ("J", "K", "5", "6", "T", "K", "Q", "A")
"""Ben leads and plays J 5 10 Q, in two series to 31."""


def actions(state: Any, command: str) -> list[Any]:
    return [action for action in state["actions"] if action["command"] == command]


def after_play(rig: Rig) -> Any:
    rig.begin()
    rig.command("starter", card="5H")
    for card in PLAY:
        state = rig.command("play", card=card)
    return state


def test_the_button_of_a_hand_with_open_suits_asks_for_them(rig: Rig) -> None:
    (button,) = actions(after_play(rig), "count")
    assert button["input"]["cards"] == ["J", "5", "T", "Q"] and button["asks_suits"]
    question = json_of(rig.post("/hand", {"cards": button["input"]["cards"], "question": "cards"}))
    assert question["question"] == "flush"
    question = json_of(rig.post("/hand", {"cards": question["cards"], "question": "flush", "suit": None}))
    assert question["question"] == "nobs"
    question = json_of(rig.post("/hand", {"cards": question["cards"], "question": "nobs", "suit": "H"}))
    assert question["question"] == "nothing"
    counted = rig.command("count", cards=question["cards"], suits_were_asked=True)["deal"]["count"]
    assert (counted["points"], counted["is_minimum"]) == (18, False)


def test_a_count_without_the_suits_is_shown_as_a_minimum(rig: Rig) -> None:
    after_play(rig)
    state = rig.command("count")
    assert (state["deal"]["count"]["points"], state["deal"]["count"]["is_minimum"]) == (17, True)
    assert state["deal"]["count"]["text"].startswith("At least 17: fifteen two,")
    assert "At least 17: " in state["log"][0]["text"]


def test_a_hand_whose_suits_cannot_matter_is_counted_by_one_button(rig: Rig) -> None:
    after_play(rig)
    rig.command("count")
    button = next(action for action in actions(rig.state(), "count") if action["place"] == "primary")
    assert button["label"] == "Count Ann’s hand" and not button["asks_suits"]


def test_a_hidden_hand_without_suits_has_no_button(real_rig: Rig) -> None:
    owner = PhoneClient(real_rig).pair("Eve", Role.OWNER)
    owner.command("new-game", variant="six_card", names=["Ann", "Ben"], board="classic-61", dealer=0)
    owner.command("deal", seat=1, cards=["J", "5", "T", "Q"])
    owner.command("starter", card="5H")
    real_rig.board.keypad.move("ENTER", down=True)
    real_rig.wait(0.1)
    (entered,) = actions(real_rig.state(), "count")
    assert entered["input"]["cards"] == []


@pytest.mark.parametrize(
    "body",
    [
        {"cards": ["2", "3", "4", "6"], "question": "nobs", "suit": "H"},
        {"cards": ["2", "3", "4", "6"], "question": "nothing"},
        {"cards": ["2", "3", "4", "6"], "question": "nothing", "suit": "H"},
        {"cards": [], "question": "flush", "suit": "H"},
    ],
)
def test_an_answer_to_a_question_that_was_not_asked_changes_nothing(rig: Rig, body: dict[str, object]) -> None:
    after_play(rig)
    answer = rig.post("/hand", body)
    assert answer.status_code == 200 and json_of(answer)["cards"] == body["cards"]


def test_a_second_tap_on_next_deal_ends_one_deal_only(rig: Rig) -> None:
    rig.begin()
    (button,) = actions(rig.state(), "next-deal")
    assert rig.command("next-deal", **button["body"])["deal"]["number"] == 2
    again = rig.post("/commands/next-deal", button["body"])
    assert again.status_code == 409 and json_of(again)["localized"] == "This deal has already ended."
    assert rig.state()["deal"]["number"] == 2


def test_next_deal_without_a_number_is_malformed(rig: Rig) -> None:
    rig.begin()
    assert rig.post("/commands/next-deal", {}).status_code == 400
    assert rig.state()["deal"]["number"] == 1


def test_next_deal_asks_while_points_are_owed_or_hands_are_not_counted(rig: Rig) -> None:
    assert actions(rig.begin(), "next-deal")[0]["question"] == "Skip this deal? It has not been played."
    rig.command("starter", card="5H")
    state = rig.command("show")
    assert actions(state, "next-deal")[0]["question"] == "End this deal? Not all hands are counted."
    state = rig.command("count", cards=["2", "2", "3", "3"])
    assert actions(state, "next-deal")[0]["question"].startswith("End this deal? Ben can still peg ")
    rig.command("skip")
    rig.command("skip")
    rig.leap(1, -1, 6)
    assert actions(rig.state(), "next-deal")[0]["question"] == ""


def test_with_pegs_alone_next_deal_asks_nothing(rig: Rig) -> None:
    rig.begin()
    rig.leap(0, -1, 8)
    assert actions(rig.state(), "next-deal")[0]["question"] == ""


@pytest.fixture
def seated(real_rig: Rig) -> dict[str, PhoneClient]:
    """Ann and Ben with phones and seats, in the show; Ben counts first. Eve has no seat."""
    owner = PhoneClient(real_rig).pair("Olga", Role.OWNER)
    phones = {name: PhoneClient(real_rig).pair(name, Role.PLAYER) for name in ("Ann", "Ben", "Eve")}
    owner.command("new-game", variant="six_card", names=["Ann", "Ben"], board="classic-61", dealer=0)
    for seat, name in enumerate(("Ann", "Ben")):
        assert phones[name].post("/me/seat", {"seat": seat}).status_code == 200
    owner.command("starter", card="5H")
    owner.command("show")
    return phones | {"Olga": owner}


def test_a_hand_is_skipped_by_its_owner_or_a_keeper_only(seated: dict[str, PhoneClient]) -> None:
    for other in ("Ann", "Eve"):
        refused = seated[other].send("skip")
        assert (refused.status_code, json_of(refused)["kind"]) == (409, "not_your_seat")
    state = seated["Ben"].command("skip")
    assert state["log"][0]["text"] == "Ben’s hand is skipped."
    assert seated["Olga"].command("skip")["log"][0]["text"] == "Ann’s hand is skipped."


def test_a_seat_without_a_phone_keeps_its_hand_too(seated: dict[str, PhoneClient]) -> None:
    seated["Ben"].post("/me/seat", {"seat": None})
    assert json_of(seated["Ann"].send("skip"))["kind"] == "not_your_seat"


def test_the_skip_button_asks_first_and_names_its_seat(seated: dict[str, PhoneClient]) -> None:
    (skip,) = actions(json_of(seated["Ann"].get("/state")), "skip")
    assert (skip["seats"], skip["is_for_seats_only"]) == ([1], True)
    assert skip["question"] == "Skip Ben’s hand? It gets no points here."


def test_the_cards_are_not_gathered_by_others_before_a_hand_is_counted(seated: dict[str, PhoneClient]) -> None:
    for other in ("Ann", "Ben", "Eve"):
        assert json_of(seated[other].send("next-deal", deal=1))["kind"] == "not_your_seat"
    seated["Ben"].command("skip")
    assert seated["Ann"].command("next-deal", deal=1)["deal"]["number"] == 2


@pytest.mark.parametrize("language", ["en", "fr", "pl", "ru"])
def test_a_skipped_hand_is_logged_in_every_language(seated: dict[str, PhoneClient], language: str) -> None:
    seated["Ben"].command("skip")
    log = json_of(seated["Ann"].get(f"/state?lang={language}"))["log"]
    assert "Ben" in log[0]["text"]


def test_a_new_game_frees_the_seats_of_players_who_left(seated: dict[str, PhoneClient]) -> None:
    game = {"variant": "six_card", "board": "classic-61", "dealer": 0}
    seated["Olga"].command("new-game", **game, names=["Cat", "ann "])
    ann, ben = (json_of(seated[name].get("/me")) for name in ("Ann", "Ben"))
    assert (ann["seat"], ann["lost_seat"]) == (1, None)
    assert (ben["seat"], ben["lost_seat"]) == (None, "Ben")
    assert [seat["held_by"] for seat in ben["seats"]] == [None, "Ann"]
    assert json_of(seated["Ben"].get("/me/hand"))["kind"] == "no_seat"
    seated["Ben"].post("/me/seat", {"seat": 0})
    assert json_of(seated["Ben"].get("/me"))["lost_seat"] is None
