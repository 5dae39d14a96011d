"""The device that is played on while the settings name none."""

from __future__ import annotations

from pathlib import Path

from firmware_host.speech.player import default_device


def test_the_amplifier_of_the_hub_comes_before_the_default_of_alsa(tmp_path: Path) -> None:
    """With an HDMI screen ALSA's default is the screen. The kernel makes a link for each card by its name."""
    assert default_device(tmp_path) == ""
    (tmp_path / "card1").mkdir()
    (tmp_path / "MAX98357A").symlink_to("card1")
    assert default_device(tmp_path) == "plughw:CARD=MAX98357A"
