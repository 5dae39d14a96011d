"""A game in one line says the same as the whole game replayed."""

from __future__ import annotations

from contextlib import closing
from random import Random

import pytest

from firmware_host.board.course import TrackPegs
from firmware_host.cribbage.cards import parse_card
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.journal import Journal
from firmware_host.summary import GameSummary
from firmware_host.table import orders as o
from firmware_host.table.chronicle import Chronicle
from firmware_host.table.refusals import NothingToUndo
from firmware_host.table.state import Table
from tests.table.random_player import play_game


def with_second_thoughts(turns: list[tuple[o.Undo | o.Redo, ...]], chronicle: Chronicle, journal: Journal) -> Chronicle:
    """Take turns back and bring them again, as the journal is told."""
    for changes in turns:
        for change in changes:
            try:
                events = chronicle.decide(change)
            except NothingToUndo:
                continue
            journal.append(events)
            chronicle = chronicle.after(events)
    return chronicle


def must_agree(summary: GameSummary, table: Table | None) -> None:
    assert table is not None
    assert (summary.scores, summary.winner) == (table.scores, table.winner)
    assert (summary.names, summary.rules, summary.board) == (table.names, table.rules, table.board)
    assert (summary.first_dealer, summary.is_demo) == (table.first_dealer, table.is_demo)


@pytest.mark.parametrize("variant", ["six_card", "five_card", "seven_card", "four_partners"])
@pytest.mark.parametrize("seed", range(3))
def test_a_summary_agrees_with_the_game_replayed(variant: str, seed: int) -> None:
    random = Random(seed)
    with closing(Journal.in_memory()) as journal:
        *_, last = play_game(rules_for(variant, {}), seed)
        chronicle = Chronicle()
        for turn in reversed(list(last.turns_back())):
            journal.append(turn.events)
            chronicle = chronicle.after(turn.events)
        doubts = [(o.Undo(),) * random.randrange(1, 9) + (o.Redo(),) * random.randrange(9) for _ in range(5)]
        table = with_second_thoughts(doubts, chronicle, journal).table
        summary = next(journal.games())
    must_agree(summary, table)


def test_holes_taken_too_many_do_not_save_a_loser_from_the_skunk() -> None:
    orders: list[o.Order | o.Observation] = [
        o.StartGame(rules_for("six_card"), ("Ann", "Bob"), sides_on_board=2, dealer=Seat(1), scores=(88, 119)),
        o.CutStarter(parse_card("2C")),
        o.PlayCard(parse_card("7H")),
        o.PegsSeen(0, TrackPegs(88, 91), is_leap=True),
        o.PlayCard(parse_card("8D")),
        o.PegsSeen(1, TrackPegs(119, 121), is_leap=True),
    ]
    with closing(Journal.in_memory()) as journal:
        chronicle = Chronicle()
        for order in orders:
            events = chronicle.decide(order)
            journal.append(events)
            chronicle = chronicle.after(events)
        summary = next(journal.games())
    assert summary.scores == (88, 121)
    assert summary.outcome is not None and summary.outcome.is_skunk
    must_agree(summary, chronicle.table)
