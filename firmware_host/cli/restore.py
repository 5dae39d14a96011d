"""`cribboard restore`: replaces all games by those of a backup."""

from __future__ import annotations

from pathlib import Path

import click

from firmware_host.cli.games import settings_now, settings_option, state_folder_option
from firmware_host.cli.jsonl import write_line
from firmware_host.errors import HostError
from firmware_host.stats.learners_file import LearnersFile
from firmware_host.stats.people_file import PeopleFile
from firmware_host.storage.restore import restore


@click.command("restore")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@settings_option
@state_folder_option
def command(file: Path) -> None:
    """Replace all games, merged names and learners by those in FILE, a backup. No board may be running.

    FILE is checked event by event before anything changes. The present games are kept in a file beside the journal, and
    so are the present merged names and the progress of learners. A backup of an older version has neither: then the
    present ones stay.
    """
    settings = settings_now()
    try:
        people = PeopleFile.in_backup(file)
        learners = LearnersFile.in_backup(file)
        aside = restore(settings.journal, file)
        people_aside = PeopleFile(settings.people).restore(people) if people is not None else None
        learners_aside = LearnersFile(settings.learners).restore(learners) if learners is not None else None
    except HostError as error:
        raise click.ClickException(str(error)) from error
    write_line(f"{settings.journal}: restored from {file}")
    if aside:
        write_line(f"{aside}: the previous games")
    if people_aside:
        write_line(f"{people_aside}: the names merged before")
    if learners_aside:
        write_line(f"{learners_aside}: the progress of learners before")
