"""`cribboard club`: members, club nights, results, standings, play-offs and seasons."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date as calendar_date
from pathlib import Path
from typing import Any

import click

from firmware_host.cli import club_tables as tables
from firmware_host.cli.club_records import night_csv, night_record, standing_record
from firmware_host.cli.command_group import CommandGroup
from firmware_host.cli.games import settings_now, settings_option, state_folder_option
from firmware_host.cli.jsonl import write_line
from firmware_host.club import decide as d
from firmware_host.club import events as e
from firmware_host.club.bracket import BEST_OF
from firmware_host.club.members import GAMES_A_NIGHT, ONE_IN, ORGANISER, MemberId, NightSettings
from firmware_host.club.standings import SeasonSettings, season_standings, standings
from firmware_host.club.state import Club, Night
from firmware_host.club.store import ClubFile, open_club
from firmware_host.config.languages import LANGUAGES, translator
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.errors import HostError
from firmware_host.ui.error_messages import error_message
from firmware_host.ui.translator import Translator


@dataclass(frozen=True, slots=True)
class _Session:
    """The file that the commands read and write, the night they mean (None: the latest), and the language."""

    file: ClubFile
    number: int | None
    translate: Translator

    @property
    def club(self) -> Club:
        return self.file.club

    def night(self, club: Club | None = None) -> Night:
        return d.night_of(club or self.club, self.number)


class _ClubGroup(CommandGroup):
    """Opens the file of the club for a command, and prints a refusal in the language of the session."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except Refusal as refusal:
            language = ctx.params.get("lang") or settings_now().language
            raise click.ClickException(error_message(refusal, translator(language))) from refusal
        except HostError as fault:
            raise click.ClickException(str(fault)) from fault


@click.group("club", cls=_ClubGroup, short_help="Run a club night: pairing, results, standings, play-offs.")
@click.option("--night", type=click.IntRange(1), metavar="N", help="Which club night.  [default: the latest]")
@click.option("--lang", type=click.Choice(LANGUAGES), help="The language of the tables.  [default: of the settings]")
@settings_option
@state_folder_option
@click.pass_context
def command(context: click.Context, night: int | None, lang: str | None) -> None:
    """Run a club night on any computer. Everything is kept in club.sqlite3 in the state folder.

    \b
    cribboard club add Ann Bob Cat Dan
    cribboard club create
    cribboard club enter --all
    cribboard club pair
    cribboard club result 1 121 95
    cribboard club standings

    MEMBER is the number or the name of a member. A result counts when both players have confirmed it, or when the
    organiser has corrected it with a reason.
    """
    settings = settings_now()
    file = context.with_resource(open_club(settings.club))
    context.obj = _Session(file, night, translator(lang or settings.language))


as_session = click.make_pass_decorator(_Session)
json_option = click.option("--json", "as_objects", is_flag=True, help="One JSON object a line.")
round_option = click.option("--round", "number", type=click.IntRange(1), metavar="N", help="Which round.")
reason_option = click.option("--reason", required=True, help="Why; it is kept with the result.")
table_argument = click.argument("table", type=click.IntRange(1))
consolation_option = click.option("--consolation", is_flag=True, help="The consolation instead of the play-offs.")


def _write(lines: Iterable[str]) -> None:
    for line in lines:
        write_line(line)


def _say(session: _Session, text: str, **values: object) -> None:
    write_line(text.format(**values))


@command.command("members")
@json_option
@as_session
def members(session: _Session, as_objects: bool) -> None:
    """List members and guests."""
    for member in session.club.current_members if as_objects else ():
        fields = {"member": member.id, "name": member.name, "guest": member.is_guest, "handicap": member.handicap}
        write_line(json.dumps(fields))
    if not as_objects:
        _write(tables.members_in_words(session.club, session.translate))


@command.command("add")
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@click.option("--guest", is_flag=True, help="Guests are left out of the season.")
@click.option("--handicap", type=int, default=0, help="In holes; used if a night has head starts.")
@as_session
def add(session: _Session, names: tuple[str, ...], guest: bool, handicap: int) -> None:
    """Add members."""
    _ = session.translate
    for name in names:
        added = session.file.change(lambda club, name=name: d.add_member(club, name, guest, handicap))  # type: ignore[misc]
        assert isinstance(added, e.MemberAdded)
        _say(session, _("{name} is member {number}."), name=added.name, number=added.member)


