"""What lies on the felt: the series that is over stays until the next card leads, and the hand that is counted next."""

from __future__ import annotations

from typing import Any

from tests.web_panel.conftest import Rig


def play(rig: Rig, ranks: str) -> Any:
    for rank in ranks:
        state = rig.command("play", card=rank, says_goes=True)
    return state["deal"]


def begin(rig: Rig) -> None:
    rig.begin()
    rig.command("starter", card="9H")


def test_a_finished_series_stays_with_what_it_made_until_a_card_leads(rig: Rig) -> None:
    begin(rig)
    assert play(rig, "T5K")["finished"] is None
    finished = play(rig, "6")["finished"]
    assert [card["card"] for card in finished["cards"]] == ["10", "5", "K", "6"]
    assert [card["side"] for card in finished["cards"]] == [1, 0, 1, 0]
    assert (finished["count"], finished["text"]) == (31, "Thirty-one for two, Ann.")
    assert play(rig, "7")["finished"] is None


def test_the_last_series_stays_until_the_first_hand_is_counted(rig: Rig) -> None:
    begin(rig)
    deal = play(rig, "T5K678Q4")
    assert deal["finished"]["text"] == "One for last, Ann."
    assert deal["to_count"] == {"title": "Ben’s hand", "cards": ["10", "K", "7", "Q"]}
    rig.command("accept-pegs")
    counted = rig.command("count", seat=1, is_crib=False, cards=["T", "K", "7", "Q"])["deal"]
    assert counted["finished"] is None and counted["to_count"]["title"] == "Ann’s hand"


def test_a_crib_shows_no_card_before_it_is_typed(rig: Rig) -> None:
    begin(rig)
    play(rig, "T5K678Q4")
    rig.command("skip")
    assert rig.command("skip")["deal"]["to_count"] == {"title": "Ann’s crib", "cards": []}


def test_points_that_may_be_claimed_are_not_told_by_the_felt(rig: Rig) -> None:
    rig.begin(options={"muggins_mode": "claim"})
    rig.command("starter", card="9H")
    assert play(rig, "T5K6")["finished"]["text"] == ""


def test_every_side_with_points_has_its_move(rig: Rig) -> None:
    begin(rig)
    for rank in "T55":
        state = rig.command("play", card=rank)
    assert [move["label"] for move in state["guidance"]["pegs"]] == ["Peg 2 for Ann", "Peg 2 for Ben"]
    assert state["guidance"]["headline"] == "A pair for two, Ben."
