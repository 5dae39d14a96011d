"""The commands of the organiser about a night: its players, rounds, places, boards and phones; and about members."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated

from msgspec import Meta

from firmware_host.club import by_hand as h
from firmware_host.club import decide as d
from firmware_host.club.bracket import BEST_OF
from firmware_host.club.events import BracketKind, Event, PhoneReleased, PlayerEntered, RoundArranged
from firmware_host.club.member_list import ListRefused, read_members
from firmware_host.club.members import GAMES_A_NIGHT, USUAL_PRESET, MemberId, NightSettings
from firmware_host.club.phones import release_phone
from firmware_host.club.remarks import list_in_words, list_words
from firmware_host.club.rule_errors import NightExists, RoundExists
from firmware_host.club.seating import release_board, set_join_code
from firmware_host.club.state import Club, Night, evolve
from firmware_host.club_server.broker import new_code
from firmware_host.config.languages import translator
from firmware_host.cribbage.variants import PRESETS
from firmware_host.validation.typed import one_of
from web_panel.api.json_body import Text, Whole, Wholes
from web_panel.club.change_body import ChangeBody, night_of
from web_panel.club.result_commands import DECISIONS
from web_panel.club.shared_club import SharedClub
from web_panel.errors import Problem
from web_panel.language import language_now

Note = Annotated[str, Meta(max_length=200)]
LONGEST_LIST = 7_000
"""Characters of a list of members: some 400 names, within the longest body of a request."""
Preset = Annotated[str, one_of(PRESETS)]


class Create(ChangeBody, frozen=True):
    """A new night. `night` is its number, so that a second press does not begin another one."""

    night: Whole
    date: datetime.date | None = None
    games: Whole | None = None
    head_start: bool | None = None
    preset: Preset | None = None
    close: bool | None = None
    """Whether the night that is on may end as it is."""

    def change(self, shared: SharedClub) -> None:
        shared.change(self.decide)
        shared.change(lambda club: set_join_code(night_of(club), new_code()))

    def decide(self, club: Club) -> Event:
        if len(club.nights) != self.night - 1:
            raise NightExists(f"night {len(club.nights) + 1}", str(self.night), number=self.night)
        rules = PRESETS[self.preset or USUAL_PRESET].rules()
        settings = NightSettings(games=self.games or GAMES_A_NIGHT, head_start=bool(self.head_start), rules=rules)
        day = (self.date or datetime.date.today()).isoformat()
        return d.create_night(club, day, settings, bool(self.close))


class NewCode(ChangeBody, frozen=True):
    """Another code for the room, for example when the old one has become known. Boards that have joined stay."""

    def decide(self, club: Club) -> Event:
        return set_join_code(night_of(club), new_code())


class Release(ChangeBody, frozen=True):
    """Take a board from its table."""

    board: Text

    def decide(self, club: Club) -> Event:
        return release_board(night_of(club), self.board)


class ReleasePhone(ChangeBody, frozen=True):
    """Take a phone from its player."""

    phone: Whole

    def decide(self, club: Club) -> Event:
        return release_phone(night_of(club), self.phone)


class ReleasePhones(ChangeBody, frozen=True):
    """Take every phone from its player, for example after the club has moved to another computer."""

    def change(self, shared: SharedClub) -> None:
        def events(club: Club) -> list[PhoneReleased]:
            night = night_of(club)
            return [release_phone(night, number) for number, phone in night.phones.items() if phone.key]

        shared.change_all(events)


class Add(ChangeBody, frozen=True):
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


class Import(ChangeBody, frozen=True):
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


class Change(MemberBody, frozen=True):
    """Another name, guest or handicap."""

    name: Text
    guest: bool | None = None
    handicap: Whole | None = None

    def decide(self, club: Club) -> Event:
        return d.change_member(club, MemberId(self.member), self.name, bool(self.guest), self.handicap or 0)


class Remove(MemberBody, frozen=True):
    """A member leaves the club."""

    def decide(self, club: Club) -> Event:
        return d.remove_member(club, MemberId(self.member))


class Enter(MemberBody, frozen=True):
    """A member plays: at once, opposite whoever has a bye, or from the next round on."""

    def change(self, shared: SharedClub) -> None:
        shared.change_all(lambda club: h.arrive(club, night_of(club), MemberId(self.member)))


class EnterAll(ChangeBody, frozen=True):
    """All members and guests who do not play yet and have not left. They play from the next round on."""

    def change(self, shared: SharedClub) -> None:
        def events(club: Club) -> list[PlayerEntered]:
            night = night_of(club)
            absent = [member.id for member in club.current_members if member.id not in night.entrants]
            return [d.enter_player(club, night, member) for member in absent]

        shared.change_all(events)


class Leave(MemberBody, frozen=True):
    """A player goes home."""

    def decide(self, club: Club) -> Event:
        return d.leave(club, night_of(club), MemberId(self.member))


class UndoLeave(MemberBody, frozen=True):
    """The player has not left after all."""

    def decide(self, club: Club) -> Event:
        return h.undo_leave(club, night_of(club), MemberId(self.member))


class ByHand(ChangeBody, frozen=True, kw_only=True):
    """A change of the places of a round. `sure`: also where two meet again, or somebody gets another bye."""

    round: Whole
    sure: bool | None = None

    def decide(self, club: Club) -> Event:
        night = night_of(club)
        arranged = self.arrange(club, night)
        if not self.sure:
            h.check_new(club, night, arranged)
        return arranged

    def arrange(self, club: Club, night: Night) -> RoundArranged:
        """The round after the change. Raises Refusal."""
        raise NotImplementedError


class PairTwo(ByHand, frozen=True, kw_only=True):
    """Two players meet in this round."""

    first: Whole
    second: Whole

    def arrange(self, club: Club, night: Night) -> RoundArranged:
        return h.pair_by_hand(club, night, self.round, MemberId(self.first), MemberId(self.second))


class Bye(ByHand, frozen=True, kw_only=True):
    """A player has a bye in this round."""

    member: Whole

    def arrange(self, club: Club, night: Night) -> RoundArranged:
        return h.give_bye(club, night, self.round, MemberId(self.member))


class Swap(ChangeBody, frozen=True):
    """Two games of this round exchange their tables."""

    round: Whole
    first: Whole
    second: Whole

    def decide(self, club: Club) -> Event:
        return h.swap_tables(night_of(club), self.round, self.first, self.second)


class SwapMatches(ChangeBody, frozen=True):
    """Two matches of the play-offs exchange their tables, or one gets an empty table."""

    first: Whole
    second: Whole

    def decide(self, club: Club) -> Event:
        return h.swap_match_tables(night_of(club), self.first, self.second)


class UndoPlaces(ChangeBody, frozen=True):
    """Take the last change by hand in this round back."""

    round: Whole

    def decide(self, club: Club) -> Event:
        return h.undo_by_hand(night_of(club), self.round)


class Pair(ChangeBody, frozen=True):
    """Draw a round. `round` is its number, so that a second press does not draw another one; `sure`: also while tables
    are open."""

    round: Whole
    sure: bool | None = None

    def decide(self, club: Club) -> Event:
        night = night_of(club)
        if self.round != len(night.rounds) + 1:
            raise RoundExists(f"round {len(night.rounds) + 1}", str(self.round), number=self.round)
        if not self.sure:
            d.check_tables_closed(night)
        return d.pair_round(club, night)


class Unpair(ChangeBody, frozen=True):
    """Withdraw the last round. No result changes by it, so the reason may be left out."""

    reason: Note | None = None

    def decide(self, club: Club) -> Event:
        return d.unpair_round(night_of(club), self.reason or "")


class Bracket(ChangeBody, frozen=True):
    """Draw the play-offs or the consolation. Without `members` they have who qualified, or everybody else."""

    bracket: BracketKind
    best_of: Whole | None = None
    members: Wholes | None = None

    def decide(self, club: Club) -> Event:
        members = None if self.members is None else [MemberId(member) for member in self.members]
        return d.draw_bracket(club, night_of(club), self.bracket, self.best_of or BEST_OF[0], members)


NIGHT: Mapping[str, type[ChangeBody]] = {
    "create": Create,
    "new-code": NewCode,
    "release": Release,
    "release-phone": ReleasePhone,
    "release-phones": ReleasePhones,
    "add": Add,
    "import": Import,
    "change": Change,
    "remove": Remove,
    "enter": Enter,
    "enter-all": EnterAll,
    "leave": Leave,
    "undo-leave": UndoLeave,
    "pair": Pair,
    "pair-two": PairTwo,
    "bye": Bye,
    "swap": Swap,
    "swap-matches": SwapMatches,
    "undo-places": UndoPlaces,
    "unpair": Unpair,
    "bracket": Bracket,
    **DECISIONS,
}
"""What only the organiser may do."""
