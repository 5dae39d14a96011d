"""Reads a list of members: the text of a CSV file, or names that somebody pasted, one a line.

| cell | meaning |
|---|---|
| the first | the name |
| a whole number | the handicap in holes |
| a word for "guest" | a guest |
| a word for "no", or nothing | nothing |

Cells are separated by tabs, semicolons or commas: by the first of these that the text has. A first line whose first
cell is a word for "name" is the heading. Either every line is used, or none: a refused list names each wrong line.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct

from firmware_host.club import decide as d
from firmware_host.club.events import MemberAdded
from firmware_host.club.members import MAX_HANDICAP
from firmware_host.club.rule_errors import MemberAgain, MemberExists, NotAMemberCell, TwiceInList
from firmware_host.club.state import Club, evolve
from firmware_host.cribbage.names import name_key, search_key, tidy_name
from firmware_host.cribbage.rule_errors import Refusal, quoted

SEPARATORS = ("\t", ";", ",")
BYTE_ORDER_MARK = "\ufeff"


class ListWords(Struct, frozen=True):
    """Words of a list; case and accents do not matter. Spreadsheets have them in the language of the club."""

    name: frozenset[str] = frozenset({"name", "player", "member"})
    guest: frozenset[str] = frozenset({"guest", "yes"})
    nothing: frozenset[str] = frozenset({"", "no", "member"})


class Line(NamedTuple):
    """One line that is not empty. `number` counts from 1, as an editor shows it."""

    number: int
    text: str
    cells: tuple[str, ...]


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
    before, mean the same person and are left out. Raises ListRefused."""
    before = {name_key(member.name) for member in club.current_members}
    added = list[MemberAdded]()
    bad_lines = list[BadLine]()
    lines = list(_lines(text, words))
    for line in lines:
        try:
            event = _member_of(club, line, words)
        except MemberExists:
            if not leaves_out_known:
                name = tidy_name(line.cells[0])
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


def _lines(text: str, words: ListWords) -> Iterator[Line]:
    text = text.removeprefix(BYTE_ORDER_MARK)
    separator = next((each for each in SEPARATORS if each in text), SEPARATORS[-1])
    is_first = True
    for number, line in enumerate(text.splitlines(), start=1):
        cells = tuple(cell.strip() for cell in next(csv.reader([line], delimiter=separator), ()))
        if not any(cells):
            continue
        if not (is_first and _is_one_of(cells[0], words.name)):
            yield Line(number, line.strip(), cells)
        is_first = False


def _is_one_of(cell: str, words: frozenset[str]) -> bool:
    return search_key(cell) in map(search_key, words)


def _member_of(club: Club, line: Line, words: ListWords) -> MemberAdded:
    name, *others = line.cells
    is_guest = False
    handicap = 0
    for cell in others:
        if cell.isascii() and cell.isdecimal() and int(cell[:9]) <= MAX_HANDICAP:
            handicap = int(cell)
        elif _is_one_of(cell, words.guest):
            is_guest = True
        elif not _is_one_of(cell, words.nothing):
            expected = f"guest, or a handicap from 0 to {MAX_HANDICAP}"
            raise NotAMemberCell(expected, quoted(cell), name=cell, number=MAX_HANDICAP)
    return d.add_member(club, name, is_guest, handicap)
