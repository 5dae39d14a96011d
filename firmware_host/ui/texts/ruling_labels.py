"""What the button of a penalty for pegs says, and the hint to its keys."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_host.game.commands import RuleBreach
from firmware_host.game.events import Breach
from firmware_host.game.rulings import FOREIGN_PEG_POINTS
from firmware_host.game.state import Table
from firmware_host.ui.translator import Translator


def ruling_label(ruling: RuleBreach, table: Table, tr: Translator) -> str:
    """What the penalty gives or takes."""
    side = table.sides[ruling.side]
    name = table.side_name(ruling.side)
    match ruling.breach:
        case Breach.FOREIGN_PEG:
            owner = table.side_name(ruling.owner or 0)
            return tr("{name}’s peg was moved: {points} to {name}").format(name=owner, points=FOREIGN_PEG_POINTS)
        case Breach.FRONT_PEG:
            return tr("{name} took it out: back to {score}").format(name=name, score=side.pegs.back)
        case Breach.FALSE_GAME:
            return tr("{name} pegged out too soon: back 15").format(name=name)
        case _:
            taker = table.side_name(table.left_of(ruling.side))
            return tr("{name} takes the {points} too many").format(name=taker, points=side.unfined_excess)


def penalty_hint(rulings: Sequence[RuleBreach], table: Table, tr: Translator) -> str:
    """The keys that give the first penalty that is offered, and what it gives or takes; empty without one."""
    if not rulings:
        return ""
    ruling = rulings[0]
    side = table.sides[ruling.side]
    name = table.side_name(ruling.side)
    match ruling.breach:
        case Breach.FOREIGN_PEG:
            owner = table.side_name(ruling.owner or 0)
            return tr("FN 10: {points} to {name}").format(name=owner, points=FOREIGN_PEG_POINTS)
        case Breach.FRONT_PEG:
            return tr("FN 10: {name} back to {score}").format(name=name, score=side.pegs.back)
        case Breach.FALSE_GAME:
            return tr("FN 10: {name} back 15").format(name=name)
        case _:
            taker = table.side_name(table.left_of(ruling.side))
            return tr("FN 10: {points} to {name}").format(name=taker, points=side.unfined_excess)
