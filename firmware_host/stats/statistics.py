"""Statistics of players and games, folded from the turns of the journal.

Only what the board knows is counted: hands that were entered, and plays that were followed to their end. Points that a
side wins or loses together, as by muggins, count for each of its players.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from itertools import combinations
from operator import add

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.cribbage.options import MugginsMode
from firmware_host.cribbage.rules import Margin, RuleSet
from firmware_host.game import events as e
from firmware_host.storage.game_summary import Events, effective_turns

MEAN_HAND = 4.77
"""Mean points of four cards and a starter, over all 12,994,800 combinations (tests/cribbage/test_census.py)."""


class Tally(Struct, frozen=True):
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


class SeatFigures(Struct, frozen=True):
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


class GameFigures(Struct, frozen=True):
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


class _GameFold(Struct):
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


class PlayerFigures(Struct, frozen=True):
    """Some games of one player, or all of them. A player is identified by name, in whatever seat."""

    name: str
    games: int = 0
    """Finished games."""
    won: int = 0
    skunks: int = 0
    """Won by a skunk or more."""
    skunked: int = 0
    """Lost by a skunk or more."""
    seat: SeatFigures = SeatFigures()

    def __add__(self, other: PlayerFigures) -> PlayerFigures:
        """Both together, under the name of the first."""
        return PlayerFigures(
            self.name,
            self.games + other.games,
            self.won + other.won,
            self.skunks + other.skunks,
            self.skunked + other.skunked,
            self.seat + other.seat,
        )


def players_of(game: GameFigures) -> tuple[PlayerFigures, ...]:
    """What one game adds to its players: one entry per seat, so two for a name that has two seats."""
    return tuple(_in_seat(game, side, seat) for side, seats in enumerate(game.rules.sides) for seat in seats)


def _in_seat(game: GameFigures, side: int, seat: int) -> PlayerFigures:
    is_over = game.winner is not None
    is_won = game.winner == side
    skunked = [margin is not Margin.WIN for margin in game.margins]
    return PlayerFigures(
        game.names[seat],
        int(is_over),
        int(is_won),
        int(is_won and any(skunked)),
        int(is_over and skunked[side]),
        game.seats[seat],
    )


Names = tuple[str, ...]
"""The names of one side, sorted."""


class HeadToHead(Struct, frozen=True):
    """Results of two sides against each other. The names within a side are sorted, and so are the two sides."""

    sides: tuple[Names, Names]
    won: tuple[int, int] = (0, 0)
    skunks: tuple[int, int] = (0, 0)
    """How many of the games in `won` were skunks or better."""
    figures: tuple[SeatFigures, SeatFigures] = (SeatFigures(), SeatFigures())
    """Figures of each side, added up over its players and the games in `won`."""

    @property
    def games(self) -> int:
        """Finished games in which one of the two beat the other."""
        return sum(self.won)

    def __add__(self, other: HeadToHead) -> HeadToHead:
        """Both together; the sides are the same."""
        (won, lost) = other.won
        (skunks, skunked) = other.skunks
        (one, two) = other.figures
        return HeadToHead(
            self.sides,
            (self.won[0] + won, self.won[1] + lost),
            (self.skunks[0] + skunks, self.skunks[1] + skunked),
            (self.figures[0] + one, self.figures[1] + two),
        )


def head_to_heads_of(game: GameFigures) -> tuple[HeadToHead, ...]:
    """What one game adds to each pair of its sides; nothing is won where none of the two won the game.

    Games between two sides of the same names are left out.
    """
    sides = [tuple(sorted(game.names_of(side))) for side in range(len(game.rules.sides))]
    pairs = (sorted(pair, key=sides.__getitem__) for pair in combinations(range(len(sides)), 2))
    met = ((one, other, (sides[one], sides[other])) for one, other in pairs if sides[one] != sides[other])
    return tuple(_between(game, *pair) for pair in met)


def _between(game: GameFigures, one: int, other: int, names: tuple[Names, Names]) -> HeadToHead:
    if game.winner not in (one, other):
        return HeadToHead(names)
    is_skunk = any(game.margins[side] is not Margin.WIN for side in (one, other))
    won = int(game.winner == one), int(game.winner == other)
    skunks = won if is_skunk else (0, 0)
    return HeadToHead(names, won, skunks, (game.figures_of(one), game.figures_of(other)))
