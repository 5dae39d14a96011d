"""What the piezo of the open board plays: the sounds of the game, and the tone that guides a wrong peg."""

from __future__ import annotations

from firmware_host.host.parts.context import HostContext
from firmware_host.host.snapshot import Snapshot
from firmware_host.ui.sounds.guide_tone import NOBODY
from firmware_host.ui.sounds.sounds import Sound


class BoardSounds:
    """Only the host thread uses it."""

    def __init__(self, context: HostContext) -> None:
        self._context = context
        self._guided = NOBODY

    def play(self, sound: Sound | None) -> None:
        """Plays the sound, unless there is none or the settings turn sounds off."""
        if sound and self._context.setup.has_sound:
            self._context.board.sounder.play(sound.tune)

    def play_test(self) -> None:
        """Plays regardless of the settings, to test the piezo."""
        self._context.board.sounder.play(Sound.WON.tune)

    def guide(self, snapshot: Snapshot) -> None:
        """While the voice is on, guides a peg that stands wrong to its hole by a tone."""
        before = self._guided
        self._guided = self._guided.after(snapshot.signals)
        if snapshot.voice.is_on and self._context.setup.has_sound:
            tune = before.tune_to(self._guided, snapshot.occupied)
            if tune:
                self._context.board.sounder.play(tune)
