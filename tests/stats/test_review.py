"""The review of discards and of the play, against cases worked by hand and the engine's own judgement."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from msgspec.structs import replace

from firmware_host.cribbage.cards import PACK, parse_card, parse_cards
from firmware_host.cribbage.rules import RuleSet, Seat
from firmware_host.cribbage.show import count_show
from firmware_host.cribbage.variants import VARIANTS, rules_for
from firmware_host.game import commands as c
from firmware_host.game.hidden_hands import without_hidden_cards
from firmware_host.stats.moments import moments_of
from firmware_host.stats.review import (
    GameReview,
    ReviewedChoice,
    SeatReview,
    Verdict,
    decode,
    encode,
    review_of,
    seat_review,
)
from firmware_host.storage.game_summary import Events
from firmware_host.strategy.engine import Level
from tests.stats.level_games import game_of
from tests.stats.test_result import ANN, BEN, FIRST_DEAL, PLAYED, played, start

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


def choices(turns: list[Events]) -> tuple[ReviewedChoice, ...]:
    return review_of(turns).choices


def test_the_best_discard_loses_nothing() -> None:
    (review,) = choices(deal("2D 7S"))
    assert review.lost == 0 == review.lost_win and review.verdict is Verdict.BEST
    assert (review.deal, review.seat, review.owns_crib, review.scores) == (1, ANN, True, (0, 0))
    assert review.chosen == review.best and review.held == tuple(sorted(FIVES))


def test_a_bad_discard_loses_points_and_a_part_of_the_chance_to_win() -> None:
    """Two fives thrown into one's own crib keep 5 J 2 7. The hands are counted starter by starter, by the rules."""
    (review,) = choices(deal("5H 5S"))
    assert set(review.best.cards) == set(parse_cards("2D 7S"))
    hands = mean_hand("5H 5S 5D JC") - mean_hand("5D JC 2D 7S")
    fives_in_the_crib = 8.8 - 3.9  # published tables of cribs: 5-5, and 2-7
    assert review.lost == pytest.approx(float(hands) - fives_in_the_crib, abs=1.5)
    assert review.lost_win is not None and 0.015 < review.lost_win / review.lost < 0.03
    assert review.verdict is Verdict.MISTAKE and not review.is_accurate


def mean_hand(cards: str) -> Fraction:
    rest = [card for card in PACK if card not in FIVES]
    kept = parse_cards(cards)
    return Fraction(sum(count_show(kept, starter, RULES).total for starter in rest), len(rest))


def test_discards_of_both_players_are_judged_by_whose_crib_it_is() -> None:
    ann, ben = choices(deal("2D 7S", "KD KS"))
    assert (ann.seat, ann.owns_crib) == (ANN, True) and (ben.seat, ben.owns_crib) == (BEN, False)


@pytest.mark.parametrize(
    ("lost", "verdict"),
    [
        (0.0, Verdict.BEST),
        (0.005, Verdict.GOOD),
        (0.006, Verdict.INACCURATE),
        (0.03, Verdict.INACCURATE),
        (0.031, Verdict.MISTAKE),
    ],
)
def test_verdicts_follow_their_limits(lost: float, verdict: Verdict) -> None:
    (review,) = choices(deal("2D 7S"))
    assert review.best.win is not None
    chosen = replace(review.chosen, win=round(review.best.win - lost, 4))
    assert replace(review, chosen=chosen).verdict is verdict
    by_points = replace(review, chosen=replace(chosen, win=None, points=review.best.points - 40 * lost))
    assert by_points.verdict is verdict and by_points.lost_win is None


def test_a_card_of_the_play_is_judged_where_the_hand_is_shown_later() -> None:
    """Ben's hand is entered at the show only: JD QC 4S 8D. He leads the jack, and Ann makes fifteen with her five."""
    found = choices(played(start(), *FIRST_DEAL))
    lead = found[0]
    assert lead.seat == BEN and not lead.is_discard and lead.chosen.cards == (parse_card("JD"),)
    assert lead.held == tuple(sorted(parse_cards("JD QC 4S 8D"))) and lead.series == ()
    answer = found[1]
    assert answer.seat == ANN and answer.series == (parse_card("JD"),)
    assert answer.chosen.cards == (parse_card("5S"),) and answer.verdict is Verdict.BEST
    assert without_hidden_cards(played(start(), *FIRST_DEAL)) == played(start(), *FIRST_DEAL)


def test_a_pair_that_is_left_alone_costs_its_points() -> None:
    """After a king Ann holds a king too, and plays the queen."""
    hand, others = "KS QC 2D 3H", "KD 6S 7D 9C"
    cards = ("KD", "QC")
    commands: list[c.Command] = [
        c.CutStarter(parse_card("AH")),
        *(c.PlayCard(parse_card(card)) for card in cards),
        c.EndPlay(),
    ]
    shown = c.CountHand(parse_cards(others)), c.CountHand(parse_cards(hand))
    (ann,) = (each for each in choices(played(start(), *commands, *shown)) if each.seat == ANN)
    assert ann.best.cards == (parse_card("KS"),)
    assert 0.5 < ann.lost < 2.5 and ann.verdict in (Verdict.INACCURATE, Verdict.MISTAKE)


def test_cards_that_nobody_could_choose_are_left_out() -> None:
    """The last card of each hand, and gos."""
    for choice in choices(played(start(), *FIRST_DEAL)):
        assert len(choice.held) > 1 and choice.chosen.cards


