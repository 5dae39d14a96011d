"""The command `cribboard`. Each subcommand is a module here, imported only when it is used."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import click

from firmware_host.cli.command_group import CommandGroup, LazyCommand

COMMANDS: Mapping[str, str] = {
    "advise": "Rank every discard by its expected points.",
    "backup": "Copy all games into a file.",
    "club": "Run a club night: pairing, results, standings, play-offs.",
    "coach": "Learn to count: hands step by step, with hints.",
    "count": "Count a hand or a crib, as players count aloud.",
    "deck": "Register the cards of a tagged deck.",
    "doctor": "Find faults of the board, and say how to fix them.",
    "draw": "Draw templates, solids, parts lists and pictures.",
    "engine": "Answer questions about discards and the play, for programs.",
    "games": "List past games; show one; print scorecards; merge names; export.",
    "https": "Make the certificates for encrypted pages.",
    "league": "Collect the results of thousands of boards.",
    "play": "Score cards as they are played, without go and last card.",
    "referee": "Referee a recorded game.",
    "replay": "Print the moves and the faults of a sensor trace.",
    "report": "Pack a diagnostic report into one file.",
    "restore": "Replace all games by those of a backup.",
    "run": "Run the board and its panel.",
}
"""Subcommand -> its sentence in the list. Each is a module in this folder with a click command named `command`."""


class _Commands(CommandGroup):
    """The commands at the top."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Runs a subcommand. Unlike click, prints an error as one line on standard error."""
        try:
            sys.exit(super().main(*args, **(extra | {"standalone_mode": False})))
        except click.UsageError as error:
            command = error.ctx.command_path if error.ctx else "cribboard"
            click.echo(f"{error.format_message()} (see {command} --help)", err=True)
            sys.exit(error.exit_code)
        except click.ClickException as error:
            click.echo(error.format_message(), err=True)
            sys.exit(error.exit_code)
        except click.Abort:
            sys.exit(130)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="cribboard")
def main() -> None:
    """The cribbage board that referees itself."""


for _name, _sentence in COMMANDS.items():
    main.add_command(LazyCommand(_name, f"{__name__}.{_name}:command", _sentence))
