"""Play-offs: qualifiers, byes, and a bracket of matches.

The rules are those of the ACC page "Playoff Brackets and Byes": one in four entrants qualifies, any fraction rounded
up; the bracket is the next power of two; what is missing to it are byes of the best qualifiers, so that the second
round is full. 108 entrants give 27 qualifiers in a bracket of 32, with 5 byes. The order is the one of that page: the
seeds of a first match add up to the size plus one, and from the top the matches of eight are 1-8, 5-4, 3-6 and 7-2.

A match is a number of games, which boards and phones report like those of a round. The first player with the most of
the games that are needed goes on. What the organiser enters for a match counts instead of its games.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from firmware_host.club.events import BracketKind
from firmware_host.club.game import Game
from firmware_host.club.members import ONE_IN, MemberId

BEST_OF = (3, 5)


def qualifier_count(entrants: int, one_in: int = ONE_IN) -> int:
    """How many of the entrants qualify: one in `one_in`, any fraction rounded up; 0 of 0."""
    return -(-entrants // one_in)


def bracket_size(players: int) -> int:
    """The places of the smallest full bracket: a power of two, at least 1."""
    return 1 << max(0, players - 1).bit_length()


def seed_order(size: int) -> tuple[int, ...]:
    """The seeds of a full bracket from its top, each two neighbours a match. `size` is a power of two."""
    order = [1]
    while len(order) < size:
        total = 2 * len(order) + 1
        order = [
            seed
            for place, best in enumerate(order)
            for seed in ((best, total - best) if place % 2 == 0 else (total - best, best))
        ]
    return tuple(order)


class Match(Struct, frozen=True):
    """One match. Round and number count from 1. A player is None where nobody is known yet, or for a bye."""

    round: int
    number: int
    players: tuple[MemberId | None, MemberId | None]
    wins: tuple[int, ...] = ()
    """Games won by each; empty before the match is decided."""
    games: tuple[Game, ...] = ()
    """Those of these two players, in the order of play."""
    is_bye: bool = False
    is_reported: bool = False
    """Whether the organiser entered the wins."""

    @property
    def winner(self) -> MemberId | None:
        """Who goes on; None while nobody does."""
        if self.is_bye:
            return next(player for player in self.players if player is not None)
        return self.players[self.wins.index(max(self.wins))] if self.wins else None

    @property
    def is_ready(self) -> bool:
        """Whether both players are known."""
        return None not in self.players

    @property
    def score(self) -> tuple[int, ...]:
        """Games won by each so far; empty before one counts."""
        return self.wins or games_won(self.games)

    @property
    def open_games(self) -> tuple[Game, ...]:
        """The games that can still count; none after the match is decided."""
        return () if self.wins else tuple(game for game in self.games if not game.is_official)

    @property
    def has_begun(self) -> bool:
        """Whether the organiser or anybody else has reported something of it."""
        return bool(self.wins) or any(game.scores for game in self.games)


def games_won(games: Iterable[Game]) -> tuple[int, ...]:
    """How many of the games that count each player has won; empty for none."""
    winners = [game.scores.index(max(game.scores)) for game in games if game.is_official]
    return (winners.count(0), winners.count(1)) if winners else ()


class Bracket(Struct, frozen=True):
    """The play-offs of a night so far. `seeds` has the players, the best first; `wins` the reports of the
    organiser: (round, number) -> games won; `games` all games, also those of players who did not go on in the end."""

    kind: BracketKind
    best_of: int
    seeds: tuple[MemberId, ...]
    wins: Mapping[tuple[int, int], tuple[int, ...]] = field(default_factory=dict)
    games: tuple[Game, ...] = ()

    @property
    def needed(self) -> int:
        """The games that win a match."""
        return self.best_of // 2 + 1

    @property
    def has_results(self) -> bool:
        """Whether anything of a match has been reported."""
        return bool(self.wins) or any(game.scores for game in self.games)

    @property
    def byes(self) -> int:
        """How many of the best seeds need not play the first round."""
        return bracket_size(len(self.seeds)) - len(self.seeds)

    @property
    def rounds(self) -> tuple[tuple[Match, ...], ...]:
        """All matches, round by round; none for a single player."""
        places = [self._seeded(seed) for seed in seed_order(bracket_size(len(self.seeds)))]
        rounds = list[tuple[Match, ...]]()
        while len(places) > 1:
            number = len(rounds) + 1
            pairs = zip(places[::2], places[1::2], strict=True)
            matches = tuple(self._match(number, place, pair) for place, pair in enumerate(pairs, start=1))
            rounds.append(matches)
            places = [match.winner for match in matches]
        return tuple(rounds)

    def match(self, round: int, number: int) -> Match | None:
        """One match; None if there is none of that number."""
        matches = self.rounds[round - 1] if 1 <= round <= len(self.rounds) else ()
        return matches[number - 1] if 1 <= number <= len(matches) else None

    @property
    def champion(self) -> MemberId | None:
        """The winner of the last match; None before it has been played."""
        if len(self.seeds) == 1:
            return self.seeds[0]
        return self.rounds[-1][0].winner if self.seeds else None

    def has_begun_after(self, round: int, number: int) -> bool:
        """Whether the match of the winner has begun."""
        following = self.match(round + 1, (number + 1) // 2)
        return following is not None and following.has_begun

    def is_settled(self, game: Game) -> bool:
        """Whether nothing that is said about a game of the bracket counts any more."""
        assert game.match
        _kind, round, number = game.match
        match = self.match(round, number)
        assert match
        is_too_much = bool(match.wins) and not game.is_official
        return match.is_reported or is_too_much or self.has_begun_after(round, number)

    def _match(self, number: int, place: int, players: tuple[MemberId | None, MemberId | None]) -> Match:
        at = (number, place)
        games = tuple(game for game in self.games if game.match and game.match[1:] == at and game.players == players)
        won = games_won(games)
        decided = won if won and max(won) >= self.needed else ()
        is_bye = number == 1 and players.count(None) == 1
        return Match(number, place, players, self.wins.get(at, decided), games, is_bye, at in self.wins)

    def _seeded(self, seed: int) -> MemberId | None:
        return self.seeds[seed - 1] if seed <= len(self.seeds) else None
