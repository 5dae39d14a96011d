"""The crib sold by auction: from the dealer's left, each bid higher than the one before; a pass is final.

The last bidder moves back by the price, owns the crib, leads, and shows first. If all pass, the dealer keeps it.
"""

from __future__ import annotations

from firmware_host.cribbage.cards import JACK
from firmware_host.cribbage.options import AuctionDebt, AuctionHeels, AuctionWhen
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.score import Score, ScoreKind
from firmware_host.table import events as e
from firmware_host.table import orders as o
from firmware_host.table.refusals import BidTooLow, ExceedsScore, OutOfTurn, WrongPhase
from firmware_host.table.state import Deal, Phase, Table
from firmware_host.table.unfolding import Unfolding


def bid(unfolding: Unfolding, order: o.Bid) -> None:
    table, deal = unfolding.table, unfolding.table.deal
    if deal is None or not is_on(table, deal):
        raise WrongPhase("a bid while the crib is sold", table.phase)
    seat = next_bidder(table, deal)
    if order.seat not in (None, seat):
        name, got = table.names[seat], f"a bid from another seat ({order.seat})"
        raise OutOfTurn(f"{name} to bid", got, mend="take it back", name=name)
    if order.points is not None:
        check_bid(table, deal, seat, order.points)
    unfolding.happen(e.BidMade(seat, order.points or 0))
    end_if_over(unfolding)


def is_on(table: Table, deal: Deal) -> bool:
    """Where hands are not told, the first bid opens the auction; those that are told are laid away first."""
    is_before = table.phase is Phase.DEAL and table.rules.auction_when is AuctionWhen.BEFORE_STARTER
    opens = is_before and all(kept or not dealt for kept, dealt in zip(deal.kept, deal.dealt, strict=True))
    return table.rules.bidding and not deal.is_sold and (table.phase is Phase.BID or opens)


def next_bidder(table: Table, deal: Deal) -> Seat:
    """Round from the dealer's left, past those who have passed."""
    order = table.rules.round_from(table.rules.pone(deal.dealer))
    out = {seat for seat, points in deal.bids if not points}
    last = deal.bids[-1][0] if deal.bids else table.rules.after(order[0], -1)
    return next(seat for seat in table.rules.round_from(table.rules.after(last)) if seat not in out)


def highest(deal: Deal) -> tuple[Seat, int] | None:
    bids = [(seat, points) for seat, points in deal.bids if points]
    return bids[-1] if bids else None


def check_bid(table: Table, deal: Deal, seat: Seat, points: int) -> None:
    best = highest(deal)
    least = best[1] + 1 if best else 1
    if points < least:
        raise BidTooLow(f"a bid of {least} or more", str(points), mend="bid more, or pass", number=least)
    score = table.scores[table.rules.side_of(seat)]
    if table.rules.auction_debt is AuctionDebt.LIMIT and points > score:
        name = table.names[seat]
        raise ExceedsScore(f"a bid of {score} or less, which is all {name} has", str(points), name=name, number=score)


def end_if_over(unfolding: Unfolding) -> None:
    """Sold when only the best bidder is left; kept when everybody has passed."""
    table, deal = unfolding.table, unfolding.table.deal
    assert deal is not None
    passed = sum(not points for _, points in deal.bids)
    best = highest(deal)
    if best and passed == table.rules.players - 1:
        unfolding.award(e.CribSold(*best), table.rules.side_of(best[0]))
    elif passed == table.rules.players:
        unfolding.happen(e.CribSold(deal.dealer, 0))
    if unfolding.table.rules.auction_heels is AuctionHeels.OWNER:
        score_heels(unfolding)


def score_heels(unfolding: Unfolding) -> None:
    """Two for a jack as starter, to the dealer; or, as soon as there is one, to the owner of the crib."""
    rules, deal = unfolding.table.rules, unfolding.table.deal
    goes_to_owner = rules.bidding and rules.auction_heels is AuctionHeels.OWNER
    if deal is None or deal.starter is None or deal.starter.rank != JACK or (goes_to_owner and not deal.is_sold):
        return
    seat = deal.owner if goes_to_owner and deal.owner is not None else deal.dealer
    unfolding.score(seat, e.Source.HEELS, (Score(ScoreKind.HIS_HEELS, 2, (deal.starter,)),))


def close_unsold(unfolding: Unfolding) -> None:
    """The starter is cut and nobody was heard to bid: the dealer keeps the crib."""
    deal = unfolding.table.deal
    if unfolding.table.rules.bidding and deal and not deal.is_sold and not deal.bids:
        unfolding.happen(e.CribSold(deal.dealer, 0))
