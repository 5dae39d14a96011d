"""The sentences of the page: the right one for each situation, complete in every language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from firmware_host.board.course import Hole
from firmware_host.config.languages import LANGUAGES, translator
from firmware_host.tracking.readings import Fault, TrackFault
from firmware_host.ui.keys.input_state import (
    Choosing,
    HandQuestion,
    Idle,
    InputState,
    MenuQuestion,
    RemovingPhone,
    SetRefereeMode,
    TypingBid,
    TypingClaim,
    TypingDeal,
    TypingHand,
    TypingPoints,
    TypingStarter,
)
from firmware_host.ui.pairing_prompt import OpenPairing, PairedPhone
from firmware_host.ui.referee_mode import RefereeMode
from firmware_host.ui.texts.fault_messages import board_not_read, cannot_save
from tests.web_panel.conftest import API, Rig, json_of
from web_panel.views.guidance import Guidance, guidance
from web_panel.views.peg_sentences import FAULTS


def guided(state: Any) -> tuple[str, str]:
    return state["guidance"]["headline"], state["guidance"]["detail"]


def awaited(state: Any) -> tuple[str, str, int | None]:
    return tuple(state["guidance"][name] for name in ("tone", "expects", "side"))


def play(rig: Rig, *cards: str) -> Any:
    for card in cards:
        state = rig.command("play", card=card)
    return state


def test_no_game_says_how_to_start_one(rig: Rig) -> None:
    assert guided(rig.state())[0] == "No game is on." and awaited(rig.state()) == ("idle", "nothing", None)


@pytest.mark.parametrize(
    ("rule", "headline"),
    [
        ("lowest", "Cut the cards: the lowest deals."),
        ("highest", "Cut the cards: the highest deals."),
        ("manual", "Who deals first?"),
    ],
)
def test_the_cut_says_which_card_deals(rig: Rig, rule: str, headline: str) -> None:
    state = rig.begin(dealer=None, options={"first_dealer": rule})
    assert guided(state)[0] == headline and awaited(state) == ("next", "confirm", None)


def test_a_deal_says_how_many_cards_go_to_the_crib(rig: Rig) -> None:
    state = rig.begin()
    assert guided(state) == (
        "Ann deals.",
        "Each player discards 2 cards to the crib. Then cut, and enter the starter.",
    )
    assert awaited(state) == ("next", "card", None)


def test_a_deal_for_three_says_that_the_pack_fills_the_crib(rig: Rig) -> None:
    state = rig.begin(variant="three_hand", names=["Ann", "Ben", "Cat"])
    assert guided(state)[1] == "To the crib: 1 card each, and 1 from the pack. Then cut, and enter the starter."


def test_who_has_too_few_points_to_bid_can_only_pass(rig: Rig) -> None:
    state = rig.begin(variant="auction")
    assert guided(state) == ("Ben, your bid.", "Too few points to bid 1: pass.")
    (bid,) = (each for each in state["actions"] if each["command"] == "bid")
    assert (bid["label"], bid["is_next"], bid["input"]) == ("Ben passes", True, None)
    assert guided(rig.command("bid", **bid["body"])) == ("Ann, your bid.", "Too few points to bid 1: pass.")


def test_an_auction_asks_for_a_higher_bid(rig: Rig) -> None:
    rig.begin(variant="auction", scores=[30, 30])
    assert guided(rig.command("bid", points=3)) == ("Ann, your bid.", "Bid 4 or more for the crib, or pass.")
    sold = rig.command("bid", points=None)
    assert guided(sold) == ("Ben buys the crib for 3.", "Ben, move your front peg back from 30 to 27.")
    assert sold["guidance"]["peg"]["kind"] == "back" and awaited(sold) == ("next", "peg", 1)


def test_the_play_says_who_is_next_and_what_the_count_is(rig: Rig) -> None:
    rig.begin()
    assert guided(rig.command("starter", card="4S")) == ("Ben leads.", "Ann has the crib. The starter is 4♠.")
    assert guided(play(rig, "7C")) == ("Ann plays next.", "The count is 7.")
    assert awaited(rig.state()) == ("next", "card", 0)
    assert guided(play(rig, "KH", "QD"))[1] == "The count is 27: 4 or lower, or go."


def test_a_series_that_ends_starts_again_at_nothing(rig: Rig) -> None:
    rig.begin()
    rig.command("starter", card="4S")
    play(rig, "KC", "9D", "8H")
    rig.command("go")
    state = rig.command("go")
    rig.command("accept-pegs")
    assert guided(state)[0] == "One for last, Ben."
    assert guided(rig.state()) == ("Ann leads.", "The count starts again at 0.")


def test_points_say_what_they_are_for_and_where_the_peg_goes(rig: Rig) -> None:
    rig.begin(scores=[27, 29])
    rig.command("starter", card="4S")
    state = play(rig, "7C", "2H", "6D")
    assert guided(state) == ("Fifteen for two, Ben.", "Ben, move your back peg to 31. Ann plays next.")
    peg = state["guidance"]["peg"]
    assert (peg["from_score"], peg["to_score"], peg["points"], peg["kind"]) == (0, 31, 2, "forward")
    assert peg["to_sensor"] == rig.sensor(1, 31) and peg["label"] == "Peg 2 for Ben"
    assert awaited(state) == ("next", "peg", 1)


def test_nobody_plays_next_after_points_that_win(rig: Rig) -> None:
    rig.begin(scores=[119, 0])
    rig.command("starter", card="4S")
    headline, detail = guided(play(rig, "5C", "TC"))
    assert headline == "Fifteen for two, Ann." and "next" not in detail


def test_a_second_lap_names_the_hole_beside_the_score(rig: Rig) -> None:
    rig.begin(scores=[89, 29])
    assert guided(rig.command("starter", card="JS"))[1] == "Ann, move your back peg to 91 (hole 31)."


def test_the_last_points_lead_to_the_game_hole(rig: Rig) -> None:
    rig.begin(scores=[119, 29])
    assert guided(rig.command("starter", card="JS"))[1] == "Ann, move your back peg to the game hole."


def test_a_peg_that_went_too_far_is_an_error_and_keeps_the_score(rig: Rig) -> None:
    rig.begin()
    rig.command("starter", card="JS")
    rig.leap(0, -1, 3)
    state = rig.state()
    assert guided(state) == ("1 hole too many, Ann.", "2 to peg, 3 moved. Ann, move your front peg back from 3 to 2.")
    assert awaited(state) == ("error", "peg", 0) and state["guidance"]["peg"]["kind"] == "back"
    assert (state["sides"][0]["score"], state["sides"][0]["peg_label"]) == (2, "1 too many")


def test_a_move_without_points_says_that_nothing_was_due(rig: Rig) -> None:
    rig.begin()
    rig.command("starter", card="4S")
    play(rig, "7C")
    rig.leap(0, -1, 3)
    assert guided(rig.state()) == (
        "3 holes too many, Ann.",
        "Nothing was due. Ann, move your front peg back from 3 to the start.",
    )


def test_a_short_move_says_how_many_points_are_left(rig: Rig) -> None:
    rig.begin()
    rig.command("starter", card="JS")
    rig.leap(0, -1, 1)
    assert guided(rig.state())[0] == "Ann: 1 more point to peg."


def test_a_front_peg_that_went_back_is_put_back(rig: Rig) -> None:
    rig.begin(scores=[8, 0])
    rig.command("starter", card="JS")
    rig.leap(0, 0, 10)
    rig.leap(0, 10, 9)
    state = rig.state()
    assert guided(state) == (
        "Ann’s front peg went back.",
        "Put it from 9 back to 10, or correct the score under More.",
    )
    assert state["sides"][0]["score"] == 10 and state["guidance"]["peg"]["to_sensor"] == rig.sensor(0, 10)
    assert awaited(state) == ("error", "peg", 0)


def test_a_peg_out_of_its_hole_says_where_it_belongs(rig: Rig) -> None:
    rig.begin(scores=[8, 0])
    rig.post("/pegs/lift", {"sensor": rig.sensor(0, 8)})
    rig.wait(6)
    assert guided(rig.state()) == ("The front peg is out: Ann.", "Put it back in the lit hole: 8.")


def test_the_show_asks_for_each_hand_and_says_its_points(rig: Rig) -> None:
    rig.begin(scores=[27, 29])
    rig.command("starter", card="5H")
    state = rig.command("show")
    assert guided(state)[0] == "Count Ben’s hand." and awaited(state) == ("next", "hand", 1)
    counted = rig.command("count", cards=["5S", "JD", "TC", "QC"])
    assert guided(counted) == ("Ben’s hand: 17 points.", "Ben, move your back peg to 46.")
    rig.command("accept-pegs")
    rig.command("skip")
    assert guided(rig.state())[0] == "Count Ann’s crib."
    assert guided(rig.command("skip")) == ("This deal is over.", "Ben deals next.")


@pytest.mark.parametrize(
    ("target", "loser", "headline"),
    [
        (121, 100, "Ann wins!"),
        (121, 88, "Ann wins, and it is a skunk!"),
        (121, 30, "Ann wins, and it is a double skunk!"),
        (61, 20, "Ann wins, and it is a lurch!"),
    ],
)
def test_the_end_names_winner_and_margin(rig: Rig, target: int, loser: int, headline: str) -> None:
    rig.begin(target=target, scores=[target - 1, loser])
    state = rig.command("correct", side=0, score=target, reason="home")
    assert guided(state) == (headline, f"{target} to {loser}. Ben deals next.")
    assert awaited(state) == ("win", "confirm", 0)


def test_a_pending_peg_waits_until_it_holds_still(rig: Rig) -> None:
    rig.begin()
    rig.leap(0, -1, 8, still_s=0.1)
    assert guided(rig.state()) == ("Ann: a move of 8 holes.", "It counts as soon as the peg holds still.")


def test_a_refused_key_stands_before_what_is_next(rig: Rig) -> None:
    rig.begin()
    rig.board.keypad.move("UNDO", down=True)
    rig.wait(0.1)
    assert guided(rig.state()) == ("Nothing to undo.", "Ann deals.")


def test_pairing_is_answered_at_the_board(rig: Rig) -> None:
    rig.begin()
    rig.host.pairing.do(OpenPairing())
    rig.post("/pairing/request", {"name": "Eve", "code": rig.host.pairing.pairing_state().code})
    rig.wait(0.1)
    state = rig.state()
    assert guided(state)[0] == "Eve asks to join." and state["guidance"]["waits_for"] == "Answer on the board"


def test_a_fault_of_the_board_comes_first(rig: Rig) -> None:
    rig.begin()
    said = guidance(replace(rig.host.snapshot, fault_message=partial(board_not_read, "Board lost", "")))
    assert (said.headline, said.detail) == ("Board not connected. Check its cable.", "Scores are kept.")
    said = guidance(replace(rig.host.snapshot, fault_message=cannot_save))
    assert said.detail == "Moves are not kept if the board is switched off now." and said.tone == "error"


@pytest.mark.parametrize("mode", ["polite", "silent"])
def test_a_quiet_referee_betrays_no_points(rig: Rig, mode: str) -> None:
    rig.begin(scores=[27, 29])
    rig.command("starter", card="4S")
    play(rig, "7C", "2H")
    rig.host.execute(SetRefereeMode(RefereeMode(mode)))
    state = play(rig, "6D")
    assert guided(state) == ("Ann plays next.", "The count is 15.") and state["guidance"]["peg"] is None


def situations(rig: Rig) -> Iterator[Callable[[], object]]:
    """Every kind of situation, one after the other."""
    yield lambda: None
    yield lambda: rig.begin(dealer=None)
    yield lambda: rig.begin(scores=[27, 89])
    yield lambda: rig.command("starter", card="JS")
    yield lambda: rig.command("accept-pegs")
    yield lambda: play(rig, "7C")
    yield lambda: play(rig, "8C")
    yield lambda: rig.leap(0, 0, 32)
    yield lambda: rig.command("accept-pegs")
    yield lambda: play(rig, "KC")
    yield lambda: rig.command("show")
    yield lambda: rig.command("skip")
    yield lambda: rig.command("count", cards=["8C", "7S", "6H", "5D"])
    yield lambda: rig.command("accept-pegs")
    yield lambda: rig.command("skip")
    yield lambda: rig.command("next-deal", deal=1)
    yield lambda: rig.command("correct", side=0, score=121, reason="home")


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_every_sentence_is_translated_and_filled_in(rig: Rig, language: str) -> None:
    for reach in situations(rig):
        reach()
        rig.host.step()
        english, other = (json_of(rig.get(f"{API}/state?lang={each}"))["guidance"] for each in ("en", language))
        for part in ("headline", "detail", "waits_for"):
            assert "{" not in other[part]
            assert not english[part] or english[part] != other[part], english[part]


PHONE = PairedPhone("1f", "Ann")
TYPED: tuple[InputState, ...] = (
    *(Idle(is_shifted=True), TypingStarter(10), TypingPoints(0, 3), TypingClaim(2), TypingBid(2)),
    *(TypingDeal(own_crib=True), Choosing(MenuQuestion.MENU), RemovingPhone(PHONE)),
    *(TypingHand((), question) for question in HandQuestion),
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_keys_in_use_are_listed_in_a_sentence(rig: Rig, language: str) -> None:
    rig.begin()
    rig.command("starter", card="4S")
    rig.command("show")
    for entered in TYPED:
        said = guidance(replace(rig.host.snapshot, input_state=entered), translator(language))
        assert re.search(r"[.?!)]$", said.headline) and "{" not in said.headline, said


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("fault", list(Fault))
def test_every_peg_error_says_what_to_do(rig: Rig, fault: Fault, language: str) -> None:
    rig.begin(scores=[8, 5])
    astray = TrackFault(0, fault, (Hole(12),), (Hole(8),))
    said: Guidance = guidance(replace(rig.host.snapshot, peg_faults=(astray,)), translator(language))
    assert said.detail.endswith(".") and "{" not in said.headline + said.detail
    assert set(FAULTS) == set(Fault) and (fault.is_hardware or said.peg is not None)
