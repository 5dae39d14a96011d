"""A game in one line says the same as the whole game replayed."""

from __future__ import annotations

from contextlib import closing
from random import Random

import pytest

from firmware_host.cribbage.variants import rules_for
from firmware_host.journal import Journal
from firmware_host.table import orders as o
from firmware_host.table.chronicle import Chronicle
from firmware_host.table.refusals import NothingToUndo
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


@pytest.mark.parametrize("variant", ["six_card", "five_card", "seven_card"])
@pytest.mark.parametrize("seed", range(4))
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
    assert table is not None
    assert (summary.scores, summary.winner) == (table.scores, table.winner)
    assert (summary.names, summary.variant) == (table.names, variant)
