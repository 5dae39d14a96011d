"""Applies events to the club. Nothing is checked or refused here: an event has already happened."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial, reduce
from itertools import count
from typing import Any, TypeVar

from msgspec.structs import replace

from firmware_host.club import events as e
from firmware_host.club.bracket import Bracket, Match
from firmware_host.club.game import Game, MatchPlace, head_start
from firmware_host.club.members import ORGANISER, Member, MemberId
from firmware_host.club.state import Club, Departure, Night, Phone, Received, Round


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
    handler = _HANDLERS.get(type(event))
    if handler is None:
        raise TypeError(f"expected an event of a night, got {type(event).__name__}")
    return handler(night, event)


def _join_code_set(night: Night, event: e.JoinCodeSet) -> Night:
    return replace(night, join_code=event.code)


def _board_joined(night: Night, event: e.BoardJoined) -> Night:
    boards = {**night.boards, event.board: event.table}
    return replace(night, boards=boards, released=night.released - {event.board})


def _board_released(night: Night, event: e.BoardReleased) -> Night:
    boards = _without_key(night.boards, event.board)
    return replace(night, boards=boards, released=night.released | {event.board})


def _phone_joined(night: Night, event: e.PhoneJoined) -> Night:
    return replace(night, phones={**night.phones, event.phone: Phone(event.member, event.key)})


def _phone_released(night: Night, event: e.PhoneReleased) -> Night:
    released = replace(night.phones[event.phone], key="")
    return replace(night, phones={**night.phones, event.phone: released})


def _player_entered(night: Night, event: e.PlayerEntered) -> Night:
    entrants = night.entrants if event.member in night.entrants else (*night.entrants, event.member)
    return replace(night, entrants=entrants, left=_without_key(night.left, event.member))


def _round_paired(night: Night, event: e.RoundPaired) -> Night:
    games = tuple(
        Game(event.round, table, pair, head_start)
        for table, (pair, head_start) in enumerate(zip(event.games, event.head_starts, strict=True), start=1)
    )
    return replace(night, rounds=(*night.rounds, Round(event.round, games, event.byes)))


def _round_unpaired(night: Night, event: e.RoundUnpaired) -> Night:
    return replace(night, rounds=night.rounds[:-1])


def _result_reported(night: Night, event: e.ResultReported) -> Night:
    """A player who reports what the opponent claims agrees with it; a report of the organiser begins anew."""

    def reported(game: Game) -> Game:
        claims = {} if event.by == ORGANISER else {**game.claims, event.by: event.scores}
        confirmed_by = {event.by} | {member for member, claim in claims.items() if claim == event.scores}
        return replace(game, scores=event.scores, confirmed_by=frozenset(confirmed_by), reason="", claims=claims)

    return _with_game(night, event.round, event.table, reported)


def _result_confirmed(night: Night, event: e.ResultConfirmed) -> Night:
    def confirmed(game: Game) -> Game:
        claims = {**game.claims, event.by: game.scores}
        return replace(game, confirmed_by=game.confirmed_by | {event.by}, claims=claims)

    if event.board:
        confirmed_by = night.received[event.board, event.id].confirmed_by | {event.by}
        night = _with_message(night, event, Received(event.revision, (event.round, event.table), confirmed_by))
    return _with_game(night, event.round, event.table, confirmed)


def _result_signed(night: Night, event: e.ResultSigned) -> Night:
    """Both players agree, whatever one of them reported before."""

    def signed(game: Game) -> Game:
        claims = dict.fromkeys(game.players, event.scores)
        confirmed_by = frozenset(game.players)
        return replace(game, scores=event.scores, confirmed_by=confirmed_by, reason="", claims=claims)

    return _with_game(night, event.round, event.table, signed)


def _result_corrected(night: Night, event: e.ResultCorrected) -> Night:
    return _with_game(night, event.round, event.table, partial(_set_by_others, event.scores, event.reason))


def _result_chosen(night: Night, event: e.ResultChosen) -> Night:
    return _with_game(night, event.round, event.table, partial(_set_by_others, event.scores, event))


def _result_received(night: Night, event: e.ResultReceived) -> Night:
    night = _with_message(night, event, Received(event.revision, (event.round, event.table)))
    return _with_game(night, event.round, event.table, partial(_set_by_others, event.scores, None))


def _result_unmatched(night: Night, event: e.ResultUnmatched) -> Night:
    return _with_message(night, event, Received(event.revision, None, unmatched=event))


def _unmatched_seen(night: Night, event: e.UnmatchedSeen) -> Night:
    return _with_message(night, event, replace(night.received[event.board, event.id], unmatched=None))


def _high_hands_noted(night: Night, event: e.HighHandsNoted) -> Night:
    return replace(night, high_hands={**night.high_hands, (event.member, event.points): event.count})


def _bracket_drawn(night: Night, event: e.BracketDrawn) -> Night:
    before = night.brackets.get(event.bracket)  # the names of its games are not used again
    return _with_bracket(
        night, Bracket(event.bracket, event.best_of, event.seeds, games=before.games if before else ())
    )


def _match_reported(night: Night, event: e.MatchReported) -> Night:
    bracket = night.brackets[event.bracket]
    return _with_bracket(night, replace(bracket, wins={**bracket.wins, (event.round, event.match): event.wins}))


def _set_by_others(scores: tuple[int, ...], reason: str | e.ResultChosen | None, game: Game) -> Game:
    """The game with the scores of the organiser or of a board: what players claimed before does not matter any more.
    Without a reason the game keeps the one that it has."""
    reason = game.reason if reason is None else reason
    return replace(game, scores=scores, confirmed_by=frozenset(), reason=reason, claims={})


def _with_message(
    night: Night,
    event: e.ResultConfirmed | e.ResultReceived | e.ResultUnmatched | e.UnmatchedSeen,
    message: Received,
) -> Night:
    """The night with the latest message of the event's board about a game."""
    return replace(night, received={**night.received, (event.board, event.id): message})


