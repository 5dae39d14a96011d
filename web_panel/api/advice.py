"""Advice on the hand of a visitor: discards and cards of the play, best first, as JSON."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from msgspec.structs import replace

from firmware_host.cribbage.cards import Card
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.unknown_suits import with_mixed_suits
from firmware_host.game.deal import Deal
from firmware_host.game.rule_errors import CardsNotEntered
from firmware_host.game.state import Table
from web_panel.json_type import Json

if TYPE_CHECKING:
    from firmware_host.strategy.discard_judge import Discard

MAX_DISCARDS = 5
"""Number of discards that advice lists."""


def best_discards(table: Table, deal: Deal, seat: Seat) -> tuple[Discard, ...]:
    """All discards, best first. Without suits no flush counts. Raises CardsNotEntered, or as `judge_discards`."""
    dealt = deal.dealt[seat]
    if not dealt or deal.starter:
        raise CardsNotEntered(
            "cards that were dealt and not discarded yet", "none", fix="enter the cards you were dealt"
        )
    cards = with_mixed_suits(dealt) if any(card.suit is None for card in dealt) else dealt
    owner = deal.dealer if deal.owner is None else deal.owner
    own_crib = table.rules.side_of(seat) == table.rules.side_of(owner)
    from firmware_host.strategy.discard_judge import judge_discards  # with its tables, needed by few
    from firmware_host.strategy.table_view import scores_for_advice

    return judge_discards(cards, table.rules, own_crib=own_crib, scores=scores_for_advice(table, own_crib))


def best_cards(table: Table, seat: Seat) -> list[Json]:
    """Every card that may be played now, best first, each with its points on average and the chance to win. Cards of
    equal rank are one entry."""
    from firmware_host.strategy.play_judge import judge_cards  # with its tables, needed by few
    from firmware_host.strategy.table_view import view_of

    view = view_of(table, seat)
    held = view.hand
    if any(card.suit is None for card in view.own_cards):
        own = with_mixed_suits(view.own_cards)
        end = len(held) + len(view.discarded)
        view = replace(view, hand=own[: len(held)], discarded=own[len(held) : end])
    judged = judge_cards(view, Random(0))
    by_rank: dict[str, Json] = {}
    for each in judged:
        rank = each.card.letter if each.card else ""
        card = next((str(own) for own in held if own is each.card), rank) or "go"
        win = None if each.win is None else round(each.win, 3)
        by_rank.setdefault(rank, {"card": card, "points": round(each.points, 2), "win": win})
    return [*by_rank.values()]


def discards_json(discards: tuple[Discard, ...], dealt: tuple[Card, ...]) -> list[Json]:
    """The best discards as JSON. Suits that were not entered are left out, so discards of equal ranks become one."""
    by_cards: dict[tuple[str, ...], Discard] = {}
    for discard in discards:
        by_cards.setdefault(tuple(str(card) if card in dealt else card.letter for card in discard.discarded), discard)
    return [{"cards": [*cards], **averages(discard)} for cards, discard in [*by_cards.items()][:MAX_DISCARDS]]


def averages(discard: Discard) -> dict[str, float]:
    """Average points of hand, crib, play and all together, to two decimals."""
    means = {
        "hand": float(discard.hand),
        "crib": discard.mean_crib,
        "play": discard.play,
        "total": discard.total,
    }
    return {name: round(mean, 2) for name, mean in means.items()}
