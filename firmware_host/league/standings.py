"""Standings over the games of a ledger, in the order of the ACC: game points, games won, spread, plus points.

Only games of two players count, each against the other, of one variant. Players are identified by name: two people of
the same name are one player. Where the standings are those of a club, they count the games on the boards of that club.
Games whose players gave no names do not count: "Red" of every board would be one player.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from firmware_host.cribbage.names import name_key
from firmware_host.league.database import Database

VARIANT = "six_card"

_QUERY = """
    SELECT RANK() OVER (ORDER BY SUM(points) DESC, SUM(won) DESC, SUM(spread) DESC, SUM(plus) DESC) AS place,
        MIN(name), COUNT(*), SUM(points), SUM(won), SUM(spread), SUM(plus)
    FROM (
        SELECT player, player_result.name, points, CASE WHEN is_won THEN 1 ELSE 0 END AS won, spread,
            CASE WHEN spread > 0 THEN spread ELSE 0 END AS plus
        FROM counted_result
        JOIN player_result USING (id, revision)
        LEFT JOIN board ON board.name = counted_result.board
        WHERE variant = %s AND ended_at >= %s AND (%s = '' OR ended_at < %s) AND (%s = '' OR board.club = %s)
            AND (SELECT COUNT(*) FROM player_result AS p WHERE p.id = counted_result.id
                AND p.revision = counted_result.revision) = 2
            AND NOT EXISTS (SELECT 1 FROM player_result AS p WHERE p.id = counted_result.id
                AND p.revision = counted_result.revision AND p.player IN ({unnamed}))
            AND (SELECT MAX(side) FROM player_result AS p WHERE p.id = counted_result.id
                AND p.revision = counted_result.revision) = 1
    ) AS game
    GROUP BY player ORDER BY place, player
"""


class Standing(NamedTuple):
    """One row. `place` counts from 1; players who are equal in everything share it. `spread` and `plus` are in
    holes."""

    place: int
    name: str
    games: int
    points: int
    wins: int
    spread: int
    plus: int


def standings(
    database: Database,
    variant: str = VARIANT,
    first: str = "",
    after: str = "",
    club: str = "",
    unnamed: Collection[str] = (),
) -> tuple[Standing, ...]:
    """The best first. Games count that ended (UTC) on the date `first` or later and before `after`, ISO 8601; empty: no
    limit. `unnamed`: names that boards give to players who typed none. Raises LeagueError."""
    keys = [name_key(name) for name in unnamed] or [""]
    query = _QUERY.format(unnamed=", ".join(["%s"] * len(keys)))
    rows = database.execute(query, (variant, first, after, after, club, club, *keys))
    return tuple(Standing(int(place), str(name), *map(int, sums)) for place, name, *sums in rows)
