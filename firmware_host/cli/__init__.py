"""The command `cribboard`. Each subcommand is a file of its own here, and is imported only when it is asked for."""

from __future__ import annotations

import importlib

import click

COMMANDS = {"advise": "advise", "count": "count", "play": "play", "replay": "replay", "run": "run"}
"""Subcommand -> the module in this folder whose `command` it is."""


class _Commands(click.Group):
    """Imports a subcommand when it is used: counting a hand should not load a web server."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(f"firmware_host.cli.{COMMANDS[cmd_name]}").command
        assert isinstance(command, click.Command)
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="cribboard")
def main() -> None:
    """The cribbage board that referees itself."""
