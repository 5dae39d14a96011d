"""A game with its past: turns are added from decisions, and replayed from the events that a journal kept."""

from __future__ import annotations

import pytest

from firmware_host.cribbage.variants import VARIANTS
from firmware_host.game import decision
from firmware_host.game.events import Event, GameStarted
from firmware_host.game.evolve import evolve
from firmware_host.game.history import History
from firmware_host.game.state import Table
from tests.game.random_player import play_game


@pytest.fixture
def applied(monkeypatch: pytest.MonkeyPatch) -> list[Event]:
    """Every event that was applied to a table, in order; the first of a game makes the table and is not among them."""
    applied = list[Event]()

    def recording_evolve(event: Event, table: Table) -> Table:
        applied.append(event)
        return evolve(event, table)

    monkeypatch.setattr(decision, "evolve", recording_evolve)
    return applied


def events_of(history: History) -> list[Event]:
    return [event for turn in reversed(list(history.turns_back())) for event in turn.events]


def test_each_event_of_a_command_is_applied_once(applied: list[Event]) -> None:
    *_, last = play_game(VARIANTS["six_card"], seed=1)
    assert applied == [event for event in events_of(last) if not isinstance(event, GameStarted)]


def test_replaying_the_events_of_each_turn_gives_the_same_history(applied: list[Event]) -> None:
    *_, last = play_game(VARIANTS["six_card"], seed=1)
    decided = applied.copy()
    applied.clear()
    replayed = History()
    for turn in reversed(list(last.turns_back())):
        replayed = replayed.replay(turn.events)
    assert replayed == last
    assert applied == decided
