"""The commands of the organiser about rounds and brackets: who meets whom, and at which table."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from firmware_host.club import by_hand as h
from firmware_host.club import decide as d
from firmware_host.club.bracket import BEST_OF
from firmware_host.club.events import BracketKind, Event, RoundArranged
from firmware_host.club.members import MemberId
from firmware_host.club.rule_errors import RoundExists
from firmware_host.club.state import Club, Night
from web_panel.api.json_body import Whole, Wholes
from web_panel.club.change_body import ChangeBody, night_of

Note = Annotated[str, Meta(max_length=200)]


class PlacesByHand(ChangeBody, frozen=True, kw_only=True):
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


class PairPlayers(PlacesByHand, frozen=True, kw_only=True):
    """Two players meet in this round."""

    first: Whole
    second: Whole

    def arrange(self, club: Club, night: Night) -> RoundArranged:
        return h.pair_by_hand(club, night, self.round, MemberId(self.first), MemberId(self.second))


class GiveBye(PlacesByHand, frozen=True, kw_only=True):
    """A player has a bye in this round."""

    member: Whole

    def arrange(self, club: Club, night: Night) -> RoundArranged:
        return h.give_bye(club, night, self.round, MemberId(self.member))


class SwapTables(ChangeBody, frozen=True):
    """Two games of this round exchange their tables."""

    round: Whole
    first: Whole
    second: Whole

    def decide(self, club: Club) -> Event:
        return h.swap_tables(night_of(club), self.round, self.first, self.second)


class SwapMatchTables(ChangeBody, frozen=True):
    """Two matches of the play-offs exchange their tables, or one gets an empty table."""

    first: Whole
    second: Whole

    def decide(self, club: Club) -> Event:
        return h.swap_match_tables(night_of(club), self.first, self.second)


class UndoPlacesByHand(ChangeBody, frozen=True):
    """Take the last change by hand in this round back."""

    round: Whole

    def decide(self, club: Club) -> Event:
        return h.undo_by_hand(night_of(club), self.round)


class PairRound(ChangeBody, frozen=True):
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


class UnpairRound(ChangeBody, frozen=True):
    """Withdraw the last round. No result changes by it, so the reason may be left out."""

    reason: Note | None = None

    def decide(self, club: Club) -> Event:
        return d.unpair_round(night_of(club), self.reason or "")


class DrawBracket(ChangeBody, frozen=True):
    """Draw the play-offs or the consolation. Without `members` they have who qualified, or everybody else."""

    bracket: BracketKind
    best_of: Whole | None = None
    members: Wholes | None = None

    def decide(self, club: Club) -> Event:
        members = None if self.members is None else [MemberId(member) for member in self.members]
        return d.draw_bracket(club, night_of(club), self.bracket, self.best_of or BEST_OF[0], members)
