"""The play coach and the discard coach in the terminal: `cribboard coach --drill play`, `--drill discard`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import SystemRandom

import click

from firmware_host.cli.jsonl import write_line
from firmware_host.coach.discard_exercise import DiscardExercise, discard_exercise
from firmware_host.coach.play_exercise import PlayExercise, play_exercise
from firmware_host.cribbage.cards import Card, parse_cards
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.ui.texts.coach_messages import cards_in_text
from firmware_host.ui.texts.drill_messages import (
    discard_question,
    discard_verdict,
    play_question,
    play_result,
    play_verdict,
)
from firmware_host.ui.translator import Translator

SHOWN_DISCARDS = 3
STOP = "q"
"""The answer that ends a drill."""


class Stopped(Exception):
    """The learner answered q, or the input has ended."""


def drill(name: str, exercises: int, tr: Translator) -> None:
    """Ask so many exercises, and say how many were right. `name`: a key of DRILLS."""
    draw = SystemRandom().randrange
    asked = 0
    right = 0
    try:
        for _number in range(exercises):
            right += DRILLS[name](draw, tr)
            asked += 1
            write_line("")
    except Stopped:
        pass
    write_line(tr("{right} of {number} right.").format(right=right, number=asked))


def _play(draw: Callable[[int], int], tr: Translator) -> bool:
    exercise: PlayExercise = play_exercise(draw)
    write_line(f"{cards_in_text(exercise.series)} | {cards_in_text(exercise.held)}")
    (card,) = _ask(play_question(exercise, tr), exercise.held, 1, tr)
    write_line(play_verdict(exercise, card, tr))
    if not exercise.makes_it(card):
        write_line(play_result(exercise, exercise.answer, tr))
    return exercise.makes_it(card)


def _discard(draw: Callable[[int], int], tr: Translator) -> bool:
    exercise: DiscardExercise = discard_exercise(draw)
    write_line(cards_in_text(exercise.dealt))
    chosen = exercise.discard(_ask(discard_question(exercise, tr), exercise.dealt, 2, tr))
    assert chosen
    write_line(discard_verdict(exercise, chosen, two_places, tr))
    best = exercise.discards[:SHOWN_DISCARDS]
    for each in best if chosen in best else (*best, chosen):
        write_line(f"{'*' if each is chosen else ' '} {cards_in_text(each.discarded)}  {two_places(each.total):>6}")
    return not exercise.loss(chosen)


DRILLS: dict[str, Callable[[Callable[[int], int], Translator], bool]] = {"play": _play, "discard": _discard}
"""What can be asked beside the count -> asks one exercise, and returns whether the answer was right."""


def _ask(question: str, held: tuple[Card, ...], number: int, tr: Translator) -> tuple[Card, ...]:
    """So many of the held cards; a rank is enough where it is one card alone. Raises Stopped."""
    while True:
        click.echo(f"{question} ", nl=False)
        line = sys.stdin.readline() if sys.stdin else ""
        if not line or line.strip().lower() == STOP:
            raise Stopped
        try:
            cards = tuple(_held(card, held) for card in parse_cards(line.strip()))
        except Refusal:
            cards = ()
        if len(set(cards)) == number and None not in cards:
            return tuple(card for card in cards if card is not None)
        shown = cards_in_text(held)
        text = tr("Enter {number} of these cards: {cards}, or {stop} to stop.")
        write_line(text.format(number=number, cards=shown, stop=STOP))


def _held(card: Card, held: tuple[Card, ...]) -> Card | None:
    """The held card that is meant; None if there is none, or more than one of the rank."""
    meant = [each for each in held if each == card or (card.suit is None and each.rank == card.rank)]
    return meant[0] if len(meant) == 1 else None


def two_places(value: float) -> str:
    """A mean with two decimals."""
    return f"{value:.2f}"
