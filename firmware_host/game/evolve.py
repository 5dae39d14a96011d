"""Applies events to the table. Nothing is checked or refused here: an event has already happened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from firmware_host.board.course import AT_START
from firmware_host.cribbage.cards import Card, without
from firmware_host.cribbage.options import AuctionWhen
from firmware_host.cribbage.play import Play
from firmware_host.cribbage.rules import RuleSet, Seat
from firmware_host.game import events as e
from firmware_host.game.deal import Deal, Go, PenalizedGo
from firmware_host.game.due_points import Due
from firmware_host.game.dues import (
    add_award,
    add_due,
    change_rightful,
    close_claims,
    mark_reported,
    move_pegs,
    remove_missed,
    set_score,
    take_misses,
)
from firmware_host.game.known_scores import knows_whole_deal
from firmware_host.game.pack import Pack
from firmware_host.game.side import SideState
from firmware_host.game.state import Phase, Table

Hands = tuple[tuple[Card, ...], ...]
"""Cards by seat."""


def begin(event: e.GameStarted) -> Table:
    """The table of a new game."""
    sides = tuple(_side_at_start(event.rules, number, score) for number, score in enumerate(event.scores))
    return Table(
        rules=event.rules,
        names=event.names,
        board=event.board,
        sides_on_board=event.sides_on_board,
        points_are_entered=event.is_told,
        phase=Phase.CUT,
        sides=sides,
        is_demo=event.is_demo,
    )


def _side_at_start(rules: RuleSet, number: int, score: int) -> SideState:
    pegs = AT_START.slid_to(score)
    return SideState(rules.target_of(number), pegs=pegs, settled=pegs, rightful=score)


def evolve(event: object, table: Table) -> Table:
    """The table after one event. Raises TypeError for anything else."""
    handler = _HANDLERS.get(type(event))
    if handler is None:
        raise TypeError(f"expected an event of the table, got {event!r}")
    if table.just_claimed and isinstance(event, _AFTER_CLAIMS):
        table = replace(table, just_claimed=0)
    return handler(event, table)


def _club_game_began(event: e.ClubGameBegan, table: Table) -> Table:
    return replace(table, club_game=event.game)


def _program_deals(event: e.ProgramDeals, table: Table) -> Table:
    return replace(table, is_dealt=True)


def _opponent_joined(event: e.OpponentJoined, table: Table) -> Table:
    levels = table.levels or (None,) * len(table.names)
    return replace(table, levels=(*levels[: event.seat], event.level, *levels[event.seat + 1 :]))


def _with_hand(hands: Hands, seat: Seat, cards: tuple[Card, ...]) -> Hands:
    return (*hands[:seat], cards, *hands[seat + 1 :])


def _deal_began(event: e.DealBegan, table: Table) -> Table:
    seats = len(table.names)
    sides = tuple([replace(side, dues=tuple([due for due in side.dues if due.left])) for side in table.sides])
    number = table.deal.number + 1 if table.deal else 1
    unknown: Hands = ((),) * seats
    deal = Deal(
        number,
        event.dealer,
        dealt=unknown,
        discarded=unknown,
        kept=unknown,
        fronts=table.fronts,
        follows_known=knows_whole_deal(table) or _is_dealt_again(event, table),
    )
    begun = replace(table, phase=Phase.DEAL, deal=deal, last_count=None, sides=sides, misses=())
    is_first = table.first_dealer is None or not any(table.fronts)
    return replace(begun, first_dealer=event.dealer) if is_first else begun


def _is_dealt_again(event: e.DealBegan, table: Table) -> bool:
    """Whether this is the deal after a misdeal, which followed a deal that was known."""
    return table.deal is not None and table.deal.dealer == event.dealer and table.deal.follows_known


def _pack_shuffled(event: e.PackShuffled, table: Table) -> Table:
    # Without an order in a copy for others (hidden_hands.py): then another pack is shuffled, if the deal is played on.
    return _in_deal(table, pack=Pack(event.order, event.nonce) if event.order else None)


def _pack_dealt(event: e.PackDealt, table: Table) -> Table:
    return _in_deal(table, shown_to=event.shown_to)


def _hand_dealt(event: e.HandDealt, table: Table) -> Table:
    deal = _deal(table)
    keeps_all = not table.rules.cards_discarded(event.seat, deal.dealer)
    return _in_deal(
        table,
        dealt=_with_hand(deal.dealt, event.seat, event.cards),
        discarded=_with_hand(deal.discarded, event.seat, ()),
        kept=_with_hand(deal.kept, event.seat, event.cards if keeps_all else ()),
    )


def _cards_discarded(event: e.CardsDiscarded, table: Table) -> Table:
    deal = _deal(table)
    kept = without(deal.dealt[event.seat], event.cards)
    hands = _with_hand(deal.kept, event.seat, kept)
    is_sale = table.rules.bidding and table.rules.auction_when is AuctionWhen.BEFORE_STARTER
    phase = Phase.BID if is_sale and not deal.is_sold and all(hands) else None
    return _in_deal(table, phase, discarded=_with_hand(deal.discarded, event.seat, event.cards), kept=hands)


def _crib_filled(event: e.CribFilled, table: Table) -> Table:
    return _in_deal(table, stock=event.cards)


def _bid_made(event: e.BidMade, table: Table) -> Table:
    bids = (*_deal(table).bids, (event.seat, event.points))
    return _in_deal(table, Phase.BID, bids=bids)


def _crib_sold(event: e.CribSold, table: Table) -> Table:
    deal = _deal(table)
    sold = _in_deal(table, is_sold=True, owner=event.seat if event.price else None)
    sold = change_rightful(sold, table.rules.side_of(event.seat), -event.price)
    if deal.starter is None:
        return replace(sold, phase=Phase.DEAL)
    return _in_deal(sold, Phase.PLAY, play=_first_play(sold))


def _starter_cut(event: e.StarterCut, table: Table) -> Table:
    if table.rules.bidding and not _deal(table).is_sold:
        return _in_deal(table, Phase.BID, starter=event.card)
    return _in_deal(table, Phase.PLAY, starter=event.card, play=_first_play(table))


def _card_played(event: e.CardPlayed, table: Table) -> Table:
    return _in_deal(table, play=_play(table).follow(event.card))


def _go_said(event: e.GoSaid, table: Table) -> Table:
    play = _play(table)
    go = Go(event.seat, play.count, len(play.by_seat[event.seat]), play.may_pass)
    return _in_deal(table, play=play.follow_go(), gos=(*_deal(table).gos, go))


def _play_ended(event: e.PlayEnded, table: Table) -> Table:
    return replace(table, phase=Phase.SHOW)


def _hand_counted(event: e.HandCounted, table: Table) -> Table:
    deal = _deal(table)
    kept = deal.kept if event.is_crib else _with_hand(deal.kept, event.seat, event.cards)
    minimums = (*deal.minimums, deal.counted) if event.is_minimum else deal.minimums
    return _after_count(table, event, kept=kept, minimums=minimums)


def _count_skipped(event: e.CountSkipped, table: Table) -> Table:
    deal = _deal(table)
    return _after_count(table, table.last_count, skipped=(*deal.skipped, deal.counted))


def _points_due(event: e.PointsDue, table: Table) -> Table:
    return add_due(table, event.side, Due(event.seat, event.source, event.points, event.scores))


def _unchanged(event: e.PointsWithheld, table: Table) -> Table:
    return table


def _peg_leapt(event: e.PegLeapt, table: Table) -> Table:
    return move_pegs(table, event)


def _peg_adjusted(event: e.PegAdjusted, table: Table) -> Table:
    return move_pegs(table, event)


def _pegs_allowed(event: e.PegsAllowed, table: Table) -> Table:
    allowed = set_score(table, event.side, table.sides[event.side].pegs)
    # Pegs that are right although no card says so: people have stopped entering cards, and are not asked again.
    return _in_deal(allowed, follows_known=False) if allowed.deal and allowed.deal.follows_known else allowed


def _points_missed(event: e.PointsMissed, table: Table) -> Table:
    return remove_missed(table, event) if event.is_lost else mark_reported(table, event)


def _claims_ended(event: e.ClaimsEnded, table: Table) -> Table:
    return close_claims(table, e.Source.PLAY, by=event.side)


def _muggins_taken(event: e.MugginsTaken, table: Table) -> Table:
    taken = replace(take_misses(table, event), just_claimed=event.points)
    return add_award(taken, event.side, e.Source.MUGGINS, event.points)


def _pegs_overran(event: e.PegsOverran, table: Table) -> Table:
    side = table.sides[event.side]
    reported = min(event.points, side.excess)  # points that were entered moved no peg too far
    return table.with_side(event.side, replace(side, reported_excess=reported))


def _penalty_given(event: e.PenaltyGiven, table: Table) -> Table:
    if event.breach in (e.Breach.OVERRUN, e.Breach.FALSE_GAME):
        for number, side in enumerate(table.sides):
            if side.unfined_excess and table.left_of(number) == event.side:
                table = table.with_side(number, replace(side, fined_excess=side.reported_excess))
    return add_award(table, event.side, e.Source.PENALTY, event.points)


def _pegs_set_back(event: e.PegsSetBack, table: Table) -> Table:
    earned = table.sides[event.side].earned
    return change_rightful(table, event.side, max(min(0, earned), earned - event.points) - earned)


def _renege_found(event: e.RenegeFound, table: Table) -> Table:
    deal = _deal(table)
    if table.phase is not Phase.PLAY or deal.play is None or deal.play.turn != event.seat:
        return table
    return _in_deal(table, penalized_gos=(*deal.penalized_gos, PenalizedGo(event.seat, len(deal.play.laid))))


def _score_corrected(event: e.ScoreCorrected, table: Table) -> Table:
    return replace(set_score(table, event.side, table.sides[event.side].pegs.slid_to(event.score)), confirmed=())


def _game_won(event: e.GameWon, table: Table) -> Table:
    return replace(table, phase=Phase.OVER, winner=event.side)


def _result_confirmed(event: e.ResultConfirmed, table: Table) -> Table:
    return replace(table, confirmed=(*table.confirmed, event.side))


def _deal(table: Table) -> Deal:
    assert table.deal is not None
    return table.deal


def _play(table: Table) -> Play:
    play = _deal(table).play
    assert play is not None
    return play


def _in_deal(table: Table, phase: Phase | None = None, **changes: Any) -> Table:
    deal = replace(_deal(table), **changes)
    return replace(table, deal=deal) if phase is None else replace(table, deal=deal, phase=phase)


def _after_count(table: Table, count: e.HandCounted | None, **changes: Any) -> Table:
    before = _deal(table)
    deal = replace(before, counted=before.counted + 1, **changes)
    is_done = deal.counted == len(table.rules.show_order(deal.dealer, deal.owner))
    return replace(table, deal=deal, last_count=count, phase=Phase.GATHER if is_done else Phase.SHOW)


def _first_play(table: Table) -> Play:
    rules = table.rules
    deal = _deal(table)
    return Play.begin(rules, rules.leader(deal.dealer, deal.owner), (rules.hand_size,) * rules.players)


_AFTER_CLAIMS = (e.CardPlayed, e.GoSaid, e.PlayEnded, e.HandCounted, e.CountSkipped, e.PointsDue, e.DealBegan)
"""Events with which a claim may be about other points than the one before."""

_HANDLERS: dict[type, Callable[[Any, Table], Table]] = {
    e.ClubGameBegan: _club_game_began,
    e.ProgramDeals: _program_deals,
    e.OpponentJoined: _opponent_joined,
    e.DealBegan: _deal_began,
    e.PackShuffled: _pack_shuffled,
    e.PackDealt: _pack_dealt,
    e.HandDealt: _hand_dealt,
    e.CardsDiscarded: _cards_discarded,
    e.CribFilled: _crib_filled,
    e.BidMade: _bid_made,
    e.CribSold: _crib_sold,
    e.StarterCut: _starter_cut,
    e.CardPlayed: _card_played,
    e.GoSaid: _go_said,
    e.PlayEnded: _play_ended,
    e.HandCounted: _hand_counted,
    e.CountSkipped: _count_skipped,
    e.PointsDue: _points_due,
    e.PointsWithheld: _unchanged,
    e.PegLeapt: _peg_leapt,
    e.PegAdjusted: _peg_adjusted,
    e.PegsAllowed: _pegs_allowed,
    e.PointsMissed: _points_missed,
    e.ClaimsEnded: _claims_ended,
    e.MugginsTaken: _muggins_taken,
    e.PegsOverran: _pegs_overran,
    e.PenaltyGiven: _penalty_given,
    e.PegsSetBack: _pegs_set_back,
    e.RenegeFound: _renege_found,
    e.ScoreCorrected: _score_corrected,
    e.GameWon: _game_won,
    e.ResultConfirmed: _result_confirmed,
}
