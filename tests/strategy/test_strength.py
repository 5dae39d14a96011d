"""Duplicate games: how often the engine wins against players of known strength. The measured figures with their errors
are in `firmware_host/strategy/README.md`."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.cribbage.variants import VARIANTS
from firmware_host.strategy.engine import Level
from tests.strategy.arena import Match, Player, match
from tests.strategy.players import Engine, Expert, Greedy, OldAdvice, SchellAhead

SIX = VARIANTS["six_card"]
PAGE = Path(__file__).parents[2] / "firmware_host/strategy/README.md"


def test_both_players_get_the_same_packs() -> None:
    """Two equal players: in each pair of games the seats exchange wins."""
    even = match(Greedy(), Greedy(), SIX, pairs=10)
    assert (even.won, even.error, even.lead) == (0.5, 0.0, 0.0)


def test_the_expert_is_ahead_of_a_greedy_player() -> None:
    """A few games: only the lead in points is sure."""
    assert match(Expert(), Greedy(), SIX, pairs=1, seed=2).lead > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("other", "least"), [(Greedy(), 0.64), (SchellAhead(), 0.53), (OldAdvice(), 0.52)], ids=["greedy", "Schell", "0.2"]
)
def test_the_share_of_a_few_games_does_not_contradict_the_measured_one(other: Player, least: float) -> None:
    found = match(Expert(), other, SIX, pairs=40, seed=5)
    assert found.won >= least - 3 * found.error


@pytest.mark.strength
@pytest.mark.timeout(36_000)
@pytest.mark.parametrize(
    ("first", "second", "pairs", "least", "most"),
    [
        pytest.param(Expert(), Greedy(), 1500, 0.64, 1, id="expert against greedy"),
        pytest.param(Expert(), SchellAhead(), 1500, 0.53, 1, id="expert against Schell's table and one card ahead"),
        pytest.param(Expert(), OldAdvice(), 2000, 0.52, 1, id="expert against the discards of version 0.2"),
        pytest.param(Engine(Level.CLUB), Expert(), 1500, 0.45, 0.50, id="club against expert"),
        pytest.param(Engine(Level.BEGINNER), Expert(), 1500, 0.30, 0.40, id="beginner against expert"),
    ],
)
def test_shares_of_games_won(first: Player, second: Player, pairs: int, least: float, most: float) -> None:
    """Within two standard errors of the bounds."""
    found: Match = match(first, second, SIX, pairs)
    print(found)
    assert least - 2 * found.error <= found.won <= most + 2 * found.error
