"""Scorecards: nine consecutive games of one person, as on the card of the American Cribbage Congress (ACC).

A card follows the person: opponents and seats change from line to line. Each line has the opponent, the game points and
the spread, which is the winner's margin in holes: plus for the winner, minus for the loser.

| game | what its line has |
|---|---|
| two sides, to 121 | 2 game points for a win, 3 for a skunk (won by 31 holes or more, ACC) |
| to 61 | the same; a lurch (loser below 31) counts as a skunk |
| to 181 | the same; skunk lines as in the rules of the game (RULES.md) |
| house rule `match_points=games` | 1 for a win, 2 for a skunk, 3 for a double skunk |
| partners | each partner has a line with the points and spread of the side, because partners may change |
| three sides or more | the winner's spread is against the best loser, each loser's against the winner (`Outcome`) |
| not finished, or a demonstration | none |
| one person on two sides, such as "Ann" against "ann" | none: nobody wins against himself |

Points and holes can be added up only within one kind of game. So games of another variant, target, scale of game points
or number of players go on another card (`Kind`), and do not end the card that was begun.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import NamedTuple
from unicodedata import normalize

from msgspec import Struct

from firmware_host.cribbage.outcome import Outcome
from firmware_host.cribbage.rules import RuleSet
from firmware_host.stats.people import Person, Roster
from firmware_host.storage.game_summary import GameSummary

GAMES_A_CARD = 9


class Kind(NamedTuple):
    """What all games of a card have in common. `side_sizes` are the players of each side, sorted."""

    variant: str
    target: int
    side_sizes: tuple[int, ...]
    match_points: str
    lowball: bool
    captain: bool

    @property
    def has_partners(self) -> bool:
        """Whether any side has several players."""
        return max(self.side_sizes) > 1


class ScorecardLine(Struct, frozen=True):
    """One finished game of the person. `number` is its place on the card, from 1 to 9; `side` is the person's side."""

    number: int
    game: GameSummary
    outcome: Outcome
    side: int
    opponents: tuple[Person, ...]
    partners: tuple[Person, ...]

    @property
    def is_won(self) -> bool:
        """Whether the person's side won."""
        return self.outcome.winner == self.side

    @property
    def score(self) -> int:
        """The score of the person's side, in holes."""
        return self.game.scores[self.side]

    @property
    def opponent_scores(self) -> tuple[int, ...]:
        """The scores of the other sides; only one in a game of two sides."""
        return tuple(score for side, score in enumerate(self.game.scores) if side != self.side)

    @property
    def game_points(self) -> int:
        """0 for a loss."""
        return self.outcome.points[self.side]

    @property
    def spread(self) -> int:
        """Holes ahead, or (negative) behind."""
        return self.outcome.spread[self.side]

    @property
    def initials(self) -> str:
        """The initials of the opponents, with which they sign a card on paper."""
        return " ".join(initials(person.name) for person in self.opponents)


class Totals(Struct, frozen=True):
    """Sums over the lines of a card. `plus` has the holes of the games won, `minus` of those lost; both from 0."""

    games_won: int
    game_points: int
    skunks_given: int
    skunks_taken: int
    plus: int
    minus: int

    @property
    def spread(self) -> int:
        """Plus without minus; it may be negative."""
        return self.plus - self.minus


class Scorecard(Struct, frozen=True):
    """One to nine finished games of a person, in the order in which they were played.

    `number` counts all cards from 1, by their first game, so a card keeps its number when more games are played.
    """

    number: int
    person: Person
    kind: Kind
    lines: tuple[ScorecardLine, ...]

    @property
    def totals(self) -> Totals:
        """What the lines add up to."""
        skunks = [line for line in self.lines if line.outcome.is_skunk]
        return Totals(
            games_won=sum(line.is_won for line in self.lines),
            game_points=sum(line.game_points for line in self.lines),
            skunks_given=sum(line.is_won for line in skunks),
            skunks_taken=sum(not line.is_won for line in skunks),
            plus=sum(max(line.spread, 0) for line in self.lines),
            minus=sum(max(-line.spread, 0) for line in self.lines),
        )


def scorecards(roster: Roster, games_a_card: int = GAMES_A_CARD) -> tuple[Scorecard, ...]:
    """The cards of all people, the earliest first. The last card of a person may have fewer lines than the others."""
    played: dict[tuple[Person, Kind], list[Place]] = defaultdict(list)
    for place in chain.from_iterable(places_in(game, roster.person) for game in roster.games):
        played[place.person, kind_of(place.game.rules)].append(place)
    cards = [
        (person, kind, places[first : first + games_a_card])
        for (person, kind), places in played.items()
        for first in range(0, len(places), games_a_card)
    ]
    cards.sort(key=lambda card: (card[2][0].game.game, card[0].key))
    return tuple(
        Scorecard(number, person, kind, tuple(place.line(line) for line, place in enumerate(places, 1)))
        for number, (person, kind, places) in enumerate(cards, 1)
    )


def initials(name: str) -> str:
    """The first letter of each part of a name: "Ann Lee" is AL, "Jean-Luc" is JL."""
    parts = normalize("NFC", name).replace("-", " ").split()
    return "".join(part[0].upper() for part in parts) or name


class Place(NamedTuple):
    """The place of one person in one finished game."""

    person: Person
    game: GameSummary
    outcome: Outcome
    side: int
    sides: tuple[frozenset[Person], ...]

    def line(self, number: int) -> ScorecardLine:
        """The line of the game, at this place on a card."""
        opponents = chain.from_iterable(side for side in self.sides if self.person not in side)
        partners = self.sides[self.side] - {self.person}
        return ScorecardLine(number, self.game, self.outcome, self.side, _by_name(opponents), _by_name(partners))


def places_in(game: GameSummary, person_of: Callable[[str], Person]) -> Iterator[Place]:
    """One for each person of a game that counts, the players of the first side first and sorted within a side.

    `person_of` finds the person with a name.
    """
    if game.outcome is None:
        return
    sides = tuple(frozenset(map(person_of, names)) for names in game.sides)
    if len(frozenset().union(*sides)) < sum(map(len, sides)):
        return  # one person has played on two sides
    for number, side in enumerate(sides):
        for person in _by_name(side):
            yield Place(person, game, game.outcome, number, sides)


def _by_name(persons: Iterable[Person]) -> tuple[Person, ...]:
    return tuple(sorted(persons, key=lambda person: person.key))


def kind_of(rules: RuleSet) -> Kind:
    """What the cards of games with these rules have in common."""
    sizes = tuple(sorted(map(len, rules.sides)))
    return Kind(rules.variant, rules.target, sizes, rules.match_points.value, rules.lowball, rules.captain)