@command.command("change")
@click.argument("member")
@click.option("--name")
@click.option("--guest/--no-guest", default=None)
@click.option("--handicap", type=int)
@as_session
def change(session: _Session, member: str, name: str | None, guest: bool | None, handicap: int | None) -> None:
    """Change the name, guest or handicap of a member."""
    session.file.change(lambda club: d.change_member(club, d.find_member(club, member).id, name, guest, handicap))
    _write(tables.members_in_words(session.club, session.translate))


@command.command("remove")
@click.argument("members", metavar="MEMBER...", nargs=-1, required=True)
@as_session
def remove(session: _Session, members: tuple[str, ...]) -> None:
    """Remove members from the club. Past nights keep their results."""
    for member in members:
        session.file.change(lambda club, text=member: d.remove_member(club, d.find_member(club, text).id))  # type: ignore[misc]
    _write(tables.members_in_words(session.club, session.translate))


def _iso_date(context: click.Context, parameter: click.Parameter, text: str | None) -> str | None:
    if text is not None:
        try:
            calendar_date.fromisoformat(text)
        except ValueError as fault:
            raise click.BadParameter("expected a date such as 2026-03-14") from fault
    return text


@command.command("create")
@click.option("--date", callback=_iso_date, help="Such as 2026-03-14.  [default: today]")
@click.option("--games", type=int, default=GAMES_A_NIGHT, show_default=True, help="Games of each player.")
@click.option("--bye-points", type=int, default=0, show_default=True, help="Game points of a bye.")
@click.option("--bye-spread", type=int, default=0, show_default=True, help="Holes that a bye adds to the spread.")
@click.option("--head-start", is_flag=True, help="The higher handicap starts the difference in holes ahead.")
@click.option("--qualify-one-in", type=int, default=ONE_IN, show_default=True, help="Rounded up.")
@as_session
def create(
    session: _Session,
    date: str | None,
    games: int,
    bye_points: int,
    bye_spread: int,
    head_start: bool,
    qualify_one_in: int,
) -> None:
    """Begin a club night."""
    settings = NightSettings(
        games=games,
        bye_points=bye_points,
        bye_spread=bye_spread,
        head_start=head_start,
        qualify_one_in=qualify_one_in,
    )
    day = date or calendar_date.today().isoformat()
    session.file.change(lambda club: d.create_night(club, day, settings))
    write_line(tables.night_heading(session.club.nights[-1], session.translate))


@command.command("enter")
@click.argument("members", metavar="MEMBER...", nargs=-1)
@click.option("--all", "everybody", is_flag=True, help="All members and guests.")
@as_session
def enter(session: _Session, members: tuple[str, ...], everybody: bool) -> None:
    """Let members play, from the next round that is paired. For somebody who is late: unpair first, or wait a round."""
    if not members and not everybody:
        raise click.UsageError("expected members, or --all")
    club = session.club
    chosen = [d.find_member(club, text).id for text in members]
    if everybody:
        present = session.night(club).present
        chosen += [each.id for each in club.current_members if each.id not in (*present, *chosen)]
    for member in chosen:
        session.file.change(lambda now, member=member: d.enter_player(now, session.night(now), member))  # type: ignore[misc]
    _say_players(session)


@command.command("leave")
@click.argument("member")
@as_session
def leave(session: _Session, member: str) -> None:
    """Take a player out. An open game becomes a bye of the opponent; pair later rounds again with unpair and pair."""
    session.file.change(lambda club: d.leave(club, session.night(club), d.find_member(club, member).id))
    _say_players(session)


def _say_players(session: _Session) -> None:
    _, count = session.translate, len(session.night().present)
    _say(session, _.counted("{number} player.", "{number} players.", count), number=count)


@command.command("pair")
@click.option("--all", "all_rounds", is_flag=True, help="All rounds that are left, for a complete movement chart.")
@as_session
def pair(session: _Session, all_rounds: bool) -> None:
    """Pair the next round: nobody meets the same opponent twice while that can be avoided."""
    while True:
        session.file.change(lambda club: d.pair_round(club, session.night(club)))
        night = session.night()
        _write(tables.round_in_words(session.club, night.rounds[-1], session.translate))
        if not all_rounds or len(night.rounds) == night.settings.games:
            return


