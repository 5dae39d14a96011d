"""The body of a command of the organiser or of a scorekeeper: JSON that makes a change of the club."""

from __future__ import annotations

from firmware_host.club import decide as d
from firmware_host.club.events import Event
from firmware_host.club.state import Club, Night
from web_panel.api.json_body import Body
from web_panel.club.shared_club import SharedClub


def night_of(club: Club) -> Night:
    """The latest night. Raises NoNight."""
    return d.night_of(club, None)


class ChangeBody(Body, frozen=True):
    """The body of a command."""

    def change(self, shared: SharedClub) -> None:
        """Changes the club by the one event of `decide`. Raises Refusal."""
        shared.change(self.decide)

    def decide(self, club: Club) -> Event:
        """The event of the command. Raises Refusal."""
        raise NotImplementedError
