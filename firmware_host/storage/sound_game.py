"""Checks that the turns of a game can be played again: the proof that a game of a file may be used.

Seals show that a row is as it was written, and decoding shows that each event has its fields. Neither shows that the
events follow one another: a crafted backup can be sealed, and a card played before any deal would raise in `evolve` at
the next start. So a game counts as sound only if

1. `History.replay` applies every turn, undone turns included, with the real `evolve`,
2. each side, seat and number in an event is one that the game has, and
3. after each turn the table answers what display and pages ask of it.

Nothing here asks whether the rules allowed a move: the rules of earlier versions differed.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from msgspec.structs import fields

from firmware_host.game import events as e
from firmware_host.game.history import History
from firmware_host.game.state import Phase, Table
from firmware_host.storage.game_summary import Events
from firmware_host.storage.sqlite_file import JournalError

MOST_HOLES = 10_000
"""Limit of scores, points and holes in an event. No game is longer than a few hundred holes."""

_SIDES = frozenset({"side", "missed_by"})
_SEATS = frozenset({"seat", "dealer"})
_AMOUNTS = frozenset({"points", "score", "price"})


class UnsoundGame(JournalError):
    """The events of a game do not follow one another. Its rows may be intact."""


def replayed(turns: Iterable[Events], where: str) -> History:
    """The history of a game from its turns, in order. Raises UnsoundGame, which names the turn."""
    history = History()
    number = -1
    try:
        for turn in turns:
            number += 1
            history = history.replay(turn)
            _check_turn(turn, history.table)
    except JournalError:
        raise  # reading the turns failed, not playing them
    except Exception as fault:  # a crafted game can break any assumption of the rules
        got = f"{type(fault).__name__}{f': {fault}' if str(fault) else ''}"
        fix = "nothing can be done for this game; the file is kept"
        raise UnsoundGame("events that follow one another", got, f"{where}, turn {number}", fix) from fault
    return history


def _check_turn(turn: Events, table: Table | None) -> None:
    """Raises ValueError for a number that the game does not have, or whatever a question to the table raises."""
    if table is None:
        raise ValueError("no game was started")
    if len(table.names) != table.rules.players or len(table.sides) != len(table.rules.sides):
        raise ValueError("other players than the rules have")
    if not 0 <= table.sides_on_board <= len(table.sides):
        raise ValueError(f"{table.sides_on_board} sides with pegs")
    for event in turn:
        _check_event(event, table)
    _ask(table)


def _check_event(event: e.Event, table: Table) -> None:
    kind: type = type(event)
    for name in _checked_fields(kind):
        value = getattr(event, name)
        if name in _SIDES:
            _check_range(value, 0, len(table.sides) - 1, name)
        elif name in _SEATS:
            _check_range(value, 0, len(table.names) - 1, name)
        elif name in _AMOUNTS:
            _check_range(value, -MOST_HOLES, MOST_HOLES, name)
        elif name == "pegs":
            _check_range(value.back, 0, MOST_HOLES, "back peg")
            _check_range(value.front, 0, MOST_HOLES, "front peg")
        else:
            for score in value:
                _check_range(score if isinstance(score, int) else score.points, -MOST_HOLES, MOST_HOLES, "score")


@cache
def _checked_fields(kind: type) -> tuple[str, ...]:
    checked = _SIDES | _SEATS | _AMOUNTS | {"pegs", "scores"}
    return tuple(field.name for field in fields(kind) if field.name in checked)


def _check_range(value: int, least: int, most: int, what: str) -> None:
    if not least <= value <= most:
        raise ValueError(f"{what} {value}")


def _ask(table: Table) -> None:
    """What display, lights and pages read from every table."""
    if table.phase not in (Phase.CUT, Phase.OVER) and table.deal is None:
        raise ValueError(f"phase {table.phase.value} without a deal")
    if table.phase is Phase.PLAY and (table.deal is None or table.deal.play is None):
        raise ValueError("a play that did not begin")
    if table.phase is Phase.SHOW and (table.deal is None or table.deal.starter is None):
        raise ValueError("a show without a starter")
    if table.deal is not None and table.deal.counted > len(table.rules.show_order(table.deal.dealer, table.deal.owner)):
        raise ValueError("more hands counted than there are")
    _ = table.to_count, table.to_play, table.going_out, table.owed, table.scores
    for side in range(len(table.sides)):
        _ = table.sides[side].outstanding, table.sides[side].goal, table.side_name(side)
