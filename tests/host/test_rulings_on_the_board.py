"""Rulings as people meet them: pegs on the simulated board, keys, lights and the display."""

from __future__ import annotations

import pytest

from firmware_host.cribbage.cards import parse_card, parse_cards
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.game.rule_errors import WrongPhase
from firmware_host.game.state import Phase
from firmware_host.host.snapshot import first_line
from firmware_host.storage.journal import Journal
from firmware_host.ui.lights.lights import Signal
from firmware_host.ui.texts.messages import turn_message
from tests.host.bench import HostBench

ANN, BEN = Seat(0), Seat(1)
ZERO = "2C 4H 6S 8D"
"""Nothing, with a king as starter."""
SIXTEEN = "QC QD 5S 5H"


@pytest.fixture
def bench() -> HostBench:
    return HostBench(Journal.in_memory())


def begin(bench: HostBench, scores: tuple[int, int] = (0, 0), variant: str = "six_card", **options: object) -> None:
    """Ben deals on the classic board."""
    rules = rules_for(variant, options)
    names = ("Ann", "Ben")
    bench.host.execute(c.StartGame(rules, names, "classic-61", 2, dealer=BEN, scores=scores))
    bench.wait(0.2)


def deal_known_hands(bench: HostBench, ann: str = ZERO, ben: str = SIXTEEN) -> None:
    for seat, hand, away in ((ANN, ann, "AC 3C"), (BEN, ben, "QS 5C")):
        bench.host.execute(c.DealHand(seat, parse_cards(f"{hand} {away}")))
        bench.host.execute(c.DiscardCards(seat, parse_cards(away)))
    bench.host.execute(c.CutStarter(parse_card("KH")))
    bench.host.execute(c.EndPlay())
    bench.wait(0.1)


def leap(bench: HostBench, side: int, points: int) -> None:
    """The side's back peg passes its front peg."""
    pegs, course = bench.table.sides[side].pegs, bench.host.plan.course(bench.table.rules.target)
    bench.leap(side, course.holes_of(pegs)[0], course.hole_of(pegs.front + points))


def blinking(bench: HostBench) -> set[tuple[int, int]]:
    """Track and hole of each light that does not mark a peg at rest."""
    return {(shown.track, shown.hole) for shown in bench.host.snapshot.signals if shown.signal is not Signal.REST}


def test_a_hand_of_nothing_wins_no_game(bench: HostBench) -> None:
    begin(bench, (112, 80), pegging_policy="acc")
    deal_known_hands(bench)
    bench.keys("ENTER")
    leap(bench, 0, 9)
    assert bench.table.winner is None
    assert tuple(side.rightful for side in bench.table.sides) == (112, 80)  # the players have not said so
    bench.keys("FN 10")
    assert tuple(side.rightful for side in bench.table.sides) == (97, 89)
    leap(bench, 1, 9)
    assert bench.table.scores == (97, 89)


@pytest.mark.parametrize("has_settled", [True, False])
def test_a_peg_in_the_game_hole_from_afar_is_questioned_once(bench: HostBench, has_settled: bool) -> None:
    begin(bench, (58, 40))
    leap(bench, 0, 63)
    if has_settled:
        bench.wait(3.0)
    assert bench.table.winner is None and bench.first_line == "Ann +63? ENTER"
    bench.keys("ENTER")
    assert bench.table.winner == 0


def test_a_peg_in_the_game_hole_by_mistake_can_go_back(bench: HostBench) -> None:
    begin(bench, (58, 40))
    leap(bench, 0, 63)
    bench.wait(3.0)
    bench.keys("UNDO")
    assert bench.table.scores == (58, 40) and bench.table.owed == (0, 0)


@pytest.mark.parametrize("points", [8, 29])
def test_a_possible_total_wins_unquestioned(bench: HostBench, points: int) -> None:
    begin(bench, (121 - points, 40))
    leap(bench, 0, points)
    assert bench.table.winner == 0


def test_enter_does_not_accept_an_excess_that_has_no_ruling_yet(bench: HostBench) -> None:
    begin(bench, (40, 40), pegging_policy="acc")
    deal_known_hands(bench)
    bench.keys("ENTER")
    leap(bench, 0, 9)
    assert bench.table.owed == (-9, 0)
    bench.keys("ENTER")  # counts Ben's hand: the game goes on
    assert bench.table.last_count and bench.table.last_count.seat == BEN
    assert tuple(side.rightful for side in bench.table.sides) == (40, 40 + 16)
    bench.keys("FN 10 FN 10")  # given once
    assert tuple(side.rightful for side in bench.table.sides) == (40, 40 + 9 + 16)


def test_enter_accepts_an_excess_where_pegging_is_corrected(bench: HostBench) -> None:
    begin(bench, (40, 40))
    deal_known_hands(bench)
    bench.keys("ENTER")
    leap(bench, 0, 9)
    bench.keys("ENTER")
    assert bench.table.scores == (49, 40) and bench.table.owed == (0, 0)


