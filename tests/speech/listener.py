"""An independent listener for English: pocketsphinx with a closed list of phrases that have to be told apart.

It is a recogniser of another project, with its own model of how English sounds, so that it shares no fault with the
voices. It takes 16 kHz and some silence at both ends.
"""

from __future__ import annotations

import importlib.util
import sys
from array import array
from collections.abc import Iterable
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from firmware_host.speech.sound import Sound

needs_pocketsphinx = pytest.mark.skipif(
    importlib.util.find_spec("pocketsphinx") is None, reason="nobody listens: pip install pocketsphinx"
)
RATE_HZ, SILENCE_S = 16_000, 0.3
NEW_WORDS = {"nobs": "N AA B Z"}
"""What its dictionary lacks, by its names of sounds."""
PATIENT: Any = {"bestpath": False, "beam": 1e-60, "wbeam": 1e-50, "pbeam": 1e-60, "wip": 0.2, "lw": 2.0}
"""It follows unlikely beginnings longer than usual: with the usual limits it gives up on a synthetic voice."""

PHRASES = (
    "fifteen two",
    "fifteen two fifteen four",
    "fifteen two and a pair is four",
    "fifteen two fifteen four and a pair is six",
    "a pair is two",
    "a pair royal is six",
    "a run of three is three",
    "a run of four is four",
    "a double run of three is eight",
    "a flush is four",
    "his nobs is one",
    "two for his heels",
    "thirty one for two",
    "one for last",
    "ann to play",
    "ben to play",
    "ann says go",
    "ben leads",
    "ann peg two to ten",
    "ann peg six to thirty four",
    "ben front peg back one to twenty",
    "the front peg is out",
    "both pegs are out",
    "who deals first",
    "enter next deal",
    "undone",
    "the starter is the jack of hearts",
    "the starter is the ten of clubs",
)


WORDS = sum(len(phrase.split()) for phrase in PHRASES)


class EnglishListener:
    """A listener who knows that one of the phrases was said."""

    def __init__(self) -> None:
        self._decoder: Any = importlib.import_module("pocketsphinx").Decoder(
            samprate=RATE_HZ, loglevel="FATAL", **PATIENT
        )
        for word, sounds in NEW_WORDS.items():
            self._decoder.add_word(word, sounds, True)
        with TemporaryDirectory() as folder:
            grammar = Path(folder) / "phrases.gram"
            grammar.write_text(f"#JSGF V1.0;\ngrammar phrases;\npublic <phrase> = {' | '.join(PHRASES)};\n")
            self._decoder.add_jsgf_file("phrases", str(grammar))
        self._decoder.activate_search("phrases")

    def hear(self, sound: Sound) -> str:
        """The phrase that it heard."""
        self._decoder.start_utt()
        self._decoder.process_raw(resampled(sound), full_utt=True)
        self._decoder.end_utt()
        found = self._decoder.hyp()
        return found.hypstr if found else ""

    def right(self, sounds: Iterable[Sound]) -> int:
        """How many words of all phrases it heard in their places; `sounds` are the phrases, in order."""
        heard = [self.hear(sound) for sound in sounds]
        return sum(
            one == other
            for said, understood in zip(PHRASES, heard, strict=True)
            for one, other in zip_longest(said.split(), understood.split())
            if one is not None
        )


def resampled(sound: Sound) -> bytes:
    """At 16 kHz, between two silences, by linear interpolation."""
    samples = array("h", sound.samples)
    if sys.byteorder == "big":
        samples.byteswap()
    silence = array("h", bytes(2 * int(RATE_HZ * SILENCE_S)))
    step = sound.rate_hz / RATE_HZ
    made = array("h")
    for number in range(int((len(samples) - 1) / step)):
        at, part = divmod(number * step, 1.0)
        before, after = samples[int(at)], samples[int(at) + 1]
        made.append(round(before + (after - before) * part))
    return (silence + made + silence).tobytes()
