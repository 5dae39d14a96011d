"""Commands of `cribboard club` for members and guests."""

from __future__ import annotations

from typing import BinaryIO

import click

from firmware_host.cli import club_tables as tables
from firmware_host.cli.club_session import Session, as_session
from firmware_host.cli.games import json_option
from firmware_host.cli.jsonl import json_line, write_line, write_lines
from firmware_host.club import decide as d
from firmware_host.club.events import MemberAdded
from firmware_host.club.evolve import evolve
from firmware_host.club.list_file import code_page, text_of
from firmware_host.club.member_list import ListRefused, read_members
from firmware_host.club.remarks import list_in_words, list_words
from firmware_host.club.state import Club


@click.command("members")
@json_option
@as_session
def members(session: Session, as_objects: bool) -> None:
    """List members and guests."""
    for member in session.club.current_members if as_objects else ():
        fields = {"member": member.id, "name": member.name, "guest": member.is_guest, "handicap": member.handicap}
        write_line(json_line(fields))
    if not as_objects:
        write_lines(tables.members_in_words(session.club, session.translate))


@click.command("import")
@click.argument("file", type=click.File("rb"))
@click.option("--same", is_flag=True, help="Lines with a name that is known mean that person, and are left out.")
@as_session
def import_list(session: Session, file: BinaryIO, same: bool) -> None:
    """Add the members of a CSV file or of a list of names, one a line; `-` reads standard input.

    After the name a line may have `guest` or a handicap. A first line with a heading may name the columns: name, or
    first name and last name; guest; handicap. All lines are added, or none.

    The file is UTF-8 or, with its byte order mark, UTF-16; else it is read in the code page of Windows, as Excel
    writes it: Windows-1252, in Polish 1250, in Russian 1251.
    """
    tr = session.translate
    text = text_of(file.read(), code_page(session.language))
    try:
        added = session.file.change_all(lambda club: read_members(club, text, list_words(tr), same))
    except ListRefused as refused:
        raise click.ClickException(list_in_words(refused, tr)) from refused
    write_line(tr.counted("{number} member added.", "{number} members added.", len(added)).format(number=len(added)))


@click.command("add")
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@click.option("--guest", is_flag=True, help="Guests are left out of the season.")
@click.option("--handicap", type=int, default=0, help="In holes; used if a night has head starts.")
@as_session
def add(session: Session, names: tuple[str, ...], guest: bool, handicap: int) -> None:
    """Add members: all of them, or none."""
    tr = session.translate

    def events(club: Club) -> list[MemberAdded]:
        added = list[MemberAdded]()
        for name in names:
            added.append(d.add_member(club, name, guest, handicap))
            club = evolve(club, added[-1])
        return added

    for added in session.file.change_all(events):
        assert isinstance(added, MemberAdded)
        write_line(tr("{name} is member {number}.").format(name=added.name, number=added.member))


@click.command("change")
@click.argument("member")
@click.option("--name")
@click.option("--guest/--no-guest", default=None)
@click.option("--handicap", type=int)
@as_session
def change(session: Session, member: str, name: str | None, guest: bool | None, handicap: int | None) -> None:
    """Change the name, guest or handicap of a member."""
    session.file.change(lambda club: d.change_member(club, d.find_member(club, member).id, name, guest, handicap))
    write_lines(tables.members_in_words(session.club, session.translate))


@click.command("remove")
@click.argument("members", metavar="MEMBER...", nargs=-1, required=True)
@as_session
def remove(session: Session, members: tuple[str, ...]) -> None:
    """Remove members from the club. Past nights keep their results."""
    for member in members:
        session.file.change(lambda club, text=member: d.remove_member(club, d.find_member(club, text).id))  # type: ignore[misc]
    write_lines(tables.members_in_words(session.club, session.translate))
