"""Whether the next deal asks first: it drops points that are not pegged, and hands that are not counted.

ENTER, the menu and the page's button all go through here. A deal in which nothing was scored asks too, because a second
press of ENTER or a second tap would otherwise skip it. People who use the pegs alone are not asked: their pegs moved.
"""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from firmware_host.game import commands as c
from firmware_host.game.disclosure import is_claimable
from firmware_host.game.state import Phase, Table
from firmware_host.ui.keys.input_state import ConfirmingNextDeal, KeyResult
from firmware_host.ui.referee_mode import RefereeMode
from firmware_host.ui.translator import Translator, untranslated


class LossKind(Enum):
    """What would be lost."""

    POINTS = "points"
    """Points that are due and not pegged."""
    HANDS = "hands"
    """Hands that are not counted."""
    DEAL = "deal"
    """A deal that is not played, or whose cards were entered and not used."""


class Loss(Struct, frozen=True):
    """What the next deal would drop. `name` and `points`: of the side that has points to peg, if they may be said."""

    kind: LossKind
    name: str = ""
    points: int = 0


def loss_of_next_deal(table: Table, referee_mode: RefereeMode) -> Loss | None:
    """What people should be asked about before the next deal; None: nothing is lost.

    Points are named only where this mode and the muggins of this game let the board announce them; where it shows
    them by its lights alone, the question is asked without them.
    """
    if table.deal is None or table.phase in (Phase.PLAY, Phase.OVER):
        return None
    for side in range(len(table.sides)):
        points = sum(due.left for due in table.sides[side].outstanding if not is_claimable(table, due.source))
        if points and referee_mode.announces_counts:
            return Loss(LossKind.POINTS, table.side_name(side), points)
        if points and referee_mode.lights_holes:
            return Loss(LossKind.POINTS)
    if table.phase is Phase.SHOW:
        return Loss(LossKind.HANDS)
    if table.phase in (Phase.DEAL, Phase.BID) and (table.deal.seen or not table.has_scored):
        return Loss(LossKind.DEAL)
    return None


def begin_next_deal(table: Table | None, referee_mode: RefereeMode) -> KeyResult:
    """What a key for the next deal leads to: the command for this deal, or the question whether to end it."""
    if table is None or table.deal is None:
        return KeyResult(command=c.NextDeal())
    if loss_of_next_deal(table, referee_mode):
        return KeyResult(ConfirmingNextDeal(table.deal.number))
    return KeyResult(command=c.NextDeal(table.deal.number))


def next_deal_question(loss: Loss, tr: Translator = untranslated) -> str:
    """The question as a sentence, for the page."""
    match loss.kind:
        case LossKind.POINTS if not loss.points:
            return tr("End this deal? Not all points are pegged.")
        case LossKind.POINTS:
            return tr("End this deal? {name} can still peg {points}.").format(name=loss.name, points=loss.points)
        case LossKind.HANDS:
            return tr("End this deal? Not all hands are counted.")
        case LossKind.DEAL:
            return tr("Skip this deal? It has not been played.")


def next_deal_prompt(table: Table, referee_mode: RefereeMode, tr: Translator = untranslated) -> str:
    """The question in one line of the display."""
    loss = loss_of_next_deal(table, referee_mode)
    if loss and loss.points:
        return tr("End? {name} +{points}").format(name=loss.name, points=loss.points)
    return tr("Skip this deal?") if loss and loss.kind is LossKind.DEAL else tr("End this deal?")
