"""Says one speech at a time, on a thread of its own: a newer one replaces the older one."""

from __future__ import annotations

import logging
import re
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from threading import Condition, Thread

from firmware_host.speech.engine import Engine
from firmware_host.speech.narrator import Speech
from firmware_host.speech.piper import BestEngine
from firmware_host.speech.player import AplayPlayer, Playback, Player
from firmware_host.speech.sound import Sound, SpeechError
from firmware_host.ui.voice import VoiceSettings

log = logging.getLogger(__name__)

MOST_PREPARED_BYTES = 12_000_000
"""Over four minutes of speech: more than the fixed sentences of a game of six."""
MOST_RECENT_BYTES = 4_000_000
"""Bytes of the latest sentences that are kept. Prepared sentences have a cache of their own."""
CLOSE_S = 2.0
"""How long `close` waits for the thread."""

_Key = tuple[str, str, int, int, str]

_SENTENCE_END = re.compile(r"(?<=[.?!]) +")


class Talker:
    """Renders and plays speech. `say` never blocks. A failure is logged once, and `fault` has its text.

    Sentences are rendered one by one while the one before is heard, so that the first is heard soon.
    """

    def __init__(self, engine: Engine, player: Player) -> None:
        self._engine = engine
        self._player = player
        self._prepared = SoundCache(MOST_PREPARED_BYTES)
        self._recent = SoundCache(MOST_RECENT_BYTES)
        self._change = Condition()
        self._next: Speech | None = None
        self._playback: Playback | None = None
        self._to_prepare: list[tuple[str, VoiceSettings]] = []
        self._is_closing = self._is_saying = False
        self.fault = ""
        """Why the last speech was not heard; empty if it was."""
        self._thread = Thread(target=self._run, name="voice", daemon=True)
        self._thread.start()

    def say(self, speech: Speech) -> None:
        """Says this now, in place of what is being said. Never blocks and never raises."""
        with self._change:
            self._next = speech
            if self._playback:
                self._playback.stop()
            self._change.notify()

    def prepare(self, sentences: Sequence[str], voice: VoiceSettings) -> None:
        """Renders these while there is nothing to say."""
        with self._change:
            self._to_prepare = [(sentence, voice) for sentence in reversed(sentences)]
            self._change.notify()

    def close(self) -> None:
        """Stops the speech and ends the thread. May be called twice."""
        with self._change:
            self._is_closing = True
            if self._playback:
                self._playback.stop()
            self._change.notify()
        self._thread.join(CLOSE_S)
        self._engine.close()

    @property
    def is_busy(self) -> bool:
        """Whether there is something to say, or being said."""
        with self._change:
            return self._next is not None or self._is_saying

    @property
    def is_preparing(self) -> bool:
        """Whether sentences are still to be rendered."""
        return bool(self._to_prepare)

    # In the talking thread

    def _run(self) -> None:
        while (speech := self._wait()) is not None:
            try:
                self._say(speech)
                self.fault = ""
            except SpeechError as error:
                if str(error) != self.fault:
                    log.warning("not said: %s", error)
                self.fault = str(error)

    def _wait(self) -> Speech | None:
        """The next speech; meanwhile, sentences are prepared. None: the end."""
        while True:
            with self._change:
                self._is_saying = False
                self._change.wait_for(lambda: self._next or self._to_prepare or self._is_closing)
                speech = self._next
                self._next = None
                self._is_saying = speech is not None
                if self._is_closing or speech:
                    return None if self._is_closing else speech
                sentence, voice = self._to_prepare.pop()
            try:
                self._prepared.put(sentence, voice, self._sound(sentence, voice))
            except SpeechError:
                self._to_prepare = []

    def _say(self, speech: Speech) -> None:
        playback: Playback | None = None
        try:
            for sentence in sentences_of(speech):
                sound = self._sound(sentence, speech.voice)
                playback = playback or self._start(speech, sound)
                if playback is None or self._is_superseded:
                    return
                playback.write(sound)
            if playback and not self._is_superseded:
                playback.finish()
        finally:
            with self._change:
                self._playback = None
            if playback:
                end(playback)

    def _start(self, speech: Speech, sound: Sound) -> Playback | None:
        """None: there is something newer to say."""
        playback = self._player.start(speech.voice.device, sound.rate_hz)
        with self._change:
            self._playback = None if self._is_superseded else playback
        if self._playback is None:
            end(playback)
        return self._playback

    @property
    def _is_superseded(self) -> bool:
        return self._next is not None or self._is_closing

    def _sound(self, sentence: str, voice: VoiceSettings) -> Sound:
        sound = self._prepared.get(sentence, voice) or self._recent.get(sentence, voice)
        if sound is None:
            sound = self._engine.render(sentence, voice)
            self._recent.put(sentence, voice, sound)
        return sound


def end(playback: Playback) -> None:
    """Ends an utterance, whether or not it was heard to its end."""
    playback.stop()
    with suppress(SpeechError):
        playback.finish()


def say_once(text: str, voice: VoiceSettings) -> None:
    """Says a text on this computer and waits for its end. Raises SpeechError."""
    engine = BestEngine()
    try:
        sound = engine.render(text, voice)
    finally:
        engine.close()
    playback = AplayPlayer().start(voice.device, sound.rate_hz)
    playback.write(sound)
    playback.finish()


def sentences_of(speech: Speech) -> Iterator[str]:
    """The sentences of all lines, in order."""
    for line in speech.lines:
        yield from filter(None, _SENTENCE_END.split(line.text))


class SoundCache:
    """Text and voice -> sound: what is said often is heard at once. The least recently used go first. One thread uses
    it."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._sounds: OrderedDict[_Key, Sound] = OrderedDict()

    def get(self, text: str, voice: VoiceSettings) -> Sound | None:
        """None: not rendered yet, or with another voice."""
        if sound := self._sounds.get(key := _key(text, voice)):
            self._sounds.move_to_end(key)
        return sound

    def put(self, text: str, voice: VoiceSettings, sound: Sound) -> None:
        """Keeps a sound."""
        if before := self._sounds.pop(key := _key(text, voice), None):
            self._bytes -= len(before.samples)
        self._sounds[key] = sound
        self._bytes += len(sound.samples)
        while self._bytes > self._most_bytes:
            _oldest, dropped = self._sounds.popitem(last=False)
            self._bytes -= len(dropped.samples)


def _key(text: str, voice: VoiceSettings) -> _Key:
    return text, voice.language, voice.rate, voice.volume, voice.model
