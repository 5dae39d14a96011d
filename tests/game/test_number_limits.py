"""Numbers that people enter have bounds, and a command that names its deal acts once."""

from __future__ import annotations

import pytest

from firmware_host.cribbage.cards import parse_card
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.game.history import History
from firmware_host.game.state import Table

BILLION = 1_000_000_000
ANN, BEN = Seat(0), Seat(1)


def played(variant: str, options: dict[str, object], *commands: c.Command, scores: tuple[int, int] = (0, 0)) -> History:
    history = History()
    start = c.StartGame(rules_for(variant, options), ("Ann", "Ben"), sides_on_board=2, dealer=BEN, scores=scores)
    for command in (start, *commands):
        history = history.after(history.decide(command))
    return history


def table_of(history: History) -> Table:
    assert history.table is not None
    return history.table


@pytest.mark.parametrize(
    ("debt", "points", "refused"),
    [
        ("debt", 151, None),
        ("debt", 152, "bid_too_high"),
        ("debt", BILLION, "bid_too_high"),
        ("limit", 30, None),
        ("limit", 31, "exceeds_score"),
        ("limit", BILLION, "exceeds_score"),
    ],
)
def test_nobody_owes_more_than_a_game(debt: str, points: int, refused: str | None) -> None:
    history = played("auction", {"auction_debt": debt}, scores=(30, 30))
    if refused is None:
        bid = table_of(history.after(history.decide(c.Bid(points))))
        assert bid.deal is not None and bid.deal.bids == ((ANN, points),)
        return
    with pytest.raises(Refusal) as error:
        history.decide(c.Bid(points))
    assert error.value.kind == refused


def test_a_debt_leaves_less_to_bid() -> None:
    bids = c.Bid(100), c.Bid(None)
    skips = c.CutStarter(parse_card("4D")), c.EndPlay(), c.SkipHand(), c.SkipHand(), c.SkipHand(), c.NextDeal()
    history = played("auction", {"auction_debt": "debt"}, *bids, *skips, c.Bid(1), scores=(30, 30))
    assert table_of(history).sides[0].rightful == -70
    with pytest.raises(Refusal, match="51 or less"):
        history.decide(c.Bid(52))


@pytest.mark.parametrize(
    "command",
    [
        c.ClaimMuggins(0, BILLION),
        c.ClaimMuggins(0, 122),
        c.CorrectScore(0, BILLION, "agreed"),
        c.CorrectScore(0, -1, "agreed"),
    ],
)
def test_a_number_out_of_range_is_refused(command: c.Command) -> None:
    history = played("six_card", {"muggins_mode": "claim"}, c.CutStarter(parse_card("5H")))
    with pytest.raises(Refusal):
        history.decide(command)


@pytest.mark.parametrize("lines", [[122], [1000], [91, 61, 31], [61, 91]])
def test_skunk_lines_out_of_range_are_refused(lines: list[int]) -> None:
    with pytest.raises(Refusal):
        rules_for("six_card", {"skunk_lines": lines})


def test_a_misdeal_that_names_its_deal_costs_two_points_once() -> None:
    first = c.Misdeal(deal=1)
    history = played("six_card", {"misdeal": "two_points"}, first, first)
    assert [side.rightful for side in table_of(history).sides] == [2, 0]
