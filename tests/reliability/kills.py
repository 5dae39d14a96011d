"""The whole program, killed at random while people play on it: a real process, real files, a real socket.

Somebody moves pegs on the simulated board, gives orders and changes settings by phone, and notes what was answered.
What the next start finds must be that, or that and the one thing which was being asked when the process died.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from itertools import count
from pathlib import Path
from random import Random
from threading import Timer
from time import sleep
from typing import Any
from urllib.parse import urlsplit

from firmware_host.board.course import TrackPegs
from firmware_host.journal import Journal
from firmware_host.ledger import Row
from firmware_host.plans import load_plan

PLAN = load_plan("classic-61")
TARGET = 121
NEARLY = TARGET - 12
"""A game that is so far is left for the next: nobody has to play it out."""
SETTINGS = 'settle_s = 0.05\nscan_hz = 200\nnames = ["Ann", "Ben"]  # seat by seat\n'
START_S, PLAY_S = 0.9, 0.7
"""A kill comes at random within so many seconds of the start of the process, or of its panel's."""
KILLED_AT_START = 0.2
PATIENCE_S, LOOK_S, HAND_S = 30.0, 0.005, 0.02

State = Mapping[str, Any]


class Program:
    """`cribboard run` in `folder`, killed after so many seconds; counted from the start, or from when it is open."""

    def __init__(self, folder: Path) -> None:
        command: list[str | Path] = [
            sys.executable,
            "-m",
            "firmware_host",
            "run",
            "--settings",
            folder / "cribboard.toml",
        ]
        command += ["--state-folder", folder / "state"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self._line: HTTPConnection | None = None

    def kill_after(self, seconds: float) -> None:
        timer = Timer(seconds, self.process.kill)
        timer.daemon = True
        timer.start()

    def wait_until_open(self) -> None:
        """Raises OSError if it died before."""
        assert self.process.stdout
        told = self.process.stdout.readline()
        if not told:
            raise ConnectionError("it is dead")
        address = urlsplit(next(word for word in told.split() if word.startswith("http")))
        self._line = HTTPConnection(address.hostname or "", address.port, timeout=PATIENCE_S)

    def ask(self, method: str, path: str, told: object = None) -> State:
        """Raises OSError or HTTPException once it is dead."""
        assert self._line
        body, head = (None, {}) if told is None else (json.dumps(told), {"Content-Type": "application/json"})
        self._line.request(method, f"/api/v1/{path}", body, head)
        answer = self._line.getresponse()
        text = answer.read()
        assert answer.status < 300, (path, told, answer.status, text)
        state: State = json.loads(text or "{}")
        return state

    def bury(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE_S)
        assert self.process.stdout
        self.process.stdout.close()
        if self._line:
            self._line.close()


@dataclass
class Person:
    """Who plays, and what they know: `answered` is every row of the journal that an answer vouched for."""

    folder: Path
    random: Random
    answered: list[Row] = field(default_factory=list)
    names: Sequence[str] = ("Ann", "Ben")
    asked: str = ""
    """What is being asked, and not yet answered."""
    asked_names: Sequence[str] = ()
    plays_by_pegs: bool = False
    counted: Counter[str] = field(default_factory=Counter)
    losses: list[str] = field(default_factory=list)

    def come_back(self, program: Program) -> None:
        """Look what is there after a start, and go on from it."""
        state, found = program.ask("GET", "state"), self.rows()
        known, more = found[: len(self.answered)], found[len(self.answered) :]
        if known != self.answered:
            self.losses.append(f"{len(self.answered)} rows were answered for, {len(found)} others are there")
        if len({(row.game, row.turn) for row in more}) > bool(self.asked):
            self.losses.append(f"{more} came from nowhere while {self.asked or 'nothing'} was asked")
        if found and scores(state) != self.scores_kept():
            self.losses.append(f"the board shows {scores(state)}, its journal tells {self.scores_kept()}")
        if (names := self.names_kept()) not in (self.names, self.asked_names or self.names):
            self.losses.append(f"the settings name {names}, neither {self.names} nor {self.asked_names}")
        if self.asked:
            self.counted["in flight and kept" if more or names != self.names else "in flight and gone"] += 1
        self.answered, self.names, self.asked, self.asked_names = found, names, "", ()

    def play(self, program: Program) -> None:
        """On and on. Raises OSError or HTTPException when the program is dead."""
        while True:
            state = program.ask("GET", "state")
            if not state["game"] or max(scores(state)) > NEARLY:
                self.new_game(program)
            elif self.random.random() < 0.1:
                self.change_names(program)
            elif self.plays_by_pegs:
                self.leap(program, state)
            else:
                self.order(program, state)

    def new_game(self, program: Program) -> None:
        self.plays_by_pegs = self.random.random() < 0.5
        game = {"variant": "six_card", "names": ["Ann", "Ben"], "dealer": 0, "target": TARGET, "board": PLAN.id}
        self.give(program, "a new game", "orders/new-game", game)

    def order(self, program: Program, state: State) -> None:
        """A leap told by phone, or the last turn taken back; then the pegs follow."""
        if state["turns"] > 2 and self.random.random() < 0.2:
            after = self.give(program, "undo", "orders/undo", {})
        else:
            leap = {"side": self.random.randrange(2), "points": self.random.randint(1, 12)}
            after = self.give(program, f"{leap}", "orders/move", leap)
        for side in range(2):
            set_pegs(program, side, pegs_of(state, side), pegs_of(after, side))

    def give(self, program: Program, what: str, path: str, told: object) -> State:
        self.asked = what
        state = program.ask("POST", path, told)
        self.note_answer()
        return state

    def leap(self, program: Program, state: State) -> None:
        """A leap told by the pegs alone. The answer is the score that is shown."""
        side, points = self.random.randrange(2), self.random.randint(1, 12)
        pegs = pegs_of(state, side)
        self.asked = f"a leap of {points}"
        set_pegs(program, side, pegs, pegs.leapt_to(pegs.front + points))
        while scores(program.ask("GET", "state"))[side] != pegs.front + points:
            sleep(LOOK_S)
        self.note_answer()

    def change_names(self, program: Program) -> None:
        self.asked, self.asked_names = "other names", (f"P{self.random.randrange(1000)}", "Ben")
        program.ask("POST", "settings", {"changes": {"names": list(self.asked_names)}})
        self.names, self.asked_names, self.asked = self.asked_names, (), ""
        self.counted["settings changed"] += 1

    def note_answer(self) -> None:
        self.answered, self.asked = self.rows(), ""
        self.counted["turns answered for"] += 1

    # The files, as somebody else reads them.

    def rows(self) -> list[Row]:
        with closing(Journal.open_to_read(self.folder / "state" / "journal.sqlite3")) as journal:
            return [row for game in range(1, journal.last_game + 1) for row in journal.rows_of(game)]

    def scores_kept(self) -> tuple[int, ...]:
        with closing(Journal.open_to_read(self.folder / "state" / "journal.sqlite3")) as journal:
            return next(journal.games()).scores

    def names_kept(self) -> Sequence[str]:
        return tuple(tomllib.loads((self.folder / "cribboard.toml").read_text(encoding="utf-8"))["names"])


def set_pegs(program: Program, side: int, before: TrackPegs, after: TrackPegs) -> None:
    """By hand, from where the pegs of a side stand to where they shall stand."""
    course = PLAN.course(TARGET)
    stood, stand = (set(course.holes_of(pegs)) for pegs in (before, after))
    for movement, holes in (("lift", stood - stand), ("place", stand - stood)):
        for hole in holes:
            program.ask("POST", f"hands/{movement}", {"sensor": PLAN.at(side, hole).sensor})
            sleep(HAND_S)


def pegs_of(state: State, side: int) -> TrackPegs:
    return TrackPegs(state["sides"][side]["back"], state["sides"][side]["score"])


def scores(state: State) -> tuple[int, ...]:
    return tuple(side["score"] for side in state["sides"])


def kill_often(
    folder: Path, kills: int, seed: int, meanwhile: Callable[[Path], None] = lambda state_folder: None
) -> Person:
    """So many lives that end by `kill -9`, and one more look. `meanwhile` may do to the files what a disk would."""
    (folder / "cribboard.toml").write_text(SETTINGS, encoding="utf-8")
    random = Random(seed)
    person = Person(folder, random)
    for life in count():
        program = Program(folder)
        try:
            live(program, person, random, is_last=life == kills)
        finally:
            program.bury()
        if life == kills:
            return person
        meanwhile(folder / "state")
    raise AssertionError("there is always a last life")


def live(program: Program, person: Person, random: Random, *, is_last: bool) -> None:
    is_open, dies_early = False, not is_last and random.random() < KILLED_AT_START
    if dies_early:
        program.kill_after(random.uniform(0.0, START_S))
    with suppress(OSError, HTTPException):
        program.wait_until_open()
        is_open = True
        if not (is_last or dies_early):
            program.kill_after(random.uniform(0.0, PLAY_S))
        person.come_back(program)
        if not is_last:
            person.play(program)
    person.counted["killed while it was played on" if is_open else "killed while it started"] += not is_last
