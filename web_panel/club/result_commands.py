"""The commands about results: entered, confirmed, corrected and decided, of rounds and of matches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from firmware_host.club import decide as d
from firmware_host.club.conflicts import see_unmatched
from firmware_host.club.events import BracketKind, Event
from firmware_host.club.honours import note_high_hands
from firmware_host.club.members import ORGANISER, MemberId
from firmware_host.club.state import Club
from web_panel.api.json_body import Text, Whole, text_of
from web_panel.club.change_body import ChangeBody, night_of

Reason = Annotated[str, text_of(200)]


class ReportResult(ChangeBody, frozen=True):
    """The scores of a table, for the players to confirm."""

    round: Whole
    table: Whole
    first: Whole
    second: Whole

    def decide(self, club: Club) -> Event:
        return d.report_result(club, night_of(club), self.round, self.table, (self.first, self.second))


class SignResult(ReportResult, frozen=True):
    """The scores of a table from the cards that both players have signed."""

    def decide(self, club: Club) -> Event:
        return d.sign_result(night_of(club), self.round, self.table, (self.first, self.second))


class ConfirmResult(ChangeBody, frozen=True):
    """One player of a table agrees."""

    round: Whole
    table: Whole
    member: Whole

    def decide(self, club: Club) -> Event:
        return d.confirm_result(club, night_of(club), self.round, self.table, MemberId(self.member))


class ReportMatch(ChangeBody, frozen=True):
    """The games won in a match of the play-offs."""

    bracket: BracketKind
    round: Whole
    match: Whole
    first: Whole
    second: Whole

    def decide(self, club: Club) -> Event:
        wins = (self.first, self.second)
        return d.report_match(night_of(club), self.bracket, self.round, self.match, wins)


class CorrectMatch(ReportMatch, frozen=True, kw_only=True):
    """Other games won in a match that was reported, with a reason."""

    reason: Reason

    def decide(self, club: Club) -> Event:
        wins = (self.first, self.second)
        return d.report_match(night_of(club), self.bracket, self.round, self.match, wins, self.reason)


class CorrectResult(ChangeBody, frozen=True):
    """The organiser sets the scores of a table."""

    round: Whole
    table: Whole
    first: Whole
    second: Whole
    reason: Reason

    def decide(self, club: Club) -> Event:
        scores = (self.first, self.second)
        return d.correct_result(night_of(club), self.round, self.table, scores, self.reason)


class ChooseResult(ReportResult, frozen=True, kw_only=True):
    """The organiser decides for the result that a player entered, or that a board sent."""

    member: Whole | None = None
    board: Text | None = None

    def decide(self, club: Club) -> Event:
        scores = (self.first, self.second)
        by = MemberId(self.member) if self.member else ORGANISER
        return d.choose_result(night_of(club), self.round, self.table, scores, by, self.board or "")


class NoteHighHands(ChangeBody, frozen=True):
    """The organiser notes how many hands of 28 or 29 a player had tonight."""

    member: Whole
    points: Whole
    count: Whole

    def decide(self, club: Club) -> Event:
        return note_high_hands(club, night_of(club), MemberId(self.member), self.points, self.count)


class DismissUnmatched(ChangeBody, frozen=True):
    """Leave a result that a board sent unused."""

    board: Text
    id: Text

    def decide(self, club: Club) -> Event:
        return see_unmatched(night_of(club), self.board, self.id)


RESULT_COMMANDS: Mapping[str, type[ChangeBody]] = {
    "report": ReportResult,
    "sign": SignResult,
    "confirm": ConfirmResult,
    "match": ReportMatch,
}
"""What scorekeepers may do: name -> the body of the command."""

RESULT_DECISIONS: Mapping[str, type[ChangeBody]] = {
    "correct": CorrectResult,
    "choose": ChooseResult,
    "note-hands": NoteHighHands,
    "unmatched-seen": DismissUnmatched,
    "correct-match": CorrectMatch,
}
"""What only the organiser may do."""
