"""The command `cribboard`. Each subcommand is a file of its own here, and is imported only when it is asked for."""

from __future__ import annotations

import importlib
import sys
from typing import Any

import click

COMMANDS = (
    "advise",
    "backup",
    "count",
    "deck",
    "doctor",
    "draw",
    "games",
    "play",
    "referee",
    "replay",
    "report",
    "restore",
    "run",
)
"""Each is a module in this folder, with its `command`."""


class _Commands(click.Group):
    """Imports a subcommand when it is used: counting a hand should not load a web server."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """As click does it, but an error is one line; --help has the rest."""
        try:
            sys.exit(super().main(*args, **(extra | {"standalone_mode": False})))
        except click.UsageError as wrong:
            asked = wrong.ctx.command_path if wrong.ctx else "cribboard"
            click.echo(f"{wrong.format_message()} ({asked} --help tells more)", err=True)
            sys.exit(wrong.exit_code)
        except click.ClickException as wrong:
            click.echo(wrong.format_message(), err=True)
            sys.exit(wrong.exit_code)
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
