"""Advice on the display: which cards to discard, for cards that were typed by rank only."""

from __future__ import annotations

from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.unknown_suits import with_mixed_suits
from firmware_host.ui.keys.input_state import InputContext, TypingDeal
from firmware_host.ui.texts.error_messages import error_message
from firmware_host.ui.translator import Translator, untranslated

MAX_DISCARDS = 5


def current_rules(context: InputContext) -> RuleSet:
    """The rules of the game, or without one those of the first game that is offered."""
    return context.table.rules if context.table else context.games[0]


def cards_dealt(context: InputContext) -> int:
    """How many cards a player is dealt; the most, where that differs by seat."""
    return max(current_rules(context).dealt)


def advice_lines(input_state: TypingDeal, context: InputContext, tr: Translator = untranslated) -> tuple[str, ...]:
    """The best discards, each with its expected points, hand and crib together; empty until all cards are typed.

    Suits are unknown, so flushes do not count.
    """
    rules = current_rules(context)
    if len(input_state.cards) < cards_dealt(context):
        return ()
    from firmware_host.strategy.discard_judge import judge_discards  # with its tables, needed by few
    from firmware_host.strategy.table_view import scores_for_advice

    try:
        scores = scores_for_advice(context.table, input_state.own_crib)
        cards = with_mixed_suits(input_state.cards)
        discards = judge_discards(cards, rules, own_crib=input_state.own_crib, scores=scores)
    except Refusal as refusal:
        return (error_message(refusal, tr),)
    lines = list[str]()
    for discard in discards:
        discarded = " ".join(card.letter for card in discard.discarded)
        line = f"{discarded}  {float(discard.total):+.1f}"
        if line not in lines:
            lines.append(line)
    return (tr("Discard:"), *lines[:MAX_DISCARDS])
