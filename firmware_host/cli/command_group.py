"""Groups of subcommands: each is imported when it is used, and a mistyped name gets a suggestion."""

from __future__ import annotations

import importlib
from typing import Any

import click


class LazyCommand(click.Command):
    """Stands for a subcommand until that is used, so that a list of subcommands imports none of them.

    `where` is the module and the name of the click command in it, such as "firmware_host.cli.count:command".
    `short_help` is the only definition of the sentence in the list of subcommands.
    """

    def __init__(self, name: str, where: str, short_help: str) -> None:
        super().__init__(name, short_help=short_help)
        self.where = where

    def load(self) -> click.Command:
        """Imports the command. Raises what the import raises."""
        module, _, name = self.where.partition(":")
        command = getattr(importlib.import_module(module), name)
        assert isinstance(command, click.Command)
        return command

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """A context of the command itself, which click then invokes. Raises ClickException if it cannot be imported."""
        try:
            command = self.load()
        except Exception as fault:  # a module that is missing or damaged can raise anything
            path = f"{parent.command_path} {info_name}" if parent else info_name
            reason = " ".join(f"{type(fault).__name__}: {fault}".split())
            raise click.ClickException(
                f"{path} cannot be imported, other commands may work ({reason}). Fix: install cribboard again"
            ) from fault
        return command.make_context(info_name, args, parent, **extra)


class CommandGroup(click.Group):
    """Names the nearest subcommand where there is none of the name given. Click does the same for options.

    Without arguments it prints its help on standard output.
    """

    group_class = type
    """A group in a group is of the same class."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and self.no_args_is_help and not ctx.resilient_parsing:
            click.echo(ctx.get_help(), color=ctx.color)
            ctx.exit()
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if self.get_command(ctx, name) is None and name[:1].isalnum():
            from difflib import get_close_matches

            near = get_close_matches(name.lower(), self.list_commands(ctx), n=1)
            ctx.fail(f"No such command {name!r}." + (f" Did you mean {near[0]!r}?" if near else ""))
        return super().resolve_command(ctx, args)
