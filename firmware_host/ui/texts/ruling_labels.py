"""What the button of a penalty for pegs says, its line in a menu, and the hint to its keys."""

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
            people = table.rules.people(_concerned(ruling, table))
            text = tr.counted("{name} takes the {points} too many", "{name} take the {points} too many", people)
    return _filled(text, ruling, table)


def penalty_hint(rulings: Sequence[RuleBreach], table: Table, tr: Translator) -> str:
    """The keys that give the penalty that is offered, and what it gives or takes; empty without one. Of several the
    keys open a menu."""
    match rulings:
        case []:
            return ""
        case [ruling]:
            return tr("FN 10: {penalty}").format(penalty=penalty_text(ruling, table, tr))
        case _:
            return tr("FN 10: which penalty?")


def penalty_text(ruling: RuleBreach, table: Table, tr: Translator) -> str:
    """What a penalty gives or takes, for one line of the display."""
    match ruling.breach:
        case Breach.FRONT_PEG:
            text = tr("{name} back to {score}")
        case Breach.FALSE_GAME:
            text = tr("{name} back 15")
        case _:
            text = tr("{points} to {name}")
    return _filled(text, ruling, table)


def _filled(text: str, ruling: RuleBreach, table: Table) -> str:
    """The sentence with the side that it concerns, the points, and the score to go back to."""
    side = table.sides[ruling.side]
    points = FOREIGN_PEG_POINTS if ruling.breach is Breach.FOREIGN_PEG else side.unfined_excess
    return text.format(name=table.side_name(_concerned(ruling, table)), points=points, score=side.pegs.back)


def _concerned(ruling: RuleBreach, table: Table) -> int:
    """The side that gets the points; for a front peg and a false game the one that goes back."""
    match ruling.breach:
        case Breach.FOREIGN_PEG:
            return ruling.owner or 0
        case Breach.FRONT_PEG | Breach.FALSE_GAME:
            return ruling.side
        case _:
            return table.left_of(ruling.side)
