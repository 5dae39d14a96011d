"""The life of a journal, to be recorded: it plays on a simulated board and says what it has acknowledged."""

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
from firmware_host.backup import back_up
from firmware_host.board.course import START_HOLES, Hole
from firmware_host.board.plan import BoardPlan
from firmware_host.codec import encode
from firmware_host.cribbage.rules import RuleSet, Side
from firmware_host.cribbage.variants import rules_for
from firmware_host.durable import replace_durably
from firmware_host.host import Host
from firmware_host.house import House
from firmware_host.journal import Journal
from firmware_host.phones import Phone, PhoneBook, Role
from firmware_host.plans import load_plan
from firmware_host.rescue import open_journal
from firmware_host.settings import load_settings, sources_of
from firmware_host.settings_desk import SettingsDesk
from firmware_host.table import orders as o
from firmware_host.table.events import Event
from firmware_host.table.state import Phase
from firmware_host.trace_log import TraceLog
from tests.reliability.recording import SAID
from tests.table.random_player import RandomPlayer

QUICK = rules_for("five_card", {"target": 61})
BY_HAND = rules_for("six_card", {"target": 121})
NAMES = ("Ann", "Ben", "Cora", "Dan", "Eve", "Fred")
IDLE_ROUNDS = 3_000

NOTHING = ""
"""The digest of no turns at all, of no phones, and of a file that is not there."""


Written = tuple[str, int, str]
"""An event as it stands in the journal: kind, version, body."""


def digest_of(turn: Iterable[Written], before: str = NOTHING) -> str:
    """A word for all that was played: it grows turn by turn, so that it names the whole past."""
    return sha256(
        "\0".join((before, *(f"{kind} {version} {body}" for kind, version, body in turn))).encode()
    ).hexdigest()


def digest_of_journal(journal: Journal) -> str:
    digest, game = NOTHING, 1
    while rows := journal.rows_of(game):
        for _, turn in groupby(rows, attrgetter("turn")):
            digest = digest_of(((row.kind, row.version, row.body) for row in turn), digest)
        game += 1
    return digest


def digest_of_copy(file: Path) -> str:
    """Raises JournalFault for half a copy."""
    if not file.exists():
        return NOTHING
    with closing(Journal.open_to_read(file)) as journal:
        return digest_of_journal(journal)


def digest_of_settings(file: Path) -> str:
    """Raises SettingsFault for half a file."""
    if not file.exists():
        return NOTHING
    load_settings(file, {}, {"state_folder": file.parent})
    return sha256(file.read_bytes()).hexdigest()


def digest_of_phones(phones: Sequence[Phone]) -> str:
    return sha256(repr(phones).encode()).hexdigest() if phones else NOTHING


class Witness:
    """Says what was acknowledged, the moment it was. It says so on the very disk, where the recorder hears it."""

    def __init__(self, disk: Path) -> None:
        self._voice = os.open(disk / SAID, os.O_WRONLY | os.O_CREAT)

    def __call__(self, **words: str) -> None:
        os.write(self._voice, json.dumps(words).encode())


