"""The shipped discard models: one more round of training changes almost nothing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from firmware_host.cribbage import discard_tables
from firmware_host.cribbage.cards import LETTERS, PACK
from firmware_host.cribbage.discard_model import RANDOM_DISCARDS, DiscardModel
from firmware_host.cribbage.train_discard_model import (
    DEALS,
    DiscardModels,
    Ranks,
    best_discards,
    hands_of,
    module_text,
    train_round,
)

TOLERANCE = 40
"""Of 10,000: the most by which one more round may change a weight."""

SHIPPED = {
    dealt: DiscardModels(DiscardModel.read(discard_tables.DEALER[dealt]), DiscardModel.read(discard_tables.PONE[dealt]))
    for dealt in DEALS
}


def ranks_of(letters: str) -> Ranks:
    return tuple(LETTERS.index(letter) + 1 for letter in letters)


def hands_with(pair: Ranks, dealt: int) -> Iterator[Ranks]:
    return (hand for hand in hands_of(dealt) if all(hand.count(rank) >= pair.count(rank) for rank in pair))


@pytest.mark.parametrize(
    ("dealt", "letters"), [(5, "55"), (5, "78"), (5, "JK"), (6, "44"), pytest.param(7, "9K", marks=pytest.mark.slow)]
)
def test_one_more_round_gives_the_shipped_weight_of_a_pair(dealt: int, letters: str) -> None:
    low, high = ranks_of(letters)
    trained = train_round(hands_with((low, high), dealt), SHIPPED[dealt])
    assert abs(trained.dealer.of[low][high] - SHIPPED[dealt].dealer.of[low][high]) <= TOLERANCE
    assert abs(trained.pone.of[low][high] - SHIPPED[dealt].pone.of[low][high]) <= TOLERANCE


@pytest.mark.slow
@pytest.mark.parametrize("dealt", DEALS)
def test_one_more_round_changes_almost_nothing(dealt: int) -> None:
    trained, shipped = train_round(hands_of(dealt), SHIPPED[dealt]), SHIPPED[dealt]
    differences = [
        abs(new.of[low][high] - old.of[low][high])
        for new, old in ((trained.dealer, shipped.dealer), (trained.pone, shipped.pone))
        for low, high in product(range(1, 14), repeat=2)
    ]
    assert max(differences) <= TOLERANCE
    assert sum(differences) / len(differences) <= 2.5


def test_the_shipped_tables_are_what_the_trainer_writes() -> None:
    assert module_text(SHIPPED) == Path(discard_tables.__file__).read_text(encoding="utf-8")


def test_a_model_reads_back_from_its_text() -> None:
    assert DiscardModel.read(str(SHIPPED[6].pone)) == SHIPPED[6].pone


@pytest.mark.parametrize("dealt", DEALS)
def test_dealers_discard_points_and_pones_do_not(dealt: int) -> None:
    dealer, pone = SHIPPED[dealt].dealer, SHIPPED[dealt].pone
    for letters in ("55", "5J", "23", "78"):
        low, high = ranks_of(letters)
        assert dealer.of[low][high] > 2 * pone.of[low][high]
    for letters in ("9K", "TK"):
        low, high = ranks_of(letters)
        assert pone.of[low][high] > 2 * dealer.of[low][high]


@pytest.mark.parametrize("dealt", DEALS)
def test_the_weights_of_all_pairs_of_a_hand_sum_to_one_discard(dealt: int) -> None:
    pairs = dealt * (dealt - 1) // 2
    for model in (SHIPPED[dealt].dealer, SHIPPED[dealt].pone):
        weights = [model.of[one.rank][other.rank] for one in PACK for other in PACK if one < other]
        assert sum(weights) / len(weights) == pytest.approx(10_000 / pairs, rel=0.001)


@pytest.mark.parametrize(
    ("hand", "dealer", "pone"), [("2378QK", "78", "QK"), ("A4478K", "78", "AK"), ("2366TQ", "66", "TQ")]
)
def test_dealer_and_pone_discard_different_cards(hand: str, dealer: str, pone: str) -> None:
    *_, without_flush = best_discards(ranks_of(hand), SHIPPED[6])
    assert (without_flush.dealer, without_flush.pone) == (ranks_of(dealer), ranks_of(pone))


def test_every_deal_of_a_hand_has_one_choice() -> None:
    choices = list(best_discards(ranks_of("2257TJ"), SHIPPED[6]))
    assert sum(choice.deals for choice in choices) == 6 * 4**4
    # Four ranks of a suit, a deuce among them: 4 suits, 3 for the other deuce, 3 for the odd card.
    # Then four without a deuce, and then all five.
    assert [choice.deals for choice in choices[:-1]] == [4 * 3 * 3] * 4 + [4 * 3] + [4 * 3]


def test_random_discards_give_every_pair_the_same_weight() -> None:
    assert {RANDOM_DISCARDS.of[low][high] for low, high in product(range(1, 14), repeat=2)} == {1}
    assert set(RANDOM_DISCARDS.of_three) == {3}
