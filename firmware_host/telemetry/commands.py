"""Commands that arrive over MQTT. The host executes or refuses them like the commands of a phone."""

from __future__ import annotations

from msgspec.structs import replace

from firmware_host.game.commands import Undo
from firmware_host.host.snapshot import Snapshot
from firmware_host.ui.keys.input_state import DIMMEST, SetBrightness, TestLights, UserCommand
from firmware_host.ui.voice import SetVoice

UNDO = "undo"
TEST_LIGHTS = "test_lights"
BRIGHTNESS = "brightness"
VOLUME = "volume"
NAMES = (UNDO, TEST_LIGHTS, BRIGHTNESS, VOLUME)
"""The last level of the topics of commands."""
PRESS = "PRESS"
"""The payload of a button."""


def command_of(name: str, payload: bytes, snapshot: Snapshot) -> UserCommand | None:
    """The command of a message; None for one that is unknown or malformed, and for an undo while a demonstration is
    shown."""
    text = payload[:16].decode("ascii", "replace").strip()
    is_demo = snapshot.table is not None and snapshot.table.is_demo
    match name:
        case "undo" if text == PRESS and not is_demo:
            return Undo()
        case "test_lights" if text == PRESS:
            return TestLights()
        case "brightness" if (percent := _percent(text, DIMMEST)) is not None:
            return SetBrightness(percent)
        case "volume" if (percent := _percent(text, 1)) is not None:
            return SetVoice(replace(snapshot.voice, volume=percent))
    return None


def _percent(text: str, low: int) -> int | None:
    return int(text) if text.isdecimal() and low <= int(text) <= 100 else None
