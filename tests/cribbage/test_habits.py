"""The habits of sensible players: what is shipped is what one more round of learning would teach."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from firmware_host.cribbage import habit_tables
from firmware_host.cribbage.cards import LETTERS, PACK
from firmware_host.cribbage.habit import RANDOM, Habit
from firmware_host.cribbage.habit_making import (
    DEALS,
    Habits,
    Ranks,
    hands_of,
    learn,
    module_text,
    sensible_discards,
)

STRAY = 40
"""Of 10,000: so far from the next round the habits may have come to rest."""

SHIPPED = {
    dealt: Habits(Habit.read(habit_tables.DEALER[dealt]), Habit.read(habit_tables.PONE[dealt])) for dealt in DEALS
}


def ranks_of(letters: str) -> Ranks:
    return tuple(LETTERS.index(letter) + 1 for letter in letters)


def hands_with(pair: Ranks, dealt: int) -> Iterator[Ranks]:
    return (hand for hand in hands_of(dealt) if all(hand.count(rank) >= pair.count(rank) for rank in pair))


@pytest.mark.parametrize(
    ("dealt", "letters"), [(5, "55"), (5, "78"), (5, "JK"), (6, "44"), pytest.param(7, "9K", marks=pytest.mark.slow)]
)
def test_those_who_hold_a_pair_lay_it_away_as_often_as_is_written(dealt: int, letters: str) -> None:
    low, high = ranks_of(letters)
    learnt = learn(hands_with((low, high), dealt), SHIPPED[dealt])
    assert abs(learnt.dealer.of[low][high] - SHIPPED[dealt].dealer.of[low][high]) <= STRAY
    assert abs(learnt.pone.of[low][high] - SHIPPED[dealt].pone.of[low][high]) <= STRAY


@pytest.mark.slow
@pytest.mark.parametrize("dealt", DEALS)
def test_one_more_round_would_teach_next_to_nothing(dealt: int) -> None:
    learnt, shipped = learn(hands_of(dealt), SHIPPED[dealt]), SHIPPED[dealt]
    strays = [
        abs(new.of[low][high] - old.of[low][high])
        for new, old in ((learnt.dealer, shipped.dealer), (learnt.pone, shipped.pone))
        for low, high in product(range(1, 14), repeat=2)
    ]
    assert max(strays) <= STRAY
    assert sum(strays) / len(strays) <= 2.5


def test_the_tables_are_written_as_they_are_made() -> None:
    assert module_text(SHIPPED) == Path(habit_tables.__file__).read_text(encoding="utf-8")


def test_a_table_reads_back_as_it_was_written() -> None:
    assert Habit.read(str(SHIPPED[6].pone)) == SHIPPED[6].pone


@pytest.mark.parametrize("dealt", DEALS)
def test_dealers_feed_their_crib_and_pones_balk_it(dealt: int) -> None:
    dealer, pone = SHIPPED[dealt].dealer, SHIPPED[dealt].pone
    for letters in ("55", "5J", "23", "78"):
        low, high = ranks_of(letters)
        assert dealer.of[low][high] > 2 * pone.of[low][high]
    for letters in ("9K", "TK"):
        low, high = ranks_of(letters)
        assert pone.of[low][high] > 2 * dealer.of[low][high]


@pytest.mark.parametrize("dealt", DEALS)
def test_every_player_lays_away_one_of_the_pairs_held(dealt: int) -> None:
    pairs = dealt * (dealt - 1) // 2
    for habit in (SHIPPED[dealt].dealer, SHIPPED[dealt].pone):
        weights = [habit.of[one.rank][other.rank] for one in PACK for other in PACK if one < other]
        assert sum(weights) / len(weights) == pytest.approx(10_000 / pairs, rel=0.001)


@pytest.mark.parametrize(
    ("hand", "dealer", "pone"), [("2378QK", "78", "QK"), ("A4478K", "78", "AK"), ("2366TQ", "66", "TQ")]
)
def test_a_dealer_and_a_pone_part_with_different_cards(hand: str, dealer: str, pone: str) -> None:
    *_, without_flush = sensible_discards(ranks_of(hand), SHIPPED[6])
    assert (without_flush.dealer, without_flush.pone) == (ranks_of(dealer), ranks_of(pone))


def test_every_deal_of_a_hand_is_laid_away_once() -> None:
    choices = list(sensible_discards(ranks_of("2257TJ"), SHIPPED[6]))
    assert sum(choice.deals for choice in choices) == 6 * 4**4
    # Four ranks of a suit, a deuce among them: 4 suits, 3 for the other deuce, 3 for the odd card.
    # Then four without a deuce, and then all five.
    assert [choice.deals for choice in choices[:-1]] == [4 * 3 * 3] * 4 + [4 * 3] + [4 * 3]


def test_no_habit_gives_every_pair_the_same_weight() -> None:
    assert {RANDOM.of[low][high] for low, high in product(range(1, 14), repeat=2)} == {1}
    assert set(RANDOM.of_three) == {3}
