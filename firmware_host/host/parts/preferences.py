"""What people choose at the board while it runs: referee mode, voice and brightness. They begin as the settings say."""

from __future__ import annotations

from msgspec.structs import replace

from firmware_host.host.setup import HostSetup
from firmware_host.ui.keys.input_state import DIMMEST, SetAsksCounts, SetBrightness, SetRefereeMode
from firmware_host.ui.voice import Asked, AskVoice, SetVoice, VoiceRequest

PreferenceCommand = SetRefereeMode | SetAsksCounts | SetBrightness | SetVoice | AskVoice


class Preferences:
    """Only the host thread uses them. `brightness` is in percent, DIMMEST to 100; `asked` is the latest request to the
    voice."""

    def __init__(self, setup: HostSetup) -> None:
        self.referee_mode = setup.referee_mode
        self.voice = setup.voice
        self.brightness = setup.brightness
        self.asks_counts = setup.asks_counts
        self.asked = Asked()

    def take(self, command: PreferenceCommand) -> None:
        """Carries a command out."""
        match command:
            case SetRefereeMode(mode):
                self.referee_mode = mode
            case SetAsksCounts(asks_counts):
                self.asks_counts = asks_counts
            case SetBrightness(percent):
                self.brightness = min(100, max(DIMMEST, percent))
            case SetVoice(voice):
                self.voice = voice
                self.asked = Asked(self.asked.number + 1, VoiceRequest.SETTINGS)
            case AskVoice(request):
                self._ask(request)

    def _ask(self, request: VoiceRequest) -> None:
        """A repetition turns the voice on, because a blind player cannot read the menu."""
        self.asked = Asked(self.asked.number + 1, request)
        if request is VoiceRequest.REPEAT:
            self.voice = replace(self.voice, is_on=True)

    def follow(self, before: HostSetup, setup: HostSetup) -> None:
        """Applies the settings that were changed, and keeps what people chose for the others."""
        if setup.referee_mode is not before.referee_mode:
            self.referee_mode = setup.referee_mode
        if setup.asks_counts is not before.asks_counts:
            self.asks_counts = setup.asks_counts
        if setup.voice != before.voice:
            self.voice = setup.voice
        if setup.brightness != before.brightness:
            self.brightness = setup.brightness
