"""The commands of the organiser about members and guests."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from msgspec import Meta

from firmware_host.club import by_hand as h
from firmware_host.club import decide as d
from firmware_host.club.events import Event
from firmware_host.club.evolve import evolve
from firmware_host.club.member_list import ListRefused, read_members
from firmware_host.club.members import MemberId
from firmware_host.club.remarks import list_in_words, list_words
from firmware_host.club.state import Club
from firmware_host.config.languages import translator
from web_panel.api.json_body import Text, Whole
from web_panel.club.change_body import ChangeBody, night_of
from web_panel.club.shared_club import SharedClub
from web_panel.errors import Problem
from web_panel.language import language_now

LONGEST_LIST = 7_000
"""Characters of a list of members: some 400 names, within the longest body of a request."""


class AddMember(ChangeBody, frozen=True):
    """A new member or guest; `plays`: who also plays tonight, as one who is late."""

    name: Text
    guest: bool | None = None
    handicap: Whole | None = None
    plays: bool | None = None

    def change(self, shared: SharedClub) -> None:
        def events(club: Club) -> list[Event]:
            added = d.add_member(club, self.name, bool(self.guest), self.handicap or 0)
            club = evolve(club, added)
            return [added, *(h.arrive(club, night_of(club), added.member) if self.plays else ())]

        shared.change_all(events)


class ImportMembers(ChangeBody, frozen=True):
    """New members from the text of a CSV file, or pasted: all of them, or none. `same`: lines with a name that is known
    are left out."""

    text: Annotated[str, Meta(max_length=LONGEST_LIST)]
    same: bool | None = None

    def __post_init__(self) -> None:
        """The text has several lines; its names are checked one by one."""

    def change(self, shared: SharedClub) -> None:
        tr = translator(language_now())
        words = list_words(tr)
        try:
            shared.change_all(lambda club: read_members(club, self.text, words, bool(self.same)))
        except ListRefused as refused:
            raise Problem(HTTPStatus.CONFLICT, str(refused), localized=list_in_words(refused, tr)) from refused


class MemberBody(ChangeBody, frozen=True):
    """The number of a member."""

    member: Whole


class ChangeMember(MemberBody, frozen=True):
    """Another name, guest or handicap."""

    name: Text
    guest: bool | None = None
    handicap: Whole | None = None

    def decide(self, club: Club) -> Event:
        return d.change_member(club, MemberId(self.member), self.name, bool(self.guest), self.handicap or 0)


class RemoveMember(MemberBody, frozen=True):
    """A member leaves the club."""

    def decide(self, club: Club) -> Event:
        return d.remove_member(club, MemberId(self.member))