def test_claims_by_moving_the_peg(bench: HostBench) -> None:
    begin(bench, muggins_mode="claim", pegging_policy="acc")
    bench.keys("K J 7 7 7")  # six for Ann; two for Ben, not pegged
    leap(bench, 0, 4)
    bench.wait(1.5)  # sooner the peg might rest in a wrong hole
    leap(bench, 1, 2)
    assert bench.table.scores == (4, 2) and bench.table.owed == (0, 0)
    assert bench.host.snapshot.history.last is not None
    assert "Ann missed 2 points." in turn_message(bench.host.snapshot.history.last)


def test_lights_and_display_keep_the_secret(bench: HostBench) -> None:
    begin(bench, muggins_mode="claim")
    bench.keys("K J 7 7")
    assert bench.table.owed == (0, 2)
    assert blinking(bench) == set() and bench.first_line == "Ann plays on 14"
    bench.keys("K")
    assert blinking(bench) == set()
    assert not any("missed" in text for text, _ in bench.host.snapshot.oled_page)


def test_without_claims_lights_and_display_show_points_due(bench: HostBench) -> None:
    begin(bench)
    bench.keys("K J 7 7")
    assert len(blinking(bench)) == 2 and bench.first_line == "Ben +2 → 2"


def test_secret_points_make_no_sound(bench: HostBench) -> None:
    begin(bench, muggins_mode="claim")
    bench.keys("K J 7 7")
    before = len(bench.board.sounder.played)
    bench.keys("K")
    assert len(bench.board.sounder.played) == before


def test_the_game_ends_when_the_opponent_pegs_out_by_the_excess(bench: HostBench) -> None:
    begin(bench, (120, 119), pegging_policy="acc")
    bench.keys("K J 7")
    leap(bench, 0, 1)
    bench.keys("FN 10")
    assert tuple(side.rightful for side in bench.table.sides) == (105, 120) and bench.table.phase is Phase.PLAY


def test_the_keys_offer_to_peg_before_the_next_deal(bench: HostBench) -> None:
    """Ben earns seven in the play, and nobody moves a peg. The lights blink to the end of the deal."""
    begin(bench)
    bench.host.execute(c.CutStarter(parse_card("9H")))
    for card in ["10H", "5S", "KS", "6D", "7D", "8D", "QC", "4C"]:
        bench.host.execute(c.PlayCard(parse_card(card)))
    for _ in range(3):
        bench.wait(0.1)
        assert (1, 7) in blinking(bench) and first_line(bench.host.snapshot) == "Ben +7 → 7"
        bench.host.execute(c.SkipHand())
    bench.keys("ENTER")
    assert first_line(bench.host.snapshot) == "End? Ben +7"
    bench.keys("UNDO")
    assert (1, 7) in blinking(bench) and first_line(bench.host.snapshot) == "Ben +7 → 7"
    leap(bench, 1, 7)
    bench.keys("ENTER")
    assert bench.table.scores == (0, 7) and bench.table.phase is Phase.DEAL
    assert not blinking(bench)


def test_next_deal_asks_after_a_price_was_pegged_back(bench: HostBench) -> None:
    begin(bench, (30, 25), "auction")
    bench.host.execute(c.Bid(3, ANN))
    bench.host.execute(c.Bid(None, BEN))
    bench.wait(0.1)
    pegs = bench.table.sides[0]
    course = bench.host.plan.course(121)
    bench.leap(0, course.hole_of(pegs.pegs.front), course.hole_of(pegs.goal.front))
    bench.wait(1.0)
    assert bench.table.scores == (27, 25) and bench.table.owed == (0, 0)
    bench.keys("ENTER")
    assert bench.first_line == "Skip this deal?" and bench.table.deal and bench.table.deal.number == 1


def test_redo_of_the_winning_move_is_no_fault(bench: HostBench) -> None:
    begin(bench, (119, 40))
    leap(bench, 0, 2)
    assert bench.table.winner == 0
    bench.keys("UNDO")
    bench.wait(2.0)
    assert bench.table.winner is None and bench.host.snapshot.peg_faults
    bench.keys("FN UNDO")
    bench.wait(2.0)
    assert bench.table.winner == 0 and not bench.host.snapshot.peg_faults


def test_clearing_the_winning_peg_to_the_start_undoes_nothing(bench: HostBench) -> None:
    begin(bench, (119, 40))
    course = bench.host.plan.course(121)
    leap(bench, 0, 2)
    assert bench.table.winner == 0
    bench.leap(0, course.game_hole, course.holes_of(bench.table.sides[1].pegs)[0])
    bench.wait(4.0)
    assert bench.table.winner == 0


def test_dealer_stays_once_a_peg_was_moved(bench: HostBench) -> None:
    begin(bench, (10, 10))
    leap(bench, 0, 4)
    with pytest.raises(WrongPhase):
        bench.host.execute(c.ChooseDealer(ANN))


def test_excess_of_the_last_card_is_offered_where_the_crib_is_unknown(bench: HostBench) -> None:
    begin(bench, (40, 40), pegging_policy="acc")
    bench.keys("K J 2 4 6 8 A 3 A 5")  # Ben has one for the last card
    owed = bench.table.sides[1].owed
    assert owed > 0
    leap(bench, 1, owed + 3)
    bench.keys("ENTER")  # counts Ann's hand, known from the play
    assert bench.table.sides[1].unfined_excess == 3
    bench.keys("FN 10")
    assert bench.table.sides[0].owed >= 3
