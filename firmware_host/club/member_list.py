"""Reads a list of members: the text of a CSV file, or names that somebody pasted, one a line.

| cell | meaning |
|---|---|
| the first | the name |
| a whole number | the handicap in holes |
| a word for "guest" or "yes" | a guest |
| a word for "no", or nothing | nothing |

Cells are separated by tabs, semicolons or commas: by the first of these that the text has. A first line whose first
cell is a word for "name", "first name" or "last name" is the heading. It says which columns make the name: first names
come first, whatever the order of the columns; beside a first name "name" is the last name, as in `Nom;Prénom`. The
other headings must be words for "guest" and "handicap". Either every line is used, or none: a refused list names each
wrong line.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct

from firmware_host.club import decide as d
from firmware_host.club.events import MemberAdded
from firmware_host.club.evolve import evolve
from firmware_host.club.list_file import checked_text
from firmware_host.club.members import MAX_HANDICAP
from firmware_host.club.rule_errors import (
    BadQuotes,
    MemberAgain,
    MemberExists,
    NotAMemberCell,
    TwiceInList,
    UnknownHeading,
)
from firmware_host.club.state import Club
from firmware_host.cribbage.names import name_key, search_key
from firmware_host.cribbage.rule_errors import Refusal, quoted

SEPARATORS = ("\t", ";", ",")


class ListWords(Struct, frozen=True):
    """Words of a list; case and accents do not matter. Spreadsheets have them in the language of the club."""

    first_name: frozenset[str] = frozenset({"first name", "given name", "forename"})
    name: frozenset[str] = frozenset({"name", "full name", "player", "member"})
    last_name: frozenset[str] = frozenset({"last name", "family name", "surname"})
    handicap: frozenset[str] = frozenset({"handicap"})
    guest: frozenset[str] = frozenset({"guest", "yes"})
    nothing: frozenset[str] = frozenset({"", "no", "member"})

    @property
    def names(self) -> tuple[frozenset[str], ...]:
        """Words for the parts of a name, in the order in which a name has them."""
        return self.first_name, self.name, self.last_name


class Line(NamedTuple):
    """One line that is not empty. `number` counts from 1, as an editor shows it."""

    number: int
    text: str
    cells: tuple[str, ...]
    """None where a quotation mark is not closed."""


class BadLine(NamedTuple):
    """A line that cannot be used, and why."""

    line: Line
    why: Refusal


class ListRefused(Refusal):
    """Nothing was added. `bad_lines` has every line that cannot be used; it is empty for a list without a name."""

    kind = "list_refused"
    sentence = "There is no name in the list."

    def __init__(self, bad_lines: tuple[BadLine, ...]) -> None:
        got = "; ".join(f"line {bad.line.number}: {bad.why}" for bad in bad_lines) or "an empty list"
        super().__init__("a list of new members", got)
        self.bad_lines = bad_lines


def read_members(club: Club, text: str, words: ListWords, leaves_out_known: bool) -> list[MemberAdded]:
    """The members of a list, to be added together. `leaves_out_known`: lines with the name of a member, or of a line
    before, mean the same person and are left out. Raises ListRefused and NotAListFile."""
    before = {name_key(member.name) for member in club.current_members}
    added = list[MemberAdded]()
    bad_lines = list[BadLine]()
    columns, lines = _without_heading(list(_lines(checked_text(text))), words)
    for line in lines:
        try:
            event = _member_of(club, line, columns, words)
        except MemberExists as known:
            if not leaves_out_known:
                name = str(known.evidence["name"])
                kind = MemberAgain if name_key(name) in before else TwiceInList
                bad_lines.append(BadLine(line, kind("the name of a new member", quoted(name), name=name)))
        except Refusal as why:
            bad_lines.append(BadLine(line, why))
        else:
            added.append(event)
            club = evolve(club, event)
    if bad_lines or not lines:
        raise ListRefused(tuple(bad_lines))
    return added


def _lines(text: str) -> Iterator[Line]:
    separator = next((each for each in SEPARATORS if each in text), SEPARATORS[-1])
    for number, line in enumerate(text.splitlines(), start=1):
        cells = _cells(line, separator)
        if any(cells) or (line.strip() and not cells):
            yield Line(number, line.strip(), cells)


def _cells(line: str, separator: str) -> tuple[str, ...]:
    """The cells of a line; none if it breaks the rules of CSV."""
    try:
        row = next(csv.reader([line], delimiter=separator, strict=True), ())
    except csv.Error:
        return ()
    return tuple(cell.strip() for cell in row)


def _without_heading(lines: list[Line], words: ListWords) -> tuple[tuple[int, ...], list[Line]]:
    """The columns that make the name, in the order of its parts, and the lines after the heading. Raises ListRefused
    for a heading that is not known."""
    parts = [_part_of_name(cell, words) for cell in lines[0].cells] if lines else []
    if not parts or parts[0] is None:
        return (0,), lines
    heading, *others = lines
    others_known = words.handicap | words.guest | words.nothing
    for cell, part in zip(heading.cells, parts, strict=True):
        if part is None and not _is_one_of(cell, others_known):
            why = UnknownHeading("a heading for names, guests or handicaps", quoted(cell), name=cell)
            raise ListRefused((BadLine(heading, why),))
    found = sorted((part, column) for column, part in enumerate(parts) if part is not None)
    return tuple(column for _, column in found), others


def _part_of_name(cell: str, words: ListWords) -> int | None:
    """The place in a name of the part that a heading says; None for another heading."""
    return next((place for place, part in enumerate(words.names) if _is_one_of(cell, part)), None)


def _is_one_of(cell: str, words: frozenset[str]) -> bool:
    return search_key(cell) in map(search_key, words)


def _member_of(club: Club, line: Line, columns: tuple[int, ...], words: ListWords) -> MemberAdded:
    if not line.cells:
        raise BadQuotes("a quotation mark at both ends of a cell, or at none", quoted(line.text))
    cells = dict(enumerate(line.cells))
    name = " ".join(cells.pop(column, "") for column in columns)
    is_guest = False
    handicap = 0
    for cell in cells.values():
        if cell.isascii() and cell.isdecimal() and int(cell[:9]) <= MAX_HANDICAP:
            handicap = int(cell)
        elif _is_one_of(cell, words.guest):
            is_guest = True
        elif not _is_one_of(cell, words.nothing):
            expected = f"guest, or a handicap from 0 to {MAX_HANDICAP}"
            raise NotAMemberCell(expected, quoted(cell), name=cell, number=MAX_HANDICAP)
    return d.add_member(club, name, is_guest, handicap)
