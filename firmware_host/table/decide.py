"""An order or an observation in, events or a refusal out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from firmware_host.table import orders as o
from firmware_host.table.agreed import is_strict
from firmware_host.table.auction import bid
from firmware_host.table.events import Event, Source
from firmware_host.table.muggins import check_nobody_goes_out, claim_muggins
from firmware_host.table.pegs_seen import (
    correct_score,
    foreign_peg_moved,
    front_peg_removed,
    let_it_stand,
    move_points,
    pegs_seen,
)
from firmware_host.table.playing import end_play, play_card, say_go
from firmware_host.table.refusals import GameIsOver, NoGame
from firmware_host.table.showing import count_next, gather_cards, skip_count
from firmware_host.table.starting import (
    choose_dealer,
    cut_starter,
    deal_hand,
    fill_crib,
    lay_away,
    misdeal,
    start_game,
)
from firmware_host.table.state import Phase, Table
from firmware_host.table.unfolding import Unfolding

HANDLERS: dict[type, Callable[[Unfolding, Any], None]] = {
    o.StartGame: start_game,
    o.ChooseDealer: choose_dealer,
    o.DealHand: deal_hand,
    o.LayAway: lay_away,
    o.FillCrib: fill_crib,
    o.Bid: bid,
    o.Misdeal: misdeal,
    o.CutStarter: cut_starter,
    o.PlayCard: play_card,
    o.SayGo: say_go,
    o.EndPlay: end_play,
    o.CountNext: count_next,
    o.SkipCount: skip_count,
    o.GatherCards: gather_cards,
    o.MovePoints: move_points,
    o.ClaimMuggins: claim_muggins,
    o.LetItStand: let_it_stand,
    o.CorrectScore: correct_score,
    o.PegsSeen: pegs_seen,
    o.FrontPegRemoved: front_peg_removed,
    o.ForeignPegMoved: foreign_peg_moved,
}
ALWAYS = (o.PegsSeen, o.FrontPegRemoved, o.ForeignPegMoved, o.LetItStand, o.CorrectScore)
"""What a game that is over, or as good as over, still takes."""


def decide(table: Table | None, order: o.Order | o.Observation) -> tuple[Event, ...]:
    """The events that follow. Raises Refusal, and then nothing has happened."""
    return tuple(unfold(table, order).events)


def unfold(table: Table | None, order: o.Order | o.Observation) -> Unfolding:
    """The events that follow, and the table they lead to. Raises Refusal."""
    unfolding = Unfolding(table)
    if not isinstance(order, o.StartGame):
        check_game_is_on(table, order)
    HANDLERS[type(order)](unfolding, order)
    return unfolding


def check_game_is_on(table: Table | None, order: o.Order | o.Observation) -> None:
    if table is None:
        raise NoGame("a game under way", "none", mend="start one first")
    if isinstance(order, ALWAYS):
        return
    if table.phase is Phase.OVER:
        assert table.winner is not None
        name = table.side_name(table.winner)
        raise GameIsOver("a new game", f"an order after {name} has won this one", name=name)
    is_last_word = isinstance(order, o.MovePoints | o.ClaimMuggins) or is_strict(table.rules, Source.SHOW)
    if not is_last_word:
        check_nobody_goes_out(table, "another order")
