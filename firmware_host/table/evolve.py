"""What each event does to the table. Nothing here can fail: what happened, happened."""

from __future__ import annotations

from dataclasses import replace
from functools import singledispatch
from typing import TypeVar

from firmware_host.board.course import TrackPegs
from firmware_host.cribbage.cards import Card
from firmware_host.cribbage.options import AuctionWhen, MugginsMode, MugginsWindow
from firmware_host.cribbage.play import Play
from firmware_host.table import events as e
from firmware_host.table.state import Deal, Due, Go, Miss, Phase, Table

T = TypeVar("T")


def begin(event: e.GameStarted) -> Table:
    """The first event makes the table."""
    sides = len(event.scores)
    return Table(
        rules=event.rules,
        names=event.names,
        board=event.board,
        sides_on_board=event.sides_on_board,
        is_told=event.is_told,
        phase=Phase.CUT,
        pegs=tuple(TrackPegs().slid_to(score) for score in event.scores),
        rightful=event.scores,
        checked=(False,) * sides,
        noticed=(0,) * sides,
        dues=((),) * sides,
        is_demo=event.is_demo,
    )


@singledispatch
def evolve(event: object, table: Table) -> Table:
    """The table after the event."""
    raise TypeError(f"expected an event of the table, got {event!r}")


