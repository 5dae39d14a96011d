"""Commands of `cribboard club` for paper: `print` makes a page for a printer, `hands` notes hands of 28 and 29."""

from __future__ import annotations

from pathlib import Path

import click

from firmware_host.cli.club_session import Session, as_session
from firmware_host.cli.jsonl import write_line, write_output
from firmware_host.club import decide as d
from firmware_host.club.honours import HIGH_HANDS, MOST_HANDS, high_hands, note_high_hands
from firmware_host.club.papers import Paper, PaperSize

NAMES = [paper.value for paper in Paper]
SIZES = [size.value for size in PaperSize]


@click.command("print")
@click.argument("name", metavar="PAPER", type=click.Choice(NAMES))
@click.option("--paper", "size", type=click.Choice(SIZES), default=SIZES[0], show_default=True, help="Size of a sheet.")
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="A file.  [standard output]")
@as_session
def print_paper(session: Session, name: str, size: str, output: Path | None) -> None:
    """Make a paper of the night: a page that any browser prints.

    \b
    scorecards        one for each player, four on a sheet
    blank-scorecards  to fill in by hand, also before the first night
    pairings          who sits where in the latest round
    results           every game
    standings         with grand slams and the highest hands
    play-offs         who qualifies, and the brackets
    """
    from web_panel.club.papers import paper_file

    club = session.club
    paper = Paper(name)
    needs_night = bool(club.nights) or paper is not Paper.BLANK_SCORECARDS
    night = session.night(club) if needs_night else None
    write_output(paper_file(club, night, paper, PaperSize(size), session.language), output)


@click.command("hands")
@click.argument("member", required=False)
@click.argument("points", type=click.Choice([str(points) for points in HIGH_HANDS]), required=False)
@click.option("--count", type=click.IntRange(0, MOST_HANDS), default=1, show_default=True, help="0 takes it back.")
@as_session
def hands(session: Session, member: str | None, points: str | None, count: int) -> None:
    """Note a hand of 28 or 29 of a player, and list those of the night."""
    if member is not None:
        if points is None:
            raise click.UsageError(f"expected points: {' or '.join(map(str, HIGH_HANDS))}")
        value = int(points)
        session.file.change(
            lambda club: note_high_hands(club, session.night(club), d.find_member(club, member).id, value, count)
        )
    club = session.club
    for each in high_hands(session.night(club)):
        times = f" × {each.times}" if each.times > 1 else ""
        write_line(f"{club.name(each.member)}: {each.points}{times}")
