"""Phase -> its wording. A new phase is one module here, and its buttons in `web_panel/views/actions.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from firmware_host.game.state import Phase, Table
from firmware_host.ui.phases import bid, cut, deal, gather, over, play, show
from firmware_host.ui.phases.guide import Guide
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
