"""Where the games are kept: folder, room on the disk, and every event in the journal."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path
from stat import S_ISDIR

from firmware_host.doctor.findings import Finding, Patient, here, ill, look, note, of_host, sound
from firmware_host.faults import HostFault
from firmware_host.journal import Journal
from firmware_host.phones import PhoneBook

MEGABYTE = 1_000_000
ROOM_FOR_A_TURN, ROOM_FOR_YEARS = 1 * MEGABYTE, 100 * MEGABYTE
"""A game takes about a tenth of a megabyte, but the system needs room too."""


def check_folder(patient: Patient) -> Iterable[Finding]:
    folder, machine = patient.settings.state_folder, patient.machine
    there = here(folder)
    expected = "a folder that can be written"
    if not S_ISDIR(there.stat().st_mode):
        yield ill("folder", expected, f"{there} is a file", "Name another as state_folder in the settings.")
        return
    if machine.may_write(there):
        yield sound("folder", expected, f"{folder}{'' if there == folder else ', to be made'}")
    else:
        got = f"{machine.user()} may not write in {there}, which is {there.owner()}'s"
        mend = (
            f"sudo chown -R {machine.user()} {folder}, or ask as its owner: sudo -u {there.owner()} cribboard doctor."
        )
        yield ill("folder", expected, got, mend)
    yield _room(machine.free_bytes(there))


def _owner_of(folder: Path) -> str:
    with suppress(KeyError):  # a user without a name
        return folder.owner()
    return str(folder.stat().st_uid)


def _room(free: int) -> Finding:
    got, mend = f"{free // MEGABYTE} MB free", "Make room: sudo apt clean, sudo journalctl --vacuum-size=50M."
    if free < ROOM_FOR_A_TURN:
        return ill("disk", f"{ROOM_FOR_A_TURN // MEGABYTE} MB free", got, mend)
    expected = f"{ROOM_FOR_YEARS // MEGABYTE} MB free"
    return look("disk", expected, got, mend) if free < ROOM_FOR_YEARS else sound("disk", expected, got)


def check_journal(patient: Patient) -> Iterable[Finding]:
    """Reads every event of every game, which a start does not do; a board may be writing meanwhile."""
    file, expected = patient.settings.journal, "a journal of which every event can be read"
    if not patient.machine.may_write(here(file.parent)):  # to read beside a writer, SQLite must write too
        yield note("journal", "not looked at: see the folder", expected)
        return
    if not file.exists():
        yield sound("journal", expected, "none yet: nobody has played")
        return
    games = turns = 0
    try:
        with closing(Journal.open_to_read(file)) as journal:
            for game in journal.games():
                games, turns = games + 1, turns + len(journal.turns_of(game.game))
    except HostFault as fault:
        yield of_host("journal", fault)
    else:
        yield sound("journal", expected, f"{games} games of {turns} turns, all to be read")


def check_phones(patient: Patient) -> Iterable[Finding]:
    """The phones that were let in."""
    file, expected = patient.settings.phones, "a list of phones that can be read"
    if not patient.machine.may_write(here(file.parent)):
        yield note("phones", "not looked at: see the folder", expected)
        return
    try:
        book = PhoneBook(file)
    except HostFault as fault:
        yield of_host("phones", fault)
    else:
        yield sound("phones", expected, f"{len(book.phones)} let in")
