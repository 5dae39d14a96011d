"""The auction of the crib: bidding starts at the dealer's left, each bid is higher than the last, and a pass is final.

The last bidder moves back by the price, owns the crib, leads, and shows first. If all pass, the dealer keeps the crib.
"""

from __future__ import annotations

from firmware_host.cribbage.cards import JACK
from firmware_host.cribbage.options import AuctionDebt, AuctionHeels, AuctionWhen
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.score import Score, ScoreKind
from firmware_host.game import commands as c
from firmware_host.game import events as e
from firmware_host.game.deal import Deal
from firmware_host.game.decision import Decision
from firmware_host.game.rule_errors import BidTooHigh, BidTooLow, ExceedsScore, OutOfTurn, WrongPhase
from firmware_host.game.state import Phase, Table


def bid(decision: Decision, command: c.Bid) -> None:
    """Raises WrongPhase, OutOfTurn, BidTooLow, BidTooHigh, ExceedsScore."""
    table = decision.table
    deal = decision.table.deal
    if deal is None or not is_bidding(table, deal):
        raise WrongPhase("a bid while the crib is sold", table.phase)
    seat = next_bidder(table, deal)
    if command.seat not in (None, seat):
        name = table.names[seat]
        got = f"a bid from another seat ({command.seat})"
        raise OutOfTurn(f"{name} to bid", got, fix="take it back", name=name)
    if command.points is not None:
        check_bid(table, deal, seat, command.points)
    decision.apply(e.BidMade(seat, command.points or 0))
    end_auction_if_over(decision)


def is_bidding(table: Table, deal: Deal) -> bool:
    """Whether a bid is allowed. Known hands discard first, and where the program deals it has dealt; with unknown hands
    the first bid starts the auction."""
    is_before = table.phase is Phase.DEAL and table.rules.auction_when is AuctionWhen.BEFORE_STARTER
    is_ready = bool(deal.shown_to) or not table.is_dealt
    opens = is_before and is_ready and all(kept or not dealt for kept, dealt in zip(deal.kept, deal.dealt, strict=True))
    return table.rules.bidding and not deal.is_sold and (table.phase is Phase.BID or opens)


def next_bidder(table: Table, deal: Deal) -> Seat:
    """The seat that is to bid: the next one, from the dealer's left, that has not passed."""
    out = {seat for seat, points in deal.bids if not points}
    last = deal.bids[-1][0] if deal.bids else deal.dealer
    return next(seat for seat in table.rules.round_from(table.rules.after(last)) if seat not in out)


def highest_bid(deal: Deal) -> tuple[Seat, int] | None:
    """The seat and the points of the highest bid so far; None: nobody has bid."""
    bids = [(seat, points) for seat, points in deal.bids if points]
    return bids[-1] if bids else None


def least_bid(deal: Deal) -> int:
    """The lowest bid that is higher than all before."""
    best = highest_bid(deal)
    return best[1] + 1 if best else 1


def can_bid(table: Table, deal: Deal, seat: Seat) -> bool:
    """Whether the seat has enough points for any bid; with `auction_debt=debt` everybody has."""
    score = table.sides[table.rules.side_of(seat)].score
    return table.rules.auction_debt is not AuctionDebt.LIMIT or least_bid(deal) <= score


def check_bid(table: Table, deal: Deal, seat: Seat, points: int) -> None:
    """Raises BidTooLow; ExceedsScore where nobody may bid more than their score; BidTooHigh where a debt would be more
    than a whole game."""
    least = least_bid(deal)
    if points < least:
        raise BidTooLow(f"a bid of {least} or more", str(points), fix="bid more, or pass", number=least)
    name = table.names[seat]
    side = table.sides[table.rules.side_of(seat)]
    if table.rules.auction_debt is AuctionDebt.LIMIT and points > side.score:
        raise ExceedsScore(
            f"a bid of {side.score} or less, which is all {name} has", str(points), name=name, number=side.score
        )
    most = side.target + side.earned
    if points > most:
        raise BidTooHigh(f"a bid of {most} or less: no debt is more than a game", str(points), name=name, number=most)


def end_auction_if_over(decision: Decision) -> None:
    """Sells the crib when only the highest bidder is left; gives it to the dealer when everybody has passed."""
    table = decision.table
    deal = decision.table.deal
    assert deal is not None
    passed = sum(not points for _, points in deal.bids)
    best = highest_bid(deal)
    if best and passed == table.rules.players - 1:
        decision.award(e.CribSold(*best), table.rules.side_of(best[0]))
    elif passed == table.rules.players:
        decision.apply(e.CribSold(deal.dealer, 0))
    if decision.table.rules.auction_heels is AuctionHeels.OWNER:
        score_heels(decision)


def score_heels(decision: Decision) -> None:
    """Two points for a jack as starter: to the dealer, or by `auction_heels=owner` to the owner, once there is one."""
    rules = decision.table.rules
    deal = decision.table.deal
    goes_to_owner = rules.bidding and rules.auction_heels is AuctionHeels.OWNER
    if deal is None or deal.starter is None or deal.starter.rank != JACK or (goes_to_owner and not deal.is_sold):
        return
    seat = deal.owner if goes_to_owner and deal.owner is not None else deal.dealer
    decision.score(seat, e.Source.HEELS, (Score(ScoreKind.HIS_HEELS, 2, (deal.starter,)),))


def close_unsold(decision: Decision) -> None:
    """Gives the crib to the dealer where the starter is cut and no bid was entered."""
    deal = decision.table.deal
    if decision.table.rules.bidding and deal and not deal.is_sold and not deal.bids:
        decision.apply(e.CribSold(deal.dealer, 0))
