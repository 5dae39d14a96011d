"""A finished game as the club or league gets it: an id that never changes, and a revision that grows.

The id is made from the first event of the game. That has 128 random bits, which no page or file for players shows, so
that nobody can guess the id; and its time of day, by which two games differ that a restored journal gives one number.

Revision 1 is the end of the game. Whatever changes the result afterwards is one revision more: a side that confirms it,
a score that is corrected, an end that is undone, which withdraws the result. A receiver keeps the highest revision of
each id.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from itertools import groupby
from operator import attrgetter

from msgspec import Struct

from firmware_host.game.events import GameWon, ResultConfirmed, ScoreCorrected, TurnRedone, TurnUndone
from firmware_host.mqtt_messages.reading import as_payload
from firmware_host.mqtt_messages.result import ClubPlace, ResultMessage, ResultSide
from firmware_host.mqtt_messages.topics import VERSION
from firmware_host.storage.event_codec import KINDS
from firmware_host.storage.game_summary import GameSummary
from firmware_host.storage.journal_table import Row

_WON = KINDS[GameWon]
_UNDONE = KINDS[TurnUndone]
_REDONE = KINDS[TurnRedone]
_OF_RESULT = {_WON, KINDS[ResultConfirmed], KINDS[ScoreCorrected]}
"""What changes the result of a game that is over."""


class Result(Struct, frozen=True):
    """One revision of a finished game. `game` is its number in the journal."""

    id: str
    revision: int
    game: int
    payload: str

    @property
    def key(self) -> str:
        """The name of this message."""
        return f"{self.id}.{self.revision}"


def result_id(first: Row) -> str:
    """32 hexadecimal digits. `first` is the first event of the game."""
    return sha256("\0".join(map(str, first[:-1])).encode()).hexdigest()[:32]


def revision_of(rows: Sequence[Row]) -> int:
    """How often the result changed: the game ended, something changed it then, or its end was undone. 0 for a game that
    never ended."""
    done = list[frozenset[str]]()
    undone = list[frozenset[str]]()
    revision = 0
    result = 0
    for _, turn in groupby(rows, attrgetter("turn")):
        kinds = frozenset(row.kind for row in turn)
        if kinds == {_UNDONE}:
            undone.append(done.pop())
        elif kinds == {_REDONE}:
            done.append(undone.pop())
        else:
            done.append(kinds & _OF_RESULT)
            undone.clear()
        before = result
        result = _changes_of_result(done)
        revision += before != result
    return revision


def _changes_of_result(turns: Sequence[frozenset[str]]) -> int:
    """The turns from the end of the game on that belong to its result; 0 before the end."""
    end = next((place for place, kinds in enumerate(turns) if _WON in kinds), len(turns))
    return sum(map(bool, turns[end:]))


def result_of(rows: Sequence[Row], summary: GameSummary, board: str) -> Result | None:
    """The result to send for a game; None for a game that never ended, and for a demonstration. `board` is the name of
    the board in topics."""
    revision = revision_of(rows)
    if not revision or summary.is_demo:
        return None
    outcome = summary.outcome
    club_game = summary.club_game
    message = ResultMessage(
        version=VERSION,
        id=result_id(rows[0]),
        revision=revision,
        is_final=outcome is not None,
        board=board,
        game=summary.game,
        started_at=rows[0].written_at,
        ended_at=rows[-1].written_at,
        variant=summary.rules.variant,
        target=summary.rules.target,
        sides=tuple(map(ResultSide, summary.sides, summary.scores)),
        winner=summary.winner,
        margin=outcome.margin.value if outcome else None,
        match_points=tuple(outcome.points) if outcome else None,
        spread=tuple(outcome.spread) if outcome else None,
        club_game=ClubPlace(club_game.night, club_game.round, club_game.table) if club_game else None,
        confirmed=summary.confirmed if outcome else (),
    )
    return Result(message.id, revision, summary.game, as_payload(message))
