"""The club night at one board: its state, its messages, and the question who sits there."""

from __future__ import annotations

from msgspec.structs import replace

from firmware_host.game.state import Table
from firmware_host.host.parts.notices import Notices
from firmware_host.ui.club_night import (
    ClubCommand,
    ClubNight,
    ClubState,
    DeclineSeat,
    FollowClub,
    JoinClub,
    seat_to_begin,
    state_message,
)
from firmware_host.ui.keys.input_state import Idle, InputState, SeatOffered


class ClubSession:
    """Only the host thread uses it. `revision` grows with every change of `night`."""

    def __init__(self, notices: Notices) -> None:
        self._notices = notices
        self.night = ClubNight()
        self.revision = 0

    def do(self, command: ClubCommand, at_s: float) -> None:
        """Carries a command out. Says the state where it has changed."""
        before = self.night
        now = self.night
        match command:
            case JoinClub(code):
                now = ClubNight(ClubState.JOINING, code=code, joins=before.joins + 1)
            case DeclineSeat():
                now = replace(before, is_declined=True)
            case FollowClub(night):
                is_declined = before.is_declined and before.start == night.start
                now = replace(night, code=before.code, joins=before.joins, is_declined=is_declined)
        self.night = now
        self.revision += now != before
        has_news = (now.state, now.table, now.problem, now.joins) != (
            before.state,
            before.table,
            before.problem,
            before.joins,
        )
        if has_news and (message := state_message(now)):
            self._notices.show(message, at_s)

    def asked(self, input_state: InputState, table: Table | None) -> InputState:
        """The input that follows from the seat: the question who sits here appears where nothing else is typed, and
        goes where the seat is another one, or taken."""
        start = None if self.night.is_declined else seat_to_begin(self.night, table)
        if isinstance(input_state, SeatOffered):
            return input_state if seat_to_begin(self.night, table) == input_state.start else Idle()
        return SeatOffered(start, self.night.bracket) if start and input_state == Idle() else input_state
