"""Pairing: the same players never meet twice in nine games, and a small field goes round evenly."""

from __future__ import annotations

from collections import Counter

import pytest

from firmware_host.club.members import MemberId
from firmware_host.club.pairing import Past, plan_rounds


def met(players: int, rounds: int) -> Counter[frozenset[MemberId]]:
    """How often each two meet if nobody comes or leaves. Each round is planned anew, as during a night."""
    past = Past({}, {}, {})
    for number in range(rounds):
        past = past.after(plan_rounds([MemberId(each + 1) for each in range(players)], past, rounds - number)[0])
    assert max(past.byes.values(), default=0) - min(past.byes.values(), default=0) <= 1
    return Counter(past.met)


@pytest.mark.parametrize("players", [9, 10, 11, 16, 31, 60])
def test_the_same_players_never_meet_twice_in_nine_games(players: int) -> None:
    assert set(met(players, 9).values()) == {1}


@pytest.mark.parametrize("players", [2, 4, 6, 8])
def test_a_small_field_meets_evenly(players: int) -> None:
    counts = met(players, 9).values()
    assert len(counts) == players * (players - 1) // 2 and max(counts) - min(counts) <= 1
