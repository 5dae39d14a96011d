"""The tools that make the tables, and the errors of what they made."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from firmware_host.cribbage.rules import RuleSet, Seat
from firmware_host.cribbage.variants import VARIANTS, rules_for
from firmware_host.strategy.hidden_deals import Kind, chosen_numbers
from firmware_host.strategy.win_chance import USUAL_ENDING, WinChances, chances_for
from tests.strategy.arena import Game, packs_of
from tests.strategy.players import Expert
from tests.tools.make_choice_tables import Deals
from tests.tools.make_win_tables import Points, chances_of, deals_of_variant, wins_by_play

SIX = VARIANTS["six_card"]


def shipped(variant: str) -> WinChances:
    chances = chances_for(VARIANTS[variant])
    assert chances is not None
    return chances


def test_chances_follow_from_the_points_in_their_order() -> None:
    """In each deal the pone makes two in the play and the dealer four in the show. Who needs two wins as pone, loses as
    dealer against somebody who needs two, and so on backwards."""
    deals: list[Points] = [[(False, 2, "play"), (True, 4, "hand")]]
    chances = chances_of(deals, 6)
    assert chances[4, 3] == 1 and chances[4, 2] == 0
    assert chances[6, 4] == 1 - chances[2, 2] == 1
    assert chances[6, 3] == 1 - chances[1, 2] == 1


def test_points_that_the_last_holes_withhold_win_nothing() -> None:
    """The pone's go counts for who needs six or more, and the dealer's pair wins first."""
    deals: list[Points] = [[(False, 1, "go"), (True, 2, "play"), (False, 8, "hand"), (True, 4, "hand")]]
    assert chances_of(deals, 9)[2, 1] == 0 and chances_of(deals, 9, (1, 1, 6))[2, 1] == 1
    assert chances_of(deals, 9)[3, 9] == 0 and chances_of(deals, 9, (1, 1, 9))[3, 9] == 0
    assert chances_of(deals, 9, (1, 1, 10))[3, 9] == 1
    assert wins_by_play(deals, USUAL_ENDING, is_dealer=False)[:2] == [1, 0]
    assert wins_by_play(deals, (1, 1, 6), is_dealer=False)[:2] == [0, 0]
    assert wins_by_play(deals, (2, 2, 2), is_dealer=True)[:3] == [0, 1, 0]


def test_a_variant_is_dealt_to_its_end() -> None:
    for variant in ("six_card", "five_card", "four_partners"):
        points = deals_of_variant(variant, 3, seed=1)
        assert all(sum(pegged for _, pegged, _ in deal) > 0 for deal in points)
        assert {what for deal in points for _, _, what in deal} <= {"heels", "play", "go", "hand", "crib"}


@pytest.mark.strength
@pytest.mark.timeout(36_000)
def test_the_choices_of_five_cards_are_best_against_each_other() -> None:
    """One more round of the tool changes few of the stored choices, and those lose almost nothing."""
    deals = Deals(5)
    rows = np.arange(len(deals.deals))
    stored = {}
    for own in (True, False):
        numbers = np.array(list(chosen_numbers(Kind(5, 2, own))))
        stored[own] = (deals.discard_number == numbers[:, None]).argmax(1)
    for own in (True, False):
        better = deals.best(stored[not own], own_crib=own)
        assert np.mean(better[rows] != stored[own]) < 0.03


@pytest.mark.strength
@pytest.mark.timeout(36_000)
def test_the_error_of_chances_is_small() -> None:
    """Other deals give other chances; with 40,000 deals the error is a half of that with 10,000."""
    tables = [chances_of(deals_of_variant("six_card", 10_000, seed), 121)[1:, 1:] for seed in (1, 2)]
    error_of_10_000 = float(np.std(tables[0] - tables[1])) / sqrt(2)
    print(f"standard error of a chance with 40,000 deals: {error_of_10_000 / 2:.4f}")
    assert error_of_10_000 / 2 < 0.003
    assert np.abs(np.array(shipped("six_card").rows) - tables[0]).max() < 0.03


@pytest.mark.strength
@pytest.mark.timeout(36_000)
@pytest.mark.parametrize("scores", [(0, 0), (60, 60), (90, 100), (105, 95), (111, 111), (116, 118)], ids=str)
def test_experts_win_as_often_as_the_table_says(scores: tuple[int, int]) -> None:
    """The scores are those of the dealer and of the pone. The table is made by quicker players."""
    check_chance(SIX, scores, 0.02)


@pytest.mark.strength
@pytest.mark.timeout(36_000)
@pytest.mark.parametrize("scores", [(105, 105), (110, 116), (118, 112), (117, 120), (120, 117)], ids=str)
@pytest.mark.parametrize("options", [{"stinkhole": "heels_and_go", "go_limit": "115"}, {"stinkhole": "show_only"}])
def test_so_they_do_by_house_rules_for_the_last_holes(options: dict[str, object], scores: tuple[int, int]) -> None:
    """Experts keep what wins the last holes; the quick players keep what makes points."""
    check_chance(rules_for("six_card", options), scores, 0.08)


def check_chance(rules: RuleSet, scores: tuple[int, int], most: float) -> None:
    """Compares the chance of the dealer with 600 games of experts. `most`: the largest difference beside chance."""
    games, wins = 600, 0
    for number in range(games):
        game = Game((Expert(), Expert()), rules, packs_of(7_000 + number), Seat(0), scores)
        wins += game.play().winner == 0
    share = wins / games
    error = sqrt(share * (1 - share) / games)
    chances = chances_for(rules)
    assert chances is not None
    expected = chances.of_dealer(121 - scores[0], 121 - scores[1])
    print(f"{scores}: dealt {share:.3f} +- {error:.3f}, table {expected:.3f}")
    assert abs(share - expected) < most + 2 * error
