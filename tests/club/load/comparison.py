"""What a club has in the end, compared with the journals of its boards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from firmware_host.club.events import ResultReceived, ResultUnmatched
from firmware_host.club.standings import standings
from firmware_host.club.state import Night
from firmware_host.club_server.store import ClubFile, open_club
from firmware_host.storage.journal import Journal
from firmware_host.telemetry.results import result_of
from tests.club import oracle


class PlayedGame(NamedTuple):
    """A finished game: the board, and names with scores in the order of the names."""

    board: str
    scores: tuple[tuple[str, int], ...]


class Comparison(Struct, frozen=True):
    """`differences`: everything else that is not as the journals or the oracle have it."""

    results: int
    lost: int
    doubled: int
    differences: list[str]


def games_of(board: str, path: Path) -> Iterator[PlayedGame]:
    """The finished games in the journal of a board."""
    with closing(Journal.open_readonly(path)) as journal:
        for summary in journal.games():
            if summary.outcome is not None and not summary.is_demo:
                names = (", ".join(players) for players in summary.sides)
                yield PlayedGame(board, tuple(sorted(zip(names, summary.scores, strict=True))))


def is_confirmed(path: Path) -> bool:
    """Whether the board has a receipt for the newest revision of each of its finished games."""
    with closing(Journal.open_readonly(path)) as journal:
        answered = {(receipt.id, receipt.revision) for receipt in journal.receipts()}
        found = map(journal.rows_and_summary, range(1, journal.last_game + 1))
        results = [result_of(*each, board="") for each in found if each]
        return all((result.id, result.revision) in answered for result in results if result)


def compare(club: Path, journals: Mapping[str, Path]) -> Comparison:
    """Compares a night that is over with the journals of all boards."""
    played = [game for board, path in journals.items() for game in games_of(board, path)]
    with open_club(club) as file:
        night = file.club.nights[-1]
        counted = _counted_games(file, night)
        lost, doubled = Counter(played) - Counter(counted), Counter(counted) - Counter(played)
        differences = [*_differences_of_events(file), *_differences_of_night(file, night, played)]
    return Comparison(len(counted), lost.total(), doubled.total(), differences)


def _counted_games(file: ClubFile, night: Night) -> list[PlayedGame]:
    board_at = {table: board for board, table in night.boards.items()}
    return [
        PlayedGame(
            board_at[game.table],
            tuple(sorted(zip(map(file.club.name, game.players), game.scores, strict=True))),
        )
        for game in night.games
        if game.is_official
    ]


def _differences_of_events(file: ClubFile) -> Iterator[str]:
    events = [record.event for record in file.records()]
    for event in events:
        if isinstance(event, ResultUnmatched):
            yield f"not used: {event}"
    received = Counter((each.board, each.id, each.revision) for each in events if isinstance(each, ResultReceived))
    yield from (f"written {times} times: {message}" for message, times in received.items() if times > 1)


def _differences_of_night(file: ClubFile, night: Night, played: list[PlayedGame]) -> Iterator[str]:
    """Standings and rounds as the oracle has them, from the journals alone."""
    number = {member.name: int(member.id) for member in file.club.current_members}
    results = [(number[one], number[two], first, second) for _, ((one, first), (two, second)) in played]
    table = oracle.table_of(list(number.values()), results, [], 0, 0, skunk_below=91)
    rows = standings(night)
    if {row.member: (*row.sums.rank_key[:3], row.sums.plus) for row in rows} != table:
        yield "the standings are not those of the journals"
    if {row.member: row.place for row in rows} != oracle.places_of(table):
        yield "the places are not those of the journals"
    met = Counter[frozenset[int]]()
    for round in night.rounds:
        pairs = [(int(game.players[0]), int(game.players[1])) for game in round.games]
        for fault in oracle.faults_of_round(list(number.values()), pairs, [], met, Counter()):
            yield f"round {round.number}: {fault}"
        met.update(map(frozenset, pairs))
