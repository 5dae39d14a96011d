"""A finished game as the club or league gets it: an id that never changes, and a revision that grows.

The id is made from the first event of the game, which has its time of day, so that two games differ even where a
restored journal gives them the same number. Revision 1 is the end of the game. If the end is undone, revision 2
withdraws the result; if the game ends again, revision 3 has the new one. A receiver keeps the highest revision of
each id.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from itertools import groupby
from operator import attrgetter

from firmware_host.game.events import GameWon, TurnRedone, TurnUndone
from firmware_host.lazy_dataclass import dataclass
from firmware_host.storage.event_codec import KINDS
from firmware_host.storage.game_summary import GameSummary
from firmware_host.storage.sqlite_file import Row
from firmware_host.telemetry.payloads import Json, as_text
from firmware_host.telemetry.topics import VERSION

_WON, _UNDONE, _REDONE = KINDS[GameWon], KINDS[TurnUndone], KINDS[TurnRedone]


@dataclass(frozen=True, slots=True)
class Result:
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
    """How often the game ended or its end was undone; odd for a game that is over now, 0 for one that never was."""
    done, undone, revision = list[bool](), list[bool](), 0
    for _, turn in groupby(rows, attrgetter("turn")):
        kinds = {row.kind for row in turn}
        if kinds == {_UNDONE}:
            undone.append(done.pop())
        elif kinds == {_REDONE}:
            done.append(undone.pop())
        else:
            done.append(_WON in kinds)
            undone.clear()
        revision += any(done) != revision % 2
    return revision


def result_of(rows: Sequence[Row], summary: GameSummary, board: str) -> Result | None:
    """The result to send for a game; None for a game that never ended, and for a demonstration. `board` is the name of
    the board in topics."""
    revision = revision_of(rows)
    if not revision or summary.is_demo:
        return None
    outcome = summary.outcome
    payload: Json = {
        "version": VERSION,
        "id": result_id(rows[0]),
        "revision": revision,
        "is_final": outcome is not None,
        "board": board,
        "game": summary.game,
        "started_at": rows[0].written_at,
        "ended_at": rows[-1].written_at,
        "variant": summary.rules.variant,
        "target": summary.rules.target,
        "sides": [
            {"players": list(players), "score": score}
            for players, score in zip(summary.sides, summary.scores, strict=True)
        ],
        "winner": summary.winner,
        "margin": outcome.margin.value if outcome else None,
        "match_points": list(outcome.points) if outcome else None,
        "spread": list(outcome.spread) if outcome else None,
    }
    return Result(result_id(rows[0]), revision, summary.game, as_text(payload))
