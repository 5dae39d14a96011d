"""Changes by hand of a random night, in the driver's own record: plain dictionaries and lists of places.

Each function gives a command to the program and does the same to the record; `compare` finds where the two differ.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from firmware_host.club import by_hand
from firmware_host.club.events import PlayerEntered
from firmware_host.club.members import MemberId
from firmware_host.club.rule_errors import NothingToUndo

if TYPE_CHECKING:
    from tests.club.random_nights import PlayedNight


def change(played: PlayedNight, round: int) -> None:
    """One random change to a round; where it makes no sense, nothing."""
    one, two = played.random.sample(played.present, 2)
    what = played.random.randrange(4)
    if what == 0:
        pair(played, round, one, two)
    elif what == 1:
        give_bye(played, round, one)
    elif what == 2:
        swap(played, round, *played.random.sample(range(1, len(played.entrants) + 1), 2))
    else:
        undo(played, round)
    compare(played)


def pair(played: PlayedNight, round: int, one: int, two: int) -> None:
    at = {player: table for (number, table), game in played.games.items() if number == round for player in game}
    if {at.get(one), at.get(two)} & reported(played, round) or (one in at and at.get(one) == at.get(two)):
        return
    keep(played, round)
    played.apply(by_hand.pair_by_hand(played.club, played.night, round, MemberId(one), MemberId(two)))
    opponents = [other for me in (one, two) for other in at if me in at and other != me and at[other] == at[me]]
    tables = [at[me] for me in (one, two) if me in at] or [lowest_free(played, round)]
    played.byes = [bye for bye in played.byes if bye not in ((round, one), (round, two))]
    played.games[round, tables[0]] = (one, two)
    if len(opponents) == 2:
        played.games[round, tables[1]] = (opponents[0], opponents[1])
    played.byes += [(round, other) for other in opponents if len(opponents) == 1]


def give_bye(played: PlayedNight, round: int, one: int) -> None:
    place = next((place for place, game in played.games.items() if place[0] == round and one in game), None)
    if (round, one) in played.byes or place in played.reported:
        return
    keep(played, round)
    played.apply(by_hand.give_bye(played.club, played.night, round, MemberId(one)))
    if place:
        game = played.games.pop(place)
        other = sum(game) - one
        free = [player for number, player in played.byes if number == round and player in played.present]
        if free:
            played.games[place] = (other, free[0])
            played.byes.remove((round, free[0]))
        else:
            played.byes.append((round, other))
    played.byes.append((round, one))


def swap(played: PlayedNight, round: int, one: int, two: int) -> None:
    if (round, one) not in played.games or {one, two} & reported(played, round):
        return
    keep(played, round)
    played.apply(by_hand.swap_tables(played.night, round, one, two))
    first, second = played.games.pop((round, one)), played.games.pop((round, two), None)
    played.games[round, two] = first
    if second:
        played.games[round, one] = second


def undo(played: PlayedNight, round: int) -> None:
    """The last change of the round comes back, unless a game that it made has been played."""
    kept = played.before.get(round, [])
    games = {place: game for place, game in played.games.items() if place[0] == round}
    results = {place: game for place, game in games.items() if place in played.reported}
    if not kept or not results.items() <= kept[-1][0].items():
        try:
            by_hand.undo_by_hand(played.night, round)
            played.differences.append(f"round {round}: a change could be undone that should stay")
        except NothingToUndo:
            pass
        return
    played.apply(by_hand.undo_by_hand(played.night, round))
    old_games, old_byes = kept.pop()
    played.games = {place: game for place, game in played.games.items() if place[0] != round} | old_games
    played.byes = [bye for bye in played.byes if bye[0] != round] + old_byes


def arrive(played: PlayedNight, member: int) -> None:
    """A late player takes the place opposite each bye of rounds that are on."""
    events = by_hand.arrive(played.club, played.night, MemberId(member))
    assert isinstance(events[0], PlayerEntered)
    for event in events:
        played.apply(event)
    for round in range(1, len(played.night.rounds) + 1):
        has_open = any(place[0] == round and place not in played.reported for place in played.games)
        free = [player for number, player in played.byes if number == round and player in played.present]
        has_place = (round, member) in played.byes or any(
            place[0] == round and member in game for place, game in played.games.items()
        )
        if has_open and free and not has_place:
            keep(played, round)
            played.games[round, lowest_free(played, round)] = (member, free[0])
            played.byes.remove((round, free[0]))
    played.present.append(member)
    played.departures.pop(member, None)


def undo_leave(played: PlayedNight, member: int) -> None:
    """The member has its games and byes again where the place is still free."""
    played.apply(by_hand.undo_leave(played.club, played.night, MemberId(member)))
    games, byes = played.departures.pop(member)
    played.present.append(member)
    for (round, table), game in games.items():
        busy = {player for place, pair in played.games.items() if place[0] == round for player in pair}
        busy |= {player for number, player in played.byes if number == round and player == member}
        other = sum(game) - member
        if round > len(played.night.rounds) or member in busy or (other in played.present and other in busy):
            continue
        played.before.pop(round, None)
        if other not in played.present:
            played.byes.append((round, member))
            continue
        free = table if (round, table) not in played.games else lowest_free(played, round)
        played.games[round, free] = game
        if (round, other) in played.byes:
            played.byes = [bye for bye in played.byes if bye != (round, other)]
    for round in byes:
        busy = {player for place, pair in played.games.items() if place[0] == round for player in pair}
        if round <= len(played.night.rounds) and member not in busy and (round, member) not in played.byes:
            played.byes.append((round, member))
            played.before.pop(round, None)
    compare(played)


def keep(played: PlayedNight, round: int) -> None:
    """Remember a round, for `undo`."""
    games = {place: game for place, game in played.games.items() if place[0] == round}
    byes = [bye for bye in played.byes if bye[0] == round]
    played.before.setdefault(round, []).append((games, byes))


def reported(played: PlayedNight, round: int) -> set[int | None]:
    return {table for number, table in played.reported if number == round}


def lowest_free(played: PlayedNight, round: int) -> int:
    table = 1
    while (round, table) in played.games:
        table += 1
    return table


def compare(played: PlayedNight) -> None:
    """The places of the program are those of the record, and nobody has two."""
    games = {(game.round, game.table): tuple(game.players) for game in played.night.games}
    if games != played.games:
        played.differences.append(f"games {games}, expected {played.games}")
    byes = sorted((round.number, player) for round in played.night.rounds for player in round.byes)
    if byes != sorted(played.byes):
        played.differences.append(f"byes {byes}, expected {sorted(played.byes)}")
    places = Counter((place[0], player) for place, game in played.games.items() for player in game)
    places.update(played.byes)
    played.differences += [f"{place} has {number} places" for place, number in places.items() if number > 1]