@command.command("unpair")
@reason_option
@as_session
def unpair(session: _Session, reason: str) -> None:
    """Withdraw the pairing of the last round, if it has no results."""
    event = session.file.change(lambda club: d.unpair_round(session.night(club), reason))
    assert isinstance(event, e.RoundUnpaired)
    _say(session, session.translate("Round {number} is withdrawn."), number=event.round)


@command.command("tables")
@round_option
@as_session
def show_tables(session: _Session, number: int | None) -> None:
    """Show who plays where in the last round, or in round N, and the results."""
    night = session.night()
    _show_round(session, number or max(1, len(night.rounds)))


def _show_round(session: _Session, number: int) -> None:
    _write(tables.round_in_words(session.club, d.round_of(session.night(), number), session.translate))


def _change_game(
    session: _Session, table: int, number: int | None, decide: Callable[[Club, Night, int], e.Event]
) -> None:
    """Without a round it is the first one in which the result of this table does not count yet."""
    if number is None:
        night = session.night()
        number = next((game.round for game in night.open_games if game.table == table), max(1, len(night.rounds)))
    chosen = number
    session.file.change(lambda club: decide(club, session.night(club), chosen))
    _show_round(session, chosen)


@command.command("result")
@table_argument
@click.argument("scores", type=int, nargs=2, metavar="SCORE SCORE")
@click.option("--by", metavar="MEMBER", help="The player who reports it, and so confirms it.  [default: the organiser]")
@round_option
@as_session
def result(session: _Session, table: int, scores: tuple[int, int], by: str | None, number: int | None) -> None:
    """Enter the scores of a table, in the order of its players. The players confirm them.

    Without --round it is the first round in which the result of this table does not count yet.
    """

    def decide(club: Club, night: Night, chosen: int) -> e.Event:
        member = ORGANISER if by is None else d.find_member(club, by).id
        return d.report_result(club, night, chosen, table, scores, member)

    _change_game(session, table, number, decide)


@command.command("confirm")
@table_argument
@click.argument("members", metavar="MEMBER...", nargs=-1, required=True)
@round_option
@as_session
def confirm(session: _Session, table: int, members: tuple[str, ...], number: int | None) -> None:
    """Confirm the result of a table, as one of its players or as both."""
    if number is None:
        number = next((game.round for game in session.night().open_games if game.table == table), None)
    for text in members:

        def decide(club: Club, night: Night, chosen: int, text: str = text) -> e.Event:
            return d.confirm_result(club, night, chosen, table, d.find_member(club, text).id)

        _change_game(session, table, number, decide)


@command.command("correct")
@table_argument
@click.argument("scores", type=int, nargs=2, metavar="SCORE SCORE")
@reason_option
@round_option
@as_session
def correct(session: _Session, table: int, scores: tuple[int, int], reason: str, number: int | None) -> None:
    """Set the scores of a table as the organiser. The old ones stay in the audit."""

    def decide(club: Club, night: Night, chosen: int) -> e.Event:
        return d.correct_result(night, chosen, table, scores, reason)

    _change_game(session, table, number or max(1, len(session.night().rounds)), decide)


@command.command("standings")
@json_option
@as_session
def show_standings(session: _Session, as_objects: bool) -> None:
    """Print the standings: game points, games won, spread, plus points."""
    club, night = session.club, session.night()
    if as_objects:
        _write(json.dumps(standing_record(club, row)) for row in standings(night))
    else:
        _write(tables.standings_in_words(club, night, session.translate))


@command.command("cards")
@click.argument("members", metavar="MEMBER...", nargs=-1)
@as_session
def cards(session: _Session, members: tuple[str, ...]) -> None:
    """Print the scorecards of players, or of everybody, with a line to sign."""
    club, night = session.club, session.night()
    for place, member in enumerate([d.find_member(club, text).id for text in members] or night.entrants):
        if place:
            write_line("")
        _write(tables.card_in_words(club, night, member, session.translate))


@command.command("chart")
@click.option("--players", is_flag=True, help="A row for each player instead of each table.")
@as_session
def chart(session: _Session, players: bool) -> None:
    """Print the movement chart of the rounds that are paired."""
    club, night = session.club, session.night()
    write_line(tables.night_heading(night, session.translate))
    _write((tables.chart_by_player if players else tables.chart_by_table)(club, night, session.translate))


