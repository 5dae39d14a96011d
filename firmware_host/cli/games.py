"""`cribboard games`: lists past games, prints scorecards, merges names, and exports all games."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from itertools import islice
from pathlib import Path

import click

from firmware_host.cli.command_group import CommandGroup
from firmware_host.cli.game_deals import deal_record, deals_in_words, played_deals
from firmware_host.cli.game_proofs import proof_in_words, proof_record
from firmware_host.cli.game_records import as_csv, as_json, record_of
from firmware_host.cli.game_tables import card_in_words, games_in_words, people_in_words
from firmware_host.cli.jsonl import json_line, write_line, write_lines, write_output
from firmware_host.config.settings import SENTENCES, Settings
from firmware_host.cribbage.names import tidy_name
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.errors import HostError
from firmware_host.game.hidden_hands import without_hidden_cards
from firmware_host.startup.own_user import load_settings
from firmware_host.stats.deal_proofs import proofs_of
from firmware_host.stats.people import People, Roster, UnknownPerson
from firmware_host.stats.people_file import PeopleFile
from firmware_host.stats.scorecard_records import card_record, person_record
from firmware_host.stats.scorecards import Scorecard, scorecards
from firmware_host.storage.game_summary import Events, GameSummary, summarise
from firmware_host.storage.journal import Journal

FORMATS: Mapping[str, Callable[[Sequence[GameSummary]], str]] = {"csv": as_csv, "json": as_json}


def _remember(context: click.Context, parameter: click.Parameter, value: object) -> None:
    """Shares the journal options with the subcommands: they may stand before or after a subcommand's name."""
    if value is not None:
        context.meta[f"{__name__}.{parameter.name}"] = value


def _option(name: str) -> object:
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
    """The settings after the shared options. An error ends the program with exit code 1."""
    file = _option("settings")
    assert file is None or isinstance(file, Path)
    try:
        return load_settings(file, os.environ, {"state_folder": _option("state_folder")})
    except HostError as fault:
        raise click.ClickException(str(fault)) from fault


@contextmanager
def open_journal() -> Iterator[Journal]:
    """The journal of the settings, opened for reading while a board may write it. An error ends the program with exit
    code 1."""
    settings = settings_now()
    try:
        with closing(Journal.open_readonly(settings.journal)) as journal:
            yield journal
    except HostError as fault:
        raise click.ClickException(str(fault)) from fault


@click.group("games", cls=CommandGroup, invoke_without_command=True)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the last N games.")
@json_option
@settings_option
@state_folder_option
@click.pass_context
def command(context: click.Context, limit: int | None, as_objects: bool) -> None:
    """List past games, newest first. A board may be running. Hands and cards are not shown.

    Games in which nobody scored are left out, as on the page.
    """
    if context.invoked_subcommand:
        if limit or as_objects:
            raise click.UsageError(f"expected the options of {context.invoked_subcommand} after its name")
        return
    with open_journal() as journal:
        games = list(islice(_begun(journal), limit))
    for number in sorted(journal.unreadable):
        click.echo(f"game {number} is damaged and left out", err=True)
    if not games:
        click.echo("no games yet", err=True)
        return
    write_lines((json_line(record_of(game)) for game in games) if as_objects else games_in_words(games))


def _begun(journal: Journal) -> Iterator[GameSummary]:
    """The games in which somebody scored, the newest first."""
    return (game for game in journal.games() if game.is_begun)


@command.command("show", short_help="Show one game deal by deal.")
@click.argument("number", type=click.IntRange(min=1), metavar="[N]", required=False)
@json_option
@settings_option
@state_folder_option
def show(number: int | None, as_objects: bool) -> None:
    """Show game N deal by deal: the cards played and shown, the points, and the scores; without N the latest game.

    Hands as dealt and discards are not shown. With --json each deal is one object.
    """
    game, turns = _read_game(number)
    deals = played_deals(turns)
    records = (json_line(deal_record(game.game, place, deal)) for place, deal in enumerate(deals, start=1))
    write_lines(records if as_objects else deals_in_words(game, deals))


def _read_game(number: int | None) -> tuple[GameSummary, Sequence[Events]]:
    """A game and its turns, without a number the latest. An error ends the program with exit code 1."""
    with open_journal() as journal:
        number = number or journal.last_game
        rows = journal.rows_of(number)
        turns = journal.turns_of(number)
        if not rows:
            games = f"a game from 1 to {journal.last_game}" if journal.last_game else "a game that was played"
            raise click.ClickException(f"expected {games}, got {number or 'none'}")
    return summarise(number, datetime.fromisoformat(rows[0].written_at), turns), turns


@command.command("review", short_help="Judge each discard and card of one game.")
@click.argument("number", type=click.IntRange(min=1), metavar="[N]", required=False)
@json_option
@settings_option
@state_folder_option
def review(number: int | None, as_objects: bool) -> None:
    """Compare each discard and card of game N with the best one, in points and chance to win; without N the latest.

    Only cards that the board knew, and that were shown, are judged. With --json each choice, each miss and each player
    is one object.
    """
    game, turns = _read_game(number)
    if game.winner is None:
        raise click.ClickException(f"expected a finished game, got game {game.game}, which is not finished")
    from firmware_host.cli.game_review import review_in_words, review_records  # with the engine
    from firmware_host.stats.review import review_of

    judged = review_of(without_hidden_cards(turns))
    records = (json_line(record) for record in review_records(game, judged))
    write_lines(records if as_objects else review_in_words(game, judged))


