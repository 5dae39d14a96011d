"""What the page is told: nothing that was not shown, and the pegs as the sensors see them."""

from __future__ import annotations

import json

from firmware_host.cribbage.cards import parse_cards
from firmware_host.cribbage.rules import Seat
from firmware_host.table import orders as o
from firmware_host.table.wording import pretty
from tests.panel.conftest import Room
from web_panel.present import present

ANN, BEN = Seat(0), Seat(1)
HANDS = {ANN: parse_cards("2S 3S 9C JD KD KC"), BEN: parse_cards("4D 6D 8C TS QH AC")}
AWAY = {ANN: parse_cards("KD KC"), BEN: parse_cards("QH AC")}
STARTER = parse_cards("5H")[0]


def deal(room: Room) -> None:
    room.begin()
    for seat in (ANN, BEN):
        room.host.do(o.DealHand(seat, HANDS[seat]))
        room.host.do(o.LayAway(seat, AWAY[seat]))
    room.host.do(o.CutStarter(STARTER))
    room.host.step()


def seen(room: Room) -> set[str]:
    """The cards that are anywhere in what the page gets, however they are written."""
    room.host.step()
    text = json.dumps(present(room.host.snapshot), ensure_ascii=False)
    cards = {card for hand in HANDS.values() for card in hand} | {STARTER}
    return {str(card) for card in cards if pretty(card) in text or f'"{card}"' in text or f" {card}" in text}


def test_a_hand_that_was_dealt_is_nobody_elses(room: Room) -> None:
    deal(room)
    assert seen(room) == {"5H"}


def test_a_card_that_was_played_lies_on_the_table(room: Room) -> None:
    deal(room)
    room.host.do(o.PlayCard(HANDS[BEN][0]))
    assert seen(room) == {"5H", "4D"}


def test_a_hand_that_was_counted_was_shown_and_no_other_was(room: Room) -> None:
    deal(room)
    room.host.do(o.EndPlay())
    room.host.do(o.CountNext())
    assert seen(room) == {"5H", "4D", "6D", "8C", "TS"}


def test_a_crib_stays_hidden_until_it_is_counted(room: Room) -> None:
    deal(room)
    room.host.do(o.EndPlay())
    room.host.do(o.SkipCount())
    room.host.do(o.SkipCount())
    assert seen(room) == {"5H"}
    room.host.do(o.CountNext())
    assert seen(room) == {"5H", "KD", "KC", "QH", "AC"}


def test_pegs_are_told_apart_by_rank(room: Room) -> None:
    room.begin()
    room.leap(0, -1, 8)
    pegs = {peg["rank"]: peg["sensor"] for peg in room.state()["pegs"] if peg["track"] == 0}
    assert pegs == {"back": room.sensor(0, 0), "front": room.sensor(0, 8)}


def test_a_peg_in_the_hand_is_nowhere(room: Room) -> None:
    room.begin()
    room.post("/hands/lift", {"sensor": room.sensor(0, -1)})
    room.wait(0.2)
    assert [peg["track"] for peg in room.state()["pegs"]] == [0, 1, 1]


def test_a_peg_in_the_game_hole_is_the_winners(room: Room) -> None:
    room.begin(target=61, scores=[40, 58])
    track, game_hole = 1, int(room.host.plan.game_hole)
    room.leap(track, 0, game_hole)
    own = [peg for peg in room.state()["pegs"] if peg["sensor"] == room.sensor(1, game_hole)]
    assert [(peg["track"], peg["rank"]) for peg in own] == [(1, "front")]
    assert room.state()["game"]["winner"] == 1


def test_lights_speak_the_grammar_of_the_board(room: Room) -> None:
    room.begin()
    room.order("starter", card="JH")
    lights = {(light["track"], light["sensor"]): light["signal"] for light in room.state()["lights"]}
    assert lights[0, room.sensor(0, 2)] == "to"
    assert "from" in lights.values() and lights[1, room.sensor(1, 0)] == "rest"


def test_skunk_lines_and_streets_belong_to_the_target(room: Room) -> None:
    assert room.begin()["game"] | {"streets": [30, 60, 90], "skunk_lines": [91, 61]} == room.state()["game"]
    assert room.begin(target=61)["game"] | {"streets": [30], "skunk_lines": [31]} == room.state()["game"]


def test_a_loser_is_told_by_how_much(room: Room) -> None:
    room.begin(scores=[120, 85])
    room.order("correct", side=0, score=121, reason="the last hole")
    assert [side["standing"] for side in room.state()["sides"]] == ["wins the game", "lost by a skunk"]


def test_the_log_has_the_latest_turns_first(room: Room) -> None:
    room.begin()
    for points in range(1, 71):
        room.order("correct", side=0, score=points, reason="a long evening")
    log = room.state()["log"]
    assert [turn["turn"] for turn in log] == list(range(71, 11, -1))
    assert log[0]["said"] == "Ann is set to 70: a long evening."