def _kind(consolation: bool) -> e.BracketKind:
    return e.BracketKind.CONSOLATION if consolation else e.BracketKind.MAIN


@command.command("playoffs")
@click.argument("members", metavar="MEMBER...", nargs=-1)
@consolation_option
@click.option("--best-of", type=click.Choice([str(games) for games in BEST_OF]), default=str(BEST_OF[0]))
@as_session
def playoffs(session: _Session, members: tuple[str, ...], consolation: bool, best_of: str) -> None:
    """Draw the bracket: the qualifiers, or for the consolation everybody else, or these members. Seeds follow the
    standings."""

    def decide(club: Club) -> e.Event:
        chosen: list[MemberId] | None = [d.find_member(club, text).id for text in members] or None
        return d.draw_bracket(club, session.night(club), _kind(consolation), int(best_of), chosen)

    session.file.change(decide)
    _show_bracket(session, consolation)


@command.command("match")
@click.argument("number", metavar="ROUND", type=click.IntRange(1))
@click.argument("match", type=click.IntRange(1))
@click.argument("wins", type=int, nargs=2, metavar="GAMES GAMES")
@consolation_option
@click.option("--reason", default="", help="Why a result is corrected.")
@as_session
def match(session: _Session, number: int, match: int, wins: tuple[int, int], consolation: bool, reason: str) -> None:
    """Enter the games won in a match of the bracket, in the order of its players."""
    session.file.change(
        lambda club: d.report_match(session.night(club), _kind(consolation), number, match, wins, reason)
    )
    _show_bracket(session, consolation)


@command.command("bracket")
@consolation_option
@as_session
def bracket(session: _Session, consolation: bool) -> None:
    """Print the bracket of the play-offs."""
    _show_bracket(session, consolation)


def _show_bracket(session: _Session, consolation: bool) -> None:
    bracket = d.bracket_of(session.night(), _kind(consolation))
    _write(tables.bracket_in_words(session.club, bracket, session.translate))


@command.command("season")
@click.option("--from", "first", callback=_iso_date, help="The first date that counts.")
@click.option("--to", "last", callback=_iso_date, help="The last date that counts.")
@click.option("--best", type=click.IntRange(0), default=0, help="Count only so many best nights of each player.")
@click.option("--points", default="", metavar="10,8,6", help="Season points by place.  [default: game points]")
@click.option("--guests", is_flag=True, help="Count guests too.")
@json_option
@as_session
def season(
    session: _Session, first: str | None, last: str | None, best: int, points: str, guests: bool, as_objects: bool
) -> None:
    """Print the standings over many nights. How a season counts is the choice of the club: see the options."""
    try:
        by_place = tuple(int(part) for part in points.split(",") if part.strip())
    except ValueError as fault:
        raise click.UsageError("expected points by place such as 10,8,6") from fault
    club = session.club
    rows = season_standings(club, SeasonSettings(first or "", last or "", best, by_place, guests))
    if as_objects:
        _write(json.dumps(standing_record(club, row, is_season=True)) for row in rows)
    else:
        _write(tables.season_in_words(club.name, rows, session.translate))


@command.command("audit")
@as_session
def audit(session: _Session) -> None:
    """List every event, the oldest first, one JSON object a line, with the reasons of corrections."""
    _ = session.club  # checks the seals
    for record in session.file.records():
        fields = {"seq": record.seq, "written_at": record.written_at, "event": record.kind}
        write_line(json.dumps({**fields, **json.loads(record.body)}))


@command.command("export")
@click.option("--format", "name", type=click.Choice(("csv", "json")), default="csv", show_default=True)
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="A file.  [standard output]")
@as_session
def export(session: _Session, name: str, output: Path | None) -> None:
    """Export the night: as CSV one row for each line of each scorecard, as JSON standings, scorecards and brackets."""
    club, night = session.club, session.night()
    text = night_csv(club, night) if name == "csv" else json.dumps(night_record(club, night), indent=1)
    if output is None:
        write_line(text)
        return
    try:
        output.write_text(f"{text}\n", encoding="utf-8")
    except OSError as fault:
        raise click.ClickException(f"{output} cannot be written: {fault.strerror}") from fault
