"""Who wins the show, in the order in which hands and crib are counted."""

from __future__ import annotations

import pytest

from firmware_host.cribbage.variants import VARIANTS
from firmware_host.strategy.show_chances import Show, ShowChances
from firmware_host.strategy.win_chance import WinChances, chances_for


def chances() -> WinChances:
    found = chances_for(VARIANTS["six_card"])
    assert found is not None
    return found


def won(needs: tuple[int, int], *, own_crib: bool, is_owner_first: bool = False, crib: int = 4) -> float:
    """The chance when the own hand has eight points and the other six, and nobody scores in the play."""
    show = Show(
        own_hand=8,
        their_hands=(6,),
        crib=(*(0.0,) * crib, 1.0),
        own_crib=own_crib,
        is_owner_first=is_owner_first,
        deals_next=not own_crib,
    )
    return ShowChances(chances(), needs, show).judge(0, 0, [((), 1.0, 0)])


@pytest.mark.parametrize(
    ("needs", "own_crib", "is_owner_first", "expected"),
    [
        pytest.param((8, 6), False, False, 1, id="the pone counts before the dealer"),
        pytest.param((8, 6), True, False, 0, id="the dealer counts after the pone"),
        pytest.param((9, 6), False, False, 0, id="a pone who falls short loses"),
        pytest.param((12, 10), False, False, 0, id="the crib wins for the dealer"),
        pytest.param((12, 7), True, False, 1, id="the own crib wins"),
        pytest.param((8, 6), True, True, 1, id="the buyer counts first"),
        pytest.param((12, 6), True, True, 1, id="the buyer counts the crib too before the other hand"),
        pytest.param((8, 6), False, True, 0, id="the other buyer counts first"),
        pytest.param((8, 10), False, True, 0, id="the other buyer's crib comes before the own hand"),
        pytest.param((8, 11), False, True, 1, id="the own hand wins after a buyer who falls short"),
    ],
)
def test_whoever_reaches_the_hole_first_wins(
    needs: tuple[int, int], own_crib: bool, is_owner_first: bool, expected: int
) -> None:
    assert won(needs, own_crib=own_crib, is_owner_first=is_owner_first) == expected


def test_otherwise_the_next_deal_decides() -> None:
    assert won((28, 36), own_crib=True) == pytest.approx(chances().of_pone(16, 30))
    assert won((28, 36), own_crib=False) == pytest.approx(chances().of_dealer(20, 26))
