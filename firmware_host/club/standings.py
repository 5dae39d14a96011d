"""Standings of a night and of a season, qualifiers, and the lines of scorecards.

The order is that of the ACC: game points, then games won, then spread, then plus points. Players who are equal in all
four share a place; the order in which they entered decides who is printed first, and who qualifies
(`Qualifiers.is_tied` is then true, so that the organiser can decide otherwise).

Only official results count: confirmed by both players, or corrected by the organiser.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from firmware_host.club.bracket import qualifier_count
from firmware_host.club.game import Game
from firmware_host.club.members import MemberId, NightSettings
from firmware_host.club.state import Club, Night
from firmware_host.cribbage.outcome import Outcome, outcome_of
from firmware_host.cribbage.rules import Side


class Line(NamedTuple):
    """One round of one player: a game or a bye."""

    round: int
    opponent: MemberId | None
    """None for a bye."""
    table: int
    """0 for a bye."""
    scores: tuple[int, ...]
    """Own score and that of the opponent; empty for a bye, and before the result counts."""
    game_points: int
    spread: int
    """Holes ahead, or (negative) behind; for a bye its setting."""
    is_won: bool
    is_skunk: bool
    """Whether somebody was skunked."""

    @property
    def is_bye(self) -> bool:
        """Whether the player had no game."""
        return self.opponent is None

    @property
    def is_open(self) -> bool:
        """Whether the result does not count yet."""
        return not self.is_bye and not self.scores


class Sums(Struct, frozen=True):
    """Sums over nights or lines. `plus` has the holes of games won and of byes, `minus` those of games lost, from 0."""

    game_points: int = 0
    wins: int = 0
    plus: int = 0
    minus: int = 0
    games: int = 0
    byes: int = 0
    skunks: int = 0
    """Games won by a skunk."""

    @property
    def spread(self) -> int:
        """Plus without minus."""
        return self.plus - self.minus

    @property
    def rank_key(self) -> tuple[int, int, int, int]:
        """The higher, the better."""
        return self.game_points, self.wins, self.spread, self.plus

    def __add__(self, other: Sums) -> Sums:
        return Sums(
            self.game_points + other.game_points,
            self.wins + other.wins,
            self.plus + other.plus,
            self.minus + other.minus,
            self.games + other.games,
            self.byes + other.byes,
            self.skunks + other.skunks,
        )


class Standing(Struct, frozen=True):
    """One row. `place` counts from 1; players who are equal share it. `nights` is 1 for the standings of a night."""

    place: int
    member: MemberId
    sums: Sums
    nights: int = 1
    points: int = 0
    """Season points; 0 in the standings of a night."""


class Qualifiers(NamedTuple):
    """Who plays the play-offs, the best first."""

    members: tuple[MemberId, ...]
    is_tied: bool
    """Whether somebody who does not qualify is equal to the last one who does."""


class SeasonSettings(Struct, frozen=True):
    """How a season counts. No public page has the ACC's table of Grass Roots points, so a club chooses its own way."""

    first_date: str = ""
    """The first date that counts, ISO 8601; empty: from the first night."""
    last_date: str = ""
    best_nights: int = 0
    """Count only so many best nights of each player; 0: all nights."""
    place_points: tuple[int, ...] = ()
    """Season points for places 1, 2 and so on of a night; further places have 0. Empty: its game points."""
    with_guests: bool = False


def outcome(settings: NightSettings, scores: tuple[int, ...]) -> Outcome:
    """Game points and spread of a finished game; the winner is the one who reached the target."""
    return outcome_of(settings.rules, Side(scores.index(settings.rules.target)), scores)


def lines_of(night: Night, member: MemberId) -> tuple[Line, ...]:
    """The rounds of one player in order; rounds before an arrival or after leaving are missing."""
    lines = list[Line]()
    for round in night.rounds:
        lines += [
            Line(round.number, None, 0, (), night.settings.bye_points, night.settings.bye_spread, False, False)
            for each in round.byes
            if each == member
        ]
        if game := round.game_of(member):
            lines.append(_line(night.settings, game, member))
    return tuple(lines)


