"""Whether two complete hands, or a hand and the starter, have one card: somebody entered a wrong one.

Hands that phones enter are not compared when they are entered, because a refusal would tell what another hand holds.
Only the board says so, once both hands are complete, and not which card it is.
"""

from __future__ import annotations

from collections import Counter

from firmware_host.cribbage.cards import Card
from firmware_host.game.state import Phase, Table


def has_clash(table: Table) -> bool:
    """Whether one card was entered for two complete hands, or for a hand and the starter."""
    deal = table.deal
    if deal is None or table.phase not in (Phase.DEAL, Phase.BID, Phase.PLAY, Phase.SHOW):
        return False
    seen = Counter[Card](() if deal.starter is None else (deal.starter,))
    for hand in (dealt or kept for dealt, kept in zip(deal.dealt, deal.kept, strict=True)):
        seen.update({card for card in hand if card.suit is not None})
    return any(times > 1 for card, times in seen.items() if card.suit is not None)
