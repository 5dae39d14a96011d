"""The summary of a game agrees with the state of the whole game replayed."""

from __future__ import annotations

from contextlib import closing
from random import Random

import pytest

from firmware_host.board.course import TrackPegs
from firmware_host.cribbage.cards import parse_card
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.game.history import History
from firmware_host.game.rule_errors import NothingToUndo
from firmware_host.game.state import Table
from firmware_host.storage.game_summary import GameSummary
from firmware_host.storage.journal import Journal
from tests.game.random_player import play_game


def with_undo_and_redo(turns: list[tuple[c.Undo | c.Redo, ...]], history: History, journal: Journal) -> History:
    """Undo and redo turns, and write the events to the journal."""
    for changes in turns:
        for change in changes:
            try:
                decided = history.decide(change)
            except NothingToUndo:
                continue
            journal.append(decided.events)
            history = history.after(decided)
    return history


def assert_agrees(summary: GameSummary, table: Table | None) -> None:
    assert table is not None
    assert (summary.scores, summary.winner) == (table.scores, table.winner)
    assert (summary.names, summary.rules, summary.board) == (table.names, table.rules, table.board)
    assert (summary.first_dealer, summary.is_demo) == (table.first_dealer, table.is_demo)


@pytest.mark.parametrize("variant", ["six_card", "five_card", "seven_card", "four_partners"])
@pytest.mark.parametrize("seed", range(3))
def test_summary_agrees_with_replayed_game(variant: str, seed: int) -> None:
    random = Random(seed)
    with closing(Journal.in_memory()) as journal:
        *_, last = play_game(rules_for(variant, {}), seed)
        history = History()
        for turn in reversed(list(last.turns_back())):
            journal.append(turn.events)
            history = history.replay(turn.events)
        changes_in_turn = [(c.Undo(),) * random.randrange(1, 9) + (c.Redo(),) * random.randrange(9) for _ in range(5)]
        table = with_undo_and_redo(changes_in_turn, history, journal).table
        summary = next(journal.games())
    assert_agrees(summary, table)


def test_excess_holes_do_not_avert_a_skunk() -> None:
    commands: list[c.Command | c.Observation] = [
        c.StartGame(rules_for("six_card"), ("Ann", "Bob"), sides_on_board=2, dealer=Seat(1), scores=(88, 119)),
        c.CutStarter(parse_card("2C")),
        c.PlayCard(parse_card("7H")),
        c.PegsMoved(0, TrackPegs(88, 91), is_leap=True),
        c.PlayCard(parse_card("8D")),
        c.PegsMoved(1, TrackPegs(119, 121), is_leap=True),
    ]
    with closing(Journal.in_memory()) as journal:
        history = History()
        for command in commands:
            decided = history.decide(command)
            journal.append(decided.events)
            history = history.after(decided)
        summary = next(journal.games())
    assert summary.scores == (88, 121)
    assert summary.outcome is not None and summary.outcome.is_skunk
    assert_agrees(summary, history.table)
