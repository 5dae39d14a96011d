"""Commands of `cribboard club` that print: standings, scorecards, charts, seasons, the audit and exports."""

from __future__ import annotations

import json
from pathlib import Path

import click

from firmware_host.cli import club_tables as tables
from firmware_host.cli.club_session import Session, as_session, iso_date
from firmware_host.cli.games import json_option
from firmware_host.cli.jsonl import json_line, write_line, write_lines, write_output
from firmware_host.club import decide as d
from firmware_host.club.history import entries
from firmware_host.club.records import BOM, DELIMITERS, night_csv, night_record, standing_record
from firmware_host.club.standings import SeasonSettings, season_nights, season_standings, standings


@click.command("standings")
@json_option
@as_session
def show_standings(session: Session, as_objects: bool) -> None:
    """Print the standings: game points, games won, spread, plus points."""
    club = session.club
    night = session.night()
    if as_objects:
        write_lines(json_line(standing_record(club, row)) for row in standings(night))
    else:
        write_lines(tables.standings_in_words(club, night, session.translate))


@click.command("cards")
@click.argument("members", metavar="MEMBER...", nargs=-1)
@as_session
def cards(session: Session, members: tuple[str, ...]) -> None:
    """Print the scorecards of players, or of everybody, as text to read here; `print scorecards` makes the sheets for a
    printer. Both have sums when every game is known."""
    club = session.club
    night = session.night()
    for place, member in enumerate([d.find_member(club, text).id for text in members] or night.entrants):
        if place:
            write_line("")
        write_lines(tables.card_in_words(club, night, member, session.translate))


@click.command("chart")
@click.option("--players", is_flag=True, help="A row for each player instead of each table.")
@as_session
def chart(session: Session, players: bool) -> None:
    """Print the movement chart of the rounds that are paired."""
    club = session.club
    night = session.night()
    write_line(tables.night_heading(night, session.translate))
    write_lines((tables.chart_by_player if players else tables.chart_by_table)(club, night, session.translate))


@click.command("season")
@click.option("--from", "first", callback=iso_date, help="The first date that counts.")
@click.option("--to", "last", callback=iso_date, help="The last date that counts.")
@click.option("--best", type=click.IntRange(0), default=0, help="Count only so many best nights of each player.")
@click.option("--points", default="", metavar="10,8,6", help="Season points by place.  [default: game points]")
@click.option("--guests", is_flag=True, help="Count guests too.")
@json_option
@as_session
def season(
    session: Session, first: str | None, last: str | None, best: int, points: str, guests: bool, as_objects: bool
) -> None:
    """Print the standings over many nights. How a season counts is the choice of the club: see the options."""
    try:
        by_place = tuple(int(part) for part in points.split(",") if part.strip())
    except ValueError as fault:
        raise click.UsageError("expected points by place such as 10,8,6") from fault
    club = session.club
    settings = SeasonSettings(first or "", last or "", best, by_place, guests)
    rows = season_standings(club, settings)
    if as_objects:
        write_lines(json_line(standing_record(club, row, is_season=True)) for row in rows)
    else:
        write_lines(tables.season_in_words(club.name, rows, session.translate))
        write_lines(tables.honours_in_words(club, season_nights(club, settings), session.translate))


@click.command("audit")
@click.option("--words", "in_words", is_flag=True, help="The events of the night in sentences.")
@as_session
def audit(session: Session, in_words: bool) -> None:
    """List every event, the oldest first, one JSON object a line, with the reasons of corrections."""
    _ = session.club  # checks the seals
    if in_words:
        rows = ((record.seq, record.written_at, record.event) for record in session.file.records())
        for entry in entries(rows, session.night().number, session.translate):
            write_line(f"{entry.seq}  {entry.written_at[:19]}  {entry.sentence}")
        return
    for record in session.file.records():
        fields = {"seq": record.seq, "written_at": record.written_at, "event": record.kind}
        write_line(json_line({**fields, **json.loads(record.body)}))


@click.command("export")
@click.option("--format", "name", type=click.Choice(("csv", "json")), default="csv", show_default=True)
@click.option("--delimiter", type=click.Choice(list(DELIMITERS)), default="comma", show_default=True, help="Of CSV.")
@click.option("--bom", "has_bom", is_flag=True, help="Begin CSV with a byte order mark, as Excel needs it for accents.")
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="A file.  [standard output]")
@as_session
def export(session: Session, name: str, delimiter: str, has_bom: bool, output: Path | None) -> None:
    """Export the night: as CSV one row for each line of each scorecard, then for each player of each game of a match,
    as JSON standings, scorecards and brackets with their games. To take a club to another computer use `backup`.

    Excel opens CSV that has a byte order mark and, where numbers have a decimal comma, semicolons:
    `export --bom --delimiter semicolon -o night.csv`.
    """
    club = session.club
    night = session.night()
    if name == "csv":
        text = (BOM if has_bom else "") + night_csv(club, night, delimiter)
    else:
        text = json.dumps(night_record(club, night), indent=1)
    write_output(text, output)
