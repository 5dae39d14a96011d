"""The state of a club: a fold of its events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce
from itertools import count
from typing import TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from firmware_host.club import events as e
from firmware_host.club.bracket import Bracket, Match
from firmware_host.club.game import Game, MatchPlace, head_start
from firmware_host.club.members import ORGANISER, Member, MemberId, NightSettings


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


def fold(events: Iterable[e.Event]) -> Club:
    """The club after these events."""
    return reduce(evolve, events, Club())


def evolve(club: Club, event: e.Event) -> Club:
    """The club after one more event."""
    match event:
        case e.MemberAdded(member, name, is_guest, handicap) | e.MemberChanged(member, name, is_guest, handicap):
            return replace(club, members={**club.members, member: Member(member, name, is_guest, handicap)})
        case e.MemberRemoved(member):
            return replace(club, removed=club.removed | {member})
        case e.NightCreated(number, date, settings):
            return replace(club, nights=(*club.nights, Night(number, date, settings)))
    nights = tuple(
        _with_match_games(_evolve_night(night, event), club.members) if night.number == event.night else night
        for night in club.nights
    )
    return replace(club, nights=nights)


def _evolve_night(night: Night, event: e.Event) -> Night:
    match event:
        case e.JoinCodeSet(_, code):
            return replace(night, join_code=code)
        case e.BoardJoined(_, board, table):
            return replace(night, boards={**night.boards, board: table}, released=night.released - {board})
        case e.BoardReleased(_, board):
            return replace(night, boards=_without_key(night.boards, board), released=night.released | {board})
        case e.PhoneJoined(_, phone, member, key):
            return replace(night, phones={**night.phones, phone: Phone(member, key)})
        case e.PhoneReleased(_, phone):
            return replace(night, phones={**night.phones, phone: replace(night.phones[phone], key="")})
        case e.PlayerEntered(_, member):
            entrants = night.entrants if member in night.entrants else (*night.entrants, member)
            return replace(night, entrants=entrants, left=_without_key(night.left, member))
        case e.PlayerLeft(_, member):
            return _after_leave(night, member)
        case e.LeaveUndone(_, member):
            return _after_return(night, member)
        case e.RoundArranged(_, number):
            return _arranged(night, night.rounds[number - 1], event)
        case e.RoundPaired(_, number, pairs, byes, head_starts):
            games = tuple(
                Game(number, table, pair, head_start)
                for table, (pair, head_start) in enumerate(zip(pairs, head_starts, strict=True), start=1)
            )
            return replace(night, rounds=(*night.rounds, Round(number, games, byes)))
        case e.RoundUnpaired():
            return replace(night, rounds=night.rounds[:-1])
        case e.ResultReported(_, number, table, scores, by):
            return _with_game(night, number, table, lambda game: _reported(game, scores, by))
        case e.ResultConfirmed(_, number, table, by, board, name, revision):
            if board:
                confirmed_by = night.received[board, name].confirmed_by | {by}
                message = Received(revision, (number, table), confirmed_by)
                night = replace(night, received={**night.received, (board, name): message})
            return _with_game(night, number, table, lambda game: _confirmed(game, by))
        case e.ResultSigned(_, number, table, scores):
            return _with_game(night, number, table, lambda game: _signed(game, scores))
        case e.ResultCorrected(_, number, table, scores, reason):
            return _with_game(night, number, table, lambda game: _set_by_others(game, scores, reason))
        case e.ResultChosen(_, number, table, scores):
            return _with_game(night, number, table, lambda game: _set_by_others(game, scores, event))
        case e.ResultReceived(_, number, table, scores, board, name, revision):
            message = Received(revision, (number, table))
            night = replace(night, received={**night.received, (board, name): message})
            return _with_game(night, number, table, lambda game: _set_by_others(game, scores, game.reason))
        case e.ResultUnmatched(_, _, _, _, board, name, revision):
            message = Received(revision, None, unmatched=event)
            return replace(night, received={**night.received, (board, name): message})
        case e.UnmatchedSeen(_, board, name):
            message = replace(night.received[board, name], unmatched=None)
            return replace(night, received={**night.received, (board, name): message})
        case e.HighHandsNoted(_, member, points, count):
            return replace(night, high_hands={**night.high_hands, (member, points): count})
        case e.BracketDrawn(_, kind, best_of, seeds):
            before = night.brackets.get(kind)  # the names of its games are not used again
            bracket = Bracket(kind, best_of, seeds, games=before.games if before else ())
            return replace(night, brackets={**night.brackets, kind: bracket})
        case e.MatchReported(_, kind, number, match, wins, _):
            bracket = night.brackets[kind]
            bracket = replace(bracket, wins={**bracket.wins, (number, match): wins})
            return replace(night, brackets={**night.brackets, kind: bracket})
        case e.MatchTablesSwapped(_, one, two):
            return _with_match_tables_swapped(night, one, two)
    raise TypeError(f"expected an event of a night, got {type(event).__name__}")


def _reported(game: Game, scores: tuple[int, ...], by: MemberId) -> Game:
    """A player who reports what the opponent claims agrees with it; a report of the organiser begins anew."""
    claims = {} if by == ORGANISER else {**game.claims, by: scores}
    confirmed_by = {by} | {member for member, claim in claims.items() if claim == scores}
    return replace(game, scores=scores, confirmed_by=frozenset(confirmed_by), reason="", claims=claims)


def _confirmed(game: Game, by: MemberId) -> Game:
    return replace(game, confirmed_by=game.confirmed_by | {by}, claims={**game.claims, by: game.scores})


def _signed(game: Game, scores: tuple[int, ...]) -> Game:
    """Both players agree, whatever one of them reported before."""
    claims = dict.fromkeys(game.players, scores)
    return replace(game, scores=scores, confirmed_by=frozenset(game.players), reason="", claims=claims)


def _set_by_others(game: Game, scores: tuple[int, ...], reason: str | e.ResultChosen) -> Game:
    """The scores of the organiser or of a board: what players claimed before does not matter any more."""
    return replace(game, scores=scores, confirmed_by=frozenset(), reason=reason, claims={})


def _with_game(night: Night, number: int, table: int, change: Callable[[Game], Game]) -> Night:
    """The night with one game changed."""

    def changed(games: tuple[Game, ...]) -> tuple[Game, ...]:
        return tuple(change(game) if (game.round, game.table) == (number, table) else game for game in games)

    rounds = tuple(
        replace(round, games=changed(round.games)) if round.number == number else round for round in night.rounds
    )
    brackets = {kind: replace(bracket, games=changed(bracket.games)) for kind, bracket in night.brackets.items()}
    return replace(night, rounds=rounds, brackets=brackets)


def _with_match_games(night: Night, members: Mapping[MemberId, Member]) -> Night:
    """The night with the next game of each match that is not decided and whose players are known."""
    for bracket, match in night.matches:
        if match.is_ready and not match.wins and not match.open_games:
            night = _with_next_game(night, bracket, match, members)
    return night


def _with_next_game(night: Night, bracket: Bracket, match: Match, members: Mapping[MemberId, Member]) -> Night:
    """The night with one more game of a match: at the table of the one before, else at the lowest that is free."""
    first, second = match.players
    assert first is not None and second is not None
    pair = e.Pair(first, second)
    taken = {game.table for _bracket, other in night.matches for game in other.open_games}
    table = match.games[-1].table if match.games else next(table for table in count(1) if table not in taken)
    place = MatchPlace(bracket.kind, match.round, match.number)
    game = Game(_next_number(night, table), table, pair, head_start(members, night.settings, pair), match=place)
    bracket = night.brackets[bracket.kind]
    return replace(night, brackets={**night.brackets, bracket.kind: replace(bracket, games=(*bracket.games, game))})


def _next_number(night: Night, table: int) -> int:
    """The number for one more game of a match at a table."""
    earlier = (game.round for each in night.brackets.values() for game in each.games if game.table == table)
    return max(earlier, default=night.settings.games) + 1


def _with_match_tables_swapped(night: Night, one: int, two: int) -> Night:
    """The night after the matches at two tables exchanged them; their open games have new names."""
    places = {
        (game.round, game.table): (_next_number(night, table) + place, table)
        for old, table in ((one, two), (two, one))
        for place, game in enumerate(night.match_games_at(old))
    }

    def moved(game: Game) -> Game:
        round, table = places.get((game.round, game.table), (game.round, game.table))
        return replace(game, round=round, table=table)

    brackets = {
        kind: replace(bracket, games=tuple(map(moved, bracket.games))) for kind, bracket in night.brackets.items()
    }
    return _with_messages_moved(replace(night, brackets=brackets), places)


def _with_messages_moved(night: Night, places: Mapping[tuple[int, int], tuple[int, int]]) -> Night:
    """The night in which what boards have sent about a game belongs to its new round and table."""
    received = {
        at: replace(message, game=places.get(message.game, message.game)) if message.game else message
        for at, message in night.received.items()
    }
    return replace(night, received=received)


def _with_round(night: Night, changed: Round) -> Night:
    """The night with one round changed."""
    return replace(night, rounds=tuple(changed if round.number == changed.number else round for round in night.rounds))


def _after_leave(night: Night, member: MemberId) -> Night:
    """The opponents of games without a score have byes, and own byes in rounds that have not begun are taken away."""
    begun = max((round.number for round in night.rounds if round.has_results), default=0)
    lost = tuple(game for game in night.games if member in game.players and not game.scores)
    byes = tuple(round.number for round in night.rounds if member in round.byes and round.number > begun)
    night = replace(night, left={**night.left, member: Departure(lost, byes)})
    for number in sorted({game.round for game in lost} | set(byes)):
        round = night.rounds[number - 1]
        free = tuple(each for each in round.byes if each != member or number not in byes)
        free += tuple(game.players.opponent_of(member) for game in lost if game.round == number)
        games = tuple(game for game in round.games if game not in lost)
        night = _with_round(night, replace(round, games=games, byes=free, before=None))
    return night


def _after_return(night: Night, member: MemberId) -> Night:
    """The night with what the departure of the member took away, as far as nobody has taken its place."""
    departure = night.left[member]
    night = replace(night, left=_without_key(night.left, member))
    for round in night.rounds:
        lost = next((game for game in departure.games if game.round == round.number), None)
        if round.has_place(member):
            continue
        if lost:
            night = _with_round(night, _given_back(night, round, lost, member))
        elif round.number in departure.byes:
            night = _with_round(night, replace(round, byes=(*round.byes, member), before=None))
    return night


def _given_back(night: Night, round: Round, lost: Game, member: MemberId) -> Round:
    """The round with the lost game; with a bye of the member if the opponent has left; as it is if that one plays."""
    opponent = lost.players.opponent_of(member)
    if opponent in night.left:
        return replace(round, byes=(*round.byes, member), before=None)
    if round.game_of(opponent):
        return round
    game = replace(lost, table=lost.table if round.game_at(lost.table) is None else round.free_table())
    byes = tuple(each for each in round.byes if each != opponent)
    return replace(round, games=_by_table((*round.games, game)), byes=byes, before=None)


def _arranged(night: Night, round: Round, event: e.RoundArranged) -> Night:
    """The round after a change by hand, or as it was before it. Where two games exchange tables, the messages that
    boards have sent about them go along."""
    kept = tuple(game for game in round.games if game.scores)
    set_up = zip(event.tables, event.games, event.head_starts, strict=True)
    games = _by_table((*kept, *(Game(round.number, *place) for place in set_up)))
    before = round.before.before if event.change is e.ByHand.UNDO and round.before else round
    night = _with_round(night, Round(round.number, games, event.byes, before))
    moved = {game.players: game.table for game in games}
    places = {
        (round.number, game.table): (round.number, moved[game.players]) for game in round.games if game.players in moved
    }
    return _with_messages_moved(night, places)


def _by_table(games: Iterable[Game]) -> tuple[Game, ...]:
    return tuple(sorted(games, key=lambda game: game.table))


K = TypeVar("K")
V = TypeVar("V")


def _without_key(mapping: Mapping[K, V], key: K) -> Mapping[K, V]:
    return {each: value for each, value in mapping.items() if each != key}
