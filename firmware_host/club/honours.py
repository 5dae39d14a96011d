"""What a club honours beside the standings: grand slams, and hands of 28 and 29.

A grand slam is every game of the night won; a bye is no game. The American Cribbage Congress has awards for a hand of
28, a hand of 29 and a grand slam in its clubs (eugenecribbage.com/play-cribbage/acc-club). Nobody but the players sees
the cards of a hand at a club, so the organiser notes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from firmware_host.club import events as e
from firmware_host.club.members import MemberId
from firmware_host.club.rule_errors import NotEntered
from firmware_host.club.standings import lines_of, sums_of
from firmware_host.club.state import Club, Night
from firmware_host.cribbage.rule_errors import UnknownChoice, quoted

HIGH_HANDS = (28, 29)
"""Points of the hands that are noted; 29 is the highest of all."""
MOST_HANDS = 9
"""Of one player in one night."""


class HighHands(NamedTuple):
    """So many hands of this value, of one player in one night."""

    member: MemberId
    points: int
    times: int


def grand_slams(night: Night) -> tuple[MemberId, ...]:
    """Who won every game of the night, in the order of entry."""
    games = night.settings.games
    return tuple(member for member in night.entrants if sums_of(lines_of(night, member)).wins == games)


def high_hands(night: Night) -> tuple[HighHands, ...]:
    """What was noted, the highest first, then in the order of entry."""
    return tuple(_noted(night))


def _noted(night: Night) -> Iterator[HighHands]:
    for points in sorted(HIGH_HANDS, reverse=True):
        for member in night.entrants:
            if times := night.high_hands.get((member, points), 0):
                yield HighHands(member, points, times)


def note_high_hands(club: Club, night: Night, member: MemberId, points: int, count: int) -> e.HighHandsNoted:
    """The player had so many hands of `points` tonight; 0 takes a note back. Raises NotEntered for somebody who did not
    play, UnknownChoice for other points or a count out of range."""
    if member not in night.entrants:
        name = club.name(member)
        raise NotEntered("a player of the night", quoted(name), name=name)
    if points not in HIGH_HANDS:
        raise UnknownChoice(" or ".join(map(str, HIGH_HANDS)), str(points), "points")
    if not 0 <= count <= MOST_HANDS:
        raise UnknownChoice(f"0 to {MOST_HANDS} hands", str(count), "count")
    return e.HighHandsNoted(night.number, member, points, count)
