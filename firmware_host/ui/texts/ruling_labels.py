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
    match ruling.breach:
        case Breach.FOREIGN_PEG:
            text = tr("{name}’s peg was moved: {points} to {name}")
        case Breach.FRONT_PEG:
            text = tr("{name} took it out: back to {score}")
        case Breach.FALSE_GAME:
            text = tr("{name} pegged out too soon: back 15")
        case _:
            text = tr("{name} takes the {points} too many")
    return _filled(text, ruling, table)


def penalty_hint(rulings: Sequence[RuleBreach], table: Table, tr: Translator) -> str:
    """The keys that give the first penalty that is offered, and what it gives or takes; empty without one."""
    if not rulings:
        return ""
    ruling = rulings[0]
    match ruling.breach:
        case Breach.FOREIGN_PEG:
            text = tr("FN 10: {points} to {name}")
        case Breach.FRONT_PEG:
            text = tr("FN 10: {name} back to {score}")
        case Breach.FALSE_GAME:
            text = tr("FN 10: {name} back 15")
        case _:
            text = tr("FN 10: {points} to {name}")
    return _filled(text, ruling, table)


def _filled(text: str, ruling: RuleBreach, table: Table) -> str:
    """The sentence with the player whom it concerns, the points, and the score to go back to."""
    side = table.sides[ruling.side]
    concerned = ruling.side
    points = side.unfined_excess
    if ruling.breach is Breach.FOREIGN_PEG:
        concerned = ruling.owner or 0
        points = FOREIGN_PEG_POINTS
    elif ruling.breach not in (Breach.FRONT_PEG, Breach.FALSE_GAME):
        concerned = table.left_of(ruling.side)
    return text.format(name=table.side_name(concerned), points=points, score=side.pegs.back)
