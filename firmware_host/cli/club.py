"""`cribboard club`: members, club nights, results, standings, play-offs and seasons."""

from __future__ import annotations

from typing import Any

import click

from firmware_host.cli import (
    club_backup,
    club_broker,
    club_collect,
    club_demo,
    club_members,
    club_night,
    club_playoffs,
    club_reports,
    club_serve,
)
from firmware_host.cli.club_session import Session
from firmware_host.cli.command_group import CommandGroup
from firmware_host.cli.games import settings_now, settings_option, state_folder_option
from firmware_host.club.store import open_club
from firmware_host.config.languages import LANGUAGES, translator
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.errors import HostError
from firmware_host.ui.error_messages import error_message


class _ClubGroup(CommandGroup):
    """Opens the file of the club for a command, and prints a refusal in the language of the session."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except Refusal as refusal:
            language = ctx.params.get("lang") or settings_now().language
            raise click.ClickException(error_message(refusal, translator(language))) from refusal
        except HostError as fault:
            raise click.ClickException(str(fault)) from fault


@click.group("club", cls=_ClubGroup, short_help="Run a club night: pairing, results, standings, play-offs.")
@click.option("--night", type=click.IntRange(1), metavar="N", help="Which club night.  [default: the latest]")
@click.option("--lang", type=click.Choice(LANGUAGES), help="The language of the tables.  [default: of the settings]")
@settings_option
@state_folder_option
@click.pass_context
def command(context: click.Context, night: int | None, lang: str | None) -> None:
    """Run a club night on any computer. Everything is kept in club.sqlite3 in the state folder.

    \b
    cribboard club add Ann Bob Cat Dan
    cribboard club create
    cribboard club enter --all
    cribboard club pair
    cribboard club result 1 121 95
    cribboard club standings

    MEMBER is the number or the name of a member. A result counts when both players have confirmed it, or when the
    organiser has corrected it with a reason.
    """
    settings = settings_now()
    if context.invoked_subcommand == "restore":  # the present file may be damaged, and must not be open
        return
    file = context.with_resource(open_club(settings.club))
    context.obj = Session(file, night, translator(lang or settings.language))


_MODULES = (
    club_backup,
    club_members,
    club_night,
    club_collect,
    club_broker,
    club_demo,
    club_playoffs,
    club_reports,
    club_serve,
)
for _module in _MODULES:
    for _each in _module.COMMANDS:
        command.add_command(_each)
