"""What the games tell of those who played them: a pure fold over the turns of the journal.

Only what the table saw is counted: a hand that was counted aloud, a play that was followed to its end. Points that a
side took or lost together, as by muggins, are told of each of its players.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import add

from firmware_host.cribbage.rules import Margin, RuleSet
from firmware_host.summary import Events, standing
from firmware_host.table import events as e

MEAN_HAND = 4.77
"""Points of four cards and a starter, on average over all 12,994,800 of them."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Points, and how many times they were counted."""

    times: int = 0
    points: int = 0

    @property
    def mean(self) -> float | None:
        return self.points / self.times if self.times else None

    def with_one(self, points: int) -> Tally:
        return Tally(self.times + 1, self.points + points)

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.times + other.times, self.points + other.points)


@dataclass(frozen=True, slots=True)
class SeatFigures:
    """How one player did: `hand` and `crib` per count, `play` per deal that was followed."""

    hand: Tally = Tally()
    crib: Tally = Tally()
    play: Tally = Tally()
    missed: int = 0
    """Points lost for not taking them."""
    given: int = 0
    """Points that another side took by muggins."""
    caught: int = 0
    """Points taken from another side by muggins."""

    def __add__(self, other: SeatFigures) -> SeatFigures:
        return SeatFigures(
            self.hand + other.hand,
            self.crib + other.crib,
            self.play + other.play,
            self.missed + other.missed,
            self.given + other.given,
            self.caught + other.caught,
        )


@dataclass(frozen=True, slots=True)
class GameFigures:
    """One game. `seats` and `names` have one entry a seat, `scores` and `margins` one a side."""

    rules: RuleSet
    names: tuple[str, ...]
    seats: tuple[SeatFigures, ...]
    course: tuple[tuple[int, ...], ...]
    """The scores after each turn that moved a peg, the first of all at its head."""
    winner: int | None
    is_demo: bool

    @property
    def scores(self) -> tuple[int, ...]:
        return self.course[-1]

    @property
    def margins(self) -> tuple[Margin, ...]:
        """By how much each side lost; the winner's is a plain win."""
        return tuple(
            Margin.WIN if side == self.winner else self.rules.margin(score) for side, score in enumerate(self.scores)
        )

    def names_of(self, side: int) -> tuple[str, ...]:
        return tuple(self.names[seat] for seat in self.rules.sides[side])

    def figures_of(self, side: int) -> SeatFigures:
        """Those of all its players together."""
        return reduce(add, (self.seats[seat] for seat in self.rules.sides[side]))


@dataclass(slots=True)
class _Fold:
    """A game half read."""

    start: e.GameStarted
    scores: list[int]
    seats: list[SeatFigures]
    course: list[tuple[int, ...]]
    played: list[int]
    """What each seat has scored in the play of this deal."""
    winner: int | None = None

    def read(self, event: e.Event) -> None:
        match event:
            case e.PegLeapt() | e.PegAdjusted():
                self.scores[event.side] = event.pegs.front
            case e.ScoreCorrected():
                self.scores[event.side] = event.score
            case e.HandCounted():
                self.count(event)
            case e.DealBegan():
                self.played = [0] * len(self.seats)
            case e.PointsDue(source=e.Source.PLAY):
                self.played[event.seat] += event.points
            case e.PlayEnded(is_followed=True):
                self.seats = [
                    replace(seat, play=seat.play.with_one(points))
                    for seat, points in zip(self.seats, self.played, strict=True)
                ]
            case e.PointsMissed(is_lost=True):
                seat = self.seats[event.seat]
                self.seats[event.seat] = replace(seat, missed=seat.missed + event.points)
            case e.MugginsTaken():
                self.take(event)
            case e.GameWon():
                self.winner = event.side

    def count(self, event: e.HandCounted) -> None:
        seat = self.seats[event.seat]
        if event.is_crib:
            self.seats[event.seat] = replace(seat, crib=seat.crib.with_one(event.points))
        else:
            self.seats[event.seat] = replace(seat, hand=seat.hand.with_one(event.points))

    def take(self, event: e.MugginsTaken) -> None:
        for number in self.start.rules.sides[event.side]:
            self.seats[number] = replace(self.seats[number], caught=self.seats[number].caught + event.points)
        for number in self.start.rules.sides[event.missed_by]:
            self.seats[number] = replace(self.seats[number], given=self.seats[number].given + event.points)