def _line(settings: NightSettings, game: Game, member: MemberId) -> Line:
    opponent = game.players.opponent_of(member)
    if not game.is_official:
        return Line(game.round, opponent, game.table, (), 0, 0, False, False)
    side = game.players.index(member)
    result = outcome(settings, game.scores)
    scores = game.scores[side], game.scores[1 - side]
    is_won = result.winner == side
    points = result.points[side]
    spread = result.spread[side]
    return Line(game.round, opponent, game.table, scores, points, spread, is_won, result.is_skunk)


def sums_of(lines: Iterable[Line]) -> Sums:
    """What lines add up to; open games add nothing."""
    counted = [line for line in lines if not line.is_open]
    return Sums(
        sum(line.game_points for line in counted),
        sum(line.is_won for line in counted),
        sum(max(0, line.spread) for line in counted),
        sum(max(0, -line.spread) for line in counted),
        sum(not line.is_bye for line in counted),
        sum(line.is_bye for line in counted),
        sum(line.is_won and line.is_skunk for line in counted),
    )


def standings(night: Night) -> tuple[Standing, ...]:
    """Everybody who entered the night, the best first."""
    return ranking([(member, sums_of(lines_of(night, member))) for member in night.entrants])


def ranking(cards: Iterable[tuple[MemberId, Sums]]) -> tuple[Standing, ...]:
    """The places of players by the sums of their scorecards, the best first; equals in the order given."""
    rows = sorted(cards, key=lambda row: row[1].rank_key, reverse=True)
    places = _places([sums.rank_key for _, sums in rows])
    return tuple(Standing(place, *row) for place, row in zip(places, rows, strict=True))


def qualifiers(night: Night) -> Qualifiers:
    """One in so many entrants, from those who are still there."""
    here = [row for row in standings(night) if row.member in night.present]
    count = qualifier_count(len(night.entrants), night.settings.qualify_one_in)
    chosen = here[:count]
    others = here[count:]
    is_tied = bool(chosen and others) and chosen[-1].sums.rank_key == others[0].sums.rank_key
    return Qualifiers(tuple(row.member for row in chosen), is_tied)


def season_standings(club: Club, settings: SeasonSettings) -> tuple[Standing, ...]:
    """Everybody who played in the season. Season points decide, then the order of a night, over the same nights."""
    played: dict[MemberId, list[tuple[int, Sums]]] = {}
    for night in season_nights(club, settings):
        for row in standings(night):
            if settings.with_guests or not club.members[row.member].is_guest:
                played.setdefault(row.member, []).append((_season_points(row, settings), row.sums))
    rows = []
    for member, nights in sorted(played.items()):
        nights.sort(key=lambda each: (each[0], each[1].rank_key), reverse=True)
        counted = nights[: settings.best_nights or None]
        sums = sum((each for _, each in counted), Sums())
        rows.append((member, sums, len(nights), sum(points for points, _ in counted)))
    rows.sort(key=lambda row: (row[3], row[1].rank_key), reverse=True)
    places = _places([(row[3], row[1].rank_key) for row in rows])
    return tuple(Standing(place, *row) for place, row in zip(places, rows, strict=True))


def season_nights(club: Club, settings: SeasonSettings) -> Iterator[Night]:
    """The nights between the dates of a season, the oldest first."""
    last_date = settings.last_date or "9999"
    return (night for night in club.nights if settings.first_date <= night.date <= last_date)


def _season_points(row: Standing, settings: SeasonSettings) -> int:
    if not settings.place_points:
        return row.sums.game_points
    return settings.place_points[row.place - 1] if row.place <= len(settings.place_points) else 0


def _places(keys: Sequence[object]) -> list[int]:
    """The place of each of the sorted keys, from 1; equal keys share the first place of their group."""
    return [keys.index(key) + 1 for key in keys]
