"""Commands of `cribboard club` for the play-offs."""

from __future__ import annotations

import click

from firmware_host.cli import club_tables as tables
from firmware_host.cli.club_session import Session, as_session
from firmware_host.cli.jsonl import write_lines
from firmware_host.club import decide as d
from firmware_host.club import events as e
from firmware_host.club.bracket import BEST_OF
from firmware_host.club.members import MemberId
from firmware_host.club.state import Club

consolation_option = click.option("--consolation", is_flag=True, help="The consolation instead of the play-offs.")


def _kind(consolation: bool) -> e.BracketKind:
    return e.BracketKind.CONSOLATION if consolation else e.BracketKind.MAIN


@click.command("playoffs")
@click.argument("members", metavar="MEMBER...", nargs=-1)
@consolation_option
@click.option("--best-of", type=click.Choice([str(games) for games in BEST_OF]), default=str(BEST_OF[0]))
@as_session
def playoffs(session: Session, members: tuple[str, ...], consolation: bool, best_of: str) -> None:
    """Draw the bracket: the qualifiers, or for the consolation everybody else, or these members. Seeds follow the
    standings."""

    def decide(club: Club) -> e.Event:
        chosen: list[MemberId] | None = [d.find_member(club, text).id for text in members] or None
        return d.draw_bracket(club, session.night(club), _kind(consolation), int(best_of), chosen)

    session.file.change(decide)
    _show_bracket(session, consolation)


@click.command("match")
@click.argument("number", metavar="ROUND", type=click.IntRange(1))
@click.argument("match", type=click.IntRange(1))
@click.argument("wins", type=int, nargs=2, metavar="GAMES GAMES")
@consolation_option
@click.option("--reason", default="", help="Why a result is corrected.")
@as_session
def match(session: Session, number: int, match: int, wins: tuple[int, int], consolation: bool, reason: str) -> None:
    """Enter the games won in a match of the bracket, in the order of its players."""
    session.file.change(
        lambda club: d.report_match(session.night(club), _kind(consolation), number, match, wins, reason)
    )
    _show_bracket(session, consolation)


@click.command("bracket")
@consolation_option
@as_session
def bracket(session: Session, consolation: bool) -> None:
    """Print the bracket of the play-offs."""
    _show_bracket(session, consolation)


def _show_bracket(session: Session, consolation: bool) -> None:
    bracket = d.bracket_of(session.night(), _kind(consolation))
    write_lines(tables.bracket_in_words(session.club, bracket, session.translate))
