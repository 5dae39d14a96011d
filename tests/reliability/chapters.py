"""What a life is made of, a run of the program each: evenings at the table, and what befalls the disk.

`python -m tests.reliability.chapters FOLDER CHAPTER SEED`
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from firmware_host.rescue import restore
from tests.reliability.life import BY_HAND, QUICK, Life, digest_of_copy, digest_of_phones, digest_of_settings


def first_evening(life: Life) -> None:
    life.say(chapter="first game")
    life.play(QUICK, 1_000)
    life.say(chapter="first game is over")
    life.let_phones_in()
    life.idle()
    life.move_pegs([2, 8, 4, 6, 12, 1])
    life.host.stop()


def plug_pulled(life: Life) -> None:
    """The program ends in the middle of a game, and has no time to close anything."""
    life.play(BY_HAND, 40)
    os._exit(0)


def second_evening(life: Life) -> None:
    life.go_on(20)
    life.play(QUICK, 20)
    life.phones.admit("Ben's phone")
    life.say(phones=digest_of_phones(life.phones.phones))
    life.host.stop()


def third_evening(life: Life) -> None:
    """Settings are changed, a copy is kept in the middle of a game, and put back some turns later."""
    life.change_settings()
    life.play(BY_HAND, 30)
    life.keep_copy()
    life.go_on(10)
    life.put_copy_back()
    life.go_on(10)
    life.host.stop()


def copy_put_back(life: Life) -> None:
    """By command, while no board runs."""
    life.host.stop()
    restore(life.state / "journal.sqlite3", life.copy)
    life.say(journal=digest_of_copy(life.copy))


def old_journal(life: Life) -> None:
    """The disk was filled by an older program."""
    life.play(QUICK, 5)
    life.host.stop()


def rescue(life: Life) -> None:
    """The disk was spoilt; the start has mended it."""
    life.host.stop()


def careless_evening(life: Life) -> None:
    """What must not be: turns are acknowledged before they are on the disk."""
    life.journal._database.execute("PRAGMA synchronous = OFF")
    life.play(QUICK, 30)
    life.host.stop()


def careless_settings(life: Life) -> None:
    """What must not be either: a file is written where it stands."""
    life.change_settings()
    life.settings.write_text("names = ['Ann', 'Ben', 'Cora']\n" + "# More.\n" * 200, encoding="utf-8")
    life.say(settings=digest_of_settings(life.settings))
    life.host.stop()


CHAPTERS: dict[str, Callable[[Life], None]] = {
    each.__name__: each
    for each in (
        *(first_evening, plug_pulled, second_evening, third_evening, copy_put_back),
        *(old_journal, rescue, careless_evening, careless_settings),
    )
}
LIFE = ("first_evening", "plug_pulled", "second_evening", "third_evening", "copy_put_back")


def programs(disk: Path, chapters: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """A program a chapter, to be recorded."""
    for seed, chapter in enumerate(chapters):
        yield "tests.reliability.chapters", str(disk), chapter, str(seed)


if __name__ == "__main__":
    CHAPTERS[sys.argv[2]](Life(Path(sys.argv[1]), seed=int(sys.argv[3])))
