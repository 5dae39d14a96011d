"""The voice of a running board: follows the host's snapshots as a phone does, so that the host never waits for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Protocol

from firmware_host.host.snapshot import Snapshot
from firmware_host.speech.narrator import Narrator, Speech
from firmware_host.ui.keys.input_state import Choosing, InputState, MenuQuestion
from firmware_host.ui.texts.messages import capitalized
from firmware_host.ui.texts.spoken_words import ended, number_in_words, rank_in_words
from firmware_host.ui.translator import Translator
from firmware_host.ui.voice import VoiceSettings

if TYPE_CHECKING:
    from firmware_host.speech.talker import Talker

WAIT_S = 0.5
"""How often a wait for the host is interrupted, to see whether the voice was stopped."""


class SnapshotSource(Protocol):
    """A host."""

    @property
    def snapshot(self) -> Snapshot: ...

    def wait_for_change(self, version: int, timeout_s: float) -> Snapshot:
        """The first snapshot later than `version`, or the current one after `timeout_s`."""


class BoardVoice:
    """Says what is new in each snapshot of a host. `make_talker` is called when there is first something to say,
    because most boards never speak. `translator` gives the translator of a language; `keep` writes the settings of the
    voice, as people chose them at the board, for the next start."""

    def __init__(
        self,
        host: SnapshotSource,
        make_talker: Callable[[], Talker],
        translator: Callable[[str], Translator],
        keep: Callable[[VoiceSettings], None] = lambda voice: None,
    ) -> None:
        self._host = host
        self._translator = translator
        self._keep = keep
        self._make_talker = make_talker
        self._talker_lock = Lock()
        self._made_talker: Talker | None = None
        self._kept: VoiceSettings | None = None
        self._narrator = Narrator(translator)
        self._prepared = tuple[object, ...]()
        self._is_stopping = Event()
        self._thread = Thread(target=self._run, name="narrator", daemon=True)
        self._thread.start()

    @property
    def fault(self) -> str:
        """Why the last speech was not heard; empty if it was."""
        return self._made_talker.fault if self._made_talker else ""

    def test(self, text: str) -> None:
        """Says a text now, with the voice as it is set."""
        self._talker().say(Speech.of_text(text, self._host.snapshot.voice))

    def stop(self) -> None:
        """Stops the speech and ends both threads."""
        self._is_stopping.set()
        if self._made_talker:
            self._made_talker.close()
        self._thread.join(2 * WAIT_S)

    def _talker(self) -> Talker:
        with self._talker_lock:
            self._made_talker = self._made_talker or self._make_talker()
        return self._made_talker

    # In the thread that follows the host

    def _run(self) -> None:
        version = -1
        while not self._is_stopping.is_set():
            snapshot = self._host.wait_for_change(version, WAIT_S)
            if snapshot.version == version:
                continue
            version = snapshot.version
            if speech := self._narrator.speech_for(snapshot):
                self._talker().say(speech)
            self._prepare(snapshot)
            self._keep_settings(snapshot)

    def _keep_settings(self, snapshot: Snapshot) -> None:
        """Once for each change, when its menu is closed."""
        if snapshot.voice != self._kept and not is_in_voice_menu(snapshot.input_state):
            self._kept = snapshot.voice
            self._keep(snapshot.voice)

    def _prepare(self, snapshot: Snapshot) -> None:
        """Renders what this game will say, once for each set of names and each voice."""
        voice = snapshot.voice
        names = snapshot.table.names if snapshot.table else ()
        if voice.is_on and self._prepared != (voice, names):
            self._prepared = (voice, names)
            self._talker().prepare([*fixed_sentences(names, self._translator(voice.language))], voice)


def is_in_voice_menu(input_state: InputState) -> bool:
    """Whether somebody is still choosing."""
    return isinstance(input_state, Choosing) and input_state.question is MenuQuestion.VOICE


def fixed_sentences(names: Sequence[str], tr: Translator) -> Iterator[str]:
    """Counts, prompts with and without a name, the echo of the keys, and cards; the most urgent first.

    A game says these again and again, so they are rendered before they are needed.
    """
    for name in names:
        yield from (tr("{name} to play.").format(name=name), tr("{name} leads.").format(name=name))
    yield from (f"{capitalized(number_in_words(count, tr))}." for count in range(1, 32))
    yield from (tr("Starter card?"), ended(tr("ENTER: next deal")), tr("Undone."))
    for name in names:
        for sentence in (
            tr("{name} deals."),
            tr("{name} says go."),
            tr("Count {name}’s hand."),
            tr("Count {name}’s crib."),
        ):
            yield sentence.format(name=name)
    yield from (f"{rank_in_words(rank, tr)}." for rank in range(1, 14))
    for name in names:
        yield from (tr("{name}: {cards}.").format(name=name, cards=rank_in_words(rank, tr)) for rank in range(1, 14))
    yield from (tr("No game is on."), tr("Who deals first?"), tr("Which suit?"))
