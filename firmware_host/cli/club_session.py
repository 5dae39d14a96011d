"""What the commands of `cribboard club` share: the open file, the chosen night, the language, and dates."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date as calendar_date
from functools import partial

import click
from msgspec import Struct

from firmware_host.cli.jsonl import write_line
from firmware_host.club import decide as d
from firmware_host.club.state import Club, Night
from firmware_host.club_server.output import Output
from firmware_host.club_server.store import ClubFile
from firmware_host.config.languages import translator
from firmware_host.ui.translator import Translator


class Session(Struct, frozen=True):
    """What opens the club's file for the commands, the night they mean (None: the latest), and the language."""

    open_file: Callable[[], ClubFile]
    number: int | None
    language: str

    @property
    def file(self) -> ClubFile:
        """The file of the club; made at the first use, so that a help makes none."""
        return self.open_file()

    @property
    def translate(self) -> Translator:
        """Translates into the language of the session."""
        return translator(self.language)

    @property
    def output(self) -> Output:
        """Where the collector writes."""
        return Output(self.translate, write_line, partial(click.echo, err=True))

    @property
    def club(self) -> Club:
        """The club as it is now."""
        return self.file.club

    def night(self, club: Club | None = None) -> Night:
        """The chosen night in this club, by default as it is now. Raises NoNight."""
        return d.night_of(club or self.club, self.number)


as_session = click.make_pass_decorator(Session)


def iso_date(context: click.Context, parameter: click.Parameter, text: str | None) -> str | None:
    """The callback of an option that takes an ISO 8601 date. Raises BadParameter."""
    if text is not None:
        try:
            calendar_date.fromisoformat(text)
        except ValueError as fault:
            raise click.BadParameter("expected a date such as 2026-03-14") from fault
    return text
