"""The scenarios that are recorded and cut: games, settings, backups and restarts, each a run of the program of its own.

`python -m tests.reliability.scenarios FOLDER SCENARIO SEED`
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from firmware_host.storage.restore import restore
from tests.reliability.board_session import (
    BY_HAND,
    QUICK,
    BoardSession,
    digest_of_backup,
    digest_of_phones,
    digest_of_settings,
)


def first_run(session: BoardSession) -> None:
    """A whole game by commands, phones, an idle time, and a game by pegs."""
    session.acknowledge(phase="first game")
    session.play(QUICK, 1_000)
    session.acknowledge(phase="first game is over")
    session.pair_phones()
    session.idle()
    session.move_pegs([2, 8, 4, 6, 12, 1])
    session.host.stop()


def power_off(session: BoardSession) -> None:
    """The process ends in the middle of a game and closes nothing."""
    session.play(BY_HAND, 40)
    os._exit(0)


def second_run(session: BoardSession) -> None:
    """The game goes on, then a new one, and another phone."""
    session.continue_game(20)
    session.play(QUICK, 20)
    session.phones.add_phone("Ben's phone")
    session.acknowledge(phones=digest_of_phones(session.phones.phones))
    session.host.stop()


def third_run(session: BoardSession) -> None:
    """Settings are changed; a backup is written during a game and restored some turns later."""
    session.change_settings()
    session.play(BY_HAND, 30)
    session.write_backup()
    session.continue_game(10)
    session.restore_backup()
    session.continue_game(10)
    session.host.stop()


def backup_restored(session: BoardSession) -> None:
    """`cribboard restore`, while no board runs."""
    session.host.stop()
    restore(session.state / "journal.sqlite3", session.backup)
    session.acknowledge(journal=digest_of_backup(session.backup))


def upgrade(session: BoardSession) -> None:
    """The journal was written by an older version."""
    session.play(QUICK, 5)
    session.host.stop()


def recovery(session: BoardSession) -> None:
    """The journal was corrupt; the start has rebuilt it."""
    session.host.stop()


def unsynced_journal(session: BoardSession) -> None:
    """A bug on purpose: turns are acknowledged before they are durable."""
    session.journal._database.execute("PRAGMA synchronous = OFF")
    session.play(QUICK, 30)
    session.host.stop()


def unsynced_settings(session: BoardSession) -> None:
    """A bug on purpose: the settings are overwritten in place."""
    session.change_settings()
    session.settings.write_text("names = ['Ann', 'Ben', 'Cora']\n" + "# More.\n" * 200, encoding="utf-8")
    session.acknowledge(settings=digest_of_settings(session.settings))
    session.host.stop()


SCENARIOS: dict[str, Callable[[BoardSession], None]] = {
    each.__name__: each
    for each in (
        *(first_run, power_off, second_run, third_run, backup_restored),
        *(upgrade, recovery, unsynced_journal, unsynced_settings),
    )
}
ALL_RUNS = ("first_run", "power_off", "second_run", "third_run", "backup_restored")


def programs(disk: Path, scenarios: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Module and arguments of one program per scenario, to be recorded."""
    for seed, scenario in enumerate(scenarios):
        yield "tests.reliability.scenarios", str(disk), scenario, str(seed)


if __name__ == "__main__":
    SCENARIOS[sys.argv[2]](BoardSession(Path(sys.argv[1]), seed=int(sys.argv[3])))
