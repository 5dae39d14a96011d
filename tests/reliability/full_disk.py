"""Runs in a mount namespace of its own: starts the program on a disk that is full or read-only, and frees the disk.

`unshare -rm python -m tests.reliability.full_disk FOLDER full|read-only`
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from time import monotonic, sleep

from firmware_host.storage.journal import Journal
from tests.reliability.process_kills import Program

LIMIT_S = 60.0


def main(folder: Path, kind: str) -> None:
    """Exits with an AssertionError if a game that was played without a disk is not written in the end."""
    disk = folder / "state"
    disk.mkdir()
    mount("-t", "tmpfs", "-o", "size=2m", "none", str(disk))
    (folder / "cribboard.toml").write_text('names = ["Ann", "Ben"]\n')
    begin_game(folder)
    filler = disk / "filler"
    if kind == "full":
        fill(filler)
    else:
        mount("-o", "remount,ro", str(disk))
    program = Program(folder)
    try:
        program.wait_until_open()
        state = program.request("GET", "state")
        assert [side["name"] for side in state["sides"]] == ["Ann", "Ben"], "the game that is on is not shown"
        assert state["prompt"] == "Game is not saved. Check the disk.", state["prompt"]
        program.request("POST", "commands/correct", {"side": 0, "score": 7, "reason": "full disk"})
        assert score_of(program) == 7, "the game does not go on in memory"
        if kind == "full":
            filler.unlink()
        else:
            mount("-o", "remount,rw", str(disk))
        until(lambda: not program.request("GET", "state")["fault"])
        assert score_of(program) == 7
        with closing(Journal.open_readonly(disk / "journal.sqlite3")) as journal:
            assert next(journal.games()).scores == (7, 0), "the turn was not written"
    finally:
        program.clean_up()


def begin_game(folder: Path) -> None:
    """A game is on, and the program was stopped cleanly: the journal has no log."""
    program = Program(folder)
    try:
        program.wait_until_open()
        game = {"variant": "six_card", "names": ["Ann", "Ben"], "dealer": 0, "target": 121, "board": "classic-61"}
        program.request("POST", "commands/new-game", game)
        program.process.terminate()
        assert program.process.wait(LIMIT_S) == 0
    finally:
        program.clean_up()


def fill(file: Path) -> None:
    with file.open("wb", buffering=0) as filling:
        try:
            while True:
                filling.write(bytes(4096))
        except OSError:
            return


def mount(*words: str) -> None:
    subprocess.run(["mount", *words], check=True)


def score_of(program: Program) -> int:
    return int(program.request("GET", "state")["sides"][0]["score"])


def until(is_so: Callable[[], bool]) -> None:
    end_s = monotonic() + LIMIT_S
    while not is_so():
        assert monotonic() < end_s, "the game still waits although the disk can be written"
        sleep(0.2)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
