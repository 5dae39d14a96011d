"""A group of subcommands that suggests a name for one that is mistyped."""

from __future__ import annotations

import click


class CommandGroup(click.Group):
    """Names the nearest subcommand where there is none of the name given. Click does the same for options."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if self.get_command(ctx, name) is None and name[:1].isalnum():
            from difflib import get_close_matches

            near = get_close_matches(name.lower(), self.list_commands(ctx), n=1)
            ctx.fail(f"No such command {name!r}." + (f" Did you mean {near[0]!r}?" if near else ""))
        return super().resolve_command(ctx, args)
