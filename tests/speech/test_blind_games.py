"""Whole games by players who hear and feel, with mishaps and power cuts: nobody may be stuck."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable

import pytest

from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.variants import PRESETS, rules_for
from tests.conftest import SUMMARY_LINE
from tests.speech.blind_players import NUMBER_OF, BlindPlayers, Mishaps
from tests.speech.blind_table import BlindTable

GAMES = int(os.environ.get("BLIND_GAMES", "40"))
"""`make blind-games` plays 200."""
GAME_KINDS = {
    "six cards": rules_for("six_card", {}),
    "muggins: coach": rules_for("six_card", {"muggins_mode": "coach"}),
    "muggins: automatic": rules_for("six_card", {"muggins_mode": "automatic"}),
    "tournament": PRESETS["acc"].rules(),
    "five cards": rules_for("five_card", {}),
}
"""In a tournament points are not said before they are pegged, and a peg that goes too far costs a penalty."""

Record = Callable[[str, object], None]


def play(rules: RuleSet, seed: int, mishaps: Mishaps) -> BlindTable:
    """A whole game. The scores that are said at its end are those of the game."""
    table = BlindTable(rules)
    try:
        ending = BlindPlayers(table, seed, mishaps).play()
        said = [NUMBER_OF[score.rpartition(": ")[2]] for score in ending.removesuffix(".").split(". ")]
        assert tuple(said) == table.true_scores and max(said) == rules.target
    finally:
        table.close()
    return table


def clumsy() -> Mishaps:
    return Mishaps(wrong_count=0.05, bumped=0.03, wrong_key=0.03, power_cut=0.01, plays_on=0.5)


@pytest.mark.parametrize("kind", ["five cards", "tournament"])
def test_a_game_with_mishaps_is_played_by_ear(kind: str) -> None:
    mishaps = clumsy()
    assert len(play(GAME_KINDS[kind], 3, mishaps).heard) > 50 and mishaps.happened


@pytest.mark.slow
def test_many_games_are_played_by_ear_and_nobody_is_stuck(record_property: Record) -> None:
    happened, heard = Counter[str](), Counter[str]()
    for seed in range(GAMES):
        mishaps = clumsy()
        table = play([*GAME_KINDS.values()][seed % len(GAME_KINDS)], seed, mishaps)
        happened += Counter(mishaps.happened)
        said = " ".join(table.heard)
        heard += Counter(
            repairs=said.count("are out: "), penalties=said.count("Pegged too far. "), texts=len(table.heard)
        )
    assert set(happened) == {"wrong_count", "bumped", "wrong_key", "power_cut", "plays_on"}
    assert heard["repairs"] > GAMES / 4 and heard["penalties"]  # only a tournament fines those who play on
    counts = ", ".join(f"{name} {number}" for name, number in (*happened.items(), *heard.items()))
    record_property(SUMMARY_LINE, f"{GAMES} games by ear, 0 stuck: {counts}")
