"""Commands of `cribboard club` for a night: its players, its rounds and the results of the tables."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date as calendar_date

import click

from firmware_host.cli import club_tables as tables
from firmware_host.cli.club_session import Session, as_session, iso_date
from firmware_host.cli.game_options import house_rules_option, variant_option
from firmware_host.cli.jsonl import write_line, write_lines
from firmware_host.club import by_hand as h
from firmware_host.club import decide as d
from firmware_host.club import events as e
from firmware_host.club.members import GAMES_A_NIGHT, ONE_IN, ORGANISER, USUAL_PRESET, NightSettings
from firmware_host.club.remarks import open_tables
from firmware_host.club.seating import round_on_screen, set_join_code
from firmware_host.club.state import Club, Night
from firmware_host.club_server.broker import new_code
from firmware_host.cribbage.variants import PRESETS, Preset, consistent_rules

round_option = click.option("--round", "number", type=click.IntRange(1), metavar="N", help="Which round.")
reason_option = click.option("--reason", required=True, help="Why; it is kept with the result.")
sure_option = click.option("--sure", is_flag=True, help="Also where two meet again, or somebody gets another bye.")
table_argument = click.argument("table", type=click.IntRange(1))


@click.command("create")
@click.option("--date", callback=iso_date, help="Such as 2026-03-14.  [default: today]")
@click.option("--games", type=int, default=GAMES_A_NIGHT, show_default=True, help="Games of each player.")
@click.option("--bye-points", type=int, default=0, show_default=True, help="Game points of a bye.")
@click.option("--bye-spread", type=int, default=0, show_default=True, help="Holes that a bye adds to the spread.")
@click.option("--head-start", is_flag=True, help="The higher handicap starts the difference in holes ahead.")
@click.option("--qualify-one-in", type=int, default=ONE_IN, show_default=True, help="Rounded up.")
@click.option("--close", "closes", is_flag=True, help="End the night that is on, as it is. Its results are kept.")
@click.option(
    "--preset",
    type=click.Choice(list(PRESETS)),
    help=f"Named rules of the games.  [default: {USUAL_PRESET}, or those of --variant]",
)
@variant_option
@house_rules_option
@as_session
def create(
    session: Session,
    date: str | None,
    games: int,
    bye_points: int,
    bye_spread: int,
    head_start: bool,
    qualify_one_in: int,
    closes: bool,
    preset: str | None,
    variant: str | None,
    options: dict[str, str],
) -> None:
    """Begin a club night. Prints the code by which boards join; they begin the games with the rules of the night.

    A night is on until all its rounds are played and every result counts.
    """
    named = Preset(variant, "", "", {}) if variant and not preset else PRESETS[preset or USUAL_PRESET]
    rules = consistent_rules(variant or named.variant, {**named.options, **options}, chosen=options).rules
    settings = NightSettings(
        games=games,
        bye_points=bye_points,
        bye_spread=bye_spread,
        head_start=head_start,
        qualify_one_in=qualify_one_in,
        rules=rules,
    )
    day = date or calendar_date.today().isoformat()
    session.file.change(lambda club: d.create_night(club, day, settings, closes))
    session.file.change(lambda club: set_join_code(club.nights[-1], new_code()))
    night = session.club.nights[-1]
    tr = session.translate
    write_line(tables.night_heading(night, tr))
    write_line(tr("Code for boards and phones: {code}").format(code=night.join_code))


@click.command("enter")
@click.argument("members", metavar="MEMBER...", nargs=-1)
@click.option("--all", "everybody", is_flag=True, help="All members and guests who have not left.")
@as_session
def enter(session: Session, members: tuple[str, ...], everybody: bool) -> None:
    """Let members play. Who is late sits down opposite whoever has a bye, or plays from the next round on."""
    if not members and not everybody:
        raise click.UsageError("expected members, or --all")
    club = session.club
    chosen = [d.find_member(club, text).id for text in members]
    if everybody:
        known = session.night(club).entrants  # who has left stays away
        chosen += [each.id for each in club.current_members if each.id not in (*known, *chosen)]
    arranged = set[int]()
    for member in chosen:
        events = session.file.change_all(lambda now, member=member: h.arrive(now, session.night(now), member))  # type: ignore[misc]
        arranged |= {event.round for event in events if isinstance(event, e.RoundArranged)}
    _say_players(session)
    for number in sorted(arranged):
        _show_round(session, number)


@click.command("leave")
@click.argument("member")
@click.option("--undo", "is_undone", is_flag=True, help="The player has not left after all.")
@as_session
def leave(session: Session, member: str, is_undone: bool) -> None:
    """Take a player out. An open game becomes a bye of the opponent; pair later rounds again with unpair and pair."""
    decide = h.undo_leave if is_undone else d.leave
    session.file.change(lambda club: decide(club, session.night(club), d.find_member(club, member).id))
    _say_players(session)


def _say_players(session: Session) -> None:
    tr = session.translate
    count = len(session.night().present)
    write_line(tr.counted("{number} player.", "{number} players.", count).format(number=count))


@click.command("pair")
@click.option("--all", "all_rounds", is_flag=True, help="All rounds that are left, for a complete movement chart.")
@as_session
def pair(session: Session, all_rounds: bool) -> None:
    """Pair the next round: nobody meets the same opponent twice while that can be avoided.

    Tables of earlier rounds that are still open are named.
    """
    before = len(session.night().rounds)
    while True:
        session.file.change(lambda club: d.pair_round(club, session.night(club)))
        night = session.night()
        write_lines(tables.round_in_words(session.club, night.rounds[-1], session.translate))
        if not all_rounds or len(night.rounds) == night.settings.games:
            break
    write_lines(open_tables(night.rounds[:before], session.translate))


@click.command("seat")
@click.argument("member")
@click.argument("opponent")
@round_option
@sure_option
@as_session
def seat(session: Session, member: str, opponent: str, number: int | None, sure: bool) -> None:
    """Pair two players by hand. Their opponents play each other, or have a bye."""

    def decide(club: Club, night: Night, chosen: int) -> e.RoundArranged:
        pair = d.find_member(club, member).id, d.find_member(club, opponent).id
        return _checked(club, night, h.pair_by_hand(club, night, chosen, *pair), sure)

    _arrange(session, number, decide)


@click.command("bye")
@click.argument("member")
@round_option
@sure_option
@as_session
def bye(session: Session, member: str, number: int | None, sure: bool) -> None:
    """Give a player a bye by hand. The opponent plays whoever had one."""

    def decide(club: Club, night: Night, chosen: int) -> e.RoundArranged:
        return _checked(club, night, h.give_bye(club, night, chosen, d.find_member(club, member).id), sure)

    _arrange(session, number, decide)


def _checked(club: Club, night: Night, arranged: e.RoundArranged, sure: bool) -> e.RoundArranged:
    """Raises MetBefore or HadBye, unless the organiser is sure."""
    if not sure:
        h.check_new(club, night, arranged)
    return arranged


@click.command("swap")
@table_argument
@click.argument("other", type=click.IntRange(1))
@round_option
@as_session
def swap(session: Session, table: int, other: int, number: int | None) -> None:
    """Exchange the tables of two games, or give the game of TABLE an empty one. In play-offs: of two matches."""
    if number is None and session.night().open_match_games:
        session.file.change(lambda club: h.swap_match_tables(session.night(club), table, other))
        _show_matches(session)
    else:
        _arrange(session, number, lambda _, night, chosen: h.swap_tables(night, chosen, table, other))


@click.command("undo")
@round_option
@as_session
def undo(session: Session, number: int | None) -> None:
    """Take the last `seat`, `bye` or `swap` of a round back."""
    _arrange(session, number, lambda _, night, chosen: h.undo_by_hand(night, chosen))


def _arrange(session: Session, number: int | None, decide: Callable[[Club, Night, int], e.Event]) -> None:
    """Without a round it is the one on the screen of the room."""
    on_screen = round_on_screen(session.night())
    chosen = number or (on_screen.number if on_screen else 1)
    session.file.change(lambda club: decide(club, session.night(club), chosen))
    _show_round(session, chosen)


@click.command("unpair")
@click.option("--reason", default="", help="Why; it is kept in the audit.")
@as_session
def unpair(session: Session, reason: str) -> None:
    """Withdraw the pairing of the last round, if it has no results."""
    event = session.file.change(lambda club: d.unpair_round(session.night(club), reason))
    assert isinstance(event, e.RoundUnpaired)
    tr = session.translate
    write_line(tr("Round {number} is withdrawn.").format(number=event.round))


@click.command("tables")
@round_option
@as_session
def show_tables(session: Session, number: int | None) -> None:
    """Show who plays where in the last round, or in round N, and the results. In play-offs: in their matches."""
    night = session.night()
    if number is None and night.open_match_games:
        _show_matches(session)
    else:
        _show_round(session, number or max(1, len(night.rounds)))


def _show_matches(session: Session) -> None:
    write_lines(tables.match_tables_in_words(session.club, session.night(), session.translate))


def _show_round(session: Session, number: int) -> None:
    write_lines(tables.round_in_words(session.club, d.round_of(session.night(), number), session.translate))


def _change_game(
    session: Session, table: int, number: int | None, decide: Callable[[Club, Night, int], e.Event]
) -> None:
    """Without a round it is the first one in which the result of this table does not count yet."""
    if number is None:
        night = session.night()
        open_games = (*night.open_games, *night.open_match_games)
        number = next((game.round for game in open_games if game.table == table), max(1, len(night.rounds)))
    chosen = number
    session.file.change(lambda club: decide(club, session.night(club), chosen))
    tr = session.translate
    game = session.night().fixture(chosen, table)
    if game and game.match:
        bracket = d.bracket_of(session.night(), game.match.kind)
        write_lines(tables.bracket_in_words(session.club, bracket, tr))
    else:
        write_line(tr("Saved for round {round}, table {table}.").format(round=chosen, table=table))
        _show_round(session, chosen)


@click.command("result")
@table_argument
@click.argument("scores", type=int, nargs=2, metavar="SCORE SCORE")
@click.option("--by", metavar="MEMBER", help="The player who reports it, and so confirms it.  [default: the organiser]")
@round_option
@as_session
def result(session: Session, table: int, scores: tuple[int, int], by: str | None, number: int | None) -> None:
    """Enter the scores of a table, in the order of its players. The players confirm them.

    Without --round it is the first round in which the result of this table does not count yet.
    """

    def decide(club: Club, night: Night, chosen: int) -> e.Event:
        member = ORGANISER if by is None else d.find_member(club, by).id
        return d.report_result(club, night, chosen, table, scores, member)

    _change_game(session, table, number, decide)


@click.command("confirm")
@table_argument
@click.argument("members", metavar="MEMBER...", nargs=-1, required=True)
@round_option
@as_session
def confirm(session: Session, table: int, members: tuple[str, ...], number: int | None) -> None:
    """Confirm the result of a table, as one of its players or as both."""
    if number is None:
        night = session.night()
        open_games = (*night.open_games, *night.open_match_games)
        number = next((game.round for game in open_games if game.table == table), None)
    for text in members:

        def decide(club: Club, night: Night, chosen: int, text: str = text) -> e.Event:
            return d.confirm_result(club, night, chosen, table, d.find_member(club, text).id)

        _change_game(session, table, number, decide)


@click.command("correct")
@table_argument
@click.argument("scores", type=int, nargs=2, metavar="SCORE SCORE")
@reason_option
@round_option
@as_session
def correct(session: Session, table: int, scores: tuple[int, int], reason: str, number: int | None) -> None:
    """Set the scores of a table as the organiser. The old ones stay in the audit."""

    def decide(club: Club, night: Night, chosen: int) -> e.Event:
        return d.correct_result(night, chosen, table, scores, reason)

    _change_game(session, table, number or max(1, len(session.night().rounds)), decide)
