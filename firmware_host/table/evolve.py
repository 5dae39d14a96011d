"""What each event does to the table. Nothing here can fail: what happened, happened."""

from __future__ import annotations

from dataclasses import replace
from functools import singledispatch
from typing import TypeVar

from firmware_host.board.course import TrackPegs
from firmware_host.cribbage.cards import Card
from firmware_host.cribbage.play import Play
from firmware_host.cribbage.rules import Side
from firmware_host.table import events as e
from firmware_host.table.state import Deal, Due, Phase, Table

T = TypeVar("T")


def begin(event: e.GameStarted) -> Table:
    """The first event makes the table."""
    sides = len(event.scores)
    return Table(
        rules=event.rules,
        names=event.names,
        board=event.board,
        sides_on_board=event.sides_on_board,
        phase=Phase.CUT,
        pegs=tuple(TrackPegs().slid_to(score) for score in event.scores),
        rightful=event.scores,
        checked=(False,) * sides,
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
    return replace(table, phase=Phase.DEAL, deal=deal, last_count=None, dues=((),) * sides)


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
    return _in_deal(
        table,
        laid_away=with_item(deal.laid_away, event.seat, event.cards),
        kept=with_item(deal.kept, event.seat, kept),
    )


@evolve.register
def _starter_cut(event: e.StarterCut, table: Table) -> Table:
    rules, dealer = table.rules, _deal(table).dealer
    play = Play.begin(rules, rules.leader(dealer), (rules.hand_size,) * len(table.names))
    return replace(_in_deal(table, starter=event.card, play=play), phase=Phase.PLAY)


@evolve.register
def _card_played(event: e.CardPlayed, table: Table) -> Table:
    return _in_deal(table, play=_play(table).lay(event.card)[0])


@evolve.register
def _go_said(event: e.GoSaid, table: Table) -> Table:
    return _in_deal(table, play=_play(table).go()[0])


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
    return _entitled(table, event.side, -event.points)


@evolve.register
def _muggins_taken(event: e.MugginsTaken, table: Table) -> Table:
    taker = table.rules.sides[event.side][0]
    return _earned(table, event.side, Due(taker, e.Source.MUGGINS, event.points))


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
    done = counted == len(table.rules.show_order(_deal(table).dealer))
    return replace(_in_deal(table, counted=counted), phase=Phase.GATHER if done else Phase.SHOW)


def _earned(table: Table, side: int, due: Due) -> Table:
    dues = with_item(table.dues, side, (*table.dues[side], due))
    return replace(_entitled(table, side, due.points), dues=dues)


def _entitled(table: Table, side: int, points: int) -> Table:
    right = min(table.rules.target_of(Side(side)), table.rightful[side] + points)
    return replace(table, rightful=with_item(table.rightful, side, right))


def _moved(table: Table, event: e.PegLeapt | e.PegAdjusted) -> Table:
    right = event.pegs.front if event.stands else table.rightful[event.side]
    return replace(
        table,
        pegs=with_item(table.pegs, event.side, event.pegs),
        rightful=with_item(table.rightful, event.side, right),
        checked=with_item(table.checked, event.side, not event.stands),
    )
