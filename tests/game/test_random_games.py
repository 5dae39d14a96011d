"""Whole legal games of every variant, from seeds: invariants that hold at every step."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable

import pytest

from firmware_host.cribbage.options import AuctionDebt, GoPoints
from firmware_host.cribbage.possible_points import SHOW_TOTALS, is_possible_in_play
from firmware_host.cribbage.rules import CRIB_SIZE, RuleSet
from firmware_host.cribbage.score import ScoreKind
from firmware_host.game import commands as c
from firmware_host.game import events as e
from firmware_host.game.history import History
from firmware_host.game.state import Phase, Table
from tests.game.random_player import GAMES, play_game

MANY_GAMES = int(os.environ.get("RANDOM_GAMES", "600"))
"""How many games the slow suite plays, of all variants together."""
every_game = pytest.mark.parametrize("rules", [pytest.param(rules, id=name) for name, rules in GAMES.items()])


def tables_of(history: History) -> Iterable[tuple[Table | None, tuple[e.Event, ...], Table]]:
    """The table before, the events, the table after: for every turn, latest first."""
    for turn in history.turns_back():
        yield turn.before.table if turn.before else None, turn.events, turn.table


def check_pegs(table: Table) -> None:
    for side, pegs in enumerate(table.pegs):
        assert 0 <= pegs.back <= pegs.front <= table.sides[side].target
        assert pegs.back < pegs.front or pegs.front == 0


def check_cards(table: Table) -> None:
    if table.deal:
        seen = table.deal.seen
        assert len(set(seen)) == len(seen)
        assert table.deal.play is None or table.deal.play.count <= 31


def check_scores(before: Table, events: Iterable[e.Event], after: Table) -> None:
    """A score falls by an auction price only, and rises by the points due, up to the game hole."""
    change = Counter[int]()
    for event in events:
        if isinstance(event, e.PointsDue):
            change[event.side] += event.points
        elif isinstance(event, e.CribSold):
            change[after.rules.side_of(event.seat)] -= event.price
    for side, was in enumerate([side.rightful for side in before.sides]):
        assert after.sides[side].rightful == min(was + change[side], after.sides[side].target)
        assert after.sides[side].pegs.front == max(0, after.sides[side].rightful)


def check_step(table: Table, event: e.Event) -> None:
    """The points of one step are possible."""
    rules = table.rules
    match event:
        case e.PointsDue(source=e.Source.PLAY, scores=scores, points=points):
            by_card = [score for score in scores if score.kind is not ScoreKind.GO]
            assert not by_card or is_possible_in_play(sum(score.points for score in by_card), rules)
            assert points > 0
        case e.HandCounted(points=points, is_crib=is_crib):
            assert points in SHOW_TOTALS[CRIB_SIZE if is_crib else rules.hand_size]
        case e.PointsDue(source=e.Source.HEELS, points=points):
            assert points == 2
        case e.PointsDue(source=e.Source.PONES_THREE, points=points):
            assert points == 3
        case e.CribSold(seat=seat, price=price) if rules.auction_debt is AuctionDebt.LIMIT:
            assert price <= table.scores[rules.side_of(seat)]
        case _:
            pass


def check_game(last: History) -> None:
    assert last.table is not None and last.table.phase is Phase.OVER
    for before, events, after in tables_of(last):
        check_pegs(after)
        check_cards(after)
        for event in events:
            check_step(before or after, event)
        if before:
            check_scores(before, events, after)
        assert (after.winner is not None) == isinstance(events[-1], e.GameWon)
        assert sum(isinstance(event, e.GameWon) for event in events) <= 1


def check_winner(table: Table) -> None:
    reached = [side for side, pegs in enumerate(table.pegs) if pegs.front == table.sides[side].target]
    assert len(reached) == 1 and table.winner is not None
    if table.rules.lowball:
        assert table.scores[table.winner] == min(table.scores)
    else:
        assert reached == [table.winner]


@every_game
@pytest.mark.parametrize("seed", range(2))
def test_invariants_hold_from_the_first_deal_to_the_game_hole(rules: RuleSet, seed: int) -> None:
    *_, last = play_game(rules, seed)
    check_game(last)
    assert last.table
    check_winner(last.table)


@pytest.mark.slow
@every_game
def test_invariants_hold_in_thousands_of_games(rules: RuleSet) -> None:
    for seed in range(1000, 1000 + MANY_GAMES // len(GAMES) + 1):
        *_, last = play_game(rules, seed)
        check_game(last)
        assert last.table
        check_winner(last.table)


@every_game
def test_the_end_of_every_series_scores_once(rules: RuleSet) -> None:
    """Thirty-one or the last card, never both. Points for goes are scored as well, or instead."""
    *_, last = play_game(rules, 21)
    ends = plays = 0
    for _, events, after in reversed(list(tables_of(last))):
        for event in events:
            match event:
                case e.DealBegan():
                    ends = 0
                case e.PointsDue(scores=scores):
                    ends += sum(score.kind in (ScoreKind.THIRTY_ONE, ScoreKind.LAST_CARD) for score in scores)
                case e.PlayEnded():
                    assert after.deal and after.deal.play
                    series = len(after.deal.play.closed)
                    assert ends == series or (ends < series and rules.go_points is GoPoints.PER_CARD_AFTER_GO)
                    plays += 1
    assert plays


@every_game
def test_undo_then_redo_changes_nothing(rules: RuleSet) -> None:
    for history in play_game(rules, 3):
        if history.can_undo:
            undone = history.after(history.decide(c.Undo()))
            assert undone.after(undone.decide(c.Redo())).table == history.table


@every_game
def test_a_game_can_be_undone_to_its_beginning_and_redone(rules: RuleSet) -> None:
    first, *_, last = play_game(rules, 5)
    history, turns = last, 0
    while history.can_undo:
        history, turns = history.after(history.decide(c.Undo())), turns + 1
    assert history.table == first.table
    for _ in range(turns):
        history = history.after(history.decide(c.Redo()))
    assert history.table == last.table


@every_game
def test_replaying_the_events_gives_the_same_table(rules: RuleSet) -> None:
    *_, last = play_game(rules, 9)
    again = History()
    for turn in reversed(list(last.turns_back())):
        again = again.replay(turn.events)
    assert again.table == last.table
