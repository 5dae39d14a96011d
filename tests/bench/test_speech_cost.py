"""What the voice costs: the processor time from an event of a game to its first sample, and the program with the voice
on and off. Skipped where espeak-ng or aplay is not installed.

Processor time, not the clock, because it is what a slower computer needs more of.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from statistics import median

import pytest
from msgspec.structs import replace

from firmware_host.config.languages import translator
from firmware_host.cribbage.variants import rules_for
from firmware_host.doctor.benchmark import processor_s, resident_mib, running_program
from firmware_host.host.snapshot import Snapshot
from firmware_host.speech.board_voice import fixed_sentences
from firmware_host.speech.engine import PROGRAM, EspeakEngine
from firmware_host.speech.narrator import Narrator, Speech
from firmware_host.speech.sound import Sound
from firmware_host.speech.talker import Talker
from firmware_host.ui.voice import Verbosity, VoiceSettings
from tests.bench.recording import Recorder
from tests.bench.test_memory import start_demo_game
from tests.speech.blind_players import BlindPlayers
from tests.speech.blind_table import NAMES, BlindTable

pytestmark = [
    pytest.mark.bench,
    pytest.mark.skipif(
        not (shutil.which(PROGRAM) and shutil.which("aplay")),
        reason="the voice is not measured: apt install espeak-ng alsa-utils",
    ),
]
CHILDREN = slice(13, 15)
"""In /proc/PID/stat after the name: ticks of the children that have ended, in their own code and in the kernel."""


def used_s() -> float:
    """Processor time of this process and of the engines that it started and that have ended."""
    return sum(used.ru_utime + used.ru_stime for used in map(getrusage, (RUSAGE_SELF, RUSAGE_CHILDREN)))


class Listening:
    """A narrator that keeps what it hears, and says it."""

    def __init__(self) -> None:
        self._narrator, self.heard = Narrator(translator), list[Snapshot]()

    def speech_for(self, snapshot: Snapshot) -> Speech | None:
        self.heard.append(snapshot)
        return self._narrator.speech_for(snapshot)


class RecordedTable(BlindTable):
    """Keeps every snapshot of its game."""

    def switch_on(self) -> None:
        super().switch_on()
        self.listening = Listening()
        self._narrator = self.listening  # type: ignore[assignment]


def snapshots_of_a_game() -> Sequence[Snapshot]:
    table = RecordedTable(rules_for("six_card", {}))
    try:
        BlindPlayers(table, seed=1).play()
    finally:
        table.close()
    return table.listening.heard


class FirstSamples:
    """A player, and an engine that counts: when the first sample of a speech arrived, and whether it was rendered for
    it."""

    def __init__(self) -> None:
        self._espeak = EspeakEngine()
        self.rendered, self.at_s, self.was_rendered = 0, 0.0, False

    def render(self, text: str, voice: VoiceSettings) -> Sound:
        self.rendered += 1
        return self._espeak.render(text, voice)

    def close(self) -> None:
        pass

    def start(self, device: str, rate_hz: int) -> FirstSamples:
        return self

    def write(self, sound: Sound) -> None:
        if not self.at_s:
            self.at_s, self.was_rendered = used_s(), self.rendered > 0

    def finish(self) -> None:
        pass

    def stop(self) -> None:
        pass


def wait_until(condition: Callable[[], bool]) -> None:
    while not condition():
        time.sleep(0.001)


def costs_of(snapshots: Sequence[Snapshot], verbosity: Verbosity, most: int) -> tuple[list[float], list[float]]:
    """Milliseconds from each event that is said to its first sample: those rendered before, and new ones."""
    voice, samples = VoiceSettings(is_on=True, verbosity=verbosity), FirstSamples()
    talker, narrator = Talker(samples, samples), Narrator(translator)
    talker.prepare([*fixed_sentences(NAMES[:2], translator("en"))], voice)
    wait_until(lambda: not talker.is_preparing)
    cached, new = list[float](), list[float]()
    for snapshot in snapshots:
        context = snapshot.input_context
        heard = replace(snapshot, input_context=replace(context, voice=voice))
        samples.rendered, samples.at_s, began_s = 0, 0.0, used_s()
        speech = narrator.speech_for(heard)
        if not speech or not speech.text:
            continue
        talker.say(speech)
        wait_until(lambda: samples.at_s > 0 and not talker.is_busy)
        (new if samples.was_rendered else cached).append(1e3 * (samples.at_s - began_s))
        if len(cached) + len(new) == most:
            break
    talker.close()
    return cached, new


def test_processor_time_from_an_event_to_its_first_sample(recorder: Recorder) -> None:
    snapshots, figures = snapshots_of_a_game(), dict[str, float]()
    for verbosity in Verbosity:
        cached, new = costs_of(snapshots, verbosity, recorder.pick(full=200, small=12))
        name = verbosity.value
        figures[f"{name}_cached_percent"] = 100 * len(cached) / (len(cached) + len(new))
        for kind, costs in (("cached", cached), ("new", new)):
            figures[f"{name}_{kind}_median_ms"] = median(costs) if costs else 0.0
            figures[f"{name}_{kind}_most_ms"] = max(costs, default=0.0)
    recorder.record("speech_events", figures)


def test_the_program_with_the_voice_on_and_off(recorder: Recorder, tmp_path: Path) -> None:
    """Both play the demonstration. The sound goes to ALSA's null device."""
    figures = dict[str, float]()
    for name, lines in (("off", ""), ("on", 'voice = true\nvoice_device = "null"\n')):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "settings.toml").write_text(lines)
        with running_program(folder) as program:
            pid = program.process.pid
            start_demo_game(program.address)
            time.sleep(recorder.pick(full=10, small=1))  # names are known, and fixed sentences rendered
            began_s, began_children_s, started_s = processor_s(pid), children_s(pid), time.monotonic()
            time.sleep(recorder.pick(full=30, small=1))
            for_s = time.monotonic() - started_s
            figures[f"{name}_mib"] = resident_mib(pid)
            figures[f"{name}_ms_per_s"] = 1e3 * (processor_s(pid) - began_s) / for_s
            figures[f"{name}_engine_ms_per_s"] = 1e3 * (children_s(pid) - began_children_s) / for_s
    recorder.record("speech_cost", figures)


def children_s(pid: int) -> float:
    """Processor time of the processes that this one started and that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(") ")[2].split()
    return sum(map(int, fields[CHILDREN])) / os.sysconf("SC_CLK_TCK")
