"""Statistics of players and games, folded from the turns of the journal.

Only what the board knows is counted: hands that were entered, and plays that were followed to their end. Points that a
side wins or loses together, as by muggins, count for each of its players.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import add

from firmware_host.cribbage.options import MugginsMode
from firmware_host.cribbage.rules import Margin, RuleSet
from firmware_host.game import events as e
from firmware_host.storage.game_summary import Events, effective_turns

MEAN_HAND = 4.77
"""Mean points of four cards and a starter, over all 12,994,800 combinations (tests/cribbage/test_census.py)."""


@dataclass(frozen=True, slots=True)
class Tally:
    """A sum of points, and how many counts it has."""

    times: int = 0
    points: int = 0

    @property
    def mean(self) -> float | None:
        """Points per count; None before the first."""
        return self.points / self.times if self.times else None

    def with_one(self, points: int) -> Tally:
        """The tally with one more count."""
        return Tally(self.times + 1, self.points + points)

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.times + other.times, self.points + other.points)


@dataclass(frozen=True, slots=True)
class SeatFigures:
    """Points of one player: `hand` and `crib` per hand counted, `play` per deal whose play was followed to its end."""

    hand: Tally = Tally()
    crib: Tally = Tally()
    play: Tally = Tally()
    missed: int = 0
    """Points that were lost because nobody pegged them."""
    given: int = 0
    """Points that another side took from this player by muggins."""
    caught: int = 0
    """Points that this player's side took by muggins."""

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
    """One game. `seats` and `names` have one entry per seat, `scores` and `margins` one per side, in holes."""

    rules: RuleSet
    names: tuple[str, ...]
    seats: tuple[SeatFigures, ...]
    score_history: tuple[tuple[int, ...], ...]
    """The scores at the start and after each turn that moved a peg."""
    winner: int | None
    is_demo: bool

    @property
    def scores(self) -> tuple[int, ...]:
        """The last scores, one per side."""
        return self.score_history[-1]

    @property
    def margins(self) -> tuple[Margin, ...]:
        """How each side lost: skunk, double skunk or plain. Margin.WIN for the winner."""
        return tuple(
            Margin.WIN if side == self.winner else self.rules.margin(score) for side, score in enumerate(self.scores)
        )

    def names_of(self, side: int) -> tuple[str, ...]:
        """The names of the players of a side."""
        return tuple(self.names[seat] for seat in self.rules.sides[side])

    def figures_of(self, side: int) -> SeatFigures:
        """The figures of all players of a side, added up."""
        return reduce(add, (self.seats[seat] for seat in self.rules.sides[side]))


@dataclass(slots=True)
class _GameFold:
    """The figures of a game up to the event read last."""

    start: e.GameStarted
    scores: list[int]
    seats: list[SeatFigures]
    score_history: list[tuple[int, ...]]
    played: list[int]
    """Points of each seat in the play of the current deal."""
    before_deal: tuple[SeatFigures, ...]
    """The figures of the seats when the current deal began."""
    winner: int | None = None

    def read(self, event: e.Event) -> None:
        """Add the next event."""
        match event:
            case e.PegLeapt() | e.PegAdjusted():
                self.scores[event.side] = event.pegs.front
            case e.ScoreCorrected():
                self.scores[event.side] = event.score
            case e.HandCounted():
                self.count(event)
            case e.DealBegan():
                self.played = [0] * len(self.seats)
                self.before_deal = tuple(self.seats)
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

    def seats_before_deal(self) -> tuple[SeatFigures, ...]:
        """The figures of the seats; without those of the current deal where missed points can still be claimed."""
        can_claim = self.winner is None and self.start.rules.muggins_mode is MugginsMode.CLAIM
        return self.before_deal if can_claim else tuple(self.seats)

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


def figures_of(turns: Iterable[Events], *, keeps_secrets: bool = False) -> GameFigures:
    """The figures of a game from its turns, in order; undone turns do not count. The first event is GameStarted.

    `keeps_secrets`: while missed points of the current deal can be claimed, the figures of its seats are left out,
    for they tell what was missed.
    """
    (first, *turn), *later = effective_turns(turns)
    assert isinstance(first, e.GameStarted)
    seats = [SeatFigures()] * len(first.names)
    fold = _GameFold(first, list(first.scores), seats, [first.scores], [0] * len(first.names), tuple(seats))
    for events in (turn, *later):
        for event in events:
            fold.read(event)
        if fold.score_history[-1] != (scores := tuple(fold.scores)):
            fold.score_history.append(scores)
    seats_shown = fold.seats_before_deal() if keeps_secrets else tuple(fold.seats)
    return GameFigures(first.rules, first.names, seats_shown, tuple(fold.score_history), fold.winner, first.is_demo)


@dataclass(frozen=True, slots=True)
class PlayerFigures:
    """All games of one player. A player is identified by name, in whatever seat."""

    name: str
    games: int = 0
    """Finished games."""
    won: int = 0
    skunks: int = 0
    """Won by a skunk or more."""
    skunked: int = 0
    """Lost by a skunk or more."""
    seat: SeatFigures = SeatFigures()


def players(games: Iterable[GameFigures]) -> tuple[PlayerFigures, ...]:
    """All players of these games, sorted by number of finished games, then by name."""
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
class HeadToHead:
    """Results of two sides against each other. The names within a side are sorted, and so are the two sides."""

    sides: tuple[tuple[str, ...], tuple[str, ...]]
    won: tuple[int, int]
    skunks: tuple[int, int]
    """How many of the games in `won` were skunks or better."""
    figures: tuple[SeatFigures, SeatFigures]
    """Figures of each side, added up over its players and these games."""


@dataclass(slots=True)
class _MutableHeadToHead:
    won: dict[tuple[str, ...], int] = field(default_factory=lambda: defaultdict(int))
    skunks: dict[tuple[str, ...], int] = field(default_factory=lambda: defaultdict(int))
    figures: dict[tuple[str, ...], SeatFigures] = field(default_factory=lambda: defaultdict(SeatFigures))


def head_to_heads(games: Iterable[GameFigures]) -> tuple[HeadToHead, ...]:
    """All pairs of sides of which one beat the other in a finished game; most games first.

    Two sides with the same names are left out: nobody beats himself.
    """
    found: dict[tuple[tuple[str, ...], tuple[str, ...]], _MutableHeadToHead] = defaultdict(_MutableHeadToHead)
    for game in games:
        if game.winner is None:
            continue
        winner = tuple(sorted(game.names_of(game.winner)))
        for side, margin in enumerate(game.margins):
            loser = tuple(sorted(game.names_of(side)))
            if loser != winner:
                one, other = sorted((winner, loser))
                pair = found[one, other]
                pair.won[winner] += 1
                pair.skunks[winner] += margin is not Margin.WIN
                for each in (game.winner, side):
                    pair.figures[tuple(sorted(game.names_of(each)))] += game.figures_of(each)
    return tuple(sorted((_head_to_head(sides, pair) for sides, pair in found.items()), key=lambda pair: -sum(pair.won)))


def _head_to_head(sides: tuple[tuple[str, ...], tuple[str, ...]], pair: _MutableHeadToHead) -> HeadToHead:
    one, other = sides
    return HeadToHead(
        sides,
        won=(pair.won[one], pair.won[other]),
        skunks=(pair.skunks[one], pair.skunks[other]),
        figures=(pair.figures[one], pair.figures[other]),
    )
