"""Piper, a program with more natural voices, where it and a voice are installed. espeak-ng speaks wherever it cannot.

One process speaks many sentences, because it loads its voice for seconds: a line in, the path of a WAV file out.
"""

from __future__ import annotations

import logging
import subprocess
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer

from firmware_host.speech.engine import Engine, EspeakEngine
from firmware_host.speech.sound import Sound, SpeechError, sound_of_wav
from firmware_host.ui.voice import DEFAULT_RATE, VoiceSettings

log = logging.getLogger(__name__)

PROGRAM = "piper"
RENDER_S = 60.0
"""Limit for one sentence, the first of which waits until the voice is loaded."""
LOUDEST = 0.95
"""Piper's volume for one of 100 percent: its sound is normalized, and 1 could clip."""

_Options = tuple[str, ...]


class PiperEngine:
    """Piper, one process for each voice as it is set."""

    def __init__(self, program: str = PROGRAM) -> None:
        self._program = program
        self._folder: TemporaryDirectory[str] | None = None
        self._process: subprocess.Popen[str] | None = None
        self._options: _Options = ()

    def render(self, text: str, voice: VoiceSettings) -> Sound:
        """The sound of one sentence; the first takes seconds. Raises SpeechError."""
        process = self._started(voice)
        late = Timer(RENDER_S, process.kill)
        late.start()
        try:
            return self._answer(process, text)
        except OSError as error:
            self.close()
            raise SpeechError(f"{PROGRAM}: expected speech, got {error}") from error
        finally:
            late.cancel()

    def close(self) -> None:
        """Ends the process."""
        process = self._process
        folder = self._folder
        self._process = self._folder = None
        if process:
            process.kill()
            with suppress(OSError, ValueError):
                process.communicate()
        if folder:
            folder.cleanup()

    def _started(self, voice: VoiceSettings) -> subprocess.Popen[str]:
        scale = f"{DEFAULT_RATE / voice.rate:.3f}"
        volume = f"{LOUDEST * voice.volume / 100:.3f}"
        options = ("--model", voice.model, "--length-scale", scale, "--volume", volume)
        if self._process and self._process.poll() is None and options == self._options:
            return self._process
        self.close()
        self._folder = TemporaryDirectory(prefix="cribboard-voice-")
        self._options = options
        command = (self._program, *options, "--output-dir", self._folder.name)
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1
            )
        except OSError as error:
            raise SpeechError(f"{PROGRAM}: expected an installed program, got {error.strerror}") from error
        return self._process

    def _answer(self, process: subprocess.Popen[str], text: str) -> Sound:
        assert process.stdin and process.stdout
        process.stdin.write(" ".join(text.split()) + "\n")
        process.stdin.flush()
        said = ""
        for line in process.stdout:
            path = line.strip().rpartition(" ")[2]
            if path.endswith(".wav"):
                file = Path(path)
                wav = file.read_bytes()
                file.unlink()
                return sound_of_wav(wav)
            said = line.strip() or said
        self.close()
        raise SpeechError(f"{PROGRAM}: expected speech, got {said or 'its end'}")


class BestEngine:
    """Piper for voices that name a model, else espeak-ng. After a failure Piper is not used again with that model."""

    def __init__(self, piper: Engine | None = None, espeak: Engine | None = None) -> None:
        self._piper = piper or PiperEngine()
        self._espeak = espeak or EspeakEngine()
        self._failed = set[str]()

    def render(self, text: str, voice: VoiceSettings) -> Sound:
        """The sound of one sentence. Raises SpeechError if espeak-ng fails too."""
        if voice.model and voice.model not in self._failed:
            try:
                return self._piper.render(text, voice)
            except SpeechError as error:
                log.warning("espeak-ng speaks: %s", error)
                self._failed.add(voice.model)
        return self._espeak.render(text, voice)

    def close(self) -> None:
        """Ends what the engines started."""
        self._piper.close()
        self._espeak.close()
