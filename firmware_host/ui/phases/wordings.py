"""Phase -> its wording. A new phase is one module here, and its buttons in `web_panel/views/actions.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from firmware_host.game.state import Phase, Table
from firmware_host.ui.phases import bid, cut, deal, gather, over, play, show
from firmware_host.ui.phases.guide import Expects, Guide
from firmware_host.ui.texts.spoken_words import for_ear, together
from firmware_host.ui.translator import Translator


class Wording(Struct, frozen=True):
    """What a phase waits for, in the words of each output."""

    line: Callable[[Table, Translator], str]
    """On the display: at most 21 columns in every language."""
    spoken: Callable[[Table, Translator], str]
    """By the voice: numbers and cards are words."""
    guide: Callable[[Table, Translator], Guide]
    """On the page: full sentences."""


WORDINGS: Mapping[Phase, Wording] = {
    Phase.CUT: Wording(cut.line, cut.spoken, cut.guide),
    Phase.DEAL: Wording(deal.line, deal.spoken, deal.guide),
    Phase.BID: Wording(bid.line, bid.spoken, bid.guide),
    Phase.PLAY: Wording(play.line, play.spoken, play.guide),
    Phase.SHOW: Wording(show.line, show.spoken, show.guide),
    Phase.GATHER: Wording(gather.line, gather.spoken, gather.guide),
    Phase.OVER: Wording(over.line, over.spoken, over.guide),
}


ENTERED = (Expects.CARD, Expects.HAND, Expects.PEG)
"""What is awaited without a key of the board, or by the same key on the page."""


def spoken_without_keys(table: Table, tr: Translator) -> str:
    """What a phase waits for, said by a page: it has buttons where the board's voice names keys, so its own sentences
    are said. Who won is said with the last turn, and the fingerprint of a pack is to be read."""
    wording = WORDINGS[table.phase]
    guide = wording.guide(table, tr)
    if guide.expects in ENTERED:
        return wording.spoken(table, tr)
    headline = "" if table.phase is Phase.OVER else guide.headline
    return for_ear(together(headline, "" if table.can_deal else guide.detail), tr)
