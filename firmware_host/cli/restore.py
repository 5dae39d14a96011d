"""`cribboard restore`: the games of a backup take the place of those that are here."""

from __future__ import annotations

from pathlib import Path

import click

from firmware_host.cli.games import settings_now, settings_option, state_folder_option
from firmware_host.cli.lines import tell
from firmware_host.faults import HostFault
from firmware_host.rescue import restore


@click.command("restore", short_help="Bring the games of a backup back.")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@settings_option
@state_folder_option
def command(file: Path) -> None:
    """Let the games in FILE, a backup, take the place of those that are here. No board may be running.

    FILE is checked, event by event, before anything is changed; the games of before are put aside, not thrown away.
    """
    settings = settings_now()
    try:
        aside = restore(settings.journal, file)
    except HostFault as fault:
        raise click.ClickException(str(fault)) from fault
    tell(f"{settings.journal}: the games of {file}")
    if aside:
        tell(f"{aside}: the games of before")
