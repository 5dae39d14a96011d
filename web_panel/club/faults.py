"""Faults of the club's files, accounts and backups in sentences for the organiser."""

from __future__ import annotations

from collections.abc import Mapping

from firmware_host.club_server.accounts import BadAccountName, LastOrganiser, UnknownAccount
from firmware_host.club_server.backup import BackupError, DamagedBackup, NewerBackup, NotABackup
from firmware_host.club_server.store import ClubFileError, ClubInUse
from firmware_host.errors import HostError
from firmware_host.ui.translator import Translator


def fault_in_words(fault: HostError, tr: Translator) -> str:
    """What happened and what to do. Where only somebody at the computer can help, the technical line, in English, says
    why."""
    sentences: Mapping[type[HostError], str] = {
        LastOrganiser: tr("The last organiser stays. Make another one first."),
        UnknownAccount: tr("Nobody has an account of this name any more."),
        BadAccountName: tr("This cannot be the name of an account. Choose another one."),
        NotABackup: tr("This file is no backup of a club. Nothing has changed."),
        DamagedBackup: tr("The backup is damaged. Nothing has changed. Use another one."),
        NewerBackup: tr("A newer version of cribboard wrote this. Update cribboard on this computer first."),
        ClubInUse: tr("Another program is using the club. End it and try again."),
        BackupError: tr("The backup cannot be written: {reason}"),
        ClubFileError: tr("The files of the club cannot be read or written: {reason}"),
        HostError: tr("That did not work: {reason}"),
    }
    found = next(sentence for kind, sentence in sentences.items() if isinstance(fault, kind))
    return found.format(reason=f"{fault.got} ({fault.where})")
