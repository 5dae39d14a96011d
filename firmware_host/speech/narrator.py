"""Decides what to say, from one snapshot to the next. No clock, no sound: a fold over snapshots.

A snapshot says everything that is true; the narrator says what is new:

    1. the turns since the last snapshot, oldest first
    2. what the board itself has to say (a notice, a fault, a phone that asks to join), once
    3. the cards that were dealt to a person who plays alone against the program
    4. what the game waits for, if that changed

A key press stops the current speech, and a newer speech replaces it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from msgspec import Struct

from firmware_host.game.history import Turn
from firmware_host.host.snapshot import Snapshot
from firmware_host.host.spoken_situation import spoken_game, spoken_notice
from firmware_host.ui.spoken.dealt_hand import spoken_chosen_cards, spoken_dealt_hand
from firmware_host.ui.spoken.lesson import spoken_lesson
from firmware_host.ui.spoken.prompts import spoken_positions
from firmware_host.ui.spoken.settings import spoken_settings
from firmware_host.ui.spoken.turns import spoken_turn
from firmware_host.ui.texts.spoken_words import Spoken, together
from firmware_host.ui.translator import Translator
from firmware_host.ui.voice import VoiceRequest, VoiceSettings

MOST_TURNS = 4
"""The most turns that are said at once; older ones are past."""


class Speech(Struct, frozen=True):
    """A speech that replaces the current one. Without lines it only stops that."""

    voice: VoiceSettings
    lines: tuple[Spoken, ...] = ()

    @classmethod
    def of_text(cls, text: str, voice: VoiceSettings) -> Speech:
        """One text as a speech."""
        return cls(voice, (Spoken("text", text),))

    @property
    def text(self) -> str:
        """All lines as one text."""
        return together(*(line.text for line in self.lines))


class Narrator:
    """Follows the snapshots of one host. `translator` gives the translator of a language."""

    def __init__(self, translator: Callable[[str], Translator]) -> None:
        self._translator = translator
        self._snapshot: Snapshot | None = None
        self._notice: Spoken | None = None
        self._prompt: Spoken | None = None
        self._lesson: Spoken | None = None
        self._choice: Spoken | None = None
        self._latest: tuple[Spoken, ...] = ()
        """The lines of the latest turn, and since; REPEAT says them again with the prompt."""

    def speech_for(self, snapshot: Snapshot) -> Speech | None:
        """The speech that this snapshot calls for; None: the current speech goes on."""
        before = self._snapshot
        self._snapshot = snapshot
        tr = self._translator(snapshot.voice.language)
        if is_asked(VoiceRequest.TEST, before, snapshot):
            return Speech.of_text(tr("This is the voice of the board."), snapshot.voice)
        if not snapshot.voice.is_on:
            return self._fall_silent(before, snapshot, tr)
        lines = tuple(line for line in self._news(before, snapshot, tr) if line.text)
        answer = self._answer(before, snapshot, tr)
        if answer is not None:
            task = tuple(line for line in lines if line == self._lesson and line not in answer)
            return Speech(snapshot.voice, answer + task)
        was_pressed = before is not None and before.key_presses != snapshot.key_presses
        return Speech(snapshot.voice, lines) if lines or was_pressed else None

    def _fall_silent(self, before: Snapshot | None, snapshot: Snapshot, tr: Translator) -> Speech | None:
        """Once it is turned on, the voice says where the game stands. Turned off in the menu, it says so."""
        self._snapshot = None
        self._latest = ()
        self._notice = self._prompt = self._lesson = self._choice = None
        if before and is_asked(VoiceRequest.SETTINGS, before, snapshot):
            return Speech.of_text(tr("The voice is off. FN and J turn it on."), before.voice)
        return Speech(before.voice) if before else None

    def _news(self, before: Snapshot | None, snapshot: Snapshot, tr: Translator) -> Iterator[Spoken]:
        turns = tuple(self._turns(before, snapshot, tr)) if before else tuple(self._resumed(snapshot, tr))
        if turns:
            self._latest = turns
        yield from turns
        notice = self._notice
        self._notice = spoken_notice(snapshot, tr)
        if self._notice:
            if self._notice != notice:
                yield self._notice
            return
        if notice and notice.id in ("fault", "calibration", "setup"):
            self._prompt = None  # say again what the game waits for
        choice = self._choice
        self._choice = spoken_chosen_cards(snapshot.table, snapshot.input_state, tr) if snapshot.table else None
        if self._choice and self._choice != choice:
            yield self._choice
        prompt = spoken_game(snapshot, tr) if is_game_awaited(snapshot) else None
        if prompt and prompt != self._prompt:
            self._prompt = prompt
            yield prompt
        lesson = self._lesson
        self._lesson = spoken_lesson(snapshot.lesson, tr) if snapshot.lesson else None
        if self._lesson and self._lesson != lesson:
            yield self._lesson

    def _turns(self, before: Snapshot, snapshot: Snapshot, tr: Translator) -> Iterator[Spoken]:
        """The turns that are new, or that one was undone."""
        last = snapshot.history.last
        known = before.history.last
        if last is known or (snapshot.lesson and not before.lesson):
            return
        new = list[Turn]()
        for turn in snapshot.history.turns_back():
            if turn is known:
                break
            new.append(turn)
        else:
            if known and any(turn is last for turn in islice(before.history.turns_back(), 1, None)):
                yield Spoken("undone", tr("Undone."))
                return
        for turn in reversed(new[:MOST_TURNS]):
            sentences = spoken_turn(turn, tr, snapshot.referee_mode, snapshot.table, snapshot.voice.verbosity)
            yield Spoken("turn", together(*sentences))

    def _resumed(self, snapshot: Snapshot, tr: Translator) -> Iterator[Spoken]:
        """The first snapshot: where the game stands."""
        if snapshot.table is not None and snapshot.table.winner is None:
            yield Spoken("resumed", together(tr("The game goes on."), positions(snapshot, tr)))

    def _answer(self, before: Snapshot | None, snapshot: Snapshot, tr: Translator) -> tuple[Spoken, ...] | None:
        """The answer to what was asked since the last snapshot; None: nothing was asked."""
        if before is None or before.asked.number == snapshot.asked.number:
            return None
        match snapshot.asked.request:
            case VoiceRequest.TEST:
                return None
            case VoiceRequest.REPEAT:
                prompt = spoken_game(snapshot, tr, in_full=True) if is_game_awaited(snapshot) else None
                hand = spoken_dealt_hand(snapshot.table, tr) if snapshot.table else None
                said = (*self._latest, self._notice, hand, prompt, self._lesson)
                return tuple(line for line in said if line and line.text)
            case VoiceRequest.PEGS:
                return (Spoken("positions", positions(snapshot, tr)),)
            case VoiceRequest.SETTINGS:
                return (Spoken("voice", spoken_settings(before.voice, snapshot.voice, tr)),)
            case VoiceRequest.STOP:
                return ()


def is_game_awaited(snapshot: Snapshot) -> bool:
    """Whether people may go on with the game: in a lesson, not while it is about the keys."""
    return snapshot.lesson is None or snapshot.lesson.step.is_about_the_game


def positions(snapshot: Snapshot, tr: Translator) -> str:
    """Where every peg is; without a game, that there is none."""
    table = snapshot.table
    if table is None:
        return tr("No game is on.")
    return spoken_positions(table, snapshot.plan.course(table.rules.target), tr)


def is_asked(request: VoiceRequest, before: Snapshot | None, snapshot: Snapshot) -> bool:
    """Whether this was asked since the last snapshot."""
    last = before.asked.number if before else 0
    return snapshot.asked.number > last and snapshot.asked.request is request