def figures_of(turns: Iterable[Events]) -> GameFigures:
    """One game by its turns; those taken back do not count. The first event of a game is GameStarted."""
    (first, *turn), *later = standing(turns)
    assert isinstance(first, e.GameStarted)
    seats = [SeatFigures()] * len(first.names)
    fold = _Fold(first, list(first.scores), seats, [first.scores], [0] * len(first.names))
    for events in (turn, *later):
        for event in events:
            fold.read(event)
        if fold.course[-1] != (scores := tuple(fold.scores)):
            fold.course.append(scores)
    return GameFigures(first.rules, first.names, tuple(fold.seats), tuple(fold.course), fold.winner, first.is_demo)


@dataclass(frozen=True, slots=True)
class PlayerFigures:
    """All games of one player, by name."""

    name: str
    games: int = 0
    """Played to the end."""
    won: int = 0
    skunks: int = 0
    """Won by a skunk or more."""
    skunked: int = 0
    """Lost by a skunk or more."""
    seat: SeatFigures = SeatFigures()


def players(games: Iterable[GameFigures]) -> tuple[PlayerFigures, ...]:
    """Every player of these games, who played most first."""
    found: dict[str, PlayerFigures] = {}
    for game in games:
        for side, seats in enumerate(game.rules.sides):
            for seat in seats:
                name = game.names[seat]
                found[name] = _with_game(found.get(name, PlayerFigures(name)), game, side, seat)
    return tuple(sorted(found.values(), key=lambda player: (-player.games, player.name)))


def _with_game(player: PlayerFigures, game: GameFigures, side: int, seat: int) -> PlayerFigures:
    is_over, is_won = game.winner is not None, game.winner == side
    skunked = [margin is not Margin.WIN for margin in game.margins]
    return PlayerFigures(
        player.name,
        player.games + is_over,
        player.won + is_won,
        player.skunks + (is_won and any(skunked)),
        player.skunked + (is_over and skunked[side]),
        player.seat + game.seats[seat],
    )


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two sides that met: games won by each, the names of each in the order of the alphabet."""

    sides: tuple[tuple[str, ...], tuple[str, ...]]
    won: tuple[int, int]
    skunks: tuple[int, int]
    """How many of these were won by a skunk or more."""
    figures: tuple[SeatFigures, SeatFigures]
    """How the players of each did against each other, all together."""


@dataclass(slots=True)
class _Meeting:
    won: dict[tuple[str, ...], int] = field(default_factory=lambda: defaultdict(int))
    skunks: dict[tuple[str, ...], int] = field(default_factory=lambda: defaultdict(int))
    figures: dict[tuple[str, ...], SeatFigures] = field(default_factory=lambda: defaultdict(SeatFigures))


def pairings(games: Iterable[GameFigures]) -> tuple[Pairing, ...]:
    """Every two sides of which one won against the other, those who met most often first."""
    met: dict[tuple[tuple[str, ...], tuple[str, ...]], _Meeting] = defaultdict(_Meeting)
    for game in games:
        if game.winner is None:
            continue
        winner = tuple(sorted(game.names_of(game.winner)))
        for side, margin in enumerate(game.margins):
            if side != game.winner:
                one, other = sorted((winner, tuple(sorted(game.names_of(side)))))
                meeting = met[one, other]
                meeting.won[winner] += 1
                meeting.skunks[winner] += margin is not Margin.WIN
                for each in (game.winner, side):
                    meeting.figures[tuple(sorted(game.names_of(each)))] += game.figures_of(each)
    return tuple(sorted((_paired(sides, meeting) for sides, meeting in met.items()), key=lambda pair: -sum(pair.won)))


def _paired(sides: tuple[tuple[str, ...], tuple[str, ...]], meeting: _Meeting) -> Pairing:
    one, other = sides
    return Pairing(
        sides,
        won=(meeting.won[one], meeting.won[other]),
        skunks=(meeting.skunks[one], meeting.skunks[other]),
        figures=(meeting.figures[one], meeting.figures[other]),
    )
