"""The sixteen keys by ear: what the next key answers, what was typed last, and the menus.

Cards that somebody types to ask for advice are a hand: they are never said, only how many there are.
"""

from __future__ import annotations

from firmware_host.mqtt_messages.topics import CODE_DIGITS
from firmware_host.ui.club_night import seat_lines
from firmware_host.ui.display.prompts import QUESTIONS
from firmware_host.ui.keys import input_state as k
from firmware_host.ui.keys.advice_page import cards_dealt
from firmware_host.ui.keys.count_questions import spoken_count_question
from firmware_host.ui.keys.menus import menu_lines
from firmware_host.ui.keys.next_deal import loss_of_next_deal, next_deal_question
from firmware_host.ui.texts.messages import capitalized
from firmware_host.ui.texts.side_names import side_in_words
from firmware_host.ui.texts.spoken_words import (
    Spoken,
    choice_in_words,
    ended,
    for_ear,
    number_in_words,
    of_suit_in_words,
    rank_in_words,
    together,
)
from firmware_host.ui.translator import Translator


def spoken_input(input_state: k.InputState, context: k.InputContext, tr: Translator) -> Spoken | None:
    """The question that the next key answers, or what was typed last; None if nothing is typed."""
    match input_state:
        case k.Idle():
            return None
        case k.TypingStarter(rank=rank):
            question = tr("The starter is {rank}. Which suit?").format(rank=rank_in_words(rank, tr))
            return Spoken("starter-suit", together(question, suit_keys_in_words(tr)))
        case k.Scoring(side=side) if context.table is not None:
            question = tr("How many points for {name}?").format(name=side_in_words(context.table, side, tr))
            return Spoken(f"scoring.{side}", question)
        case k.AskingStarter():
            return Spoken("asking-starter", tr("Starter card?"))
        case k.TypingHand():
            return _hand(input_state, context, tr)
        case k.AskingCount() if context.table is not None:
            return spoken_count_question(input_state, context.table, tr)
        case k.Choosing():
            return _menu(input_state, context, tr)
        case k.TypingDeal(cards=cards):
            return _advice(len(cards), cards_dealt(context), tr)
        case k.TypingDiscard(cards=cards, needed=needed):
            texts = {"number": number_in_words(len(cards), tr), "total": number_in_words(needed, tr)}
            said = capitalized(tr("{number} of {total} for the crib.").format(**texts))
            return Spoken(
                f"discard.{len(cards)}", together(said, tr("ENTER discards.") if len(cards) == needed else "")
            )
        case k.ShowingHand(seat=seat):
            return Spoken(f"showing.{seat}", tr("The hand is on the display."))
        case k.ReadingHand(cards=cards):
            return Spoken(f"read.{len(cards)}", ended(capitalized(number_in_words(len(cards), tr))))
        case k.RemovingPhone(phone=phone):
            question = tr("Remove {name}’s phone?").format(name=phone.name)
            return Spoken("remove-phone", together(question, tr("ENTER: yes. UNDO: no.")))
        case k.TypingJoinCode(code=code):
            return _join_code(code, tr)
        case k.SeatOffered(start=start, bracket=bracket):
            *lines, keys = (ended(for_ear(line, tr)) for line in seat_lines(start, bracket, tr))
            return Spoken("seat", together(*lines, tr("Do you sit here?"), keys))
        case k.ConfirmingNextDeal():
            loss = loss_of_next_deal(context.table, context.referee_mode) if context.table else None
            question = for_ear(next_deal_question(loss, tr), tr) if loss else tr("End this deal?")
            keys = tr("ENTER: yes. UNDO: no.")
            if loss and loss.points:
                keys = tr("UNDO: peg them first. ENTER: next deal without them.")
            return Spoken("next-deal", together(question, keys))
    return _number(input_state, context, tr)


def _join_code(code: str, tr: Translator) -> Spoken:
    """The question first, then the digit that was typed last; all of them once the code is complete."""
    if not code:
        return Spoken("code", tr("What is the code of the room? Six digits."))
    if len(code) < CODE_DIGITS:
        return Spoken(f"code.{len(code)}", f"{number_in_words(int(code[-1]), tr)}.")
    digits = ", ".join(number_in_words(int(digit), tr) for digit in code)
    return Spoken(f"code.{code}", tr("{number}. ENTER confirms.").format(number=digits))


