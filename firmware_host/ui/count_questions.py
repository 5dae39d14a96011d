"""The board asks for the count of a hand, part by part, before it counts: for people who learn to count.

Its keys answer: a number and ENTER, FN for a hint, UNDO to begin the hand again. After a second wrong answer it says
the points. A flush and his nobs are only asked about where the suits of all cards are known: the questions about the
suits have told the rest. It asks nothing where the answer would be worth points to an opponent, by muggins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from firmware_host.cribbage.options import MugginsMode
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.show import Count, Part, count_show
from firmware_host.game import commands as c
from firmware_host.game.state import Table
from firmware_host.ui.count_parts import PART_NAMES, QUESTIONS, verdicts_in_words
from firmware_host.ui.input_state import DIGIT_OF_KEY, ENTER, FN, AskingCount, InputContext, KeyResult
from firmware_host.ui.spoken_words import Spoken, number_in_words, ranks_in_words, together
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
    points = count_of(asking, context.table).points(parts_of(asking)[asking.number])
    if asking.typed != points and asking.tries + 1 < TRIES:
        verdict = "low" if asking.typed < points else "high"
        return KeyResult(replace(asking, tries=asking.tries + 1, typed=None, verdict=verdict))
    if asking.number + 1 == len(parts_of(asking)):
        return KeyResult(command=asking.command)
    verdict = "right" if asking.typed == points else "told"
    return KeyResult(AskingCount(asking.command, asking.cards, asking.number + 1, verdict=verdict))


def count_prompt(asking: AskingCount, _: Translator) -> str:
    """In one line of the display: the part, < or > if the last answer was too high or too low, and what is typed."""
    sign = {"low": ">", "high": "<"}.get(asking.verdict, "")
    typed = "" if asking.typed is None else asking.typed
    return f"{_(PART_NAMES[parts_of(asking)[asking.number]])}{sign}: {typed}_"


def spoken_count_question(asking: AskingCount, table: Table, _: Translator) -> Spoken:
    """What was wrong or right, the hint, and the question; or the number that is typed."""
    about = f"count.{asking.number}.{asking.tries}.{asking.hints}"
    if asking.typed is not None:
        number = number_in_words(asking.typed, _)
        return Spoken(f"{about}.{asking.typed}", _("{number}. ENTER confirms.").format(number=number))
    parts = parts_of(asking)
    part, count = parts[asking.number], count_of(asking, table)
    verdict = verdicts_in_words(_).get(asking.verdict, "")
    if asking.verdict == "told":
        verdict = spoken_scores(count, parts[asking.number - 1], _)
    hint = spoken_hint(count, part, asking.hints, _) if asking.hints else ""
    return Spoken(about, together(verdict, hint, _(QUESTIONS[part])))


def spoken_scores(count: Count, part: Part, _: Translator) -> str:
    """The points of a part, and the cards of each score."""
    name, points = _(PART_NAMES[part]), number_in_words(count.points(part), _)
    return together(
        f"{labelled(name, points, _)}.", *(f"{ranks_in_words(score.cards, _)}." for score in count.scores_of(part))
    )


def spoken_hint(count: Count, part: Part, hints: int, _: Translator) -> str:
    """How many scores there are; with each further hint the cards of one of them."""
    scores = count.scores_of(part)
    if not scores:
        return _("There is nothing to find here.")
    number = number_in_words(len(scores), _)
    cards = (f"{ranks_in_words(score.cards, _)}." for score in scores[: hints - 1])
    return together(_("To find: {number}.").format(number=number), *cards)
