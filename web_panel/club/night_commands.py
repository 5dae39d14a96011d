"""The commands of the organiser about a night: its begin, code, players, boards and phones; and the table of all that
only the organiser may do."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Annotated

from firmware_host.club import by_hand as h
from firmware_host.club import decide as d
from firmware_host.club.events import Event, PhoneReleased, PlayerEntered
from firmware_host.club.members import GAMES_A_NIGHT, USUAL_PRESET, MemberId, NightSettings
from firmware_host.club.phones import release_phone
from firmware_host.club.rule_errors import NightExists
from firmware_host.club.seating import release_board, set_join_code
from firmware_host.club.state import Club
from firmware_host.club_server.broker import new_code
from firmware_host.cribbage.variants import PRESETS
from firmware_host.validation.typed import one_of
from web_panel.api.json_body import Text, Whole
from web_panel.club.change_body import ChangeBody, night_of
from web_panel.club.member_commands import AddMember, ChangeMember, ImportMembers, MemberBody, RemoveMember
from web_panel.club.result_commands import RESULT_DECISIONS
from web_panel.club.round_commands import (
    DrawBracket,
    GiveBye,
    PairPlayers,
    PairRound,
    SwapMatchTables,
    SwapTables,
    UndoPlacesByHand,
    UnpairRound,
)
from web_panel.club.shared_club import SharedClub

Preset = Annotated[str, one_of(PRESETS)]


class CreateNight(ChangeBody, frozen=True):
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


class NewJoinCode(ChangeBody, frozen=True):
    """Another code for the room, for example when the old one has become known. Boards that have joined stay."""

    def decide(self, club: Club) -> Event:
        return set_join_code(night_of(club), new_code())


class ReleaseBoard(ChangeBody, frozen=True):
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


class EnterPlayer(MemberBody, frozen=True):
    """A member plays: at once, opposite whoever has a bye, or from the next round on."""

    def change(self, shared: SharedClub) -> None:
        shared.change_all(lambda club: h.arrive(club, night_of(club), MemberId(self.member)))


class EnterAllMembers(ChangeBody, frozen=True):
    """All members and guests who do not play yet and have not left. They play from the next round on."""

    def change(self, shared: SharedClub) -> None:
        def events(club: Club) -> list[PlayerEntered]:
            night = night_of(club)
            absent = [member.id for member in club.current_members if member.id not in night.entrants]
            return [d.enter_player(club, night, member) for member in absent]

        shared.change_all(events)


class LeaveNight(MemberBody, frozen=True):
    """A player goes home."""

    def decide(self, club: Club) -> Event:
        return d.leave(club, night_of(club), MemberId(self.member))


class UndoLeave(MemberBody, frozen=True):
    """The player has not left after all."""

    def decide(self, club: Club) -> Event:
        return h.undo_leave(club, night_of(club), MemberId(self.member))


NIGHT_COMMANDS: Mapping[str, type[ChangeBody]] = {
    "create": CreateNight,
    "new-code": NewJoinCode,
    "release": ReleaseBoard,
    "release-phone": ReleasePhone,
    "release-phones": ReleasePhones,
    "add": AddMember,
    "import": ImportMembers,
    "change": ChangeMember,
    "remove": RemoveMember,
    "enter": EnterPlayer,
    "enter-all": EnterAllMembers,
    "leave": LeaveNight,
    "undo-leave": UndoLeave,
    "pair": PairRound,
    "pair-two": PairPlayers,
    "bye": GiveBye,
    "swap": SwapTables,
    "swap-matches": SwapMatchTables,
    "undo-places": UndoPlacesByHand,
    "unpair": UnpairRound,
    "bracket": DrawBracket,
    **RESULT_DECISIONS,
}
"""What only the organiser may do."""
