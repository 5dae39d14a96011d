"""The messages of the retained topics, made from a snapshot. Pure.

They have no card but the starter, and only the points that phones may see (`game/disclosure.py`). Nothing in them is
made from a hand, a crib, a pairing code or a token.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from firmware_host.cribbage.rules import Seat, Side
from firmware_host.game.auction import next_bidder
from firmware_host.game.deal import Deal
from firmware_host.game.state import Phase, Table
from firmware_host.host.health import Health
from firmware_host.host.snapshot import Snapshot
from firmware_host.mqtt_messages.board import (
    NO_GAME,
    ControlsMessage,
    FaultsMessage,
    FaultyHoles,
    HealthMessage,
    StateMessage,
    StateSide,
)
from firmware_host.mqtt_messages.topics import VERSION
from firmware_host.ui.referee_mode import RefereeMode
from firmware_host.ui.shown import Shown, shown_of
from firmware_host.ui.situation import Topic, side_to_move

LAST_STREET = 30
"""Holes from the end at which a side that is behind the skunk line is in danger."""

EMPTY = StateMessage(VERSION, False, NO_GAME, None, None, None, None, None, None, (), None, False)
"""Without a game of the players, which includes a demonstration."""

ATTENTION = (Topic.PAIRING, Topic.FAULT, Topic.PEGS_ASTRAY, Topic.POINTS)
"""The topics that stop the game until somebody acts; a card or a count can wait."""


def state_message(snapshot: Snapshot) -> StateMessage:
    """The topic `state`: the table of the players."""
    table = snapshot.table
    topic = snapshot.situation.topic
    if table is None or table.is_demo:
        return replace(EMPTY, needs_attention=topic in (Topic.PAIRING, Topic.FAULT))
    return replace(game_message(table, snapshot.referee_mode), needs_attention=topic in ATTENTION)


def game_message(table: Table, mode: RefereeMode) -> StateMessage:
    """The game, without what the board itself has to say."""
    deal = table.deal
    shown = shown_of(table)
    return StateMessage(
        version=VERSION,
        is_on=table.phase is not Phase.OVER,
        phase=table.phase.value,
        variant=table.rules.variant,
        target=table.rules.target,
        deal=deal.number if deal else None,
        dealer=table.names[deal.dealer] if deal else None,
        turn=turn(shown, mode),
        starter=str(deal.starter) if deal and deal.starter else None,
        sides=tuple(_side(shown, side, mode) for side in range(len(table.sides))),
        winner=None if table.winner is None else table.side_name(table.winner),
        skunk_danger=is_skunk_near(table),
    )


def _side(shown: Shown, side: int, mode: RefereeMode) -> StateSide:
    table = shown.table
    is_said = mode.announces_counts and table.phase is not Phase.OVER
    score = table.scores[side]
    target = table.sides[side].target
    return StateSide(
        name=table.side_name(side),
        players=tuple(table.names[seat] for seat in table.rules.sides[side]),
        score=score,
        target=target,
        to_go=max(0, target - score),
        owed=shown.sides[side].owed if is_said else 0,
    )


def turn(shown: Shown, mode: RefereeMode) -> str | None:
    """Who must do something next: a side that has points to move, else a player. None: nobody, or it is not known."""
    table = shown.table
    side = side_to_move(shown, mode)
    if side is not None:
        return table.side_name(side)
    seat = _seat_in_turn(table, table.deal) if table.deal else None
    return None if seat is None else table.names[seat]


def _seat_in_turn(table: Table, deal: Deal) -> Seat | None:
    match table.phase:
        case Phase.DEAL:
            return deal.dealer
        case Phase.BID:
            return next_bidder(table, deal)
        case Phase.PLAY:
            return table.to_play if table.is_followed else None
        case Phase.SHOW:
            return table.to_count.seat if table.to_count else None
        case Phase.GATHER:
            return table.rules.next_dealer(deal.dealer)
    return None


def is_skunk_near(table: Table) -> bool:
    """Whether one side is on its last street, and another one still below the skunk line."""
    if table.phase is Phase.OVER or not table.rules.skunk_lines:
        return False
    sides = range(len(table.sides))
    line = table.rules.skunk_lines[0]
    far = [side for side in sides if table.scores[side] >= table.rules.target_of(Side(side)) - LAST_STREET]
    return any(table.scores[side] < line for side in sides if far and far != [side])


def health_message(snapshot: Snapshot, health: Health, program: str, results: Mapping[str, int]) -> HealthMessage:
    """The topic `health`. `program` is the version of cribboard; `results`: counts of finished games, by what became
    of them."""
    return HealthMessage(VERSION, program, snapshot.plan.id, dict(health.failures), dict(results))


def controls_message(snapshot: Snapshot) -> ControlsMessage:
    """The topic `controls`: what commands can change."""
    table = snapshot.table
    can_undo = table is not None and not table.is_demo and snapshot.history.can_undo
    return ControlsMessage(VERSION, snapshot.brightness, snapshot.voice.volume, can_undo)


def faults_message(health: Health) -> FaultsMessage:
    """The topic `faults`: the parts that do not work now, and the holes found faulty in this game. Sentences stay on
    the board, because they name files and folders."""
    holes = tuple(FaultyHoles(each.fault.value, each.track, tuple(each.holes)) for each in health.hole_faults)
    return FaultsMessage(VERSION, len(health.faults) + len(holes), tuple(sorted(health.faults)), holes)
