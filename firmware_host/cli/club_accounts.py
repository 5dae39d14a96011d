"""`cribboard club account`: who may use the pages of the organiser."""

from __future__ import annotations

import click

from firmware_host.cli.club_session import Session, as_session
from firmware_host.cli.command_group import CommandGroup
from firmware_host.cli.games import settings_now
from firmware_host.cli.jsonl import write_line
from firmware_host.club_server.accounts import FIRST_NAME, AccountRole, Accounts

ROLES = [role.name.lower() for role in AccountRole]


@click.group("account", cls=CommandGroup)
def account() -> None:
    """Accounts for the pages of the organiser."""


@account.command("set")
@click.argument("name")
@click.option(
    "--role", type=click.Choice(ROLES), help="[default: as it is; the first is an organiser, others scorekeepers]"
)
@click.password_option(help="Asked for if it is left out.")
@as_session
def set_account(session: Session, name: str, role: str | None, password: str) -> None:
    """Add an account, or give it another password or role. A scorekeeper enters results, an organiser does all."""
    Accounts(settings_now().club_accounts).set(name, AccountRole[role.upper()] if role else None, password)
    _list(session)


@account.command("reset")
@as_session
def reset_account(session: Session) -> None:
    """Make a new password for the first account, and print it. Its log-ins end at once."""
    say_password(session, Accounts(settings_now().club_accounts).reset())


@account.command("remove")
@click.argument("name")
@as_session
def remove_account(session: Session, name: str) -> None:
    """Remove an account. Its log-ins end at once. The last organiser stays."""
    Accounts(settings_now().club_accounts).remove(name)
    _list(session)


@account.command("list")
@as_session
def list_accounts(session: Session) -> None:
    """List the accounts."""
    _list(session)


def say_password(session: Session, password: str) -> None:
    """Print the name and the password of the first account."""
    tr = session.translate
    write_line(tr("Log in as {name} with the password {password}").format(name=FIRST_NAME, password=password))


def _list(session: Session) -> None:
    for each in Accounts(settings_now().club_accounts).all().values():
        write_line(f"{each.name}  {each.role.name.lower()}")
