"""A club night at the board: its display lines, its commands, and the seat that it offers.

`telemetry/club_seat.py` reads the messages of the club.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import partial

from msgspec import Struct

from firmware_host.game.commands import StartGame
from firmware_host.game.state import Phase, Table
from firmware_host.ui.club_place import place_in_words
from firmware_host.ui.translator import Message, Translator


class ClubState(StrEnum):
    """Whether the board takes part in a club night."""

    NO_CLUB = "no_club"
    """No broker for results is set."""
    NOT_JOINED = "not_joined"
    JOINING = "joining"
    """The code was sent, and no answer has come."""
    NO_ANSWER = "no_answer"
    """The same for some time: the club does not run, or the network is gone. The board asks on."""
    WRONG_CODE = "wrong_code"
    TOO_MANY_CODES = "too_many_codes"
    """The club accepts no code for a minute, after too many wrong ones."""
    JOINED = "joined"
    RELEASED = "released"
    """The organiser took the board from its table."""
    REFUSED = "refused"
    """The game of the club has a rule that this board does not know."""


class ClubNight(Struct, frozen=True):
    """What the board knows of the night. `table` is its table, from 1. `start` begins the game that should be played
    there; it names itself by its `club_game`."""

    state: ClubState = ClubState.NO_CLUB
    table: int = 0
    start: StartGame | None = None
    bracket: str = ""
    """`main` or `consolation`, where that game belongs to a match of the play-offs."""
    problem: str = ""
    """The rule that is not known, where the state is REFUSED."""
    code: str = ""
    """The code that was typed last on the board."""
    joins: int = 0
    """How often a code was typed."""
    is_declined: bool = False
    """The players do not want the game of the seat now: the menu still offers it."""


class JoinClub(Struct, frozen=True):
    """Join the night of this code."""

    code: str


class DeclineSeat(Struct, frozen=True):
    """Do not ask about the seat again, until the club seats another game."""


class FollowClub(Struct, frozen=True):
    """What the club sent. Only `telemetry` sends it; the code stays what was typed."""

    night: ClubNight


ClubCommand = JoinClub | DeclineSeat | FollowClub
"""Commands for the host, which hands them to `ClubSession`; the game does not know them."""


def seat_to_begin(night: ClubNight, table: Table | None) -> StartGame | None:
    """The game of the seat, if the board is free for it: no other game is on, and it is not the one that was played."""
    start = night.start
    if start is None or (table is not None and table.phase is not Phase.OVER and not table.is_demo):
        return None
    return None if table is not None and is_game_of(start, table) else start


def is_game_of(start: StartGame, table: Table) -> bool:
    """Whether this game was begun for the seat, also before a restart."""
    return table.club_game == start.club_game and sorted(table.names) == sorted(start.names)


def state_message(night: ClubNight) -> Message | None:
    """The state in one line of the display; None: nothing to say."""
    sentence = SENTENCES.get(night.state)
    return None if sentence is None else partial(_state, sentence, night)


def _state(sentence: Callable[[Translator], str], night: ClubNight, tr: Translator) -> str:
    return sentence(tr).format(table=night.table, rule=night.problem.replace("_", " "))


SENTENCES: Mapping[ClubState, Callable[[Translator], str]] = {
    ClubState.JOINING: lambda tr: tr("Asking the club"),
    ClubState.NO_ANSWER: lambda tr: tr("Club does not answer"),
    ClubState.WRONG_CODE: lambda tr: tr("Wrong code"),
    ClubState.TOO_MANY_CODES: lambda tr: tr("Wait a minute"),
    ClubState.JOINED: lambda tr: tr("Joined: table {table}"),
    ClubState.RELEASED: lambda tr: tr("No table any more"),
    ClubState.REFUSED: lambda tr: tr("Unknown rule: {rule}"),
}


def seat_lines(start: StartGame, bracket: str, tr: Translator) -> tuple[str, ...]:
    """Who should sit at the board and what they play, a line each."""
    assert start.club_game is not None
    ahead = start.scores or (0,) * len(start.names)
    names = (
        name if not holes else tr("Head start {holes}: {name}").format(name=name, holes=holes)
        for name, holes in zip(start.names, ahead, strict=True)
    )
    place = place_in_words(start.club_game.round, start.club_game.table, bracket, tr)
    game = tr("{game} to {target}").format(game=tr(start.rules.variant.replace("_", " ")), target=start.rules.target)
    return (place, *names, game, tr("ENTER: yes, UNDO: no"))
