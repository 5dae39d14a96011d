"""One past game with its summary and figures, and the text in which both are stored."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.cribbage.rules import RuleSet, Seat, Side
from firmware_host.cribbage.variants import options_of, recorded_rules
from firmware_host.stats.statistics import GameFigures, SeatFigures, Tally
from firmware_host.storage.game_summary import GameSummary


class PastGame(Struct, frozen=True):
    """Summary and figures of one game. The current game is among them, as far as it was played.

    The history of scores has only the last ones where the game comes from the store.
    """

    summary: GameSummary
    figures: GameFigures

    @property
    def is_begun(self) -> bool:
        """Whether somebody scored, or won. Other games are in no list and in no statistics."""
        return self.summary.is_begun

    def with_names(self, names: tuple[str, ...]) -> PastGame:
        """The same game between players with these names, one per seat."""
        summary = replace(self.summary, names=names)
        figures = replace(self.figures, names=names)
        return PastGame(summary, figures)


def encode(past: PastGame) -> str:
    """The game as JSON, without the history of its scores."""
    summary = past.summary
    figures = past.figures
    rules = json.dumps([summary.rules.variant, options_of(summary.rules)], separators=(",", ":"))
    body = [
        summary.started_at.isoformat(),
        summary.names,
        summary.board,
        rules,
        summary.scores,
        summary.winner,
        summary.first_dealer,
        summary.is_demo,
        [numbers_of(seat) for seat in figures.seats],
        figures.scores,
        figures.winner,
    ]
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def decode(game: int, body: str) -> PastGame:
    """The game with this number from the text of `encode`. Raises ValueError, TypeError or LookupError."""
    started, names, board, rules_text, scores, winner, dealer, is_demo, seats, last, won = json.loads(body)
    rules = _rules(rules_text)
    summary = GameSummary(
        game,
        datetime.fromisoformat(started),
        tuple(names),
        board,
        rules,
        tuple(scores),
        None if winner is None else Side(winner),
        None if dealer is None else Seat(dealer),
        is_demo,
    )
    figures = GameFigures(rules, tuple(names), tuple(map(seat_of, seats)), (tuple(last),), won, is_demo)
    return PastGame(summary, figures)


@lru_cache(maxsize=256)
def _rules(text: str) -> RuleSet:
    variant, options = json.loads(text)
    return recorded_rules(variant=variant, options=options)


def numbers_of(seat: SeatFigures) -> list[int]:
    """The figures of a seat as a list of numbers."""
    tallies = (number for tally in (seat.hand, seat.crib, seat.play) for number in (tally.times, tally.points))
    return [*tallies, seat.missed, seat.given, seat.caught]


def seat_of(numbers: Sequence[Any]) -> SeatFigures:
    """The figures of a seat from the list of `numbers_of`."""
    hand, crib, play = (Tally(*numbers[at : at + 2]) for at in (0, 2, 4))
    return SeatFigures(hand, crib, play, *numbers[6:])
