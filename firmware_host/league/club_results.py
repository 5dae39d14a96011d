"""The results of a club's nights, as rows of the ledger: those that count, by the rules of the club.

A club's file is no ledger. Its results are events, each written with its effect: they are confirmed by the players and
corrected by the organiser, and that decides what counts. The ledger takes each game in its newest state; its revision
is the number of events that changed it, so that taking the same file again changes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from firmware_host.club import events as e
from firmware_host.club.game import Game
from firmware_host.club.standings import outcome
from firmware_host.club.state import Club, Night
from firmware_host.club_server.store import ClubFile, open_club
from firmware_host.league.database import Database, LeagueError
from firmware_host.league.ledger import record
from firmware_host.league.result_message import LedgerResult, PlayerResult

Place = tuple[int, int, int]
"""Night, round and table of a game."""
CHANGES = (
    *(e.ResultReported, e.ResultConfirmed, e.ResultSigned),
    *(e.ResultCorrected, e.ResultChosen, e.ResultReceived),
)
"""The events that change the result of a game."""


def import_club(database: Database, path: Path, club: str) -> int:
    """Take the games of a club's file, `club.sqlite3`, into the ledger, as those of the club of this name.

    Returns how many count. Raises LeagueError and ClubFileError.
    """
    if not path.exists():
        raise LeagueError("the file of a club", "no such file", str(path), "name club.sqlite3, or a copy of it")
    with open_club(path) as file:
        results = list(results_of(file, club))
    insert = "INSERT INTO board (name, club, password_hash) VALUES (%s, %s, '') ON CONFLICT DO NOTHING"
    database.execute(insert, (club, club))
    record(database, results)
    return sum(result.is_final for result in results)


def results_of(file: ClubFile, club: str) -> Iterator[LedgerResult]:
    """The newest state of each game that ever had a result."""
    identity = ""
    changes = Counter[Place]()
    renamed = Counter[int]()
    for row in file.records():
        identity = identity or f"{row.written_at} {row.body}"
        if isinstance(row.event, CHANGES):
            changes[(row.event.night, row.event.round, row.event.table)] += 1
        if isinstance(row.event, e.MemberChanged):
            renamed[row.event.member] += 1
    now = file.club
    for night in now.nights:
        for game in night.games:
            place = (night.number, game.round, game.table)
            if changes[place]:
                id = sha256(f"{identity} {place}".encode()).hexdigest()[:32]
                revision = changes[place] + sum(renamed[member] for member in game.players)
                yield _result(now, night, game, club, id, revision)


def _result(now: Club, night: Night, game: Game, club: str, id: str, revision: int) -> LedgerResult:
    scores = game.scores or (0, 0)
    winner = -1
    points: Sequence[int] = (0, 0)
    spread = points
    if game.is_official:
        decided = outcome(night.settings, scores)
        winner = int(decided.winner)
        points = decided.points
        spread = decided.spread
    players = tuple(
        PlayerResult(side, 0, now.name(member), scores[side], side == winner, points[side], spread[side])
        for side, member in enumerate(game.players)
    )
    rules = night.settings.rules
    noon = f"{night.date}T12:00:00.000+00:00"
    return LedgerResult(id, revision, club, game.is_official, noon, noon, rules.variant, rules.target, players)
