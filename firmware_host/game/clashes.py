"""Whether one card lies face up in two hands: somebody entered a wrong one.

Hands that phones enter are not compared before: a refusal or a message would tell what another hand holds. So only
cards that everybody has seen count: the starter, the cards played, and the hands and the crib that were counted.
"""

from __future__ import annotations

from collections import Counter

from firmware_host.cribbage.cards import Card
from firmware_host.game.deal import Deal
from firmware_host.game.state import Table


def has_clash(table: Table) -> bool:
    """Whether one card was shown twice in the deal. A card without a suit may be another one. Before the first hand is
    counted there is none: a card that lies face up already cannot be played."""
    if table.deal is None or not table.deal.counted:
        return False
    return any(times > 1 for times in Counter(_shown(table, table.deal)).values())


def _shown(table: Table, deal: Deal) -> list[Card]:
    order = table.rules.show_order(deal.dealer, deal.owner)
    counted = [place for number, place in enumerate(order[: deal.counted]) if number not in deal.skipped]
    hands = {place.seat for place in counted if not place.is_crib}
    shown = [] if deal.starter is None else [deal.starter]
    for seat in table.rules.seats:
        shown += (deal.kept[seat] if seat in hands else ()) or deal.played(seat)
    if any(place.is_crib for place in counted):
        shown += deal.crib
    return [card for card in shown if card.suit is not None]
