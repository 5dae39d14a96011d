"""Kills `cribboard run` at random moments during a game: a real process, real files, a real socket.

A simulated player moves pegs on the simulated board, submits commands and changes settings over HTTP, and records what
was answered. The next start must find exactly that, or that and the one request that was in progress.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException
from itertools import count
from pathlib import Path
from random import Random
from threading import Timer
from time import sleep
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct, field

from firmware_host.board.course import TrackPegs
from firmware_host.config.board_plans import load_plan
from firmware_host.storage.journal import Journal
from firmware_host.storage.journal_table import Row

PLAN = load_plan("classic-61")
TARGET = 121
LAST_SCORE = TARGET - 12
"""From this score on a new game is started instead of finishing the current one."""
SETTINGS = 'settle_s = 0.05\nscan_hz = 200\nnames = ["Ann", "Ben"]  # seat by seat\n'
START_S, PLAY_S = 0.9, 0.7
"""A kill comes at a random time within START_S of the start of the process, or within PLAY_S of the first answer."""
KILLED_AT_START = 0.2
"""Share of the kills that come while the program starts."""
TIMEOUT_S, POLL_S, PEG_S = 60.0, 0.005, 0.02

State = Mapping[str, Any]
"""The JSON of `GET /api/v1/state`."""


class Program:
    """`cribboard run` with its settings and state in `folder`."""

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
        self._connection: HTTPConnection | None = None

    def kill_after(self, seconds: float) -> None:
        """Send SIGKILL after this time."""
        timer = Timer(seconds, self.process.kill)
        timer.daemon = True
        timer.start()

    def wait_until_open(self) -> None:
        """Wait for the address on its first line of output. Raises OSError if the process ended before."""
        assert self.process.stdout
        line = self.process.stdout.readline()
        if not line:
            raise ConnectionError("the process has ended")
        address = urlsplit(next(word for word in line.split() if word.startswith("http")))
        self._connection = HTTPConnection(address.hostname or "", address.port, timeout=TIMEOUT_S)

    def request(self, method: str, path: str, content: object = None) -> State:
        """Send a request of the API; `content` goes as JSON. Raises OSError or HTTPException once the process is
        dead."""
        assert self._connection
        body, head = (None, {}) if content is None else (json.dumps(content), {"Content-Type": "application/json"})
        self._connection.request(method, f"/api/v1/{path}", body, head)
        answer = self._connection.getresponse()
        text = answer.read()
        assert answer.status < 300, (path, content, answer.status, text)
        state: State = json.loads(text or "{}")
        return state

    def clean_up(self) -> None:
        """Kill the process if it is alive, and close its files."""
        self.process.kill()
        self.process.wait(TIMEOUT_S)
        assert self.process.stdout
        self.process.stdout.close()
        if self._connection:
            self._connection.close()


class Player(Struct):
    """The simulated player. `acknowledged`: every row of the journal that an answer confirmed."""

    folder: Path
    random: Random
    acknowledged: list[Row] = field(default_factory=list)
    names: Sequence[str] = ("Ann", "Ben")
    pending: str = ""
    """The request that was sent and is not answered yet."""
    pending_names: Sequence[str] = ()
    plays_by_pegs: bool = False
    counted: Counter[str] = field(default_factory=Counter)
    losses: list[str] = field(default_factory=list)

    def check_after_start(self, program: Program) -> None:
        """Compare what is there after a start with what was acknowledged, and continue from it."""
        state, found = program.request("GET", "state"), self.rows()
        known, more = found[: len(self.acknowledged)], found[len(self.acknowledged) :]
        if known != self.acknowledged:
            self.losses.append(f"{len(self.acknowledged)} rows were acknowledged, {len(found)} other rows were found")
        if len({(row.game, row.turn) for row in more}) > bool(self.pending):
            self.losses.append(f"{more} found, but only {self.pending or 'nothing'} was in progress")
        if found and scores(state) != self.stored_scores():
            self.losses.append(f"the board shows {scores(state)}, its journal has {self.stored_scores()}")
        if (names := self.stored_names()) not in (self.names, self.pending_names or self.names):
            self.losses.append(f"the settings name {names}, neither {self.names} nor {self.pending_names}")
        if self.pending:
            self.counted["in progress and kept" if more or names != self.names else "in progress and lost"] += 1
        self.acknowledged, self.names, self.pending, self.pending_names = found, names, "", ()

    def play(self, program: Program) -> None:
        """Play until the program dies. Raises OSError or HTTPException then."""
        while True:
            state = program.request("GET", "state")
            if not state["game"] or max(scores(state)) > LAST_SCORE:
                self.new_game(program)
            elif self.random.random() < 0.1:
                self.change_names(program)
            elif self.plays_by_pegs:
                self.leap(program, state)
            else:
                self.enter_points(program, state)

    def new_game(self, program: Program) -> None:
        self.plays_by_pegs = self.random.random() < 0.5
        game = {"variant": "six_card", "names": ["Ann", "Ben"], "dealer": 0, "target": TARGET, "board": PLAN.id}
        self.submit(program, "a new game", "new-game", game)

    def enter_points(self, program: Program, state: State) -> None:
        """Points entered by a command; then the pegs are moved to match. Drawn pegs follow an undo by themselves."""
        if state["turns"] > 2 and self.random.random() < 0.2:
            self.submit(program, "undo", "undo", {})
            return
        side, points = self.random.randrange(2), self.random.randint(1, 12)
        after = self.submit(program, f"{points} points", "move", {"side": side, "points": points})
        set_pegs(program, side, pegs_of(state, side), pegs_of(after, side))

    def submit(self, program: Program, what: str, command: str, content: object) -> State:
        self.pending = what
        state = program.request("POST", f"commands/{command}", content)
        self.note_answer()
        return state

    def leap(self, program: Program, state: State) -> None:
        """A leap by pegs alone. The answer is the score in the state."""
        side, points = self.random.randrange(2), self.random.randint(1, 12)
        pegs = pegs_of(state, side)
        self.pending = f"a leap of {points}"
        set_pegs(program, side, pegs, pegs.leapt_to(pegs.front + points))
        while scores(program.request("GET", "state"))[side] != pegs.front + points:
            sleep(POLL_S)
        self.note_answer()

    def change_names(self, program: Program) -> None:
        self.pending, self.pending_names = "other names", (f"P{self.random.randrange(1000)}", "Ben")
        program.request("POST", "settings", {"changes": {"names": list(self.pending_names)}})
        self.names, self.pending_names, self.pending = self.pending_names, (), ""
        self.counted["settings changed"] += 1

    def note_answer(self) -> None:
        self.acknowledged, self.pending = self.rows(), ""
        self.counted["turns acknowledged"] += 1

    # The files, as another process reads them.

    def rows(self) -> list[Row]:
        with closing(Journal.open_readonly(self.folder / "state" / "journal.sqlite3")) as journal:
            return [row for game in range(1, journal.last_game + 1) for row in journal.rows_of(game)]

    def stored_scores(self) -> tuple[int, ...]:
        with closing(Journal.open_readonly(self.folder / "state" / "journal.sqlite3")) as journal:
            return next(journal.games()).scores

    def stored_names(self) -> Sequence[str]:
        return tuple(tomllib.loads((self.folder / "cribboard.toml").read_text(encoding="utf-8"))["names"])


def set_pegs(program: Program, side: int, before: TrackPegs, after: TrackPegs) -> None:
    """Move the pegs of a side from one position to another on the simulated board."""
    course = PLAN.course(TARGET)
    stood, stand = (set(course.holes_of(pegs)) for pegs in (before, after))
    for movement, holes in (("lift", stood - stand), ("place", stand - stood)):
        for hole in holes:
            program.request("POST", f"pegs/{movement}", {"sensor": PLAN.at(side, hole).sensor})
            sleep(PEG_S)


def pegs_of(state: State, side: int) -> TrackPegs:
    return TrackPegs(state["sides"][side]["back"], state["sides"][side]["score"])


def scores(state: State) -> tuple[int, ...]:
    return tuple(side["score"] for side in state["sides"])


def kill_repeatedly(
    folder: Path, kills: int, seed: int, meanwhile: Callable[[Path], None] = lambda state_folder: None
) -> Player:
    """Run and kill the program `kills` times, then check it once more. `meanwhile` can change the files between
    runs."""
    (folder / "cribboard.toml").write_text(SETTINGS, encoding="utf-8")
    random = Random(seed)
    player = Player(folder, random)
    for run in count():
        program = Program(folder)
        try:
            play_until_killed(program, player, random, is_last=run == kills)
        finally:
            program.clean_up()
        if run == kills:
            return player
        meanwhile(folder / "state")
    raise AssertionError("the loop returns after the last run")


def play_until_killed(program: Program, player: Player, random: Random, *, is_last: bool) -> None:
    is_open, is_early = False, not is_last and random.random() < KILLED_AT_START
    if is_early:
        program.kill_after(random.uniform(0.0, START_S))
    with suppress(OSError, HTTPException):
        program.wait_until_open()
        is_open = True
        if not (is_last or is_early):
            program.kill_after(random.uniform(0.0, PLAY_S))
        player.check_after_start(program)
        if not is_last:
            player.play(program)
    player.counted["killed during play" if is_open else "killed during start"] += not is_last
