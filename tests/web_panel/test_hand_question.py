"""A hand typed in the show: the page asks for suits only where they can matter."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web_panel.conftest import Rig, json_of


def next_question(rig: Rig, cards: str, asking: str = "cards", suit: str | None = None) -> tuple[list[str], str]:
    answer = rig.post("/hand", {"cards": cards.split(), "question": asking, "suit": suit})
    assert answer.status_code == 200, answer.text
    return json_of(answer)["cards"], json_of(answer)["question"]


def to_the_show(rig: Rig, starter: str = "5H", **game: object) -> Any:
    rig.begin(**game)
    rig.command("starter", card=starter)
    return rig.command("show")


def test_a_hand_that_can_be_no_flush_and_has_no_jack_needs_no_suit(rig: Rig) -> None:
    to_the_show(rig)
    assert next_question(rig, "2 3 3 4") == (["2", "3", "3", "4"], "nothing")


def test_different_ranks_may_be_a_flush(rig: Rig) -> None:
    to_the_show(rig)
    assert next_question(rig, "2 3 4 6") == (["2", "3", "4", "6"], "flush")
    assert next_question(rig, "2 3 4 6", "flush", "S") == (["2S", "3S", "4S", "6S"], "nothing")
    assert next_question(rig, "2 3 4 6", "flush") == (["2", "3", "4", "6"], "nothing")


def test_a_jack_may_be_his_nobs(rig: Rig) -> None:
    to_the_show(rig)
    assert next_question(rig, "5 5 5 J") == (["5", "5", "5", "J"], "nobs")
    assert next_question(rig, "5 5 5 J", "nobs", "H") == (["5", "5", "5", "JH"], "nothing")


def test_nobody_is_asked_about_a_card_that_was_shown_in_another_hand(rig: Rig) -> None:
    to_the_show(rig, pegs="by_hand")
    rig.command("count", cards=["6", "6", "7", "JH"], suits_were_asked=True)
    assert next_question(rig, "6 6 J 9") == (["6", "6", "J", "9"], "nothing")
    state = rig.command("count", cards=["6", "6", "J", "9"])
    assert "perhaps" not in state["speech"]["said"]
    assert next_question(rig, "J J 8 9") == (["J", "J", "8", "9"], "nothing")  # the crib


def test_a_jack_in_another_hand_may_still_be_of_another_suit(rig: Rig) -> None:
    to_the_show(rig, pegs="by_hand")
    rig.command("count", cards=["6", "6", "7", "JS"], suits_were_asked=True)
    assert next_question(rig, "6 6 J 9") == (["6", "6", "J", "9"], "nobs")


def test_a_flush_tells_the_suit_of_its_jack_too(rig: Rig) -> None:
    to_the_show(rig)
    assert next_question(rig, "2 3 4 J", "flush", "D") == (["2D", "3D", "4D", "JD"], "nothing")


def test_a_question_about_suits_is_asked_in_the_language_of_the_page(rig: Rig) -> None:
    to_the_show(rig)
    answer = rig.post("/hand?lang=fr", {"cards": ["5", "5", "5", "J"], "question": "cards"})
    assert json_of(answer)["label"] == "Y a-t-il le valet ♥\N{NARROW NO-BREAK SPACE}? (bon valet, 1 point)"


@pytest.mark.parametrize("body", [{"cards": ["2"], "question": "flash"}, {"cards": ["2"]}, {"question": "cards"}])
def test_an_unknown_question_is_malformed(rig: Rig, body: dict[str, object]) -> None:
    to_the_show(rig)
    assert rig.post("/hand", body).status_code == 400


def test_a_hand_is_asked_about_in_the_show_only(rig: Rig) -> None:
    assert json_of(rig.post("/hand", {"cards": ["2"], "question": "cards"}))["kind"] == "no_game"
    rig.begin()
    assert json_of(rig.post("/hand", {"cards": ["2"], "question": "cards"}))["kind"] == "wrong_phase"
