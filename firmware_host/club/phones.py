"""Phones of players: how one joins a night by the code of the room, and reports results for its player.

A phone needs no account. It has a random token, of which the club keeps the hash, so a file that is copied lets nobody
report. A player has one phone at a time: somebody who joins by the name of another keeps that one out, who notices. Who
reported and confirmed, and on which phone, stays in the events.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from firmware_host.club import decide as d
from firmware_host.club import events as e
from firmware_host.club import rule_errors as refused
from firmware_host.club.game import Game
from firmware_host.club.members import MemberId
from firmware_host.club.state import Club, Night
from firmware_host.cribbage.rule_errors import quoted


class Owner(NamedTuple):
    """The number of a phone, and its player."""

    phone: int
    member: MemberId


def join_phone(club: Club, name: str, code: str, key: str) -> e.PhoneJoined:
    """A phone becomes that of a player of the latest night. `key` is the hash of its token. Raises NoNight,
    WrongJoinCode, UnknownMember, SeveralMembers, NotEntered or HasPhone."""
    night = d.night_of(club, None)
    if not night.join_code or code != night.join_code:
        raise refused.WrongJoinCode("the code of the room", quoted(code))
    member = d.find_member(club, name)
    if member.id not in night.present:
        raise refused.NotEntered("a player of the night", quoted(name), name=member.name)
    if any(phone.key and phone.member == member.id for phone in night.phones.values()):
        raise refused.HasPhone("a player without a phone", quoted(name), name=member.name)
    return e.PhoneJoined(night.number, len(night.phones) + 1, member.id, key)


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