@command.command("deal", short_help="Check the packs that the board dealt.")
@click.argument("number", type=click.IntRange(min=1), metavar="[N]", required=False)
@click.option("--proof", type=click.IntRange(min=1), metavar="DEAL", help="Only the proof of this deal, for sha256sum.")
@json_option
@settings_option
@state_folder_option
def deal(number: int | None, proof: int | None, as_objects: bool) -> None:
    """Check the packs that the board dealt in game N, without N in the latest game: whether each has the fingerprint
    that was shown before the deal, and whether the cards were those of the pack. If not, the exit code is 1.

    The proof of a deal is three lines; its fingerprint is what sha256sum says of them:
    cribboard games deal 12 --proof 3 | sha256sum. A deal that is still on has none yet.
    """
    with open_journal() as journal:
        number = number or journal.last_game
        proofs = proofs_of(journal.turns_of(number), is_past=number < journal.last_game)
    if proof is not None:
        found = [each for each in proofs if each.deal == proof]
        if not found:
            wanted = f"expected a deal from 1 to {len(proofs)} that is over, got {proof}"
            raise click.ClickException(wanted if proofs else "no deal of this game that is over was dealt by the board")
        click.echo(found[0].pack.proof, nl=False)
        return
    if not proofs:
        click.echo("the board dealt no cards in this game, or its first deal is still on", err=True)
    write_lines(json_line(proof_record(number, each)) if as_objects else proof_in_words(each) for each in proofs)
    if not all(each.holds for each in proofs):
        raise click.ClickException("a deal was not as it was committed to")


@command.command("card", short_help="Print the scorecards of players.")
@click.argument("which", metavar="[N|NAME]", required=False)
@json_option
@settings_option
@state_folder_option
def card(which: str | None, as_objects: bool) -> None:
    """Print scorecards, newest first: all, card number N, or those of the player NAME.

    A card has nine consecutive games of one player, against any opponents. Points are 2 for a win and 3 for a skunk,
    the spread is the margin in holes. Games of another kind go on another card. Demo games and unfinished games do not
    count. See also: cribboard games people.
    """
    roster = _roster()
    found = _cards_of(roster, which)
    if not found:
        click.echo("no finished games yet", err=True)
    for number, each in enumerate(found):
        if as_objects:
            write_line(json_line(card_record(each)))
        else:
            write_line("\n" * (number > 0) + "\n".join(card_in_words(each)))


def _cards_of(roster: Roster, which: str | None) -> list[Scorecard]:
    """The newest first. A name goes before a number: a player may be called 7."""
    latest_first = scorecards(roster)[::-1]
    if which is None:
        return list(latest_first)
    number = int(which) if which.isdecimal() else None
    try:
        person = roster.person(which)
    except UnknownPerson as refusal:
        if number is None:
            raise click.ClickException(str(refusal)) from refusal
        found = [card for card in latest_first if card.number == number]
        if not found:
            got = f"expected a card from 1 to {len(latest_first)}, got {number}"
            raise click.ClickException(got if latest_first else "no finished games yet") from refusal
        return found
    return [card for card in latest_first if card.person == person]


@command.command("people", short_help="List players and their names.")
@json_option
@settings_option
@state_folder_option
def people(as_objects: bool) -> None:
    """List everybody who has played, with the names that are one person.

    Names that differ only in case or spaces are one person. For other names see: cribboard games merge --help.
    """
    roster = _roster()
    if not roster.persons:
        click.echo("no games yet", err=True)
    elif as_objects:
        for person in roster.persons:
            write_line(json_line(person_record(person)))
    else:
        write_lines(people_in_words(roster, scorecards(roster)))


@command.command("merge", short_help="Make two names one person.")
@click.argument("name")
@click.argument("other")
@settings_option
@state_folder_option
def merge(name: str, other: str) -> None:
    """Make NAME and OTHER one person, who is shown as NAME. A board may be running.

    Games are not changed: cribboard games unmerge OTHER undoes it.
    """
    merged = _change_people(lambda roster: roster.merge(name, other))
    write_line(f"one person: {' = '.join(merged.names_of(name))}; undo: cribboard games unmerge {shlex.quote(other)}")


@command.command("unmerge", short_help="Make a merged name a person of its own again.")
@click.argument("name")
@settings_option
@state_folder_option
def unmerge(name: str) -> None:
    """Make NAME a person of its own again. A board may be running."""
    _change_people(lambda roster: roster.unmerge(name))
    write_line(f"{tidy_name(name)} is a person of its own again")


def _roster() -> Roster:
    """Everybody who has played. An error ends the program with exit code 1."""
    with open_journal() as journal:
        return Roster(journal.games(), PeopleFile(settings_now().people).read())


def _change_people(change: Callable[[Roster], People]) -> People:
    """Changes the merged names. A refusal or an error ends the program with exit code 1."""
    with open_journal() as journal:
        games = list(journal.games())
        try:
            return PeopleFile(settings_now().people).replace(lambda now: change(Roster(games, now)))
        except Refusal as refusal:
            raise click.ClickException(str(refusal)) from refusal


@command.command("export", short_help="Export all games as CSV or JSON.")
@click.option("--format", "name", type=click.Choice(list(FORMATS)), default="csv", show_default=True)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="The file to write. [standard output]"
)
@settings_option
@state_folder_option
def export(name: str, output: Path | None) -> None:
    """Export the games that are listed, oldest first: as CSV for a spreadsheet, or as one JSON array.

    Each game has players, variant, time, board, scores and match points. Hands and cards are not exported.
    """
    with open_journal() as journal:
        text = FORMATS[name](list(_begun(journal))[::-1])
    write_output(text, output)
