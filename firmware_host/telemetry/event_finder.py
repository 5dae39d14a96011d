"""What happened in a game that is worth an event: points missed, a hand of twenty-nine, a game won.

An event is announced once, as soon as it may be shown (`game/disclosure.py`): with muggins by claim, a missed point is
one only when nobody can claim it any more. A turn that is undone and redone announces nothing again.
"""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.cribbage.outcome import outcome_of
from firmware_host.cribbage.rules import Side
from firmware_host.game import events as e
from firmware_host.game.disclosure import closed_misses, is_shown
from firmware_host.game.history import History, Turn
from firmware_host.game.state import Table
from firmware_host.mqtt_messages.board import EventMessage, GameWon, MugginsMissed, TwentyNine
from firmware_host.mqtt_messages.topics import VERSION
from firmware_host.ui.referee_mode import RefereeMode

TWENTY_NINE = 29


class EventFinder:
    """Follows the histories of a host. Announces nothing for the first one, which is past."""

    def __init__(self) -> None:
        self._announced = set[tuple[int, int]]()
        """Turn and place in it of each event that was announced."""
        self._first_turn: e.Event | None = None
        self._began = False

    def new_events(self, history: History, mode: RefereeMode) -> list[EventMessage]:
        """The events that are new since the last call, oldest first; none of a demonstration."""
        table = history.table
        *_, start = (None, *history.turns_back())
        first = start.events[0] if start else None
        if first is not self._first_turn:
            self._first_turn = first
            self._announced.clear()
        if table is None or table.is_demo:
            self._began = True
            return []
        found = list[EventMessage]()
        for turn in reversed(list(history.turns_of_deal())):
            for place, moment in _moments(turn, table, mode):
                if (turn.number, place) not in self._announced:
                    self._announced.add((turn.number, place))
                    found.append(moment)
        was_first = not self._began
        self._began = True
        return [] if was_first else found


def _moments(turn: Turn, now: Table, mode: RefereeMode) -> Iterator[tuple[int, EventMessage]]:
    """The events of one turn that may be announced now, each with a number that no other event of the turn has."""
    for place, event in enumerate(turn.events):
        match event:
            case e.PointsMissed() if mode.announces_counts and is_shown(event, now):
                yield place, _missed(turn.table, event.side, event.points)
            case e.HandCounted() if event.points == TWENTY_NINE and mode.announces_counts and is_shown(event, now):
                yield place, TwentyNine(VERSION, now.names[event.seat], event.is_crib)
            case e.GameWon():
                outcome = outcome_of(now.rules, Side(event.side), turn.table.scores)
                scores = tuple(turn.table.scores)
                yield place, GameWon(VERSION, now.side_name(event.side), outcome.margin.value, scores)
    if mode.announces_counts:
        before = turn.before.table if turn.before else None
        for number, closed in enumerate(closed_misses(before, turn.events, turn.table), len(turn.events)):
            yield number, _missed(turn.table, closed.miss.side, closed.miss.points)


def _missed(table: Table, side: int, points: int) -> MugginsMissed:
    return MugginsMissed(VERSION, table.side_name(side), points)
