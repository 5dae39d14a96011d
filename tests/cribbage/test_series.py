"""What the last card of a series scores."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.cribbage.cards import PACK, RANKS, Card, parse_cards
from firmware_host.cribbage.possible_points import is_possible_in_play
from firmware_host.cribbage.score import ScoreKind
from firmware_host.cribbage.series import can_play, count_of, playable_cards, points_for, scores_for
from firmware_host.cribbage.variants import VARIANTS, rules_for

SIX_CARD = VARIANTS["six_card"]
PLAY_FLUSH = rules_for("six_card", {"play_flush": "three_up"})


def up_to_31(cards: list[Card]) -> list[Card]:
    while count_of(cards) > 31:
        cards = cards[1:]
    return cards


def naive_points(series: list[Card]) -> int:
    """A second scorer: tests by sorting whether each tail of the series is a pair, triple or four, or a run."""
    tails = [sorted(card.rank for card in series[first:]) for first in range(len(series))]
    twins = max(len(tail) for tail in tails if len(set(tail)) == 1)
    runs = [len(tail) for tail in tails if all(high - low == 1 for low, high in zip(tail, tail[1:], strict=False))]
    total = sum(card.pips for card in series)
    longest = max(runs)
    return (total in (15, 31)) * 2 + twins * (twins - 1) + longest * (longest > 2)


series_of_cards = st.lists(st.sampled_from(PACK), min_size=1, max_size=10, unique=True).map(up_to_31)
small_cards = st.lists(st.sampled_from(PACK[:28]), min_size=1, max_size=12, unique=True).map(up_to_31)
any_series = series_of_cards | small_cards


@pytest.mark.parametrize(
    ("text", "points"),
    [
        pytest.param("3 2 5 4", 4, id="R23"),
        pytest.param("3 2 5 A 4", 7, id="R24"),
        pytest.param("2 A 6 5 3 4", 6, id="R25"),
        pytest.param("3 8 4", 2, id="R26"),
        pytest.param("3 6 6", 4, id="R27"),
        pytest.param("6 4 A 4", 2, id="R28"),
        pytest.param("8 7 8", 0, id="R29 before"),
        pytest.param("8 7 8 8", 4, id="R29"),
        pytest.param("8 7 7", 2, id="R30 before"),
        pytest.param("8 7 7 9", 2, id="R30"),
        pytest.param("7", 0, id="R31 one"),
        pytest.param("7 7", 2, id="R31 two"),
        pytest.param("7 7 7", 6, id="R31 three"),
        pytest.param("7 7 7 7", 12, id="R31 four"),
        pytest.param("4 5 6", 5, id="R32"),
        pytest.param("4 5 5 6", 0, id="R32 broken"),
        pytest.param("3 5 6 7", 3, id="R33 before"),
        pytest.param("3 5 6 7 4", 5, id="R33"),
        pytest.param("K A Q", 0, id="R33 round the corner"),
        pytest.param("A 2 3 4 5 6 7", 7, id="R33 seven"),
        pytest.param("8 7 9 8", 3, id="R33 again"),
        pytest.param("3 A 2 3 4 5 6 7", 9, id="seven and thirty-one"),
        pytest.param("3 3 3 3", 12, id="a double pair royal of threes"),
        pytest.param("5 5 5", 8, id="a pair royal and fifteen"),
    ],
)
def test_points_of_the_last_card(text: str, points: int) -> None:
    series = parse_cards(text, rank_only=True)
    assert points_for(series) == points
    assert sum(score.points for score in scores_for(series, SIX_CARD)) == points


@given(any_series)
def test_a_second_scorer_agrees(series: list[Card]) -> None:
    scores = scores_for(series, SIX_CARD)
    assert points_for(series) == sum(score.points for score in scores) == naive_points(series)
    assert is_possible_in_play(points_for(series), SIX_CARD) or points_for(series) == 0


@given(any_series)
def test_suits_do_not_matter(series: list[Card]) -> None:
    assert points_for([RANKS[card.rank - 1] for card in series]) == points_for(series)


@given(any_series)
def test_every_score_has_the_cards_that_earn_it(series: list[Card]) -> None:
    kinds = Counter[ScoreKind]()
    for score in scores_for(series, SIX_CARD):
        kind = score.kind
        points = score.points
        cards = score.cards
        kinds[kind] += 1
        assert cards == tuple(series[-len(cards) :])
        match kind:
            case ScoreKind.FIFTEEN | ScoreKind.THIRTY_ONE:
                assert cards == tuple(series)
                assert points == 2
            case ScoreKind.RUN:
                assert len({card.rank for card in cards}) == len(cards) == points
            case _:
                assert len({card.rank for card in cards}) == 1
    assert max(kinds.values(), default=1) == 1


@given(any_series)
def test_seven_is_the_longest_run(series: list[Card]) -> None:
    runs = [score.points for score in scores_for(series, SIX_CARD) if score.kind is ScoreKind.RUN]
    assert all(3 <= run <= 7 for run in runs)


@pytest.mark.parametrize(
    ("text", "flush"), [("2H 9H KH", 3), ("KS 2H 9H 3H 5H", 4), ("2H 9H KS 4H", 0), ("2H 9 KH", 0)]
)
def test_a_flush_counts_in_the_play_by_option_only(text: str, flush: int) -> None:
    series = parse_cards(text, rank_only=True)
    scores = [score.points for score in scores_for(series, PLAY_FLUSH) if score.kind is ScoreKind.FLUSH]
    assert sum(scores) == flush
    assert all(score.kind is not ScoreKind.FLUSH for score in scores_for(series, SIX_CARD))


def test_a_run_in_one_suit_scores_as_run_and_flush() -> None:
    assert sum(score.points for score in scores_for(parse_cards("4H 5H 6H"), PLAY_FLUSH)) == 2 + 3 + 3


def test_a_card_may_make_thirty_one_and_no_more() -> None:
    held = parse_cards("9H TH JD AS")
    assert playable_cards(held, 22) == parse_cards("9H AS")
    assert can_play(held, 30)
    assert not can_play(held, 31)
    assert not can_play([], 0)
