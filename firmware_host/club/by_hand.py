"""Changes that the organiser makes to the places of a round: two people paired by name, a bye, tables exchanged, a late
player seated at once, and all of it undone.

A game with scores is never moved. Whoever loses an opponent gets one, in this order:

| change | who is left over | what becomes of them |
|---|---|---|
| two who play others are paired | both opponents | they play each other at the other table |
| one who plays is paired with one who does not | one opponent | has a bye |
| one who plays gets a bye | the opponent | plays whoever had a bye; else has one too |

A change can be undone until somebody of the round leaves, or one of the games that it made has a score. Matches of the
play-offs exchange their tables too (`swap_match_tables`).
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from firmware_host.club import decide as d
from firmware_host.club import events as e
from firmware_host.club import rule_errors as refused
from firmware_host.club.evolve import evolve
from firmware_host.club.game import Game, head_start
from firmware_host.club.members import MemberId
from firmware_host.club.state import Club, Night, Round
from firmware_host.cribbage.rule_errors import quoted


def pair_by_hand(club: Club, night: Night, number: int, one: MemberId, two: MemberId) -> e.RoundArranged:
    """The two play each other in this round. Raises RoundNotPaired, NotEntered, SamePlayer, PairedAlready or
    GameHasScores."""
    round = d.round_of(night, number)
    if one == two:
        name = club.name(one)
        raise refused.SamePlayer("two players", f"{quoted(name)} twice", name=name)
    games = [_open_game(club, night, round, member) for member in (one, two)]
    if games[0] is not None and games[0] == games[1]:
        names = " – ".join(map(club.name, games[0].players))
        raise refused.PairedAlready("two who do not play each other", names, name=names, number=games[0].table)
    left_over = [game.players.opponent_of(member) for game, member in zip(games, (one, two), strict=True) if game]
    round = _without_places(round, (one, two, *left_over))
    tables = [game.table for game in games if game] or [round.free_table()]
    round = _seated(club, night, round, tables[0], e.Pair(one, two))
    if len(left_over) == 2:
        round = _seated(club, night, round, tables[1], e.Pair(*left_over))
    else:
        round = replace(round, byes=(*round.byes, *left_over))
    return _arrangement(night, round, e.ByHand.PAIR, (one, two))


def give_bye(club: Club, night: Night, number: int, member: MemberId) -> e.RoundArranged:
    """The player has a bye in this round. Raises RoundNotPaired, NotEntered, HasBye or GameHasScores."""
    round = d.round_of(night, number)
    game = _open_game(club, night, round, member)
    if member in round.byes:
        name = club.name(member)
        raise refused.HasBye("a player without a bye", quoted(name), name=name)
    if game:
        opponent = game.players.opponent_of(member)
        others = bye_holders(night, round)[:1]
        round = _without_places(round, (member, opponent, *others))
        if others:
            round = _seated(club, night, round, game.table, e.Pair(opponent, others[0]))
        else:
            round = replace(round, byes=(*round.byes, opponent))
    round = replace(round, byes=(*round.byes, member))
    return _arrangement(night, round, e.ByHand.BYE, (member,))


def check_new(club: Club, night: Night, change: e.RoundArranged) -> None:
    """Raises MetBefore or HadBye where the change pairs two who have met in another round, or gives another bye."""
    round = d.round_of(night, change.round)
    others = [each for each in night.rounds if each != round]
    met = {frozenset(game.players): each.number for each in others for game in each.games}
    byes = {member: each.number for each in others for member in each.byes}
    for pair in {frozenset(pair) for pair in change.games} - {frozenset(game.players) for game in round.games}:
        if pair in met:
            names = " – ".join(map(club.name, sorted(pair)))
            raise refused.MetBefore("two who have not met", names, name=names, number=met[pair])
    for member in change.byes:
        if member in byes and member not in round.byes:
            name = club.name(member)
            raise refused.HadBye("a player without a bye", quoted(name), name=name, number=byes[member])


def swap_tables(night: Night, number: int, one: int, two: int) -> e.RoundArranged:
    """The games of two tables exchange their tables; an empty table `two` gets the game. Raises RoundNotPaired,
    NoSuchTable, SameTable or GameHasScores."""
    round = d.round_of(night, number)
    game = round.game_at(one)
    if game is None or not 1 <= two <= len(night.entrants):
        wrong = one if game is None else two
        raise refused.NoSuchTable(f"a table of round {number}", f"table {wrong}", number=wrong)
    if one == two:
        raise refused.SameTable("two tables", f"table {one} twice", number=one)
    other = round.game_at(two)
    moved = [_checked_open(each) for each in (game, other) if each]
    games = [each for each in round.games if each not in moved]
    games += [replace(game, table=two), *([replace(other, table=one)] if other else [])]
    round = replace(round, games=tuple(sorted(games, key=lambda each: each.table)))
    return _arrangement(night, round, e.ByHand.SWAP, tuple(each.players.first for each in moved))


def swap_match_tables(night: Night, one: int, two: int) -> e.MatchTablesSwapped:
    """The matches of two tables exchange their tables; an empty table `two` gets the match. Swapping again takes it
    back. Raises NoSuchTable, SameTable or GameHasScores."""
    if not night.match_games_at(one) or not 1 <= two <= len(night.entrants):
        wrong = two if night.match_games_at(one) else one
        raise refused.NoSuchTable("a table of the play-offs", f"table {wrong}", number=wrong)
    if one == two:
        raise refused.SameTable("two tables", f"table {one} twice", number=one)
    for game in (*night.match_games_at(one), *night.match_games_at(two)):
        _checked_open(game)
    return e.MatchTablesSwapped(night.number, one, two)


def undo_by_hand(night: Night, number: int) -> e.RoundArranged:
    """Take the last change by hand in this round back. Raises RoundNotPaired or NothingToUndo."""
    round = d.round_of(night, number)
    before = round.before
    played = {(game.table, game.players) for game in round.games if game.scores}
    if before is None or not played <= {(game.table, game.players) for game in before.games}:
        raise refused.NothingToUndo("a change by hand without a result since", "none", number=number)
    games = [game for game in before.games if (game.table, game.players) not in played]
    earlier = replace(before, games=tuple(Game(number, each.table, each.players, each.head_start) for each in games))
    return _arrangement(night, earlier, e.ByHand.UNDO, ())


def undo_leave(club: Club, night: Night, member: MemberId) -> e.LeaveUndone:
    """The player has not left after all. Raises HasNotLeft."""
    if member not in night.left or member in club.removed:
        name = club.name(member)
        raise refused.HasNotLeft("a player who has left the night", quoted(name), name=name)
    return e.LeaveUndone(night.number, member)


def arrive(club: Club, night: Night, member: MemberId) -> list[e.PlayerEntered | e.RoundArranged]:
    """Somebody comes late and sits down: opposite whoever has a bye in the round that is on, and in those that are
    paired already; from the next round that is paired on as everybody. Raises what `enter_player` raises."""
    entered = d.enter_player(club, night, member)
    club = evolve(club, entered)
    night = d.night_of(club, night.number)
    seated = [
        pair_by_hand(club, night, round.number, member, byes[0])
        for round in night.rounds
        if round.open_games and not round.has_place(member) and (byes := bye_holders(night, round))
    ]
    return [entered, *seated]


def bye_holders(night: Night, round: Round) -> tuple[MemberId, ...]:
    """Who has a bye in the round and is there."""
    return tuple(member for member in round.byes if member in night.present)


def without_place(night: Night, round: Round) -> tuple[MemberId, ...]:
    """The players who neither play nor have a bye in a round that is on; () for one that is over."""
    return tuple(member for member in night.present if not round.has_place(member)) if round.open_games else ()


def free_tables(night: Night, games: Iterable[Game]) -> tuple[int, ...]:
    """The tables without one of these games, up to the first one that nobody has used tonight."""
    taken = {game.table for game in games}
    known = max((*night.boards.values(), night.most_tables, *taken), default=0)
    last = min(known + 1, len(night.entrants))
    return tuple(table for table in range(1, last + 1) if table not in taken)


def can_undo(night: Night, round: Round) -> bool:
    """Whether `undo_by_hand` has something to take back."""
    try:
        undo_by_hand(night, round.number)
    except refused.NothingToUndo:
        return False
    return True


def _open_game(club: Club, night: Night, round: Round, member: MemberId) -> Game | None:
    """The game of a player, without scores; None: the player has none."""
    if member not in night.present:
        name = club.name(member)
        raise refused.NotEntered("a player of the night", quoted(name), name=name)
    game = round.game_of(member)
    return _checked_open(game) if game else None


def _checked_open(game: Game) -> Game:
    if game.scores:
        raise refused.GameHasScores("a game without scores", f"table {game.table}", number=game.table)
    return game


def _without_places(round: Round, members: tuple[MemberId, ...]) -> Round:
    games = tuple(game for game in round.games if game.scores or not set(game.players) & set(members))
    return replace(round, games=games, byes=tuple(member for member in round.byes if member not in members))


def _seated(club: Club, night: Night, round: Round, table: int, pair: e.Pair) -> Round:
    game = Game(round.number, table, pair, head_start(club.members, night.settings, pair))
    return replace(round, games=(*round.games, game))


def _arrangement(night: Night, round: Round, change: e.ByHand, players: tuple[MemberId, ...]) -> e.RoundArranged:
    games = sorted((game for game in round.games if not game.scores), key=lambda game: game.table)
    return e.RoundArranged(
        night.number,
        round.number,
        change,
        players,
        tuple(game.table for game in games),
        tuple(game.players for game in games),
        tuple(game.head_start for game in games),
        round.byes,
    )
