"""What may be typed: the game asks for the right thing, and for suits only where they can matter."""

from __future__ import annotations

from typing import Any

import pytest

from tests.panel.conftest import Room, told


def asked(state: Any) -> list[tuple[str, str]]:
    return [(ask["order"], ask["kind"]) for ask in state["asks"]]


def about(room: Room, cards: str, asking: str = "cards", suit: str | None = None) -> tuple[list[str], str]:
    answer = room.post("/hand", {"cards": cards.split(), "asking": asking, "suit": suit})
    assert answer.status_code == 200, answer.text
    return told(answer)["cards"], told(answer)["asking"]


def to_the_show(room: Room, starter: str = "5H", **game: object) -> Any:
    room.begin(**game)
    room.order("starter", card=starter)
    return room.order("show")


def test_nothing_is_asked_before_the_first_game(room: Room) -> None:
    assert asked(room.state()) == []


def test_a_deal_asks_for_the_starter_and_the_play_for_ranks(room: Room) -> None:
    assert asked(room.begin()) == [("starter", "card"), ("correct", "score")]
    assert asked(room.order("starter", card="5H"))[0] == ("play", "rank")


def test_a_play_in_which_flushes_count_asks_for_suits(room: Room) -> None:
    room.begin(options={"play_flush": "three_up"})
    assert asked(room.order("starter", card="5H"))[0] == ("play", "card")


def test_the_show_asks_for_hands_and_knows_what_was_played(room: Room) -> None:
    room.begin()
    room.order("starter", card="5H")
    room.order("play", card="7D")
    (hand, *_) = room.order("show")["asks"]
    assert (hand["label"], hand["cards"], hand["size"]) == ("Ben: the cards", ["7D"], 4)


def test_a_crib_is_asked_for_in_its_turn(room: Room) -> None:
    to_the_show(room)
    room.order("skip")
    assert room.order("skip")["asks"][0]["label"] == "Ann's crib: the cards"


def test_a_crib_that_is_sold_asks_for_bids_and_passes(room: Room) -> None:
    room.begin(variant="auction", scores=[30, 30])
    assert asked(room.state())[0] == ("bid", "points")
    state = room.order("bid", points=3)
    assert (state["asks"][0]["label"], state["asks"][0]["least"]) == ("Ann bids", 4)
    assert state["offers"][0]["label"] == "Ann passes"
    assert "Ben buys the crib for 3" in room.order("bid", **state["offers"][0]["body"])["log"][0]["said"]


def test_muggins_is_claimed_where_it_is_played_so(room: Room) -> None:
    room.begin(options={"muggins_mode": "claim"})
    state = room.order("starter", card="5H")
    assert [ask["body"] for ask in state["asks"] if ask["order"] == "claim"] == [{"side": 0}, {"side": 1}]
    room.order("play", card="7D")
    room.order("play", card="8C")  # fifteen for two, and Ann pegs nothing
    room.order("play", card="2C")
    assert "Muggins: 2 points to Ben" in room.order("claim", side=1, points=2)["log"][0]["said"]


def test_a_score_may_be_set_right_at_any_time_even_after_the_end(room: Room) -> None:
    room.begin(scores=[120, 30])
    assert asked(room.order("correct", side=0, score=121, reason="home")) == [("correct", "score")]


def test_a_hand_that_can_be_no_flush_and_has_no_jack_needs_no_suit(room: Room) -> None:
    to_the_show(room)
    assert about(room, "2 3 3 4") == (["2", "3", "3", "4"], "nothing")


def test_different_ranks_may_be_a_flush(room: Room) -> None:
    to_the_show(room)
    assert about(room, "2 3 4 6") == (["2", "3", "4", "6"], "flush")
    assert about(room, "2 3 4 6", "flush", "S") == (["2S", "3S", "4S", "6S"], "nothing")
    assert about(room, "2 3 4 6", "flush") == (["2", "3", "4", "6"], "nothing")


def test_a_jack_may_be_his_nobs(room: Room) -> None:
    to_the_show(room)
    assert about(room, "5 5 5 J") == (["5", "5", "5", "J"], "nobs")
    assert about(room, "5 5 5 J", "nobs", "H") == (["5", "5", "5", "JH"], "nothing")


def test_a_flush_tells_the_suit_of_its_jack_too(room: Room) -> None:
    to_the_show(room)
    assert about(room, "2 3 4 J", "flush", "D") == (["2D", "3D", "4D", "JD"], "nothing")


def test_a_question_about_suits_is_asked_in_the_language_of_the_page(room: Room) -> None:
    to_the_show(room)
    answer = room.post("/hand?lang=fr", {"cards": ["5", "5", "5", "J"], "asking": "cards"})
    assert told(answer)["question"] == "Le valet de ♥ en fait-il partie\N{NARROW NO-BREAK SPACE}?"


@pytest.mark.parametrize("body", [{"cards": ["2"], "asking": "flash"}, {"cards": ["2"]}, {"asking": "cards"}])
def test_a_question_nobody_knows_is_malformed(room: Room, body: dict[str, object]) -> None:
    to_the_show(room)
    assert room.post("/hand", body).status_code == 400


def test_a_hand_is_asked_about_in_the_show_only(room: Room) -> None:
    assert told(room.post("/hand", {"cards": ["2"], "asking": "cards"}))["kind"] == "no_game"
    room.begin()
    assert told(room.post("/hand", {"cards": ["2"], "asking": "cards"}))["kind"] == "wrong_phase"
