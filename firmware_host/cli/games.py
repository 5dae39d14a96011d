"""`cribboard games`: past games, the cards of matches, and all games for other programs."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path

import click

from firmware_host.cli.game_records import as_csv, as_json, card_record, record_of
from firmware_host.cli.game_tables import card_in_words, games_in_words
from firmware_host.cli.lines import tell
from firmware_host.faults import HostFault
from firmware_host.journal import Journal
from firmware_host.match import cards
from firmware_host.settings import SENTENCES, Settings, load_settings
from firmware_host.summary import GameSummary

FORMATS: Mapping[str, Callable[[Sequence[GameSummary]], str]] = {"csv": as_csv, "json": as_json}


def _remember(context: click.Context, parameter: click.Parameter, value: object) -> None:
    """An option of the journal may stand before or after the name of a subcommand: all share what is told."""
    if value is not None:
        context.meta[f"{__name__}.{parameter.name}"] = value


def _told(name: str) -> object:
    return click.get_current_context().meta.get(f"{__name__}.{name}")


settings_option = click.option(
    "--settings",
    type=click.Path(path_type=Path),
    callback=_remember,
    expose_value=False,
    help="A settings file, cribboard.toml.",
)
state_folder_option = click.option(
    "--state-folder", callback=_remember, expose_value=False, help=SENTENCES["state_folder"]
)
json_option = click.option("--json", "as_objects", is_flag=True, help="One JSON object a line.")


def settings_now() -> Settings:
    """The settings by what was told. A fault ends the program with 1."""
    file = _told("settings")
    assert file is None or isinstance(file, Path)
    try:
        return load_settings(file, os.environ, {"state_folder": _told("state_folder")})
    except HostFault as fault:
        raise click.ClickException(str(fault)) from fault


@contextmanager
def open_journal() -> Iterator[Journal]:
    """The journal that the settings name, to read even while a board writes it. A fault ends the program with 1."""
    settings = settings_now()
    try:
        with closing(Journal.open_to_read(settings.journal)) as journal:
            yield journal
    except HostFault as fault:
        raise click.ClickException(str(fault)) from fault


@click.group("games", short_help="Tell past games and matches.", invoke_without_command=True)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="No more than the last N games.")
@json_option
@settings_option
@state_folder_option
@click.pass_context
def command(context: click.Context, limit: int | None, as_objects: bool) -> None:
    """Past games, the latest first; a board may be running meanwhile.

    Hands and cards are not told here.
    """
    if context.invoked_subcommand:
        if limit or as_objects:
            raise click.UsageError(f"expected the options of {context.invoked_subcommand} after its name")
        return
    with open_journal() as journal:
        games = list(islice(journal.games(), limit))
    for line in (json.dumps(record_of(game)) for game in games) if as_objects else games_in_words(games):
        tell(line)


@command.command("card", short_help="Keep the cards of matches.")
@json_option
@settings_option
@state_folder_option
def card(as_objects: bool) -> None:
    """The cards of all matches, nine games each, the latest card first.

    A match is game after game between the same people. Demonstrations, and games that were not played out, do not
    count.
    """
    with open_journal() as journal:
        latest_first = cards(journal.games())[::-1]
    if not latest_first:
        click.echo("no game was played out yet", err=True)
    for number, each in enumerate(latest_first):
        if as_objects:
            tell(json.dumps(card_record(each)))
        else:
            tell("\n" * (number > 0) + "\n".join(card_in_words(each)))


@command.command("export", short_help="Write all games for other programs.")
@click.option("--format", "name", type=click.Choice(list(FORMATS)), default="csv", show_default=True)
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="A file; else standard output.")
@settings_option
@state_folder_option
def export(name: str, output: Path | None) -> None:
    """All games, the first one first: as CSV for a spreadsheet, or as one JSON array.

    Each tells who played what, when, where, the scores, and what it was worth in a match. Hands and cards stay here.
    """
    with open_journal() as journal:
        text = FORMATS[name](list(journal.games())[::-1])
    if output is None:
        tell(text)
        return
    try:
        output.write_text(f"{text}\n", encoding="utf-8")
    except OSError as fault:
        raise click.ClickException(f"{output} cannot be written: {fault.strerror}") from fault
