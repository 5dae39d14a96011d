"""Lost and misplaced pegs and failing sensors move no point and stop no game; `lost_pegs.py` plays larger numbers."""

from __future__ import annotations

import pytest

from tests.paper_rules.lost_pegs import TROUBLES, Tally, run
from tests.paper_rules.systems import SYSTEMS


def check(deals: int, seed: int, *, is_hard: bool) -> Tally:
    tally = run(deals, seed, is_hard=is_hard)
    assert not tally.examples, "\n".join(tally.examples)
    return tally


@pytest.mark.parametrize("is_hard", [False, True], ids=["one trouble a track", "several troubles a track"])
def test_a_few_troubled_games(is_hard: bool) -> None:
    check(12, seed=1, is_hard=is_hard)


@pytest.mark.slow
@pytest.mark.parametrize("is_hard", [False, True], ids=["one trouble a track", "several troubles a track"])
def test_many_troubled_games(is_hard: bool) -> None:
    tally = check(600, seed=2, is_hard=is_hard)
    assert set(tally.systems) == set(SYSTEMS) and len(tally.troubles) == len(set(TROUBLES))
