"""What the piezo of the open board plays: the sounds of the game, and the tone that guides a wrong peg."""

from __future__ import annotations

from collections.abc import Callable

from board_drivers.ports import Sounder
from firmware_host.host.snapshot import Snapshot
from firmware_host.ui.guide_tone import NOBODY
from firmware_host.ui.sounds import Sound


class BoardSounds:
    """Only the host thread uses it. `is_on` says whether the settings allow sounds now."""

    def __init__(self, is_on: Callable[[], bool]) -> None:
        self._is_on = is_on
        self._sounder: Sounder | None = None
        self._guided = NOBODY

    def attach(self, sounder: Sounder) -> None:
        """Plays on this board from now on."""
        self._sounder = sounder

    def play(self, sound: Sound | None) -> None:
        """Plays the sound, unless there is none or the settings turn sounds off."""
        if sound and self._is_on() and self._sounder:
            self._sounder.play(sound.tune)

    def play_test(self) -> None:
        """Plays whatever the settings say: somebody wants to know whether the piezo works."""
        if self._sounder:
            self._sounder.play(Sound.WON.tune)

    def guide(self, snapshot: Snapshot) -> None:
        """While the voice is on, guides a peg that stands wrong to its hole by a tone."""
        before = self._guided
        self._guided = self._guided.after(snapshot.signals)
        if snapshot.voice.is_on and self._is_on() and self._sounder:
            tune = before.tune_to(self._guided, snapshot.occupied)
            if tune:
                self._sounder.play(tune)
