"""Past games, merged names and the progress of learners. Their modules are imported when somebody asks for them."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from firmware_host.config.settings import Settings
from firmware_host.storage.journal import Journal

if TYPE_CHECKING:
    from firmware_host.stats.archive import Archive
    from firmware_host.stats.learners_file import LearnersFile
    from firmware_host.stats.people_file import PeopleFile


def archive_of(settings: Settings) -> Archive:
    """The past games of the journal."""
    from firmware_host.stats.archive import Archive

    return Archive(lambda: closing(Journal.open_readonly(settings.journal)))


def people_file_of(settings: Settings) -> PeopleFile:
    """The file of merged names."""
    from firmware_host.stats.people_file import PeopleFile

    return PeopleFile(settings.people)


def learners_file_of(settings: Settings) -> LearnersFile:
    """The file of the count coach."""
    from firmware_host.stats.learners_file import LearnersFile

    return LearnersFile(settings.learners)