def _with_bracket(night: Night, bracket: Bracket) -> Night:
    return replace(night, brackets={**night.brackets, bracket.kind: bracket})


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
    return _with_bracket(night, replace(bracket, games=(*bracket.games, game)))


def _next_number(night: Night, table: int) -> int:
    """The number for one more game of a match at a table."""
    earlier = (game.round for each in night.brackets.values() for game in each.games if game.table == table)
    return max(earlier, default=night.settings.games) + 1


def _match_tables_swapped(night: Night, event: e.MatchTablesSwapped) -> Night:
    """The night after the matches at two tables exchanged them; their open games have new names."""
    places = {
        (game.round, game.table): (_next_number(night, table) + place, table)
        for old, table in ((event.one, event.two), (event.two, event.one))
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


def _player_left(night: Night, event: e.PlayerLeft) -> Night:
    """The opponents of games without a score have byes, and own byes in rounds that have not begun are taken away."""
    member = event.member
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


def _leave_undone(night: Night, event: e.LeaveUndone) -> Night:
    """The night with what the departure of the member took away, as far as nobody has taken its place."""
    member = event.member
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


def _round_arranged(night: Night, event: e.RoundArranged) -> Night:
    """The night with the round after a change by hand, or as it was before it. Where two games exchange tables, the
    messages that boards have sent about them go along."""
    round = night.rounds[event.round - 1]
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


_HANDLERS: dict[type, Callable[[Night, Any], Night]] = {
    e.JoinCodeSet: _join_code_set,
    e.BoardJoined: _board_joined,
    e.BoardReleased: _board_released,
    e.PhoneJoined: _phone_joined,
    e.PhoneReleased: _phone_released,
    e.PlayerEntered: _player_entered,
    e.PlayerLeft: _player_left,
    e.LeaveUndone: _leave_undone,
    e.RoundPaired: _round_paired,
    e.RoundArranged: _round_arranged,
    e.RoundUnpaired: _round_unpaired,
    e.ResultReported: _result_reported,
    e.ResultConfirmed: _result_confirmed,
    e.ResultSigned: _result_signed,
    e.ResultCorrected: _result_corrected,
    e.ResultChosen: _result_chosen,
    e.ResultReceived: _result_received,
    e.ResultUnmatched: _result_unmatched,
    e.UnmatchedSeen: _unmatched_seen,
    e.HighHandsNoted: _high_hands_noted,
    e.BracketDrawn: _bracket_drawn,
    e.MatchReported: _match_reported,
    e.MatchTablesSwapped: _match_tables_swapped,
}
"""How each event changes the night that it names."""
