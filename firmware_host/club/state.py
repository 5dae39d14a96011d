"""The state of a club: its members, and its nights with their rounds. `evolve.py` makes it from the events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count

from msgspec import Struct, field

from firmware_host.club import events as e
from firmware_host.club.bracket import Bracket, Match
from firmware_host.club.game import Game
from firmware_host.club.members import Member, MemberId, NightSettings


class Round(Struct, frozen=True):
    """The games of a round by table, and who has a bye."""

    number: int
    games: tuple[Game, ...]
    byes: tuple[MemberId, ...]
    before: Round | None = None
    """The round before the last change by hand, if that can be undone."""

    @property
    def has_results(self) -> bool:
        """Whether any score of this round has been reported."""
        return any(game.scores for game in self.games)

    @property
    def open_games(self) -> tuple[Game, ...]:
        """The games whose result does not count yet."""
        return tuple(game for game in self.games if not game.is_official)

    def game_at(self, table: int) -> Game | None:
        """The game at a table; None if there is none."""
        return next((game for game in self.games if game.table == table), None)

    def game_of(self, member: MemberId) -> Game | None:
        """The game in which the member plays; None if there is none."""
        return next((game for game in self.games if member in game.players), None)

    def has_place(self, member: MemberId) -> bool:
        """Whether the member plays or has a bye."""
        return member in self.byes or self.game_of(member) is not None

    def free_table(self, preferred: int = 1) -> int:
        """The lowest table without a game, from `preferred` on."""
        taken = {game.table for game in self.games}
        return next(table for table in count(preferred) if table not in taken)


class Received(Struct, frozen=True):
    """The latest message of a board about one game. `game` is its round and table; None: it belongs to no game.
    `confirmed_by`: who confirmed on that board what this message says. `unmatched`: why it does not count, until the
    organiser has seen it."""

    revision: int
    game: tuple[int, int] | None
    confirmed_by: frozenset[MemberId] = frozenset()
    unmatched: e.ResultUnmatched | None = None


class Departure(Struct, frozen=True):
    """What a player lost by leaving: games without scores, and the rounds of byes that do not count."""

    games: tuple[Game, ...]
    byes: tuple[int, ...]


class Phone(Struct, frozen=True):
    """A phone that has joined a night. `key` is the hash of its token; empty: the phone was released."""

    member: MemberId
    key: str


class Night(Struct, frozen=True):
    """One club night. `entrants` has everybody who entered, in that order; `left` those who went away again."""

    number: int
    date: str
    settings: NightSettings
    entrants: tuple[MemberId, ...] = ()
    left: Mapping[MemberId, Departure] = field(default_factory=dict)
    rounds: tuple[Round, ...] = ()
    brackets: Mapping[e.BracketKind, Bracket] = field(default_factory=dict)
    received: Mapping[tuple[str, str], Received] = field(default_factory=dict)
    """Board, and id of one of its games -> its latest message about it."""
    join_code: str = ""
    """By which boards and phones join; empty: none can."""
    boards: Mapping[str, int] = field(default_factory=dict)
    """Board that has joined -> its table."""
    released: frozenset[str] = frozenset()
    """The boards that the organiser took from their tables, and that have not joined again."""
    phones: Mapping[int, Phone] = field(default_factory=dict)
    """Number -> phone, also of those that were released."""
    high_hands: Mapping[tuple[MemberId, int], int] = field(default_factory=dict)
    """Player and points, 28 or 29 -> how many such hands."""

    @property
    def present(self) -> tuple[MemberId, ...]:
        """Who plays, in the order of entry."""
        return tuple(member for member in self.entrants if member not in self.left)

    @property
    def games(self) -> Iterator[Game]:
        """All games that are paired."""
        return (game for round in self.rounds for game in round.games)

    @property
    def most_tables(self) -> int:
        """The highest number of a table that any round has."""
        return max((game.table for game in self.games), default=0)

    @property
    def is_over(self) -> bool:
        """Whether all rounds are played and every result counts. Play-offs may follow."""
        return len(self.rounds) == self.settings.games and not self.open_games

    @property
    def open_games(self) -> tuple[Game, ...]:
        """The paired games whose result does not count yet."""
        return tuple(game for game in self.games if not game.is_official)

    @property
    def matches(self) -> Iterator[tuple[Bracket, Match]]:
        """All matches of the play-offs and of the consolation, each with its bracket."""
        for bracket in self.brackets.values():
            yield from ((bracket, match) for matches in bracket.rounds for match in matches)

    @property
    def match_games(self) -> tuple[Game, ...]:
        """The games of all matches whose players are known."""
        return tuple(game for _bracket, match in self.matches for game in match.games)

    @property
    def fixtures(self) -> tuple[Game, ...]:
        """What boards and phones may report: the games of rounds, then those of matches."""
        return (*self.games, *self.match_games)

    @property
    def open_match_games(self) -> tuple[Game, ...]:
        """The games of matches that should be played now, without those of players who have left."""
        games = (game for _bracket, match in self.matches for game in match.open_games)
        return tuple(game for game in games if not self.left.keys() & set(game.players))

    def match_games_at(self, table: int) -> tuple[Game, ...]:
        """The games at a table of matches that are not decided; two while the end of an earlier one is undone."""
        games = (game for _bracket, match in self.matches for game in match.open_games)
        return tuple(game for game in games if game.table == table)

    def fixture(self, round: int, table: int) -> Game | None:
        """The game of this name; None if there is none."""
        return next((game for game in self.fixtures if (game.round, game.table) == (round, table)), None)

    def is_settled(self, game: Game) -> bool:
        """Whether nothing that is said about the game counts any more: its match is decided without it, or the next
        match has begun."""
        return game.match is not None and self.brackets[game.match.kind].is_settled(game)


class Club(Struct, frozen=True):
    """All that is known. `members` also has those who were removed, because past games name them."""

    members: Mapping[MemberId, Member] = field(default_factory=dict)
    removed: frozenset[MemberId] = frozenset()
    nights: tuple[Night, ...] = ()

    @property
    def current_members(self) -> tuple[Member, ...]:
        """Members and guests who were not removed, by number."""
        return tuple(member for number, member in sorted(self.members.items()) if number not in self.removed)

    def name(self, member: MemberId) -> str:
        """The name of a member, also of one who was removed; the number itself where it is nobody's."""
        return self.members[member].name if member in self.members else str(member)
