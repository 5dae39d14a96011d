"""A person who plays against the program with closed eyes: hears the voice, presses keys, and moves pegs by counting.

Nothing of the host is read but the sentences of its narrator.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any, cast

from board_drivers.ports import Board, SensorFrame
from board_drivers.simulated import SimulatedBoard
from firmware_host.board.course import Hole
from firmware_host.board.plan import BoardPlan
from firmware_host.config.languages import translator
from firmware_host.opponent.player import Opponent
from firmware_host.speech.narrator import Narrator
from firmware_host.ui.texts.spoken_words import number_in_words, rank_in_words
from firmware_host.ui.translator import untranslated
from firmware_host.ui.voice import SetVoice, Verbosity, VoiceSettings
from tests.simulation.stepped_host import SteppedHost

NUMBER_OF = {number_in_words(number, untranslated): number for number in range(242)}
RANK_OF = {rank_in_words(rank, untranslated).removeprefix("an ").removeprefix("a "): rank for rank in range(1, 14)}
KEYS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
TARGET = 61
PATIENCE = 40
"""How often in a row the person may ask for the same text before it is stuck."""
MOST_ACTIONS = 1500
CARD = re.compile(r"\ban? (\w+)(?: of \w+)?")


def key_of(rank: str) -> str:
    """The key of a rank that was said."""
    return KEYS[RANK_OF[rank] - 1]


class SensedBoard:
    """A board whose pegs people move: it has the parts of a simulated board, and no calls that move pegs."""

    def __init__(self, model: SimulatedBoard) -> None:
        self.model = model

    def __getattr__(self, name: str) -> Any:
        if name in ("place_peg", "lift_peg"):
            raise AttributeError(name)
        return getattr(self.model, name)


class HeardHost(SteppedHost):
    """A host whose narrator speaks into a list."""

    def __init__(self, plan: BoardPlan, verbosity: Verbosity = Verbosity.FULL, *, has_drawn_pegs: bool = True) -> None:
        self._has_drawn_pegs = has_drawn_pegs
        self.new, self.heard = list[str](), list[str]()
        self._narrator, self._heard_version = Narrator(translator), -1
        super().__init__(plan)
        self.submit(SetVoice(VoiceSettings(is_on=True, verbosity=verbosity)))

    def open_board(self, plan: BoardPlan) -> Board:
        board = super().open_board(plan)
        assert isinstance(board, SimulatedBoard)
        self.model = board
        return board if self._has_drawn_pegs else cast(Board, SensedBoard(board))

    def place_pegs(self, board: Board, standing: SensorFrame) -> None:
        self.model.set_pegs(standing)

    def step(self) -> None:
        super().step()
        if self.snapshot.version != self._heard_version:
            self._heard_version = self.snapshot.version
            speech = self._narrator.speech_for(self.snapshot)
            if speech and speech.text:
                self.new.append(speech.text)
                self.heard.append(speech.text)


class Listener:
    """Plays to the end by what is said. Own cards are known from the voice alone."""

    def __init__(self, host: HeardHost, seed: int = 1) -> None:
        self.host = host
        self.opponent = Opponent(host, Random(seed), wait=host.pass_time, clock=lambda: host.now_s)
        self.hand = list[str]()
        self.count = 0
        self.pegs = {0: (-1, 0), 1: (-1, 0)}
        """Side -> scores of back and front peg, as hands feel them."""
        self._last, self._repeats = "", 0

    def play(self) -> str:
        """The sentence that names the winner. Raises AssertionError where no sentence leads on."""
        for _action in range(MOST_ACTIONS):
            self.opponent.act(self.host.snapshot)
            self.host.pass_time(0.1)
            said = self._listen()
            if won := re.search(r"(?:Ann|The board) wins the game!", said):
                return won.group()
            self._answer(said)
        raise AssertionError(f"no end after {MOST_ACTIONS} actions: {self.host.heard[-12:]}")

    def press(self, *keys: str) -> None:
        for key in keys:
            self._board.tap(key)
            self.host.pass_time(0.1)

    @property
    def _board(self) -> SimulatedBoard:
        return self.host.model

    def _listen(self) -> str:
        """What is new; if that is nothing, the latest turn and the prompt again."""
        if not self.host.new:
            self._board.press("FN")
            self.press("J")
            self._board.release("FN")
            self.host.pass_time(0.1)
            said = " ".join(self.host.new)
            self.host.new.clear()
            self._repeats = self._repeats + 1 if said == self._last else 0
            assert self._repeats < PATIENCE, f"{said!r} after {self.host.heard[-12:]}"
            self._last = said
            return self._mine(said)
        said = " ".join(self.host.new)
        self.host.new.clear()
        self._follow(said)
        return self._mine(said)

    def _mine(self, said: str) -> str:
        if own := re.search(r"Your cards: ([^.]+)\.", said):
            self.hand = [rank for rank in re.findall(r"\w+", own.group(1)) if rank in RANK_OF]
        return said

    def _follow(self, said: str) -> None:
        """The count, card by card, as it is played."""
        for sentence in re.split(r"(?<=[.!?]) ", said):
            if "’s hand:" in sentence or "’s crib:" in sentence or "starter" in sentence:
                continue
            if re.match(r"(?:Ann|The board) (?:leads|deals)", sentence):
                self.count = 0
            elif card := re.match(rf"(?:Ann|The board): {CARD.pattern}\.", sentence):
                pips = min(10, RANK_OF[card.group(1)])
                self.count = pips if self.count + pips > 31 else self.count + pips

    def _answer(self, said: str) -> None:
        for known, answer in ANSWERS:
            if found := known.search(said):
                answer(self, found)
                return

    def discard(self, found: re.Match[str]) -> None:
        first, second = self.hand[:2]
        self.press(key_of(first), key_of(second), "ENTER")

    def play_card(self, found: re.Match[str]) -> None:
        if found["what"] == "leads":
            self.count = 0
        fits = [rank for rank in self.hand if self.count + min(10, RANK_OF[rank]) <= 31]
        self.press(key_of(fits[0]) if fits else "ENTER")

    def enter(self, found: re.Match[str]) -> None:
        self.press("ENTER")

    def choose(self, found: re.Match[str]) -> None:
        key = found["key"].lower()
        self.press("A" if key == "ace" else str(NUMBER_OF[key]))

    def first_choice(self, found: re.Match[str]) -> None:
        self.press("A")

    def peg(self, found: re.Match[str]) -> None:
        """The back peg goes past the front one, on the own track or for the program."""
        side = 0 if found["whose"] == "Ann, peg" else 1
        back, front = self.pegs[side]
        goal = min(TARGET, front + NUMBER_OF[found["points"]])
        self._board.lift_peg(self._sensor(side, back))
        self.host.pass_time(0.2)
        self._board.place_peg(self._sensor(side, goal))
        self.host.pass_time(1.0)
        self.pegs[side] = (front, goal)

    def _sensor(self, side: int, score: int) -> int:
        """The sensor of the hole of a score; -1 and 0 are the two start holes."""
        hole = Hole(score) if score <= 0 else self.host.plan.course(TARGET).hole_of(score)
        return self.host.plan.at(side, hole).sensor


ANSWERS: tuple[tuple[re.Pattern[str], Callable[[Listener, re.Match[str]], None]], ...] = (
    (re.compile(r"(?P<key>\w+): Against the board\."), Listener.choose),
    (re.compile(r"How strong\?.*(?P<key>\bAce): Beginner\."), Listener.choose),
    (re.compile(r"(?P<key>\w+): sixty-one\."), Listener.choose),
    (re.compile(r"Which (?:game|board)\?"), Listener.first_choice),
    (re.compile(r"(?P<whose>Ann, peg|Peg for The board:) (?P<points>[a-z -]+?), (?:to|into)"), Listener.peg),
    (re.compile(r"ENTER: new game\."), Listener.enter),
    (re.compile(r"ENTER: (?:deal|turn starter|next deal|its cards are known)\."), Listener.enter),
    (re.compile(r"Ann discards\."), Listener.discard),
    (re.compile(r"Ann (?P<what>leads|to play)\."), Listener.play_card),
)
"""Prompt -> the answer; the first that is in a text wins."""
