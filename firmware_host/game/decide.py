"""Decides commands and observations: events and the new table, or a refusal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from firmware_host.game import commands as c
from firmware_host.game.auction import bid
from firmware_host.game.confirming import confirm_result
from firmware_host.game.dealing import (
    choose_dealer,
    cut_starter,
    deal_hand,
    deal_pack,
    discard_cards,
    fill_crib,
    misdeal,
    shuffle_pack,
    start_game,
    turn_starter,
)
from firmware_host.game.decision import Decided, Decision
from firmware_host.game.evidence import ENTERED, Evidence
from firmware_host.game.missed_points import check_can_lose_game
from firmware_host.game.muggins import claim_muggins
from firmware_host.game.peg_moves import accept_pegs, correct_score, enter_points, pegs_moved
from firmware_host.game.playing import end_play, play_card, say_go
from firmware_host.game.rule_errors import GameIsOver, NoGame
from firmware_host.game.rulings import rule_breach
from firmware_host.game.showing import count_hand, next_deal, skip_hand
from firmware_host.game.state import Phase, Table

HANDLERS: dict[type, Callable[[Decision, Any], None]] = {
    c.StartGame: start_game,
    c.ChooseDealer: choose_dealer,
    c.ShufflePack: shuffle_pack,
    c.DealPack: deal_pack,
    c.TurnStarter: turn_starter,
    c.DealHand: deal_hand,
    c.DiscardCards: discard_cards,
    c.FillCrib: fill_crib,
    c.Bid: bid,
    c.Misdeal: misdeal,
    c.CutStarter: cut_starter,
    c.PlayCard: play_card,
    c.SayGo: say_go,
    c.EndPlay: end_play,
    c.CountHand: count_hand,
    c.SkipHand: skip_hand,
    c.NextDeal: next_deal,
    c.EnterPoints: enter_points,
    c.ClaimMuggins: claim_muggins,
    c.AcceptPegs: accept_pegs,
    c.CorrectScore: correct_score,
    c.ConfirmResult: confirm_result,
    c.RuleBreach: rule_breach,
    c.PegsMoved: pegs_moved,
}
BEFORE_PLAY = (Phase.CUT, Phase.DEAL, Phase.BID)
"""Nothing that is done in these phases loses the points to win; later, going on may."""
ALWAYS = {c.PegsMoved, c.AcceptPegs, c.CorrectScore, c.ConfirmResult, c.RuleBreach}
"""Accepted even when the game is over, or when a side has the points to end it."""


def decide(table: Table | None, command: c.Command | c.Observation, evidence: Evidence = ENTERED) -> Decided:
    """The events of a command or observation, and the table after them. `table` None: no game yet.

    Raises Refusal; then nothing has changed, for nothing here changes `table`.
    """
    decision = Decision(table, evidence)
    if not isinstance(command, c.StartGame):  # a new game may begin in the middle of another
        check_game_is_on(table, command)
    HANDLERS[type(command)](decision, command)
    return decision.result()


def check_game_is_on(table: Table | None, command: c.Command | c.Observation) -> None:
    """Raises NoGame, GameIsOver, or GameHoleFirst where a side has to move its peg into the game hole first."""
    if table is None:
        raise NoGame("a game under way", "none", fix="start one first")
    if type(command) in ALWAYS:
        return
    if table.winner is not None:
        name = table.side_name(table.winner)
        raise GameIsOver("a new game", f"a command after {name} has won this one", name=name)
    if (
        table.phase in BEFORE_PLAY
        and table.going_out is not None
        # These two move or take the very points that the game waits for.
        and not isinstance(command, c.EnterPoints | c.ClaimMuggins)
    ):
        for side in range(len(table.sides)):
            check_can_lose_game(table, side, lost=())
