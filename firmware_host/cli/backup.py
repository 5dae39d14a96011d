"""`cribboard backup`: all games in one file, even while a board is running."""

from __future__ import annotations

from pathlib import Path

import click

from firmware_host.backup import back_up
from firmware_host.cli.games import open_journal, settings_option, state_folder_option
from firmware_host.cli.lines import tell
from firmware_host.faults import HostFault


@click.command("backup", short_help="Copy all games into a file.")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@settings_option
@state_folder_option
def command(file: Path) -> None:
    """Copy all games into FILE, which must not be there yet. A board may be running meanwhile.

    Every event is checked on the way. `cribboard restore FILE` brings them back.
    """
    with open_journal() as journal:
        try:
            back_up(journal, file)
        except HostFault as fault:
            raise click.ClickException(str(fault)) from fault
        tell(f"{file}: {journal.last_game} games, {file.stat().st_size} bytes")
