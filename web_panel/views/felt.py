"""What the play leaves on the table: the series that is over, and the hand that is counted next. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from firmware_host.cribbage.play import Laid, Play
from firmware_host.game import events as e
from firmware_host.game.state import Phase, Table
from firmware_host.host.snapshot import Snapshot
from firmware_host.ui.texts.messages import with_suit_symbol
from firmware_host.ui.translator import Translator
from web_panel.json_type import Json
from web_panel.views.turn_points import points_headline_of, points_of_turn


def cards_of(laid: Iterable[Laid], table: Table) -> list[Json]:
    """The cards of a series, each with the side that played it."""
    return [{"card": with_suit_symbol(each.card), "side": table.rules.side_of(each.seat)} for each in laid]


def finished_series(snapshot: Snapshot, table: Table, tr: Translator) -> Json | None:
    """The series that is over, until the next card leads or the first hand is counted: its cards, its count, and what
    its end made. None while a series is played."""
    played = table.deal.play if table.deal else None
    if played is None or table.last_count is not None or not is_between_series(played, table.phase):
        return None
    series = played.closed[-1]
    text = " ".join(_end_of_series(snapshot, table, tr))
    return {"cards": cards_of(series, table), "count": sum(each.card.pips for each in series), "text": text}


def is_between_series(played: Play, phase: Phase) -> bool:
    """Whether the last card of a series lies on the table, and no card leads the next one yet."""
    return phase in (Phase.PLAY, Phase.SHOW, Phase.OVER) and not played.series and bool(played.closed)


def _end_of_series(snapshot: Snapshot, table: Table, tr: Translator) -> list[str]:
    """What the turn that ended the series earned, as far as everybody may know it."""
    for turn in snapshot.history.turns_back():
        if any(isinstance(event, e.CardPlayed | e.GoSaid) for event in turn.events):
            earned = points_of_turn(turn, snapshot.referee_mode, table)
            return [points_headline_of(event, table, tr) for event in earned]
    return []


def hand_to_count(table: Table, tr: Translator) -> Json | None:
    """The hand that is counted next, with those of its cards that were played; None outside the show."""
    if table.to_count is None or table.deal is None:
        return None
    seat, is_crib = table.to_count
    whose = tr("{name}’s crib") if is_crib else tr("{name}’s hand")
    played = () if is_crib else table.deal.played(seat)
    return {"title": whose.format(name=table.names[seat]), "cards": [with_suit_symbol(card) for card in played]}
