"""A recorded run of the board: it plays on a simulated board and acknowledges every durable change."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from contextlib import closing
from hashlib import sha256
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from random import Random

from board_drivers.ports import Board, SensorFrame
from board_drivers.simulated import SimulatedBoard
from firmware_host.board.course import START_HOLES, Hole
from firmware_host.board.plan import BoardPlan
from firmware_host.config.board_plans import load_plan
from firmware_host.config.settings_editor import SettingsEditor
from firmware_host.config.settings_sources import load_settings, sources_of
from firmware_host.cribbage.rules import RuleSet, Side
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.game.events import Event
from firmware_host.game.state import Phase
from firmware_host.host.loop import Host
from firmware_host.host.setup import HostSetup
from firmware_host.host.trace_log import TraceLog
from firmware_host.pairing.registry import Phone, PhoneRegistry, Role
from firmware_host.storage.atomic_file import replace_file
from firmware_host.storage.backup import write_backup
from firmware_host.storage.event_codec import encode
from firmware_host.storage.journal import Journal
from firmware_host.storage.recovery import open_or_recover
from firmware_host.storage.restore import prepare_restore
from tests.game.random_player import RandomPlayer
from tests.reliability.recording import ACKNOWLEDGED_FILE

QUICK = rules_for("five_card", {"target": 61})
BY_HAND = rules_for("six_card", {"target": 121})
NAMES = ("Ann", "Ben", "Cora", "Dan", "Eve", "Fred")
IDLE_STEPS = 3_000

NOTHING = ""
"""The digest of an empty journal, of no phones, and of a missing file."""


EncodedEvent = tuple[str, int, str]
"""Kind, version and body, as in the journal."""


def digest_of(turn: Iterable[EncodedEvent], before: str = NOTHING) -> str:
    """The digest of all turns up to this one: a hash of the turn and of the digest `before` it."""
    return sha256(
        "\0".join((before, *(f"{kind} {version} {body}" for kind, version, body in turn))).encode()
    ).hexdigest()


def digest_of_journal(journal: Journal) -> str:
    """The digest of all turns of all games. Raises JournalError."""
    digest, game = NOTHING, 1
    while rows := journal.rows_of(game):
        for _, turn in groupby(rows, attrgetter("turn")):
            digest = digest_of(((row.kind, row.version, row.body) for row in turn), digest)
        game += 1
    return digest


def digest_of_backup(file: Path) -> str:
    """Raises JournalError for an incomplete backup."""
    if not file.exists():
        return NOTHING
    with closing(Journal.open_readonly(file)) as journal:
        return digest_of_journal(journal)


def digest_of_settings(file: Path) -> str:
    """Raises SettingsError for an incomplete file."""
    if not file.exists():
        return NOTHING
    load_settings(file, {}, {"state_folder": file.parent})
    return sha256(file.read_bytes()).hexdigest()


def digest_of_phones(phones: Sequence[Phone]) -> str:
    return sha256(repr(phones).encode()).hexdigest() if phones else NOTHING


class Acknowledger:
    """Writes acknowledgements to a file in the recorded folder, so that they are recorded in order with the calls."""

    def __init__(self, disk: Path) -> None:
        self._file = os.open(disk / ACKNOWLEDGED_FILE, os.O_WRONLY | os.O_CREAT)

    def __call__(self, **digests: str) -> None:
        os.write(self._file, json.dumps(digests).encode())


class BoardSession:
    """One run of the program: a host on a simulated board, a journal, phones, and a simulated clock."""

    def __init__(self, disk: Path, seed: int) -> None:
        self.acknowledge, self._random, self._now_s = Acknowledger(disk), Random(seed), 0.0
        self.state = state = disk / "home" / "cribboard"
        self.settings, self.backup = state / "cribboard.toml", state / "backup.sqlite3"
        self.phones = PhoneRegistry(state / "phones.json")
        self.journal = self._open(state / "journal.sqlite3")
        self._digest = digest_of_journal(self.journal)
        self.acknowledge(journal=self._digest, phones=digest_of_phones(self.phones.phones))
        self.acknowledge(settings=digest_of_settings(self.settings), backup=digest_of_backup(self.backup))
        self._acknowledge_turns_of(self.journal)
        plans = (load_plan("classic-61"),)
        setup = HostSetup(plans, self._open_board, self._place_pegs, (QUICK,), NAMES)
        self.host = Host(setup, self.journal, lambda: self._now_s, self.phones, TraceLog(state))
        self.player = RandomPlayer(seed)

    def _open(self, path: Path) -> Journal:
        return open_or_recover(path).journal

    def _acknowledge_turns_of(self, journal: Journal) -> None:
        """Acknowledge each turn as soon as `append` returns, before the host continues."""
        append = journal.append

        def append_and_acknowledge(turn: Sequence[Event]) -> None:
            append(turn)
            self._digest = digest_of(map(encode, turn), self._digest)
            self.acknowledge(journal=self._digest)

        journal.append = append_and_acknowledge  # type: ignore[method-assign]

    def _open_board(self, plan: BoardPlan) -> Board:
        self._board = SimulatedBoard(plan.bit_count, plan.led_count, clock=lambda: self._now_s)
        return self._board

    def _place_pegs(self, board: Board, standing: SensorFrame) -> None:
        self._board.set_pegs(standing)

    def steps(self, number: int) -> None:
        """Run the host for this many scans."""
        for _ in range(number):
            self._now_s += self.host.setup.scan_s
            self.host.step()

    def pair_phones(self) -> None:
        """Every kind of change to the file of phones."""
        ids = list[str]()
        for change in (
            lambda: ids.append(self.phones.add_phone("Ann's phone")[0].id),
            lambda: ids.append(self.phones.add_phone("Жанна")[0].id),
            lambda: self.phones.set_role(ids[1], Role.KEEPER),
            lambda: self.phones.set_seat(ids[1], QUICK.seats[1]),
            lambda: self.phones.remove(ids[0]),
        ):
            change()
            self.acknowledge(phones=digest_of_phones(self.phones.phones))

    def play(self, rules: RuleSet, turns: int) -> None:
        """A new game by commands alone, for so many turns or to its end. Some turns are undone and redone."""
        self.host.execute(self.player.begin(rules))
        self.continue_game(turns)

    def continue_game(self, turns: int) -> None:
        """So many turns of the current game, or to its end."""
        for _ in range(turns):
            table = self.host._context.game.table
            assert table is not None
            if table.phase is Phase.OVER:
                return
            owing = next((side for side, owed in enumerate(table.owed) if owed > 0), None)
            self.host.execute(
                self.player.next_command(table)
                if owing is None
                else c.EnterPoints(Side(owing), table.sides[owing].owed)
            )
            if self._random.random() < 0.1:
                self.host.execute(c.Undo())
                self.host.execute(c.Redo())

    def move_pegs(self, points: Sequence[int]) -> None:
        """A new game that is played by pegs alone; the sides score `points` in turn."""
        self.host.execute(c.StartGame(BY_HAND, NAMES[:2]))
        tracks = [list(START_HOLES), list(START_HOLES)]
        for turn, scored in enumerate(points):
            back, front = tracks[turn % 2]
            tracks[turn % 2] = [front, Hole(front + scored)]
            self._board.lift_peg(self._sensor(turn % 2, back))
            self.steps(20)
            self._board.place_peg(self._sensor(turn % 2, tracks[turn % 2][1]))
            self.steps(40)

    def _sensor(self, track: int, hole: Hole) -> int:
        return self.host.plan.at(track, hole).sensor

    # Files besides the journal.

    def change_settings(self) -> None:
        """As the web panel does: in the user's own file, which has comments."""
        replace_file(self.settings, b"# Our settings.\nnames = ['Ann', 'Ben']  # seat by seat\n")
        self.acknowledge(settings=digest_of_settings(self.settings))
        sources = sources_of(self.settings, {}, {"state_folder": self.state})
        editor = SettingsEditor(sources, sources.load(), lambda settings: None)
        for change in ({"names": ["Zoë", "Bo"]}, {"preset": "acc", "sound": False}, {"names": None, "language": "pl"}):
            editor.change(change)
            self.acknowledge(settings=digest_of_settings(self.settings))

    def write_backup(self) -> None:
        """During a game."""
        write_backup(self.journal, self.backup)
        self.acknowledge(backup=digest_of_backup(self.backup))

    def restore_backup(self) -> None:
        """Everything played since the backup is moved aside."""
        assert self.host.journal_path
        prepare_restore(self.host.journal_path, self.backup)
        self.host._parts.game.restore()
        self.journal = self.host._context.game._journal
        self._digest = digest_of_journal(self.journal)
        self.acknowledge(journal=self._digest)
        self._acknowledge_turns_of(self.journal)

    def idle(self) -> None:
        """A long idle time with one key that does nothing; then a peg that trembles in its hole."""
        self.steps(50)
        self.acknowledge(phase="idle")
        self.steps(IDLE_STEPS)
        self._board.tap("K")
        self.steps(20)
        self.acknowledge(phase="trembling")
        trembling = min(self._board.sensors.scan())
        for _ in range(20):
            self._board.lift_peg(trembling)
            self.steps(2)
            self._board.place_peg(trembling)
            self.steps(20)
        self.acknowledge(phase="idle is over")
