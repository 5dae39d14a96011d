"""What stands beside a score, in words: what is still to move, how far it is, and the way home as it is spoken."""

from __future__ import annotations

from firmware_host.cribbage.rules import Margin, Side
from firmware_host.table.state import Phase, Table
from firmware_host.table.words import Words


def step(owed: int, pending: int, _: Words) -> str:
    """What the peg has still to do; empty when it stands where it should."""
    if pending:
        return f"{pending:+} ?"
    if owed > 0:
        return _("{points} to move").format(points=owed)
    return _("{points} too many").format(points=-owed) if owed < 0 else ""


def standing(table: Table, side: int, _: Words) -> str:
    """How far home, or how the game ended for this side."""
    left = table.target(side) - table.pegs[side].front
    if table.winner == side:
        return _("wins the game")
    if table.phase is Phase.OVER:
        margin = table.rules.margin(table.pegs[side].front)
        return lost_by(margin, _) or _("{points} short").format(points=left)
    return _("{points} to go").format(points=left)


def lost_by(margin: Margin, _: Words) -> str:
    """Empty for a plain win."""
    said = {
        Margin.SKUNK: _("lost by a skunk"),
        Margin.LURCH: _("lost by a lurch"),
        Margin.DOUBLE_SKUNK: _("lost by a double skunk"),
    }
    return said.get(margin, "")


def way(table: Table, side: int, _: Words) -> str:
    """The bar from start to game hole, for those who do not see it."""
    score, back = table.pegs[side].front, table.pegs[side].back
    ahead = [line for line in table.rules.skunk_lines if score < line]
    target = table.rules.target_of(Side(side))
    said = _("{score} of {target}, back peg at {back}").format(score=score, target=target, back=max(0, back))
    skunk = _("the next skunk line is {line}")
    return f"{said}, {skunk.format(line=ahead[-1])}" if ahead else said
