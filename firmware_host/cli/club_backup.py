"""`cribboard club backup` and `restore`: the organiser's computer in one file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from firmware_host.cli.club_session import Session, as_session
from firmware_host.cli.games import settings_now
from firmware_host.cli.jsonl import counted, write_line
from firmware_host.club.state import Club
from firmware_host.club_server.accounts import Accounts
from firmware_host.club_server.backup import Check, restore_club, write_club_backup
from firmware_host.https.certificate import CertificateFiles, server_context
from firmware_host.telemetry.local_broker import LocalBroker, read_club_password

FILE = click.Path(path_type=Path, dir_okay=False)

CHECKS: Mapping[str, Check] = {
    "club-accounts.json": lambda file: Accounts(file).all(),
    "club-broker/passwords": lambda file: LocalBroker(file.parent).boards,
    "club-broker/club-password": read_club_password,
    "club-broker/tls/authority.pem": lambda file: CertificateFiles(file.parent).authority_certificate,
    "club-broker/tls/board.pem": server_context,
}
"""Each file of a backup -> what reads it."""


@click.command("backup")
@click.argument("file", type=FILE)
@as_session
def backup(session: Session, file: Path) -> None:
    """Write the club into FILE, which must not exist yet: members, nights, accounts and the boards of the own broker.

    The pages may be running. Keep FILE secret: who has it can pretend to be the club.
    """
    club = write_club_backup(settings_now().state_folder, file)
    write_line(f"{file}: {in_words(club)}, {counted(file.stat().st_size, 'byte')}")


@click.command("restore")
@click.argument("file", type=FILE)
def restore(file: Path) -> None:
    """Replace the club by that of FILE, a backup. No program may be using it.

    Every event of FILE is played again before anything changes. The present files are kept beside the new ones. A board
    that was expelled after the backup can connect again, and an account that was removed can log in again: look at the
    lists that are printed.
    """
    settings = settings_now()
    club, aside = restore_club(settings.state_folder, file, CHECKS)
    write_line(f"{settings.club}: {in_words(club)}, restored from {file}")
    for each in aside:
        write_line(f"{each}: the one before")
    accounts = Accounts(settings.club_accounts).all()
    boards = LocalBroker(settings.club_broker).boards
    write_line(f"accounts: {', '.join(account.name for account in accounts.values()) or 'none'}")
    write_line(f"boards that may connect: {', '.join(boards) or 'none'}")


def in_words(club: Club) -> str:
    """What is in a club, in a few words."""
    members = len(club.current_members)
    nights = len(club.nights)
    return f"{counted(members, 'member')}, {counted(nights, 'night')}"
