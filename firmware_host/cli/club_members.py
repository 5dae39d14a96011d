"""Commands of `cribboard club` for members and guests."""

from __future__ import annotations

import click

from firmware_host.cli import club_tables as tables
from firmware_host.cli.club_session import Session, as_session
from firmware_host.cli.games import json_option
from firmware_host.cli.jsonl import json_line, write_line, write_lines
from firmware_host.club import decide as d
from firmware_host.club import events as e


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


@click.command("add")
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@click.option("--guest", is_flag=True, help="Guests are left out of the season.")
@click.option("--handicap", type=int, default=0, help="In holes; used if a night has head starts.")
@as_session
def add(session: Session, names: tuple[str, ...], guest: bool, handicap: int) -> None:
    """Add members."""
    tr = session.translate
    for name in names:
        added = session.file.change(lambda club, name=name: d.add_member(club, name, guest, handicap))  # type: ignore[misc]
        assert isinstance(added, e.MemberAdded)
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
