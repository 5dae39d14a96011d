"""Phones of players: how one joins a night by the code of the room, and reports results for its player.

A phone needs no account. It has a random token, of which the club keeps the hash, so a file that is copied lets nobody
report. A player has one phone at a time: somebody who joins by the name of another keeps that one out, who notices. Who
reported and confirmed, and on which phone, stays in the events.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from firmware_host.club import decide as d
from firmware_host.club import events as e
from firmware_host.club import rule_errors as refused
from firmware_host.club.game import Game
from firmware_host.club.members import Member, MemberId
from firmware_host.club.state import Club, Night
from firmware_host.cribbage.names import spelling_key
from firmware_host.cribbage.rule_errors import quoted

MOST_NAMES = 6
"""Names that are shown to somebody whose name is not found."""
ALIKE = 3
"""Letters at the beginning of a word by which two words are alike."""


class Owner(NamedTuple):
    """The number of a phone, and its player."""

    phone: int
    member: MemberId


def join_phone(club: Club, name: str, code: str, key: str) -> e.PhoneJoined:
    """A phone becomes that of a player of the latest night. `key` is the hash of its token. Raises NoNight,
    WrongJoinCode, NotTheFullName, UnknownPlayer, SeveralMembers, NotEntered or HasPhone."""
    check_code(club, code)
    night = d.night_of(club, None)
    member = _player_called(club, night, name)
    if member.id not in night.present:
        raise refused.NotEntered("a player of the night", quoted(name), name=member.name)
    if any(phone.key and phone.member == member.id for phone in night.phones.values()):
        raise refused.HasPhone("a player without a phone", quoted(name), name=member.name)
    return e.PhoneJoined(night.number, len(night.phones) + 1, member.id, key)


def check_code(club: Club, code: str) -> None:
    """Raises NoNight, or WrongJoinCode for another code than that of the latest night."""
    night = d.night_of(club, None)
    if not night.join_code or code != night.join_code:
        raise refused.WrongJoinCode("the code of the room", quoted(code))


def _player_called(club: Club, night: Night, name: str) -> Member:
    """The member of this name. Who knows the code may hear the names of players who could be meant."""
    try:
        return d.find_member(club, name)
    except refused.UnknownMember:
        alike = names_like(map(club.name, night.present), name)
        if not alike:
            raise refused.UnknownPlayer("the name of a player", quoted(name), name=name) from None
        raise refused.NotTheFullName("a full name", quoted(name), name=", ".join(alike)) from None


def names_like(names: Iterable[str], text: str) -> Sequence[str]:
    """The names, MOST_NAMES at most, with a word that begins like one of the text, or has one in it; the best first."""
    words = spelling_key(text).split()

    def likeness(name: str) -> int:
        parts = spelling_key(name).split()
        return sum(any(part.startswith(word[:ALIKE]) or word in part for part in parts) for word in words)

    found = sorted(names, key=lambda name: (-likeness(name), spelling_key(name)))
    return [name for name in found if likeness(name)][:MOST_NAMES]


def release_phone(night: Night, phone: int) -> e.PhoneReleased:
    """Take a phone from its player, who can join with another one. Raises UnknownPhone."""
    if phone not in night.phones or not night.phones[phone].key:
        raise refused.UnknownPhone("a phone that has joined", str(phone))
    return e.PhoneReleased(night.number, phone)


def owner_of(night: Night, key: str) -> Owner | None:
    """Whose phone has a token with this hash; None: nobody's."""
    found = (Owner(number, phone.member) for number, phone in night.phones.items() if key and phone.key == key)
    return next(found, None)


def next_game(night: Night, member: MemberId) -> Game | None:
    """The first game of a player, of a round or a match, whose result does not count yet; None: the player waits."""
    return next((game for game in (*night.open_games, *night.open_match_games) if member in game.players), None)


def report_on_phone(
    club: Club, key: str, number: int, table: int, scores: tuple[int, ...]
) -> e.ResultReported | e.ResultConfirmed:
    """The scores of the own game. Those that the opponent reported confirm the result, others contradict it. Raises
    UnknownPhone, and whatever `report_result` raises."""
    night = d.night_of(club, None)
    owner = owner_of(night, key)
    if owner is None:
        raise refused.UnknownPhone("a phone that has joined", "another one")
    return replace(d.report_result(club, night, number, table, scores, owner.member), phone=owner.phone)
