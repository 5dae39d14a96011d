"""What keeps the board from following the game, in words short enough for its display: what is wrong, and what to do.

The whole story, with what was expected and what was got, is the driver's, and stands on the page of the device.
"""

from __future__ import annotations

from firmware_host.table.words import Words, as_written

UNREAD = {
    "Board lost": "Board lost: check its cable",
    "No scanner": "No scanner: plug it in",
    "Scanner starting": "The scanner is starting",
    "Scanner's firmware": "Scanner firmware: flash it anew",
    "Sensor chain silent": "Sensor chain silent: check its ribbon",
    "Chain too long": "Chain too long: is it another board's?",
    "Chain fault at strip": "Chain fault at strip {strip}: check its ribbon",
}
"""What cannot be read, as its driver calls it -> what people are told."""


def nothing_hinders(_: Words = as_written) -> str:
    return ""


def board_unread(device: str, told: str, _: Words = as_written) -> str:
    """The holes cannot be read, because of this device; `told` is said of one that nobody has words for."""
    part, _space, strip = device.rpartition(" ")
    part = part if strip.isdecimal() else device
    return _(UNREAD[part]).format(strip=strip) if part in UNREAD else told


def magnet_near(_: Words = as_written) -> str:
    return _("A magnet is near: take it away")


def cannot_save(_: Words = as_written) -> str:
    return _("Cannot be saved yet: look after the disk")


def fault_inside(_: Words = as_written) -> str:
    return _("A fault inside: see the log")
