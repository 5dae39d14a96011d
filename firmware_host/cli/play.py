"""`cribboard play`: the count and the points of each card played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import click
from msgspec import Meta, Struct

from firmware_host.cli.game_options import DEFAULT_VARIANT, house_rules_option, variant_option
from firmware_host.cli.jsonl import GameLine, Record, WrongValue, answer_lines, fail, json_line, write_line
from firmware_host.cli.text_table import text_table
from firmware_host.config.languages import LANGUAGES, translator
from firmware_host.cribbage.cards import Card, no_duplicates, parse_cards
from firmware_host.cribbage.options import PlayExtent, PlayFlush
from firmware_host.cribbage.rule_errors import OverThirtyOne, PlayIsOver, Refusal, quoted
from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.score import Score, ScoreKind
from firmware_host.cribbage.series import FULL_COUNT, count_of, scores_for
from firmware_host.cribbage.variants import rules_for
from firmware_host.ui.texts.cadence import scores_in_words
from firmware_host.ui.texts.messages import with_suit_symbol

_PARTS = {
    "fifteen": {ScoreKind.FIFTEEN},
    "thirty_one": {ScoreKind.THIRTY_ONE},
    "pair": {ScoreKind.PAIR, ScoreKind.PAIR_ROYAL, ScoreKind.DOUBLE_PAIR_ROYAL},
    "run": {ScoreKind.RUN},
}
_FLUSH = {"flush": {ScoreKind.FLUSH}}
"""The part that is added where flushes count in the play."""

NEW_COUNT = "/"
"""Between two cards on the command line: after it a new count begins."""
EXAMPLE = '{"cards": ["7H", "8S", "9S"]}'
"""A right line of `--jsonl`."""


class Played(Struct, frozen=True):
    """One card of the play, with the series that it ends."""

    series: tuple[Card, ...]
    scores: tuple[Score, ...]

    @property
    def count(self) -> int:
        """The count that the card makes, 1 to 31."""
        return count_of(self.series)

    @property
    def points(self) -> int:
        """The points of the card, without go and last card."""
        return sum(score.points for score in self.scores)


@click.command(name="play")
@click.argument("cards", nargs=-1)
@variant_option
@house_rules_option
@click.option("--lang", type=click.Choice(LANGUAGES), help=f"The language of the words.  [default: {LANGUAGES[0]}]")
@click.option("--json", "as_json", is_flag=True, help="Print counts, points and parts as one JSON object.")
@click.option("--jsonl", "by_lines", is_flag=True, help="Read one JSON object a line from standard input.")
def command(
    cards: tuple[str, ...],
    variant: str | None,
    options: dict[str, str],
    lang: str | None,
    as_json: bool,
    by_lines: bool,
) -> None:
    """Score CARDS as they are played, without go and last card.

    Ranks are enough. A new count begins where a card would go over 31, and after a slash.

    \b
    Example: cribboard play 7 8 9
             cribboard play K Q 9 / 5 5

    A line of --jsonl: {"cards": ["7H", "8S", "9S"], "new_count_at": [0]}. Without new_count_at a new count begins where
    a card would go over 31; "variant" and "options" may be given too.
    """
    if by_lines:
        if cards or variant or options or lang:
            raise click.UsageError("with --jsonl the lines hold everything: leave out the other arguments")
        answer_lines(PlayLine, answer, EXAMPLE)
        return
    texts = " ".join(cards).replace(",", " ").replace(NEW_COUNT, f" {NEW_COUNT} ").split()
    try:
        rules = rules_for(variant or DEFAULT_VARIANT, options)
        played = _played(*_cards_and_openings(texts), rules)
    except Refusal as refusal:
        fail(refusal)
    if not played:
        raise click.UsageError("expected CARDS, such as 7 8 9, or --jsonl")
    for line in [json_line(_as_record(played, rules))] if as_json else _table(played, lang or LANGUAGES[0]):
        write_line(line)


class PlayLine(GameLine, frozen=True):
    """A line of `--jsonl`: the cards in the order in which they were played."""

    cards: tuple[Any, ...]
    new_count_at: tuple[Annotated[int, Meta(ge=0)], ...] | None = None


def answer(line: PlayLine) -> Record:
    """The answer to one line. Raises Refusal."""
    cards = parse_cards(line.cards, rank_only=True)
    for opening in line.new_count_at or ():
        if opening >= max(len(cards), 1):
            raise WrongValue(f"indexes of the {len(cards)} cards in new_count_at", quoted(opening))
    openings = set(line.new_count_at or ())
    rules = line.rules
    return _as_record(_played(cards, openings, rules, is_automatic=line.new_count_at is None), rules)


def _cards_and_openings(texts: Sequence[str]) -> tuple[tuple[Card, ...], set[int]]:
    """The cards of the command line, and the indexes at which a slash begins a new count."""
    openings = set[int]()
    cards = list[str]()
    for text in texts:
        if text == NEW_COUNT:
            openings.add(len(cards))
        else:
            cards.append(text)
    return parse_cards(cards, rank_only=True), openings


def _played(
    cards: Sequence[Card], openings: set[int], rules: RuleSet, *, is_automatic: bool = True
) -> tuple[Played, ...]:
    """Each card with its series. Raises DuplicateCard, OverThirtyOne, PlayIsOver."""
    no_duplicates(cards)
    return tuple(Played(series, scores_for(series, rules)) for series in _series(cards, openings, rules, is_automatic))


def _series(
    cards: Sequence[Card], openings: set[int], rules: RuleSet, is_automatic: bool
) -> Iterator[tuple[Card, ...]]:
    """For each card the series it belongs to, up to that card. `is_automatic`: a card that would go over 31 begins a
    new one."""
    series: tuple[Card, ...] = ()
    for index, card in enumerate(cards):
        room = FULL_COUNT - count_of(series)
        where = f"card {index + 1} of {len(cards)}"
        if series and (room == 0 or index in openings or (is_automatic and card.pips > room)):
            if rules.play_extent is PlayExtent.ONE_SERIES:
                fix = f"{rules.variant} plays to the first 31 only"
                raise PlayIsOver("the show", str(card), where, fix)
            series = ()
            room = FULL_COUNT
        if card.pips > room:
            raise OverThirtyOne(f"a card worth {room} or less", str(card), where, "begin a new count")
        series = (*series, card)
        yield series


def _as_record(played: Sequence[Played], rules: RuleSet) -> Record:
    """One item a card in each list."""
    kinds = _PARTS | (_FLUSH if rules.play_flush is PlayFlush.THREE_UP else {})
    return {
        "count": [card.count for card in played],
        "points": [card.points for card in played],
        "parts": [{part: _points(card, of_part) for part, of_part in kinds.items()} for card in played],
    }


def _points(card: Played, kinds: set[ScoreKind]) -> int:
    return sum(score.points for score in card.scores if score.kind in kinds)


def _table(played: Sequence[Played], language: str) -> Iterator[str]:
    """A row a card: the card, the count, its points, and what they are for."""
    figures = text_table([(_name(card), str(card.count), str(card.points)) for card in played], text_columns=1)
    for card, row in zip(played, figures, strict=True):
        words = scores_in_words(card.scores, translator(language)) if card.scores else ""
        yield f"{row}  {words}".rstrip()


def _name(card: Played) -> str:
    return with_suit_symbol(card.series[-1])
