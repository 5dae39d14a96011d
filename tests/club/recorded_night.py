"""A recorded run of the club's file: the events of a random night, each acknowledged when it is on the disk.

python -m tests.club.recorded_night DISK SEED [unsynced]
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from firmware_host.club import decide as d
from firmware_host.club_server.store import ClubFile, open_club
from tests.club.random_nights import play_night
from tests.reliability.board_session import Acknowledger

FILE = "club.sqlite3"
PLAYERS = 6


def digest_of(file: ClubFile) -> str:
    """A hash of all events. Raises ClubFileError for a file that is damaged."""
    _ = file.club  # verifies the seals
    return sha256("\0".join(record.body for record in file.records()).encode()).hexdigest()


def start_club(disk: Path) -> Mapping[str, str]:
    """What the next start finds. The file must also accept one more event, and keep it."""
    with open_club(disk / FILE) as file:
        found = digest_of(file)
        file.change(lambda club: d.add_member(club, "after the power cut"))
        expected = digest_of(file)
    with open_club(disk / FILE) as file:
        return {"club": found if digest_of(file) == expected else "loses the event that was added"}


def main(disk: Path, seed: int, *, is_synced: bool) -> None:
    """Write a night, and one event more after the file was closed and opened again."""
    acknowledge = Acknowledger(disk)
    with open_club(disk / FILE) as file:
        if not is_synced:
            file._database.execute("PRAGMA synchronous = OFF")
        acknowledge(club=digest_of(file))
        for event in play_night(seed, PLAYERS).events:
            file.change(lambda _, event=event: event)  # type: ignore[misc]
            acknowledge(club=digest_of(file))
    with open_club(disk / FILE) as file:
        file.change(lambda club: d.add_member(club, "late"))
        acknowledge(club=digest_of(file))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), is_synced="unsynced" not in sys.argv)