def with_item(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    """The same tuple but for one place."""
    return (*items[:index], item, *items[index + 1 :])


@evolve.register
def _deal_began(event: e.DealBegan, table: Table) -> Table:
    seats, sides = len(table.names), len(table.pegs)
    number = table.deal.number + 1 if table.deal else 1
    untold: tuple[tuple[Card, ...], ...] = ((),) * seats
    deal = Deal(number, event.dealer, dealt=untold, laid_away=untold, kept=untold)
    begun = replace(table, phase=Phase.DEAL, deal=deal, last_count=None, dues=((),) * sides, misses=())
    is_first = table.first_dealer is None or not any(pegs.front for pegs in table.pegs)
    return replace(begun, first_dealer=event.dealer) if is_first else begun


@evolve.register
def _hand_dealt(event: e.HandDealt, table: Table) -> Table:
    deal = _deal(table)
    keeps_all = not table.rules.cards_laid_away(event.seat, deal.dealer)
    return _in_deal(
        table,
        dealt=with_item(deal.dealt, event.seat, event.cards),
        laid_away=with_item(deal.laid_away, event.seat, ()),
        kept=with_item(deal.kept, event.seat, event.cards if keeps_all else ()),
    )


@evolve.register
def _cards_laid_away(event: e.CardsLaidAway, table: Table) -> Table:
    deal = _deal(table)
    kept = tuple(card for card in deal.dealt[event.seat] if card not in event.cards)
    told = _in_deal(
        table,
        laid_away=with_item(deal.laid_away, event.seat, event.cards),
        kept=with_item(deal.kept, event.seat, kept),
    )
    is_next = table.rules.auction_when is AuctionWhen.BEFORE_STARTER and all(_deal(told).kept)
    return replace(told, phase=Phase.BID) if table.rules.bidding and is_next else told


@evolve.register
def _crib_filled(event: e.CribFilled, table: Table) -> Table:
    return _in_deal(table, stock=event.cards)


@evolve.register
def _bid_made(event: e.BidMade, table: Table) -> Table:
    bids = (*_deal(table).bids, (event.seat, event.points))
    return replace(_in_deal(table, bids=bids), phase=Phase.BID)


@evolve.register
def _crib_sold(event: e.CribSold, table: Table) -> Table:
    deal = _deal(table)
    sold = _in_deal(table, is_sold=True, owner=event.seat if event.price else None)
    sold = _entitled(sold, table.rules.side_of(event.seat), -event.price)
    if deal.starter is None:
        return replace(sold, phase=Phase.DEAL)
    return replace(_in_deal(sold, play=_first_play(sold)), phase=Phase.PLAY)


@evolve.register
def _starter_cut(event: e.StarterCut, table: Table) -> Table:
    cut = _in_deal(table, starter=event.card)
    if table.rules.bidding and not _deal(table).is_sold:
        return replace(cut, phase=Phase.BID)
    return replace(_in_deal(cut, play=_first_play(cut)), phase=Phase.PLAY)


@evolve.register
def _card_played(event: e.CardPlayed, table: Table) -> Table:
    table = _in_deal(table, play=_play(table).lay(event.card)[0])
    is_closing = table.rules.muggins_window is MugginsWindow.NEXT_CARD
    return _without_misses(table, e.Source.PLAY, but=table.rules.side_of(event.seat)) if is_closing else table


@evolve.register
def _go_said(event: e.GoSaid, table: Table) -> Table:
    play = _play(table)
    go = Go(event.seat, play.count, len(play.cards_of(event.seat)))
    return _in_deal(table, play=play.go()[0], gos=(*_deal(table).gos, go))


@evolve.register
def _play_ended(event: e.PlayEnded, table: Table) -> Table:
    return replace(table, phase=Phase.SHOW)


@evolve.register
def _hand_counted(event: e.HandCounted, table: Table) -> Table:
    deal = _deal(table)
    told = {} if event.is_crib else {"kept": with_item(deal.kept, event.seat, event.cards)}
    return replace(_one_counted(_in_deal(table, **told)), last_count=event)


@evolve.register
def _count_skipped(event: e.CountSkipped, table: Table) -> Table:
    return _one_counted(table)


@evolve.register
def _points_due(event: e.PointsDue, table: Table) -> Table:
    return _earned(table, event.side, Due(event.seat, event.source, event.points, event.scores))


@evolve.register
def _peg_leapt(event: e.PegLeapt, table: Table) -> Table:
    return _moved(table, event)


@evolve.register
def _peg_adjusted(event: e.PegAdjusted, table: Table) -> Table:
    return _moved(table, event)


@evolve.register
def _pegs_allowed(event: e.PegsAllowed, table: Table) -> Table:
    return replace(table, rightful=with_item(table.rightful, event.side, table.pegs[event.side].front))


@evolve.register
def _points_missed(event: e.PointsMissed, table: Table) -> Table:
    """Lost points of play and show stay open to a claim; others may still be pegged."""
    if not event.is_lost:
        noticed = table.noticed[event.side] + event.points
        return replace(table, noticed=with_item(table.noticed, event.side, noticed))
    lost = _entitled(table, event.side, -event.points)
    if event.source not in (e.Source.PLAY, e.Source.SHOW) or table.rules.muggins_mode is not MugginsMode.CLAIM:
        return lost
    return replace(lost, misses=(*table.misses, Miss(event.side, event.source, event.points)))


@evolve.register
def _muggins_taken(event: e.MugginsTaken, table: Table) -> Table:
    closed = replace(table, misses=tuple(miss for miss in table.misses if miss.side != event.missed_by))
    return _awarded(closed, event.side, e.Source.MUGGINS, event.points)


@evolve.register
def _pegs_overran(event: e.PegsOverran, table: Table) -> Table:
    return replace(table, noticed=with_item(table.noticed, event.side, -event.points))


@evolve.register
def _penalty_given(event: e.PenaltyGiven, table: Table) -> Table:
    return _awarded(table, event.side, e.Source.PENALTY, event.points)


@evolve.register
def _pegs_set_back(event: e.PegsSetBack, table: Table) -> Table:
    right = max(0, table.rightful[event.side] - event.points)
    return replace(table, rightful=with_item(table.rightful, event.side, right))


@evolve.register
def _renege_found(event: e.RenegeFound, table: Table) -> Table:
    return table


@evolve.register
def _score_corrected(event: e.ScoreCorrected, table: Table) -> Table:
    return replace(
        table,
        pegs=with_item(table.pegs, event.side, table.pegs[event.side].slid_to(event.score)),
        rightful=with_item(table.rightful, event.side, event.score),
    )


@evolve.register
def _game_won(event: e.GameWon, table: Table) -> Table:
    return replace(table, phase=Phase.OVER, winner=event.side)


def _deal(table: Table) -> Deal:
    assert table.deal is not None
    return table.deal


def _play(table: Table) -> Play:
    play = _deal(table).play
    assert play is not None
    return play


def _in_deal(table: Table, **changes: object) -> Table:
    return replace(table, deal=replace(_deal(table), **changes))  # type: ignore[arg-type]


def _one_counted(table: Table) -> Table:
    counted = _deal(table).counted + 1
    done = counted == len(table.rules.show_order(_deal(table).dealer, _deal(table).owner))
    return replace(_in_deal(table, counted=counted), phase=Phase.GATHER if done else Phase.SHOW)


def _earned(table: Table, side: int, due: Due) -> Table:
    dues = with_item(table.dues, side, (*table.dues[side], due))
    return replace(_entitled(table, side, due.points), dues=dues)


def _entitled(table: Table, side: int, points: int) -> Table:
    """Where a debt is agreed on, a side may have less than nothing: what it earns next pays that first."""
    right = min(table.target(side), table.rightful[side] + points)
    return replace(table, rightful=with_item(table.rightful, side, right))


def _awarded(table: Table, side: int, source: e.Source, points: int) -> Table:
    return _earned(table, side, Due(table.rules.sides[side][0], source, points))


def _moved(table: Table, event: e.PegLeapt | e.PegAdjusted) -> Table:
    side = event.side
    right = event.pegs.front if event.stands else table.rightful[side]
    owed = right - event.pegs.front
    noticed = min(table.noticed[side], owed) if owed > 0 else max(table.noticed[side], owed) if owed else 0
    return replace(
        table if event.pegs.front <= table.pegs[side].front else _with_windows_closed(table, side),
        pegs=with_item(table.pegs, side, event.pegs),
        rightful=with_item(table.rightful, side, right),
        checked=with_item(table.checked, side, not event.stands),
        noticed=with_item(table.noticed, side, noticed),
        last_mover=side,
    )


def _with_windows_closed(table: Table, scorer: int) -> Table:
    """A later score closes claims (ACC rule 10.4): in the play the misser's own, or the pone's hand; in the show the
    claimer's own. So a dealer who hurries from hand to crib closes none on the hand."""
    if table.phase is Phase.PLAY:
        return _without_misses(table, e.Source.PLAY, of=scorer)
    pone = table.rules.side_of(table.rules.pone(_deal(table).dealer)) if table.deal else None
    if scorer == pone:
        table = _without_misses(table, e.Source.PLAY)
    return _without_misses(table, e.Source.SHOW, but=scorer)


def _without_misses(table: Table, source: e.Source, *, of: int | None = None, but: int | None = None) -> Table:
    def stays(miss: Miss) -> bool:
        return miss.source is not source or (of is not None and miss.side != of) or miss.side == but

    return replace(table, misses=tuple(filter(stays, table.misses)))


def _first_play(table: Table) -> Play:
    rules, deal = table.rules, _deal(table)
    return Play.begin(rules, rules.leader(deal.dealer, deal.owner), (rules.hand_size,) * rules.players)
