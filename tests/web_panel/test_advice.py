"""The pages for the score breakdown and for discard advice."""

from __future__ import annotations

from firmware_host.cribbage.cards import parse_cards
from firmware_host.cribbage.variants import rules_for
from firmware_host.strategy.discard_judge import EVEN, judge_discards
from firmware_host.ui.keys.input_state import SetRefereeMode
from firmware_host.ui.referee_mode import RefereeMode
from tests.web_panel.conftest import Rig
from web_panel.app import AccessPolicy


def card_of(page: str, suit: str, rank: str) -> bool:
    """Whether a face of this card is on the page."""
    return f'aria-label="{rank} of {suit}s"' in page


def test_a_counted_hand_is_explained_with_its_cards(rig: Rig) -> None:
    rig.begin()
    for name, card in (("starter", "5H"), ("play", "7D")):
        rig.command(name, card=card)
    rig.command("show")
    rig.command("count", cards=["7D", "8S", "8H", "9C"])
    rig.leap(1, -1, 14)
    page = rig.get("/score-breakdown").text
    assert "Ben’s hand" in page and "double run" in page
    assert card_of(page, "spade", "8") and card_of(page, "heart", "5")


def test_the_score_breakdown_shows_each_peg_move(rig: Rig) -> None:
    rig.begin()
    rig.leap(0, -1, 8)
    page = rig.client.get("/score-breakdown").get_data(as_text=True)
    assert "0 → 8" in page and "No cards were entered." in page


def test_a_game_with_start_scores_is_explained_from_there(rig: Rig) -> None:
    rig.begin(scores=[47, 53])
    rig.command("correct", side=1, score=60, reason="a slip")
    page = rig.client.get("/score-breakdown").get_data(as_text=True)
    assert "53 → 60" in page and "Ann: 47" in page


def test_cards_in_the_query_string_get_advice(rig: Rig) -> None:
    page = rig.client.get("/advice?cards=3C+3D+4S+4H+5C+9D&crib=own").get_data(as_text=True)
    assert page.count("<li>") + page.count("<li class") == 8
    best = judge_discards(parse_cards("3C 3D 4S 4H 5C 9D"), rules_for("six_card"), own_crib=True, scores=EVEN)
    totals = [page.index(f"<b>{discard.total:.2f}</b>") for discard in best[:8:2]]
    assert totals == sorted(totals)
    assert f"Play {best[0].play:.2f}" in page
    assert card_of(page, "club", "5") and card_of(page, "diamond", "9")


def test_invalid_cards_get_an_error_message(rig: Rig) -> None:
    page = rig.client.get("/advice?cards=3C").get_data(as_text=True)
    assert "Enter 6 cards." in page


def test_a_silent_referee_explains_nothing(rig: Rig) -> None:
    assert "Nothing to explain." in rig.client.get("/score-breakdown").get_data(as_text=True)
    rig.begin()
    rig.host.execute(SetRefereeMode(RefereeMode.SILENT))
    rig.wait(0.1)
    assert "The referee does not say points in this game." in rig.client.get("/score-breakdown").get_data(as_text=True)


def test_advice_can_be_switched_off() -> None:
    rig = Rig(access_policy=AccessPolicy(gives_advice=lambda table: False))
    assert "Discard advice is off" in rig.client.get("/advice?cards=3C+3D+4S+4H+5C+9D").get_data(as_text=True)
    rig.host.stop()
