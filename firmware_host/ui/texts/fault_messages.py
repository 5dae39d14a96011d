"""Faults of pegs, the hardware and the disk, in sentences for the OLED: what is wrong, and what to do.

A fault fits two lines of 21 columns in every language; `tests/ui/test_messages_in_languages.py` checks it.

The driver's own message, with what was expected and what it got, is on the device page and in the log.
"""

from __future__ import annotations

from firmware_host.board.plan import BoardPlan
from firmware_host.tracking.readings import Fault, TrackFault
from firmware_host.ui.translator import Translator, untranslated

UNREAD = {
    "Board lost": "Board not connected. Check its cable.",
    "No scanner": "Scanner not found. Plug it in.",
    "Scanner starting": "Scanner is starting …",
    "Scanner's firmware": "Flash the scanner firmware again.",
    "Sensor chain silent": "No sensor data. Check the ribbon cable.",
    "Chain too long": "Too many strips. Right board chosen?",
    "Chain fault at strip": "Fault at strip {strip}. Check its ribbon.",
    "Sensor column": "Fault at column {strip}. Run the doctor.",
    "Sensor row": "Fault at row {strip}. Run the doctor.",
    "Another board": "Another board. Right one chosen?",
}
"""Name of the device in the driver's error, without the number of its strip, column or row -> the sentence for the
display."""

PEG_FAULTS = {
    Fault.BOTH_OUT: "{name}: both pegs out",
    Fault.FRONT_OUT: "{name}: front peg out",
    Fault.PEG_UNSEEN: "{name}: push the peg in",
    Fault.THIRD_PEG: "{name}: extra peg",
    Fault.FOREIGN_LANE: "{name}: another’s peg",
    Fault.OFF_LAP: "{name}: wrong hole",
    Fault.MISPLACED: "{name}: to the lit holes",
    Fault.DEAD_HOLE: "{name}: hole does not react",
    Fault.STUCK_HOLE: "{name}: hole always shows a peg",
    Fault.WEAK_HOLE: "{name}: hole is weak",
}
"""Fault of pegs or holes -> what is wrong, for the display."""

HOLE_FAULTS = {
    Fault.DEAD_HOLE: "Hole {hole} does not react. You can play on.",
    Fault.WEAK_HOLE: "Hole {hole} is weak. You can play on.",
    Fault.STUCK_HOLE: "Hole {hole} always shows a peg. It is ignored.",
}
"""Fault of a hole -> the sentence for the page, which has room for what to do."""


def no_fault(tr: Translator = untranslated) -> str:
    """The message without a fault: empty."""
    return ""


def board_not_read(device: str, fallback: str, tr: Translator = untranslated) -> str:
    """The holes cannot be read because of this device; `fallback` is the message for a device that UNREAD lacks."""
    part, _space, strip = device.rpartition(" ")
    part = part if strip.isdecimal() else device
    return tr(UNREAD[part]).format(strip=strip) if part in UNREAD else fallback


def magnet_too_close(tr: Translator = untranslated) -> str:
    """Many holes read as occupied at once, as a magnet over the board makes them."""
    return tr("A magnet is too close. Move it away.")


def cannot_save(tr: Translator = untranslated) -> str:
    """The journal, or another file of the board, cannot be written; the disk may be full."""
    return tr("Not saved yet. Check the disk.")


def only_in_memory(tr: Translator = untranslated) -> str:
    """The journal cannot be opened: the game goes on, and is lost if the power goes."""
    return tr("Game is not saved. Check the disk.")


def wrong_setting(line: int, name: str, tr: Translator = untranslated) -> str:
    """The board could not start with its settings file. `line` 0 and an empty `name`: unknown."""
    place = " ".join((*([tr("line {line}").format(line=line)] if line else []), *([name] if name else [])))
    return tr("Fix settings: {place}").format(place=place or "cribboard.toml")


def settings_are_right(tr: Translator = untranslated) -> str:
    """The settings file was corrected while the board ran."""
    return tr("Settings are right. Restart the board.")


def cards_clash(tr: Translator = untranslated) -> str:
    """One card was shown in two hands."""
    return tr("Two hands have the same card")


def asks_for_game(name: str, tr: Translator = untranslated) -> str:
    """A player asks the others to end the game that is on."""
    return tr("{name} asks for a new game.").format(name=name)


def internal_error(tr: Translator = untranslated) -> str:
    """A step of the host raised an unexpected exception, which is in the log."""
    return tr("Error. Game is saved. Restart the board.")


def hole_fault_message(plan: BoardPlan, found: TrackFault, tr: Translator = untranslated) -> str:
    """Holes with a fault, named by track and number, and what follows from it."""
    track = plan.track_info[found.track].name
    names = (tr("game hole") if hole == plan.game_hole else f"{tr(track)} {hole}" for hole in found.holes)
    return tr(HOLE_FAULTS[found.fault]).format(hole=", ".join(names))


def peg_fault_message(plan: BoardPlan, astray: TrackFault, tr: Translator = untranslated) -> str:
    """A fault of holes or pegs, with the names of the holes on the board, such as `red 37`."""
    holes = ", ".join(plan.name_of(astray.track, hole) for hole in astray.holes)
    return f"{tr(PEG_FAULTS[astray.fault]).format(name=plan.track_info[astray.track].name)} ({holes})"


def owner_of_foreign_peg(fault: TrackFault) -> int | None:
    """The side whose peg stands in this track; None: it is no such fault, or several sides lack a peg."""
    if fault.fault is not Fault.FOREIGN_LANE or len(fault.lacking) != 1:
        return None
    return fault.lacking[0]


def stuck_key_message(key: str, tr: Translator = untranslated) -> str:
    """A key that has been down for too long; `key` is its legend."""
    return tr("Key {key} is stuck").format(key=key)
