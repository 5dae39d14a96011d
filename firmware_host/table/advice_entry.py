"""Advice on the display: what to lay away from cards that were typed by rank alone."""

from __future__ import annotations

from firmware_host.cribbage.advice import advise
from firmware_host.cribbage.cards import Card, Suit, card_of
from firmware_host.cribbage.refusals import Refusal
from firmware_host.cribbage.rules import RuleSet
from firmware_host.table.entries import Surroundings, TypingDeal
from firmware_host.table.refusing import say_refused
from firmware_host.table.words import Words, as_written

BEST = 5


def rules_at(around: Surroundings) -> RuleSet:
    return around.table.rules if around.table else around.games[0]


def cards_dealt(around: Surroundings) -> int:
    """How many cards a player gets who has to lay some away."""
    return max(rules_at(around).dealt)


def advice_lines(entry: TypingDeal, around: Surroundings, _: Words = as_written) -> tuple[str, ...]:
    """The best ways to lay away, each with its expected total. Suits are not told, so no flush is reckoned with."""
    rules = rules_at(around)
    if len(entry.cards) < cards_dealt(around):
        return ()
    try:
        discards = advise(of_mixed_suits(entry.cards), rules, own_crib=entry.own_crib)
    except Refusal as refusal:
        return (say_refused(refusal, _),)
    lines = list[str]()
    for discard in discards:
        away = " ".join(card.letter for card in discard.laid_away)
        line = f"{away}  {float(discard.total):+.1f}"
        if line not in lines:
            lines.append(line)
    return (_("Lay away:"), *lines[:BEST])


def of_mixed_suits(ranks: tuple[Card, ...]) -> tuple[Card, ...]:
    """Full cards of these ranks, one suit after the other, so that no four share one."""
    suits, used = tuple(Suit), list[Card]()
    for place, card in enumerate(ranks):
        candidates = (card_of(card.rank, suits[(place + step) % len(suits)]) for step in range(len(suits)))
        used.append(next((candidate for candidate in candidates if candidate not in used), card))
    return tuple(used)
