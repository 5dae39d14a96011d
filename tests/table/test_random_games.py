"""Whole legal games of every game that two people play, and what must hold at each step of them."""

from __future__ import annotations

import pytest

from firmware_host.cribbage.variants import VARIANTS, rules_for
from firmware_host.table import events as e
from firmware_host.table import orders as o
from firmware_host.table.chronicle import Chronicle
from firmware_host.table.state import Phase
from tests.table.random_player import play_game

TWO_HANDED = [name for name, rules in VARIANTS.items() if rules.players == 2 and not rules.bidding]


@pytest.mark.parametrize("variant", TWO_HANDED)
@pytest.mark.parametrize("seed", range(15))
def test_a_legal_game_comes_to_its_end(variant: str, seed: int) -> None:
    *_, last = play_game(rules_for(variant, {}), seed)
    table = last.table
    assert table is not None and table.winner is not None
    assert table.scores[table.winner] == table.rules.target > table.scores[1 - table.winner]


@pytest.mark.parametrize("variant", TWO_HANDED)
def test_scores_are_the_sum_of_what_was_due(variant: str) -> None:
    *_, last = play_game(rules_for(variant, {}), 7)
    earned = [0, 0]
    for turn in last.turns_back():
        for event in turn.events:
            if isinstance(event, e.PointsDue):
                earned[event.side] += event.points
    assert last.table is not None
    assert last.table.scores == tuple(min(points, last.table.rules.target) for points in earned)


@pytest.mark.parametrize("variant", TWO_HANDED)
def test_pegs_only_go_forward_and_the_count_never_passes_thirty_one(variant: str) -> None:
    before: tuple[int, ...] = (0, 0)
    for chronicle in play_game(rules_for(variant, {}), 11):
        table = chronicle.table
        assert table is not None
        assert all(0 <= pegs.back <= pegs.front <= table.rules.target for pegs in table.pegs)
        assert all(pegs.back < pegs.front or pegs.front == 0 for pegs in table.pegs)
        assert all(now >= then for now, then in zip(table.scores, before, strict=True))
        if table.phase is Phase.PLAY and table.deal and table.deal.play:
            assert table.deal.play.count <= 31
        before = table.scores


@pytest.mark.parametrize("variant", TWO_HANDED)
def test_undo_then_redo_changes_nothing(variant: str) -> None:
    for chronicle in play_game(rules_for(variant, {}), 3):
        if chronicle.can_undo:
            undone = chronicle.after(chronicle.decide(o.Undo()))
            assert undone.after(undone.decide(o.Redo())).table == chronicle.table


@pytest.mark.parametrize("variant", TWO_HANDED)
def test_a_game_can_be_taken_back_to_its_beginning_and_brought_again(variant: str) -> None:
    first, *_, last = play_game(rules_for(variant, {}), 5)
    chronicle, turns = last, 0
    while chronicle.can_undo:
        chronicle, turns = chronicle.after(chronicle.decide(o.Undo())), turns + 1
    assert chronicle.table == first.table
    for _ in range(turns):
        chronicle = chronicle.after(chronicle.decide(o.Redo()))
    assert chronicle.table == last.table


@pytest.mark.parametrize("variant", TWO_HANDED)
def test_the_fold_of_the_events_is_the_game(variant: str) -> None:
    *_, last = play_game(rules_for(variant, {}), 9)
    again = Chronicle()
    for turn in reversed(list(last.turns_back())):
        again = again.after(turn.events)
    assert again.table == last.table