def test_unknown_cards_are_not_judged() -> None:
    kept = c.DealHand(ANN, parse_cards("5H 5S 5D JC"))
    assert choices(played(START, kept, STARTER)) == ()
    assert choices(played(START, c.DealHand(ANN, FIVES), STARTER)) == ()
    assert choices(played(start(), *PLAYED)) == ()
    without_suits = c.DealHand(ANN, parse_cards("5 5 5 J 2 7", rank_only=True))
    assert choices(played(START, without_suits, c.DiscardCards(ANN, parse_cards("2 7", rank_only=True)), STARTER)) == ()


def test_only_the_last_deal_before_the_starter_counts_after_a_misdeal() -> None:
    dealt = c.DealHand(ANN, FIVES), c.DiscardCards(ANN, parse_cards("5H 5S"))
    again = c.DealHand(ANN, FIVES), c.DiscardCards(ANN, parse_cards("2D 7S"))
    (review,) = choices(played(START, *dealt, c.Misdeal(), *again, STARTER))
    assert review.verdict is Verdict.BEST


def test_undone_discards_do_not_count() -> None:
    dealt = c.DealHand(ANN, FIVES), c.DiscardCards(ANN, parse_cards("5H 5S"))
    (review,) = choices(played(START, *dealt, c.Undo(), c.DiscardCards(ANN, parse_cards("2D 7S")), STARTER))
    assert review.verdict is Verdict.BEST


def test_cards_are_shown_when_hand_or_crib_is_counted() -> None:
    assert choices(without_hidden_cards(deal("2D 7S"))) == ()
    turns = game_of([Level.CLUB] * 2, RULES, 1, deals=1)
    assert without_hidden_cards(turns) == list(turns)
    assert sum(choice.is_discard for choice in choices(turns)) == 2


@pytest.mark.parametrize(("bens", "is_shown"), [(c.CountHand(parse_cards("3H 4S 8D 9C")), True), (c.SkipHand(), False)])
def test_a_discard_is_shown_before_its_crib_when_every_seat_showed_its_hand(bens: c.Command, is_shown: bool) -> None:
    commands = (START, c.DealHand(ANN, FIVES), c.DiscardCards(ANN, parse_cards("2D 7S")), STARTER)
    turns = played(*commands, c.EndPlay(), bens, c.CountHand())
    assert bool(choices(without_hidden_cards(turns))) == is_shown


def test_points_near_the_end_cost_more_than_at_the_start() -> None:
    """Ann misses a fifteen: at 0 to 0, and at 116 to 116. Taken by muggins it costs more."""
    turns = {
        (score, mode): played(start(scores=(score, score), is_entered=True, muggins_mode=mode), *PLAYED, c.NextDeal())
        for score in (0, 116)
        for mode in ("off", "automatic")
    }
    lost = {which: cost_of_fifteen(review_of(each)) for which, each in turns.items()}
    assert 0.01 < lost[0, "off"] < lost[0, "automatic"] and 0.05 < lost[116, "off"] < lost[116, "automatic"]


def cost_of_fifteen(review: GameReview) -> float:
    (loss,) = (each for each in review.losses if each.points == 2)
    assert (loss.seat, loss.deal) == (ANN, 1) and loss.lost_win is not None
    return loss.lost_win


@pytest.mark.parametrize(
    "rules",
    [
        pytest.param(VARIANTS["five_card"], id="five_card"),
        pytest.param(VARIANTS["three_hand"], id="three_hand"),
        pytest.param(VARIANTS["auction"], id="auction"),
        pytest.param(VARIANTS["six_hand"], id="six_hand"),
        pytest.param(rules_for("six_card", {"lowball": True}), id="lowball"),
    ],
)
def test_every_variant_has_a_review(rules: RuleSet) -> None:
    review = review_of(game_of([Level.BEGINNER] * rules.players, rules, 3, deals=1))
    assert {choice.seat for choice in review.choices} == set(rules.seats)
    assert decode(encode(review)) == review
    for choice in review.choices:
        assert choice.lost >= 0 and choice.verdict in Verdict
        assert (choice.lost_win is None) is (choice.best.win is None)


def test_the_expert_makes_no_mistake_and_a_beginner_does() -> None:
    review = review_of(game_of([Level.EXPERT, Level.BEGINNER], RULES, 5, deals=2))
    expert, beginner = (seat_review(review, seat) for seat in (ANN, BEN))
    assert expert.accuracy == 1.0 and expert.lost_by_discards == expert.lost_by_cards == 0
    assert beginner.accuracy is not None and beginner.accuracy < 1
    assert beginner.lost_by_discards + beginner.lost_by_cards > 0
    assert expert.choices + beginner.choices == len(review.choices)
    assert seat_review(review, Seat(5)) == SeatReview() and SeatReview().accuracy is None


def test_the_moments_are_those_that_cost_most() -> None:
    review = review_of(game_of([Level.BEGINNER] * 2, RULES, 7, deals=2))
    moments = moments_of(review)
    dearest = sorted((choice.lost_win or 0 for choice in review.choices), reverse=True)[:3]
    assert sorted((moment.cost for moment in moments), reverse=True) == dearest
    assert [moment.what.deal for moment in moments] == sorted(moment.what.deal for moment in moments)
    assert moments_of(GameReview((), ())) == ()


def test_judging_leaves_time_to_others_after_each_choice() -> None:
    pauses = Random(1)
    calls = list[float]()
    review = review_of(deal("2D 7S", "KD KS"), lambda: calls.append(pauses.random()))
    assert len(calls) == len(review.choices) == 2
