"""The state of the page: no hidden card, and the pegs as the sensors see them."""

from __future__ import annotations

import json

from firmware_host.cribbage.cards import parse_cards
from firmware_host.cribbage.rules import Seat
from firmware_host.game import commands as c
from firmware_host.ui.texts.messages import with_suit_symbol
from firmware_host.ui.translator import untranslated
from tests.web_panel.conftest import Rig
from web_panel.views.log import Log
from web_panel.views.state import state_view

ANN, BEN = Seat(0), Seat(1)
HANDS = {ANN: parse_cards("2S 3S 9C JD KD KC"), BEN: parse_cards("4D 6D 8C TS QH AC")}
AWAY = {ANN: parse_cards("KD KC"), BEN: parse_cards("QH AC")}
STARTER = parse_cards("5H")[0]


def deal(rig: Rig) -> None:
    rig.begin()
    for seat in (ANN, BEN):
        rig.host.execute(c.DealHand(seat, HANDS[seat]))
        rig.host.execute(c.DiscardCards(seat, AWAY[seat]))
    rig.host.execute(c.CutStarter(STARTER))
    rig.host.step()


def seen(rig: Rig) -> set[str]:
    """The cards that the state has anywhere, in any notation."""
    rig.host.step()
    text = json.dumps(state_view(rig.host.snapshot), ensure_ascii=False)
    cards = {card for hand in HANDS.values() for card in hand} | {STARTER}
    return {str(card) for card in cards if with_suit_symbol(card) in text or f'"{card}"' in text or f" {card}" in text}


def test_a_dealt_hand_is_hidden(rig: Rig) -> None:
    deal(rig)
    assert seen(rig) == {"5H"}


def test_a_played_card_is_visible(rig: Rig) -> None:
    deal(rig)
    rig.host.execute(c.PlayCard(HANDS[BEN][0]))
    assert seen(rig) == {"5H", "4D"}


def test_only_the_counted_hand_is_visible(rig: Rig) -> None:
    deal(rig)
    rig.host.execute(c.EndPlay())
    rig.host.execute(c.CountHand())
    assert seen(rig) == {"5H", "4D", "6D", "8C", "TS"}


def test_a_crib_stays_hidden_until_it_is_counted(rig: Rig) -> None:
    deal(rig)
    rig.host.execute(c.EndPlay())
    rig.host.execute(c.SkipHand())
    rig.host.execute(c.SkipHand())
    assert seen(rig) == {"5H"}
    rig.host.execute(c.CountHand())
    assert seen(rig) == {"5H", "KD", "KC", "QH", "AC"}


def test_pegs_have_a_position(rig: Rig) -> None:
    rig.begin()
    rig.leap(0, -1, 8)
    pegs = {peg["position"]: peg["sensor"] for peg in rig.state()["pegs"] if peg["track"] == 0}
    assert pegs == {"back": rig.sensor(0, 0), "front": rig.sensor(0, 8)}


def test_a_lifted_peg_is_not_listed(rig: Rig) -> None:
    rig.begin()
    rig.post("/pegs/lift", {"sensor": rig.sensor(0, -1)})
    rig.wait(0.2)
    assert [peg["track"] for peg in rig.state()["pegs"]] == [0, 1, 1]


def test_a_peg_in_the_game_hole_belongs_to_the_winner(rig: Rig) -> None:
    rig.begin(target=61, scores=[40, 58])
    track, game_hole = 1, int(rig.host.plan.game_hole)
    rig.leap(track, 0, game_hole)
    own = [peg for peg in rig.state()["pegs"] if peg["sensor"] == rig.sensor(1, game_hole)]
    assert [(peg["track"], peg["position"]) for peg in own] == [(1, "front")]
    assert rig.state()["game"]["winner"] == 1


def test_lights_have_the_signals_of_the_board(rig: Rig) -> None:
    rig.begin()
    rig.command("starter", card="JH")
    lights = {(light["track"], light["sensor"]): light["signal"] for light in rig.state()["lights"]}
    assert lights[0, rig.sensor(0, 2)] == "to"
    assert "from" in lights.values() and lights[1, rig.sensor(1, 0)] == "rest"


def test_skunk_lines_and_streets_depend_on_the_target(rig: Rig) -> None:
    assert rig.begin()["game"] | {"streets": [30, 60, 90], "skunk_lines": [91, 61]} == rig.state()["game"]
    assert rig.begin(target=61)["game"] | {"streets": [30], "skunk_lines": [31]} == rig.state()["game"]


def test_the_status_shows_the_margin(rig: Rig) -> None:
    rig.begin(scores=[120, 85])
    rig.command("correct", side=0, score=121, reason="the last hole")
    assert [side["status_label"] for side in rig.state()["sides"]] == ["wins the game", "lost by a skunk"]


def test_the_log_has_the_latest_turns_first(rig: Rig) -> None:
    rig.begin()
    for points in range(1, 71):
        rig.command("correct", side=0, score=points, reason="a long evening")
    log = rig.state()["log"]
    assert [turn["turn"] for turn in log] == list(range(71, 11, -1))
    assert log[0]["text"] == "Corrected: Ann 70 (a long evening)."


def test_a_log_that_keeps_its_words_reads_as_a_new_one(rig: Rig) -> None:
    """After undo and redo, in another game, and in one with claims, where what was secret is told later."""
    log = Log()
    for muggins in ("off", "claim"):
        rig.begin(options={"muggins_mode": muggins})
        rig.command("starter", card="6S")
        for seat, card in ((1, "9H"), (0, "6D"), (1, "5C")):
            rig.command("play", seat=seat, card=card)
            assert log.lines(rig.host.snapshot, untranslated) == Log().lines(rig.host.snapshot, untranslated)
        for name in ("undo", "undo", "redo"):
            rig.command(name)
            assert log.lines(rig.host.snapshot, untranslated) == Log().lines(rig.host.snapshot, untranslated)
