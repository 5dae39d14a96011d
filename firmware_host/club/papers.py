"""What the papers of a night show: scorecards, pairings, results and standings to print."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from firmware_host.club.members import GAMES_A_NIGHT, MemberId
from firmware_host.club.standings import Line, Sums, lines_of, sums_of
from firmware_host.club.state import Club, Night
from firmware_host.cribbage.names import search_key


class Paper(Enum):
    """A paper; the value is its name in addresses and on the command line."""

    SCORECARDS = "scorecards"
    """One for each player, with everything that is known."""
    BLANK_SCORECARDS = "blank-scorecards"
    PAIRINGS = "pairings"
    """The latest round: by table, and by name."""
    RESULTS = "results"
    """Every game of the night."""
    STANDINGS = "standings"
    """With grand slams and the highest hands."""
    PLAY_OFFS = "play-offs"
    """Who qualifies, and the brackets."""


class PaperSize(Enum):
    """The size of a sheet."""

    A4 = "a4"
    """210 by 297 mm."""
    LETTER = "letter"
    """8.5 by 11 inches."""


CARDS_A_SHEET = ((12, 4), (30, 2))
"""Most games of a card, and how many such cards fit one sheet with rows high enough to write in. A longer one has its
own sheets."""


class CardRow(NamedTuple):
    """One row of a scorecard. `line` is None where nothing is known yet, or the player was not there."""

    number: int
    line: Line | None
    is_missed: bool = False
    """Whether the round was paired without the player."""


def card_rows(night: Night, member: MemberId) -> tuple[CardRow, ...]:
    """A row for each game of the night, in order."""
    known = {line.round: line for line in lines_of(night, member)}
    paired = len(night.rounds)
    return tuple(
        CardRow(number, known.get(number), is_missed=number <= paired and number not in known)
        for number in range(1, night.settings.games + 1)
    )


def known_sums(night: Night, member: MemberId) -> Sums | None:
    """The sums of a scorecard when every game is known; until then they are left for the hand, so None."""
    rows = card_rows(night, member)
    is_full = all(row.is_missed or (row.line and not row.line.is_open) for row in rows)
    return sums_of(row.line for row in rows if row.line) if is_full else None


def blank_rows(night: Night | None) -> tuple[CardRow, ...]:
    """The rows of a card to fill in by hand; nine before there is a night."""
    games = night.settings.games if night else GAMES_A_NIGHT
    return tuple(CardRow(number, None) for number in range(1, games + 1))


def cards_a_sheet(games: int) -> int:
    """How many cards of so many games fit one sheet."""
    return next((cards for most, cards in CARDS_A_SHEET if games <= most), 1)


def tables_by_name(club: Club, night: Night) -> tuple[tuple[str, int], ...]:
    """Name and table in the latest round of everybody who plays, by name; table 0 is a bye."""
    if not night.rounds:
        return ()
    round = night.rounds[-1]
    seats = [(club.name(member), game.table) for game in round.games for member in game.players]
    seats += [(club.name(member), 0) for member in round.byes]
    return tuple(sorted(seats, key=lambda seat: (search_key(seat[0]), seat)))
