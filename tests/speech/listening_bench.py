"""A bench that listens to its own voice."""

from __future__ import annotations

from msgspec.structs import replace

from firmware_host.config.languages import translator
from firmware_host.host.snapshot import Snapshot
from firmware_host.speech.narrator import Narrator
from firmware_host.ui.voice import VoiceSettings
from tests.host.bench import HostBench


class ListeningBench(HostBench):
    """A bench whose snapshots a narrator hears; `said` is all it said, with an empty text for silence."""

    def __post_init__(self) -> None:
        self.said = list[str]()
        self.narrator = Narrator(translator)
        super().__post_init__()

    def switch_on(self) -> None:
        self.setup = replace(self.setup, voice=VoiceSettings(is_on=True))
        self.narrator, self.heard = Narrator(translator), -1
        super().switch_on()

    def wait(self, seconds: float) -> None:
        """As HostBench, and hears every snapshot."""
        end_s = self.now_s + seconds
        while self.now_s < end_s:
            super().wait(self.setup.scan_s / 2)
            self.hear(self.host.snapshot)

    def hear(self, snapshot: Snapshot) -> None:
        if snapshot.version == self.heard:
            return
        self.heard = snapshot.version
        if speech := self.narrator.speech_for(snapshot):
            self.said.append(speech.text)

    def new(self) -> list[str]:
        """What was said since the last call, without silence."""
        said, self.said = [text for text in self.said if text], list[str]()
        return said
