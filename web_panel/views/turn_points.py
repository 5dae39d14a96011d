"""The points that the latest turn earned, in sentences for the headline. Pure."""

from __future__ import annotations

from firmware_host.game import events as e
from firmware_host.game.disclosure import is_shown
from firmware_host.game.due_points import Due
from firmware_host.game.history import Turn
from firmware_host.game.side import Mover
from firmware_host.game.state import Table
from firmware_host.host.snapshot import Snapshot
from firmware_host.ui.referee_mode import RefereeMode
from firmware_host.ui.texts.cadence import scores_in_words
from firmware_host.ui.texts.messages import capitalized
from firmware_host.ui.translator import Translator


def points_of_last_turn(snapshot: Snapshot) -> tuple[e.PointsDue, ...]:
    """What the latest turn earned and everybody may know, in its order."""
    turn = snapshot.history.last
    return () if turn is None else points_of_turn(turn, snapshot.referee_mode, turn.table)


def points_of_turn(turn: Turn, referee_mode: RefereeMode, now: Table) -> tuple[e.PointsDue, ...]:
    """What a turn earned and everybody may know, in its order. `now` is the game as it is now."""
    if not referee_mode.announces_counts:
        return ()
    earned = [event for event in turn.events if isinstance(event, e.PointsDue) and event.scores]
    return tuple(event for event in earned if is_shown(event, now))


def news_without_pegs(snapshot: Snapshot, table: Table, tr: Translator) -> str:
    """What the latest turn counted without a move of pegs: the points of sides without pegs, and a hand of nothing.
    Nothing is awaited for it, so its sentence is all that people see of it. Empty if there is nothing."""
    earned = [event for event in points_of_last_turn(snapshot) if table.mover(event.side) is Mover.TABLE]
    sentences = [points_headline_of(event, table, tr) for event in earned]
    counted = table.last_count
    if counted and not counted.points and _is_new(counted, snapshot) and is_shown(counted, table):
        of_hand = tr("{name}’s hand: nineteen, no points.")
        whose = tr("{name}’s crib: nineteen, no points.") if counted.is_crib else of_hand
        sentences.append(whose.format(name=table.names[counted.seat]))
    return " ".join(sentences)


def _is_new(counted: e.HandCounted, snapshot: Snapshot) -> bool:
    turn = snapshot.history.last
    return turn is not None and snapshot.referee_mode.announces_counts and counted in turn.events


def points_headline_of(event: e.PointsDue, table: Table, tr: Translator) -> str:
    """What these points are for, and whose they are."""
    if event.source is e.Source.SHOW:
        return counted_hand(table, event, event.points, tr)
    scores = scores_in_words(event.scores, tr)
    return capitalized(tr("{scores}, {name}.").format(scores=scores, name=table.names[event.seat]))


def counted_hand(table: Table, counted: e.PointsDue | Due, points: int, tr: Translator) -> str:
    """Whose hand or crib it was that counted so many points."""
    last = table.last_count
    is_crib = last is not None and last.is_crib and (last.seat, last.points) == (counted.seat, points)
    if is_crib:
        sentence = tr.counted("{name}’s crib: {points} point.", "{name}’s crib: {points} points.", points)
    else:
        sentence = tr.counted("{name}’s hand: {points} point.", "{name}’s hand: {points} points.", points)
    return sentence.format(name=table.names[counted.seat], points=points)
