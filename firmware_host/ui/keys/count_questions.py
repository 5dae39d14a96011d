"""The board asks for the count of a hand, part by part, before it counts: for people who learn to count.

Its keys answer: a number and ENTER, FN for a hint, UNDO to begin the hand again. After a second wrong answer it says
the points. The first answers are kept in the progress of the player. A flush and his nobs are only asked about where
the suits of all cards are known: the questions about the suits have told the rest. It asks nothing where the answer
would be worth points to an opponent, by muggins.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from firmware_host.cribbage.cards import Card, Suit, card_of
from firmware_host.cribbage.options import MugginsMode
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.show import Count, Part, count_show
from firmware_host.game import commands as c
from firmware_host.game.state import Table
from firmware_host.ui.keys.input_state import (
    DIGIT_OF_KEY,
    ENTER,
    FN,
    AskingCount,
    CountAttempt,
    InputContext,
    KeyResult,
)
from firmware_host.ui.texts.count_parts import PART_NAMES, QUESTIONS, verdicts_in_words
from firmware_host.ui.texts.spoken_words import Spoken, number_in_words, ranks_in_words, together
from firmware_host.ui.translator import Translator, labelled

OF_RANKS = (Part.FIFTEENS, Part.PAIRS, Part.RUNS)
TRIES = 2
"""Answers to one question before the board tells the points."""
MAY_ASK = (MugginsMode.OFF, MugginsMode.COACH)


def asked_first(command: c.CountHand, context: InputContext) -> KeyResult:
    """The first question about a hand that is typed; or the command itself, if nothing is to be asked."""
    table = context.table
    is_to_ask = context.asks_counts and table is not None and table.rules.muggins_mode in MAY_ASK
    if not is_to_ask or table is None or command.cards is None:
        return KeyResult(command=command)
    asking = AskingCount(command, command.cards)
    try:
        count_of(asking, table)
    except Refusal:  # the host says why
        return KeyResult(command=command)
    return KeyResult(asking)


def count_of(asking: AskingCount, table: Table) -> Count:
    """The count of the hand. Raises Refusal."""
    assert table.deal is not None and table.deal.starter is not None and table.to_count is not None
    return count_show(asking.cards, table.deal.starter, table.rules, is_crib=table.to_count.is_crib)


def parts_of(asking: AskingCount) -> Sequence[Part]:
    """The parts that are asked for, in the order of counting."""
    return tuple(Part) if all(card.suit for card in asking.cards) else OF_RANKS


def while_asking_count(asking: AskingCount, key: str, context: InputContext) -> KeyResult:
    """A digit, ENTER or FN; other keys change nothing."""
    assert context.table is not None
    if key == FN:
        return KeyResult(replace(asking, hints=asking.hints + 1))
    if key in DIGIT_OF_KEY:
        return KeyResult(replace(asking, typed=(10 * (asking.typed or 0) + DIGIT_OF_KEY[key]) % 100))
    if key != ENTER or asking.typed is None:
        return KeyResult(asking)
    answer = asking.typed
    points = count_of(asking, context.table).points(parts_of(asking)[asking.number])
    asking = with_first_answer(asking)
    if answer != points and asking.tries + 1 < TRIES:
        verdict = "low" if answer < points else "high"
        return KeyResult(replace(asking, tries=asking.tries + 1, typed=None, verdict=verdict))
    if asking.number + 1 == len(parts_of(asking)):
        return KeyResult(command=asking.command, attempt=attempt_of(asking, context.table))
    verdict = "right" if answer == points else "told"
    return KeyResult(
        AskingCount(asking.command, asking.cards, asking.number + 1, verdict=verdict, answers=asking.answers)
    )


def with_first_answer(asking: AskingCount) -> AskingCount:
    """With the typed answer, if it is the first to its part."""
    if len(asking.answers) > asking.number:
        return asking
    return replace(asking, answers=(*asking.answers, None if asking.hints else asking.typed))


def attempt_of(asking: AskingCount, table: Table) -> CountAttempt:
    """The counted hand, for the progress of its player."""
    assert table.deal is not None and table.deal.starter is not None and table.to_count is not None
    cards = tuple(with_suits((*asking.cards, table.deal.starter)))
    points = tuple(map(count_of(asking, table).points, parts_of(asking)))
    return CountAttempt(table.names[table.to_count.seat], cards, points, asking.answers)


def with_suits(cards: Sequence[Card]) -> Iterator[Card]:
    """The cards, with some suit for each whose suit nobody told: the parts that were asked for depend on ranks alone.
    No two cards are equal, if no rank stands more than four times."""
    suits = deque(Suit)
    taken = {card for card in cards if card.suit}
    for card in cards:
        suited = (card,) if card.suit else [card_of(card.rank, suit) for suit in suits]
        chosen = next(each for each in suited if each is card or each not in taken)
        taken.add(chosen)
        suits.rotate()  # no flush is made
        yield chosen


def count_prompt(asking: AskingCount, tr: Translator) -> str:
    """In one line of the display: the part, < or > if the last answer was too high or too low, and what is typed."""
    sign = {"low": ">", "high": "<"}.get(asking.verdict, "")
    typed = "" if asking.typed is None else asking.typed
    return f"{tr(PART_NAMES[parts_of(asking)[asking.number]])}{sign}: {typed}_"


def spoken_count_question(asking: AskingCount, table: Table, tr: Translator) -> Spoken:
    """What was wrong or right, the hint, and the question; or the number that is typed."""
    about = f"count.{asking.number}.{asking.tries}.{asking.hints}"
    if asking.typed is not None:
        number = number_in_words(asking.typed, tr)
        return Spoken(f"{about}.{asking.typed}", tr("{number}. ENTER confirms.").format(number=number))
    parts = parts_of(asking)
    part = parts[asking.number]
    count = count_of(asking, table)
    verdict = verdicts_in_words(tr).get(asking.verdict, "")
    if asking.verdict == "told":
        verdict = spoken_scores(count, parts[asking.number - 1], tr)
    hint = spoken_hint(count, part, asking.hints, tr) if asking.hints else ""
    return Spoken(about, together(verdict, hint, tr(QUESTIONS[part])))


def spoken_scores(count: Count, part: Part, tr: Translator) -> str:
    """The points of a part, and the cards of each score."""
    name = tr(PART_NAMES[part])
    points = number_in_words(count.points(part), tr)
    return together(
        f"{labelled(name, points, tr)}.", *(f"{ranks_in_words(score.cards, tr)}." for score in count.scores_of(part))
    )


def spoken_hint(count: Count, part: Part, hints: int, tr: Translator) -> str:
    """How many scores there are; with each further hint the cards of one of them."""
    scores = count.scores_of(part)
    if not scores:
        return tr("There is nothing to find here.")
    number = number_in_words(len(scores), tr)
    cards = (f"{ranks_in_words(score.cards, tr)}." for score in scores[: hints - 1])
    return together(tr("To find: {number}.").format(number=number), *cards)
