"""The sixteen keys by ear: what the next key answers, what was typed last, and the menus.

Cards that somebody types to ask for advice are a hand: they are never said, only how many there are.
"""

from __future__ import annotations

from firmware_host.ui import input_state as k
from firmware_host.ui.advice_page import cards_dealt
from firmware_host.ui.club_night import CODE_DIGITS, seat_lines
from firmware_host.ui.count_questions import spoken_count_question
from firmware_host.ui.menus import menu_lines
from firmware_host.ui.next_deal import loss_of_next_deal, next_deal_question
from firmware_host.ui.prompts import QUESTIONS
from firmware_host.ui.spoken_words import (
    Spoken,
    ended,
    for_ear,
    number_in_words,
    of_suit_in_words,
    rank_in_words,
    together,
)
from firmware_host.ui.translator import Translator


def spoken_input(input_state: k.InputState, context: k.InputContext, _: Translator) -> Spoken | None:
    """The question that the next key answers, or what was typed last; None if nothing is typed."""
    match input_state:
        case k.Idle():
            return None
        case k.TypingStarter(rank=rank):
            question = _("The starter is {rank}. Which suit?").format(rank=rank_in_words(rank, _))
            return Spoken("starter-suit", together(question, suit_keys_in_words(_)))
        case k.TypingHand():
            return _hand(input_state, context, _)
        case k.AskingCount() if context.table is not None:
            return spoken_count_question(input_state, context.table, _)
        case k.Choosing():
            return _menu(input_state, context, _)
        case k.TypingDeal(cards=cards):
            return _advice(len(cards), cards_dealt(context), _)
        case k.RemovingPhone(phone=phone):
            question = _("Remove {name}’s phone?").format(name=phone.name)
            return Spoken("remove-phone", together(question, _("ENTER: yes. UNDO: no.")))
        case k.TypingJoinCode(code=code):
            return _join_code(code, _)
        case k.SeatOffered(start=start):
            *lines, keys = (ended(for_ear(line, _)) for line in seat_lines(start, _))
            return Spoken("seat", together(*lines, _("Do you sit here?"), keys))
        case k.ConfirmingNextDeal():
            loss = loss_of_next_deal(context.table, context.referee_mode) if context.table else None
            question = for_ear(next_deal_question(loss, _), _) if loss else _("End this deal?")
            return Spoken("next-deal", together(question, _("ENTER: yes. UNDO: no.")))
    return _number(input_state, context, _)


def _join_code(code: str, _: Translator) -> Spoken:
    """The question first, then the digit that was typed last; all of them once the code is complete."""
    if not code:
        return Spoken("code", _("What is the code of the room? Six digits."))
    if len(code) < CODE_DIGITS:
        return Spoken(f"code.{len(code)}", f"{number_in_words(int(code[-1]), _)}.")
    digits = ", ".join(number_in_words(int(digit), _) for digit in code)
    return Spoken(f"code.{code}", _("{number}. ENTER confirms.").format(number=digits))


def suit_keys_in_words(_: Translator) -> str:
    """Which key is which suit."""
    return _("Spades: J. Hearts: Q. Diamonds: K. Clubs: ENTER. Not known: ten.")


def _hand(typed: k.TypingHand, context: k.InputContext, _: Translator) -> Spoken:
    """The card that was typed last, or a question about the suits."""
    table = context.table
    assert table is not None and table.deal is not None
    match typed.question:
        case k.HandQuestion.FLUSH:
            return Spoken("flush", together(_("Are all the cards in one suit?"), _("ENTER: yes. Ten: no.")))
        case k.HandQuestion.FLUSH_SUIT:
            return Spoken("flush-suit", together(_("Which suit?"), suit_keys_in_words(_)))
        case k.HandQuestion.NOBS if table.deal.starter and table.deal.starter.suit:
            of_suit = of_suit_in_words(table.deal.starter.suit, _)
            question = _("Is the jack {of_suit} there?").format(of_suit=of_suit)
            return Spoken("nobs", together(question, _("ENTER: yes. Ten: no.")))
    last = f"{rank_in_words(typed.cards[-1].rank, _)}." if typed.cards else ""
    return Spoken(f"hand.{len(typed.cards)}", last)


def _menu(typed: k.Choosing, context: k.InputContext, _: Translator) -> Spoken:
    """The question of the menu, then each choice with its key."""
    if typed.question is k.MenuQuestion.VALUE:
        question = f"{for_ear(typed.game.option, _)}:"
    else:
        question = for_ear(_(QUESTIONS[typed.question]), _)
    lines = " ".join(spoken_choice(line, _) for line in menu_lines(typed, context, _))
    return Spoken(f"menu.{typed.question.value}.{typed.page}", f"{ended(question)} {lines}")


def spoken_choice(line: str, _: Translator) -> str:
    """A line of a menu, `2 Next deal`, as "two: Next deal."."""
    key, _space, label = line.partition(" ")
    if key == "A" or key.isdecimal():
        return _("{key}: {choice}.").format(key=for_ear(key, _), choice=for_ear(label, _))
    return ended(for_ear(line, _))


def _advice(typed: int, dealt: int, _: Translator) -> Spoken:
    if typed == dealt:
        return Spoken("advice", _("The advice is on the display."))
    texts = {"number": number_in_words(typed + 1, _), "total": number_in_words(dealt, _)}
    return Spoken(f"advice.{typed}", _("Card {number} of {total}.").format(**texts))


def _number(typed: k.InputState, context: k.InputContext, _: Translator) -> Spoken:
    """A number that is typed digit by digit: the question first, then the number so far."""
    match typed:
        case k.TypingPoints(side=side, points=points):
            name = context.table.side_name(side) if context.table else ""
            question, what = _("How many points does {name} take?").format(name=name), "take"
        case k.TypingClaim(points=points):
            question, what = _("How many points were missed?"), "claim"
        case k.TypingBid(points=points):
            question, what = _("How many points do you bid?"), "bid"
        case _other:
            raise AssertionError(_other)
    if not points:
        return Spoken(what, question)
    number = number_in_words(points, _)
    return Spoken(f"{what}.{points}", _("{number}. ENTER confirms.").format(number=number))


def key_in_words(key: str, _: Translator) -> str:
    """What a key is called: "a seven", "a jack, spades", "UNDO"."""
    if key not in k.RANK_OF_KEY:
        return f"{key}."
    name = rank_in_words(k.RANK_OF_KEY[key], _)
    if key not in k.SUIT_OF_KEY:
        return f"{name}."
    return f"{name}, {of_suit_in_words(k.SUIT_OF_KEY[key], _)}."
