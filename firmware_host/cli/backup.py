"""`cribboard backup`: copies all games into one file, even while a board is running."""

from __future__ import annotations

from pathlib import Path

import click

from firmware_host.cli.games import open_journal, settings_now, settings_option, state_folder_option
from firmware_host.cli.jsonl import counted, write_line
from firmware_host.errors import HostError
from firmware_host.stats.learners_file import LearnersFile
from firmware_host.stats.people_file import PeopleFile
from firmware_host.storage.backup import write_backup
from firmware_host.storage.document_file import texts_of


@click.command("backup")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@settings_option
@state_folder_option
def command(file: Path) -> None:
    """Copy all games, merged names and learners into FILE, which must not exist yet. A board may be running.

    Every event is checked. `cribboard restore FILE` restores them.
    """
    with open_journal() as journal:
        try:
            settings = settings_now()
            documents, unreadable = texts_of(PeopleFile(settings.people), LearnersFile(settings.learners))
            left_out = write_backup(journal, file, documents)
        except HostError as error:
            raise click.ClickException(str(error)) from error
        if unreadable:
            click.echo(f"left out, because damaged: {', '.join(unreadable)}", err=True)
        if left_out:
            click.echo(f"left out, because damaged: {', '.join(f'game {game}' for game in left_out)}", err=True)
        write_line(f"{file}: {counted(journal.last_game, 'game')}, {counted(file.stat().st_size, 'byte')}")
