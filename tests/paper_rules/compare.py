"""Plays a script on the model and on the program, and compares them after each line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from firmware_host.game.state import Table
from tests.paper_rules.game import PaperGame
from tests.paper_rules.program import Program
from tests.paper_rules.script import Line, PaperTable, Setting


class Difference(NamedTuple):
    """Where the program differs from the paper rules: after which line, in what, and both values."""

    line: Line
    what: str
    paper: object
    program: object

    @property
    def kind(self) -> str:
        """The difference without its numbers: what people did, and what differs."""
        values = f" {self.paper}/{self.program}" if self.what in ("refusal", "phase") else ""
        return f"{self.line[0]}: {self.what}{values}"

    def __str__(self) -> str:
        return f"after `{' '.join(self.line)}`: {self.what} is {self.paper} on paper, {self.program} in the program"


class Match:
    """A game that is played on paper and by the program at once."""

    def __init__(self, setting: Setting, program: Callable[[Setting], Program]) -> None:
        self.setting, self.paper, self.program = setting, PaperTable(setting), program(setting)
        self.paper.game.has_sensors = self.program.has_sensors
        self.lines: list[Line] = []

    @property
    def game(self) -> PaperGame:
        """The game on paper."""
        return self.paper.game

    def do(self, line: Line) -> Difference | None:
        """Does the line on both. Returns the first difference, the most important one first."""
        self.lines.append(line)
        refused, refusal = self.paper.do(line), self.program.do(line)
        is_reason_compared = refused in NAMED and refusal in NAMED
        if bool(refused) != bool(refusal) or (is_reason_compared and refused != refusal):
            return Difference(line, "refusal", refused or "none", refusal or "none")
        for what, paper, program in compared(self.game, self.program.table):
            if paper != program:
                return Difference(line, what, paper, program)
        return None


NAMED = ("over_31", "false_go", "game_over", "bid_too_low", "exceeds_score")
"""Reasons that are compared if both name one of them; otherwise both only have to refuse."""


def compared(game: PaperGame, table: Table) -> Sequence[tuple[str, object, object]]:
    """What is compared: name, value on paper, value in the program."""
    pairs: list[tuple[str, object, object]] = [
        ("winner", game.winner, table.winner),
        ("scores", game.scores, table.scores),
    ]
    if game.winner is not None:
        return pairs
    rights = tuple(map(game.right, range(len(game.pegs))))
    pairs += [
        ("holes where the front pegs should stand", rights, tuple(max(0, side.rightful) for side in table.sides)),
        ("pegs", tuple(map(tuple, game.pegs)), tuple((pegs.front, pegs.back) for pegs in table.pegs)),
    ]
    if any(right >= game.target(side) for side, right in enumerate(rights)):
        return pairs  # a side has to peg out, and whatever else happens does not count
    pairs += [
        ("phase", game.phase, table.phase.value),
        ("turn", game.turn, table.to_play),
    ]
    if game.phase == "play" and game.play and table.deal and table.deal.play:
        pairs.append(("count", game.play.count, table.deal.play.count))
    if game.phase == "show" and (showing := table.to_count):
        shown = game.show_order[game.counted]
        pairs.append(("next to show", (shown.seat, shown.is_crib), (int(showing.seat), showing.is_crib)))
    if game.phase == "deal":
        pairs.append(("dealer", game.dealer, table.dealer))
    return pairs


def replay(setting: Setting, lines: Sequence[Line], program: Callable[[Setting], Program]) -> Difference | None:
    """The first difference of a script, or None, also if a line makes no sense or a hand is missing."""
    match = Match(setting, program)
    for line in lines:
        if _is_nonsense(match.game, line):
            return None
        try:
            difference = match.do(line)
        except (ValueError, IndexError, AttributeError, AssertionError, KeyError):
            return None
        if difference:
            return difference
    return None


def _is_nonsense(game: PaperGame, line: Line) -> bool:
    """Whether people would not do this: a script that was cut short may say it."""
    if line[0] == "starter":
        return game.is_known and None in game.discards
    if any(game.must_go_back(side) and side not in game.moved_far for side in range(len(game.pegs))) and line[
        0
    ] not in ("pegs", "undo", "redo"):
        return True
    if line[0] in ("leap", "slide") and game.phase in ("deal", "bid") and game.is_known:
        return not game.entitled(int(line[1]))
    if line[0] == "claim" and game.rules.muggins_mode == "claim":
        claimable = game.claimable(int(line[1]))
        if len(claimable) > 1:
            return len(set(claimable)) < len(claimable) or int(line[2]) != claimable[-1]
        return int(line[2]) < claimable[0] if claimable else len(game.pegs) > 2 or game.entitled(1 - int(line[1])) > 0
    if line[0] == "leap" and game.must_go_back(int(line[1])):
        return True
    if line[0] == "leap" and (claimable := game.claimable(int(line[1]))) and not game.entitled(int(line[1])):
        return int(line[2]) != claimable[-1]
    return line[0] == "pegs" and game.proper_now(int(line[1])) != (int(line[2]), int(line[3]))


def shortened(
    setting: Setting, lines: Sequence[Line], program: Callable[[Setting], Program], like: Difference
) -> tuple[Setting, list[Line]]:
    """A script without the deals and lines that the same kind of difference does not need."""

    def shows_it(setting: Setting, rest: Sequence[Line]) -> bool:
        found = replay(setting, rest, program)
        return found is not None and found.kind == like.kind

    kept = list(lines)
    for later, rest in _later_deals(setting, lines):
        if shows_it(later, rest):
            setting, kept = later, rest
    size = len(kept) // 2
    while size:
        at = 0
        while at < len(kept):
            rest = kept[:at] + kept[at + size :]
            if shows_it(setting, rest):
                kept = rest
            else:
                at += size
        size //= 2
    return setting, kept


def _later_deals(setting: Setting, lines: Sequence[Line]) -> Iterator[tuple[Setting, list[Line]]]:
    """The same script from the second deal on, from the third and so on, with the scores of that moment."""
    paper = PaperTable(setting)
    for at, line in enumerate(lines):
        is_refused = paper.do(line)
        if line[0] == "next" and not is_refused:
            yield replace(setting, dealer=paper.game.dealer, scores=paper.game.scores), list(lines[at + 1 :])
