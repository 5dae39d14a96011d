"""The review of discards, against cases worked by hand with the advice for the same cards."""

from __future__ import annotations

from fractions import Fraction

import pytest

from firmware_host.cribbage.cards import parse_card, parse_cards
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.show import count_show
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.stats.review import Verdict, discards_of, seat_review
from firmware_host.storage.game_summary import Events
from firmware_host.strategy.discard_judge import EVEN, judge_discards
from tests.stats.test_result import ANN, BEN, played

RULES = rules_for("six_card")
FIVES = parse_cards("5H 5S 5D JC 2D 7S")
"""The three fives with the jack stay; the two and the seven go."""
LOW = parse_cards("AH 2S 3D 4C KD KS")
START = c.StartGame(RULES, ("Ann", "Ben"), dealer=ANN)
STARTER = c.CutStarter(parse_card("9H"))


def deal(ann: str, ben: str = "") -> list[Events]:
    """A deal of Ann with FIVES, and of Ben with LOW if his discards are given."""
    commands: list[c.Command] = [START, c.DealHand(ANN, FIVES), c.DiscardCards(ANN, parse_cards(ann))]
    if ben:
        commands += [c.DealHand(BEN, LOW), c.DiscardCards(BEN, parse_cards(ben))]
    return played(*commands, STARTER)


def test_the_best_discard_loses_nothing() -> None:
    (review,) = discards_of(deal("2D 7S"))
    assert review.lost == 0 and review.verdict is Verdict.BEST
    assert (review.deal, review.seat, review.is_own_crib) == (1, ANN, True)


def test_a_bad_discard_loses_the_difference_of_the_means() -> None:
    """Two fives thrown into one's own crib keep 5 J 2 7. The hand is counted here starter by starter, by the rules."""
    (review,) = discards_of(deal("5H 5S"))
    kept = [card for card in FIVES if card not in parse_cards("5H 5S")]
    rest = [card for card in map(parse_card, all_cards()) if card not in FIVES]
    mean = Fraction(sum(count_show(kept, starter, RULES).total for starter in rest), len(rest))
    assert review.chosen.hand == mean
    assert set(review.best.discarded) == set(parse_cards("2D 7S"))
    of_best, of_chosen = (float(each.hand) + each.mean_crib + each.play for each in (review.best, review.chosen))
    # What is lost is the chance to win, in points; the last points of a big hand add less to it than the first.
    assert review.lost == pytest.approx(of_best - of_chosen, rel=0.15)
    assert review.verdict is Verdict.MISTAKE


def all_cards() -> list[str]:
    return [rank + suit for rank in "A23456789TJQK" for suit in "SHDC"]


def test_the_crib_of_the_opponent_counts_against_the_discard() -> None:
    ann, ben = discards_of(deal("2D 7S", "KD KS"))
    assert (ben.seat, ben.is_own_crib) == (BEN, False)
    points = float(ben.chosen.hand) - ben.chosen.mean_crib + ben.chosen.play
    assert ben.chosen.total == pytest.approx(points, abs=0.2)
    assert ben.best == judge_discards(LOW, RULES, own_crib=False, scores=EVEN)[0] and ann.is_own_crib


def test_verdicts_follow_their_limits() -> None:
    verdicts = {}
    for choice in judge_discards(FIVES, RULES, own_crib=True, scores=EVEN):
        (review,) = discards_of(deal(" ".join(map(str, choice.discarded))))
        verdicts[review.lost] = review.verdict
    assert verdicts[0.0] is Verdict.BEST
    for lost, verdict in verdicts.items():
        if lost:
            limits = {Verdict.GOOD: (0, 0.5), Verdict.INACCURATE: (0.5, 1.5), Verdict.MISTAKE: (1.5, 99)}
            low, high = limits[verdict]
            assert low <= lost < high


def test_unknown_cards_are_not_judged() -> None:
    kept = c.DealHand(ANN, parse_cards("5H 5S 5D JC"))
    assert discards_of(played(START, kept, STARTER)) == ()
    assert discards_of(played(START, c.DealHand(ANN, FIVES), STARTER)) == ()
    assert discards_of(played(START, STARTER)) == ()


def test_only_the_last_deal_before_the_starter_counts_after_a_misdeal() -> None:
    dealt = c.DealHand(ANN, FIVES), c.DiscardCards(ANN, parse_cards("5H 5S"))
    again = c.DealHand(ANN, FIVES), c.DiscardCards(ANN, parse_cards("2D 7S"))
    (review,) = discards_of(played(START, *dealt, c.Misdeal(), *again, STARTER))
    assert review.verdict is Verdict.BEST and review.deal == 1


def test_undone_discards_do_not_count() -> None:
    dealt = c.DealHand(ANN, FIVES), c.DiscardCards(ANN, parse_cards("5H 5S"))
    (review,) = discards_of(played(START, *dealt, c.Undo(), c.DiscardCards(ANN, parse_cards("2D 7S")), STARTER))
    assert review.verdict is Verdict.BEST


def test_the_auction_is_not_judged() -> None:
    rules = rules_for("auction")
    start = c.StartGame(rules, ("Ann", "Ben"), dealer=ANN)
    turns = played(start, c.DealHand(ANN, FIVES), c.DiscardCards(ANN, parse_cards("5H 5S")))
    assert discards_of(turns) == ()


def test_the_sum_of_a_player() -> None:
    discards = discards_of(deal("5H 5S", "KD KS"))
    ann = seat_review(discards, ANN)
    assert (ann.discards, ann.best, ann.lost) == (1, 0, discards[0].lost)
    assert seat_review(discards, Seat(5)).discards == 0
