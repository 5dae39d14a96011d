"""Checks of the state folder: permissions, free space, every event of the journal, the paired phones, changed settings,
and files that were damaged."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path
from stat import S_ISDIR

from firmware_host.config.settings_record import read_record
from firmware_host.doctor.findings import (
    DoctorContext,
    Finding,
    failed,
    failed_host,
    nearest_existing,
    note,
    passed,
    warning,
)
from firmware_host.errors import HostError
from firmware_host.pairing.registry import PhoneRegistry
from firmware_host.storage.journal import Journal

MEGABYTE = 1_000_000
MIN_FREE_BYTES = 1 * MEGABYTE
LOW_FREE_BYTES = 100 * MEGABYTE
"""Below the first no turn can be written; below the second it is a WARNING. A game takes about 0.1 MB."""
MAX_NAMES = 5
"""The most names of files in one finding."""


def check_folder(context: DoctorContext) -> Iterable[Finding]:
    """The state folder can be written, or made."""
    folder = context.settings.state_folder
    machine = context.machine
    there = nearest_existing(folder)
    expected = "a folder that can be written"
    if not S_ISDIR(there.stat().st_mode):
        yield failed("folder", expected, f"{there} is a file", "Name another folder as state_folder in the settings.")
        return
    if machine.may_write(there):
        yield passed("folder", expected, f"{folder}{'' if there == folder else ', not there yet'}")
    else:
        owner, sudo_name = _owner_of(there)
        got = f"{machine.user()} cannot write in {there}, which belongs to {owner}"
        fix = (
            f"sudo chown -R {machine.user()} {folder}, or run this as its owner: sudo -u {sudo_name} cribboard doctor."
        )
        yield failed("folder", expected, got, fix)
    yield _free_space(machine.free_bytes(there))


def _owner_of(folder: Path) -> tuple[str, str]:
    """The owner as a sentence names it, and as `sudo -u` takes it.

    A uid may be unknown here: a card that another computer wrote, or a user who was deleted.
    """
    with suppress(KeyError):
        return folder.owner(), folder.owner()
    uid = folder.stat().st_uid
    return f"user {uid}", f"'#{uid}'"


def _free_space(free: int) -> Finding:
    got = f"{free // MEGABYTE} MB free"
    fix = "Free some space: sudo apt clean, sudo journalctl --vacuum-size=50M."
    if free < MIN_FREE_BYTES:
        return failed("disk", f"{MIN_FREE_BYTES // MEGABYTE} MB free", got, fix)
    expected = f"{LOW_FREE_BYTES // MEGABYTE} MB free"
    return warning("disk", expected, got, fix) if free < LOW_FREE_BYTES else passed("disk", expected, got)


def check_journal(context: DoctorContext) -> Iterable[Finding]:
    """Reads every event of every game, which a start does not do. The board may be running and writing."""
    file = context.settings.journal
    expected = "a journal that can be read completely"
    if not context.machine.may_write(
        nearest_existing(file.parent)
    ):  # SQLite needs write access to read a journal in use
        yield note("journal", "not checked: the folder cannot be written", expected)
        return
    if not file.exists():
        yield passed("journal", expected, "none yet: no game was played")
        return
    games = turns = 0
    try:
        with closing(Journal.open_readonly(file)) as journal:
            for game in journal.games():
                games = games + 1
                turns = turns + len(journal.turns_of(game.game))
    except HostError as fault:
        yield failed_host("journal", fault)
    else:
        yield passed("journal", expected, f"{games} games with {turns} turns, all readable")


def check_phones(context: DoctorContext) -> Iterable[Finding]:
    """The file of the paired phones."""
    file = context.settings.phones
    expected = "a list of phones that can be read"
    if not context.machine.may_write(nearest_existing(file.parent)):
        yield note("phones", "not checked: the folder cannot be written", expected)
        return
    try:
        registry = PhoneRegistry(file)
    except HostError as fault:
        yield failed_host("phones", fault)
    else:
        yield passed("phones", expected, f"{len(registry.phones)} paired")
        if not registry.has_owner and context.settings.journal.exists():
            got = "none on the list: the first phone that is added becomes the owner"
            yield note("owner", got, "a phone that owns the board")


def check_settings_file(context: DoctorContext) -> Iterable[Finding]:
    """A settings file that cannot be used. The service then starts with the settings of its latest good start, and all
    other checks are made with these."""
    if context.settings_error:
        yield failed_host("settings", context.settings_error)


def check_changed_settings(context: DoctorContext) -> Iterable[Finding]:
    """The settings that had other values before: somebody changed them, or a damage of the file did."""
    record = read_record(context.settings.record)
    if record and record.former:
        changed = ", ".join(f"{name} (was {text})" for name, text in sorted(record.former.items()))
        yield note("settings", f"latest change seen at a start: {changed}", "settings that somebody meant")


def check_damaged_files(context: DoctorContext) -> Iterable[Finding]:
    """The files that a start or a restore has set aside."""
    if names := sorted(file.name for file in context.settings.state_folder.glob("*.aside-*")):
        more = f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else ""
        got = f"set aside, because they were damaged or replaced: {', '.join(names[:MAX_NAMES])}{more}"
        yield note("files", got, "no file that was set aside")
