"""`cribboard club`: members, club nights, results, standings, play-offs and seasons."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import click

from firmware_host.cli.club_session import Session
from firmware_host.cli.command_group import CommandGroup, LazyCommand
from firmware_host.cli.games import settings_now, settings_option, state_folder_option
from firmware_host.cli.jsonl import fail
from firmware_host.club.phones import names_like
from firmware_host.club.rule_errors import HadBye, MetBefore, NightIsOn, UnknownMember
from firmware_host.club_server.store import open_club
from firmware_host.config.languages import LANGUAGES, translator
from firmware_host.cribbage.rule_errors import OptionsClash, Refusal
from firmware_host.errors import HostError
from firmware_host.ui.texts.error_messages import error_message
from firmware_host.ui.translator import Translator


class _ClubGroup(CommandGroup):
    """Prints a refusal in the language of the session."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except OptionsClash as clash:
            fail(clash)  # with the names of the options
        except Refusal as refusal:
            tr = translator(ctx.params.get("lang") or settings_now().language)
            what_helps = _what_helps(refusal, ctx.obj, tr)
            raise click.ClickException(" ".join(filter(None, (error_message(refusal, tr), what_helps)))) from refusal
        except HostError as fault:
            raise click.ClickException(str(fault)) from fault


ALL_THE_SAME: Mapping[type[Refusal], str] = {NightIsOn: "--close", MetBefore: "--sure", HadBye: "--sure"}
"""Refusals that are questions, and the option that says yes."""


def _what_helps(refusal: Refusal, session: Session | None, tr: Translator) -> str:
    """What to type instead; empty where the sentence of the refusal says all."""
    if option := ALL_THE_SAME.get(type(refusal)):
        return tr("To do it, repeat the command with {option}.").format(option=option)
    if session and isinstance(refusal, UnknownMember):
        members = (member.name for member in session.club.current_members)
        if alike := names_like(members, str(refusal.evidence["name"])):
            return tr("Did you mean: {name}?").format(name=", ".join(alike))
    return ""


AS_ROOT = "join"
"""Changes settings that belong to root, so it must not go on as the owner of the state folder; a board has no club."""


@click.group("club", cls=_ClubGroup)
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
    cribboard club result 1 121 95 --by Ann
    cribboard club confirm 1 Dan
    cribboard club standings

    MEMBER is the number or the name of a member. A result counts when both players have confirmed it, or when the
    organiser has corrected it with a reason.
    """
    if context.invoked_subcommand == AS_ROOT:
        return
    settings = settings_now()
    open_file = cache(lambda: context.with_resource(open_club(settings.club)))
    context.obj = Session(open_file, night, lang or settings.language)


COMMANDS: Mapping[str, tuple[str, str]] = {
    "account": ("club_accounts:account", "Who may use the pages of the organiser."),
    "add": ("club_members:add", "Add members."),
    "audit": ("club_reports:audit", "List every event with its reason, one JSON object a line."),
    "backup": ("club_backup:backup", "Write the club into one file."),
    "board": ("club_broker:board", "Which boards may connect, and the code by which they join."),
    "bracket": ("club_playoffs:bracket", "Print the bracket of the play-offs."),
    "bye": ("club_night:bye", "Give a player a bye by hand."),
    "cards": ("club_reports:cards", "Print scorecards as text, to read here."),
    "change": ("club_members:change", "Change the name, guest or handicap of a member."),
    "chart": ("club_reports:chart", "Print the movement chart of the rounds that are paired."),
    "collect": ("club_collect:collect", "Take the results that boards send, until Ctrl-C."),
    "confirm": ("club_night:confirm", "Confirm the result of a table."),
    "correct": ("club_night:correct", "Set the scores of a table as the organiser."),
    "create": ("club_night:create", "Begin a club night."),
    "demo": ("club_demo:demo", "Run a club night of simulated boards until Ctrl-C."),
    "enter": ("club_night:enter", "Let members play; who is late sits down at once."),
    "export": ("club_reports:export", "Export the night as CSV or JSON."),
    "hands": ("club_papers:hands", "Note hands of 28 and 29."),
    "import": ("club_members:import_list", "Add members from a CSV file or a list of names."),
    "join": ("club_join:join", "Let this board join a club, by the files on a stick."),
    "leave": ("club_night:leave", "Take a player out."),
    "match": ("club_playoffs:match", "Enter the games won in a match of the bracket."),
    "members": ("club_members:members", "List members and guests."),
    "pair": ("club_night:pair", "Pair the next round."),
    "playoffs": ("club_playoffs:playoffs", "Draw the bracket of the play-offs or the consolation."),
    "print": ("club_papers:print_paper", "Make scorecards, pairings, results or standings for a printer."),
    "remove": ("club_members:remove", "Remove members from the club."),
    "restore": ("club_backup:restore", "Replace the club by that of a backup."),
    "result": ("club_night:result", "Enter the scores of a table."),
    "season": ("club_reports:season", "Print the standings over many nights."),
    "seat": ("club_night:seat", "Pair two players by hand."),
    "serve": ("club_serve:serve", "Serve the pages of the night until Ctrl-C."),
    "standings": ("club_reports:show_standings", "Print the standings of the night."),
    "swap": ("club_night:swap", "Exchange the tables of two games."),
    "tables": ("club_night:show_tables", "Show who plays where, and the results."),
    "undo": ("club_night:undo", "Take the last change of places by hand back."),
    "unpair": ("club_night:unpair", "Withdraw the pairing of the last round, if it has no results."),
}
"""Subcommand -> the module in this folder and the command in it, and its sentence in the list."""

for _name, (_where, _sentence) in COMMANDS.items():
    command.add_command(LazyCommand(_name, f"firmware_host.cli.{_where}", _sentence))
