"""`cribboard play`: the count and the points of each card of a play, line by line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from firmware_host.cli.lines import Record, WrongType, WrongValue, answer_lines, field
from firmware_host.cribbage.cards import Card, no_duplicates, parse_cards
from firmware_host.cribbage.refusals import OverThirtyOne, quoted
from firmware_host.cribbage.score import ScoreKind
from firmware_host.cribbage.series import FULL_COUNT, count_of, scores_for
from firmware_host.cribbage.variants import VARIANTS

_RULES = VARIANTS["six_card"]  # what a card scores is the same in every variant
_PARTS = {
    "fifteen": {ScoreKind.FIFTEEN},
    "thirty_one": {ScoreKind.THIRTY_ONE},
    "pair": {ScoreKind.PAIR, ScoreKind.PAIR_ROYAL, ScoreKind.DOUBLE_PAIR_ROYAL},
    "run": {ScoreKind.RUN},
}


@click.command(name="play")
@click.option("--jsonl", "by_lines", is_flag=True, help="Score a JSON object a line from standard input.")
def command(by_lines: bool) -> None:
    """Score cards as they are played; go and last card are left out.

    A line: {"cards": ["7H", "8S", "9S"], "new_count_at": [0]}. Ranks alone will do. Without new_count_at a new count
    begins where a card would pass 31.
    """
    if not by_lines:
        raise click.UsageError("expected --jsonl, and a JSON object a line on standard input")
    answer_lines(answer)


def answer(record: Record) -> Record:
    """What one line asks for. Raises Refusal."""
    cards = parse_cards(field(record, "cards", list), rank_only=True)
    no_duplicates(cards)
    openings = None if record.get("new_count_at") is None else _openings(record, len(cards))
    growing = list(_series(cards, openings))
    parts = [_parts(series) for series in growing]
    return {
        "count": [count_of(series) for series in growing],
        "points": [sum(part.values()) for part in parts],
        "parts": parts,
    }


def _openings(record: Record, number_of_cards: int) -> set[int]:
    """Where the line says that a new count begins."""
    openings = field(record, "new_count_at", list)
    for opening in openings:
        if type(opening) is not int:
            raise WrongType("numbers in new_count_at", quoted(opening))
        if not 0 <= opening < max(number_of_cards, 1):
            raise WrongValue(f"indexes of the {number_of_cards} cards in new_count_at", quoted(opening))
    return set(openings)


def _series(cards: Sequence[Card], openings: set[int] | None) -> Iterator[tuple[Card, ...]]:
    """For each card the series that it ends. Raises OverThirtyOne where the openings leave no room for it."""
    series: tuple[Card, ...] = ()
    for index, card in enumerate(cards):
        room = FULL_COUNT - count_of(series)
        if room == 0 or (card.pips > room if openings is None else index in openings):
            series, room = (), FULL_COUNT
        if card.pips > room:
            raise OverThirtyOne(f"a card worth {room} or less", str(card), f"card {index}", "begin a new count")
        series = (*series, card)
        yield series


def _parts(series: tuple[Card, ...]) -> dict[str, int]:
    scores = scores_for(series, _RULES)
    return {part: sum(score.points for score in scores if score.kind in kinds) for part, kinds in _PARTS.items()}
