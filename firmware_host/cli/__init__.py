"""The command `cribboard`. Each subcommand is a module here, imported only when it is used."""

from __future__ import annotations

import importlib
import sys
from typing import Any

import click

from firmware_host.cli.command_group import CommandGroup

COMMANDS = (
    "advise",
    "backup",
    "club",
    "coach",
    "count",
    "deck",
    "doctor",
    "draw",
    "games",
    "https",
    "league",
    "play",
    "referee",
    "replay",
    "report",
    "restore",
    "run",
)
"""Each is a module in this folder with a click command named `command`."""


class _Commands(CommandGroup):
    """Imports a subcommand when it is used, so that counting a hand does not load a web server."""

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

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(f"firmware_host.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="cribboard")
def main() -> None:
    """The cribbage board that referees itself."""