def suit_keys_in_words(tr: Translator) -> str:
    """Which key is which suit."""
    return tr("Spades: J. Hearts: Q. Diamonds: K. Clubs: ENTER. Not known: ten.")


def _hand(typed: k.TypingHand, context: k.InputContext, tr: Translator) -> Spoken:
    """The card that was typed last, or a question about the suits."""
    table = context.table
    assert table is not None and table.deal is not None
    match typed.question:
        case k.HandQuestion.FLUSH:
            return Spoken("flush", together(tr("Are all the cards in one suit?"), tr("ENTER: yes. Ten: no.")))
        case k.HandQuestion.FLUSH_SUIT:
            return Spoken("flush-suit", together(tr("Which suit?"), suit_keys_in_words(tr)))
        case k.HandQuestion.NOBS if table.deal.starter and table.deal.starter.suit:
            of_suit = of_suit_in_words(table.deal.starter.suit, tr)
            question = tr("Is the jack {of_suit} there?").format(of_suit=of_suit)
            return Spoken("nobs", together(question, tr("ENTER: yes. Ten: no.")))
    last = f"{rank_in_words(typed.cards[-1].rank, tr)}." if typed.cards else ""
    return Spoken(f"hand.{len(typed.cards)}", last)


def _menu(typed: k.Choosing, context: k.InputContext, tr: Translator) -> Spoken:
    """The question of the menu, then each choice with its key."""
    if typed.question is k.MenuQuestion.VALUE:
        question = f"{for_ear(typed.game.option, tr)}:"
    else:
        question = for_ear(tr(QUESTIONS[typed.question]), tr)
    lines = " ".join(spoken_choice(line, tr) for line in menu_lines(typed, context, tr))
    return Spoken(f"menu.{typed.question.value}.{typed.page}", f"{ended(question)} {lines}")


def spoken_choice(line: str, tr: Translator) -> str:
    """A line of a menu, `2 Next deal`, as "Two: Next deal."."""
    key, _space, label = line.partition(" ")
    if key == "A" or key.isdecimal():
        return tr("{key}: {choice}.").format(
            key=choice_in_words(int(key.replace("A", "1")), tr), choice=for_ear(label, tr)
        )
    return ended(for_ear(line, tr))


def _advice(typed: int, dealt: int, tr: Translator) -> Spoken:
    if typed == dealt:
        return Spoken("advice", tr("The advice is on the display."))
    texts = {"number": number_in_words(typed + 1, tr), "total": number_in_words(dealt, tr)}
    return Spoken(f"advice.{typed}", tr("Card {number} of {total}.").format(**texts))


def _number(typed: k.InputState, context: k.InputContext, tr: Translator) -> Spoken:
    """A number that is typed digit by digit: the question first, then the number so far."""
    match typed:
        case k.TypingPoints(side=side, points=points):
            name = side_in_words(context.table, side, tr) if context.table else ""
            question = tr("How many points for {name}?").format(name=name)
            what = "take"
        case k.TypingClaim(points=points):
            question = tr("How many points were missed?")
            what = "claim"
        case k.TypingBid(points=points):
            question = tr("How many points do you bid?")
            what = "bid"
        case _other:
            raise AssertionError(_other)
    if not points:
        return Spoken(what, question)
    number = number_in_words(points, tr)
    return Spoken(f"{what}.{points}", tr("{number}. ENTER confirms.").format(number=number))


def key_in_words(key: str, tr: Translator) -> str:
    """What a key is called: "a seven", "a jack, spades", "UNDO"."""
    if key not in k.RANK_OF_KEY:
        return f"{key}."
    name = rank_in_words(k.RANK_OF_KEY[key], tr)
    if key not in k.SUIT_OF_KEY:
        return f"{name}."
    return f"{name}, {of_suit_in_words(k.SUIT_OF_KEY[key], tr)}."