class Life:
    """One run of the program: a host on a simulated board, a journal, phones, and a clock that moves only when told."""

    def __init__(self, disk: Path, seed: int) -> None:
        self.say, self._random, self._now_s = Witness(disk), Random(seed), 0.0
        self.state = state = disk / "home" / "cribboard"
        self.settings, self.copy = state / "cribboard.toml", state / "copy.sqlite3"
        self.phones = PhoneBook(state / "phones.json")
        self.journal = self._open(state / "journal.sqlite3")
        self._digest = digest_of_journal(self.journal)
        self.say(journal=self._digest, phones=digest_of_phones(self.phones.phones))
        self.say(settings=digest_of_settings(self.settings), copy=digest_of_copy(self.copy))
        self._listen(self.journal)
        plans = (load_plan("classic-61"),)
        house = House(plans, self._open_board, self._set_out, (QUICK,), NAMES)
        self.host = Host(house, self.journal, lambda: self._now_s, self.phones, TraceLog(state))
        self.player = RandomPlayer(seed)

    def _open(self, path: Path) -> Journal:
        return open_journal(path).journal

    def _listen(self, journal: Journal) -> None:
        """Whatever the journal has acknowledged is said at once, before anybody else hears of it."""
        append = journal.append

        def append_and_say(turn: Sequence[Event]) -> None:
            append(turn)
            self._digest = digest_of(map(encode, turn), self._digest)
            self.say(journal=self._digest)

        journal.append = append_and_say  # type: ignore[method-assign]

    def _open_board(self, plan: BoardPlan) -> Board:
        self._board = SimulatedBoard(plan.bit_count, plan.led_count, clock=lambda: self._now_s)
        return self._board

    def _set_out(self, board: Board, standing: SensorFrame) -> None:
        self._board.set_pegs(standing)

    def rounds(self, number: int) -> None:
        for _ in range(number):
            self._now_s += self.host.house.scan_s
            self.host.step()

    def let_phones_in(self) -> None:
        ids = list[str]()
        for change in (
            lambda: ids.append(self.phones.admit("Ann's phone")[0].id),
            lambda: ids.append(self.phones.admit("Жанна")[0].id),
            lambda: self.phones.entrust(ids[1], Role.KEEPER),
            lambda: self.phones.sit(ids[1], QUICK.seats[1]),
            lambda: self.phones.remove(ids[0]),
        ):
            change()
            self.say(phones=digest_of_phones(self.phones.phones))

    def play(self, rules: RuleSet, turns: int) -> None:
        """A game by orders alone, some of them taken back and brought again; to its end, or for so many turns."""
        self.host.do(self.player.begin(rules))
        self.go_on(turns)

    def go_on(self, turns: int) -> None:
        for _ in range(turns):
            table = self.host._book.table
            assert table is not None
            if table.phase is Phase.OVER:
                return
            owing = next((side for side, owed in enumerate(table.owed) if owed > 0), None)
            self.host.do(
                self.player.next_order(table) if owing is None else o.MovePoints(Side(owing), table.owed[owing])
            )
            if self._random.random() < 0.1:
                self.host.do(o.Undo())
                self.host.do(o.Redo())

    def move_pegs(self, points: Sequence[int]) -> None:
        """A game in which only pegs tell what happens."""
        self.host.do(o.StartGame(BY_HAND, NAMES[:2]))
        tracks = [list(START_HOLES), list(START_HOLES)]
        for turn, scored in enumerate(points):
            back, front = tracks[turn % 2]
            tracks[turn % 2] = [front, Hole(front + scored)]
            self._board.lift_peg(self._sensor(turn % 2, back))
            self.rounds(20)
            self._board.place_peg(self._sensor(turn % 2, tracks[turn % 2][1]))
            self.rounds(40)

    def _sensor(self, track: int, hole: Hole) -> int:
        return self.host.plan.at(track, hole).sensor

    # What is kept beside the journal.

    def change_settings(self) -> None:
        """As the panel does: into the user's own file, which has remarks of theirs."""
        replace_durably(self.settings, b"# Ours.\nnames = ['Ann', 'Ben']  # seat by seat\n", 0o644)
        self.say(settings=digest_of_settings(self.settings))
        sources = sources_of(self.settings, {}, {"state_folder": self.state})
        desk = SettingsDesk(sources, sources.load(), lambda settings: None)
        for change in ({"names": ["Zoë", "Bo"]}, {"preset": "acc", "sound": False}, {"names": None, "language": "pl"}):
            desk.change(change)
            self.say(settings=digest_of_settings(self.settings))

    def keep_copy(self) -> None:
        """While a game is on."""
        back_up(self.journal, self.copy)
        self.say(copy=digest_of_copy(self.copy))

    def put_copy_back(self) -> None:
        """All that was played since is put aside."""
        self.host._put_back(self.copy)
        self.journal = self.host._book._journal
        self._digest = digest_of_journal(self.journal)
        self.say(journal=self._digest)
        self._listen(self.journal)

    def idle(self) -> None:
        """Nobody touches anything but a key, in vain; then a peg trembles in its hole."""
        self.rounds(50)
        self.say(chapter="idle")
        self.rounds(IDLE_ROUNDS)
        self._board.tap("K")
        self.rounds(20)
        self.say(chapter="trembling")
        trembling = min(self._board.sensors.scan())
        for _ in range(20):
            self._board.lift_peg(trembling)
            self.rounds(2)
            self._board.place_peg(trembling)
            self.rounds(20)
        self.say(chapter="idle is over")
