"""`cribboard count`: counts a hand or a crib, in words or as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import click

from firmware_host.cli.game_options import DEFAULT_VARIANT, cards_argument, cards_of, house_rules_option, variant_option
from firmware_host.cli.jsonl import GameLine, Record, answer_lines, fail, json_line, write_line
from firmware_host.config.languages import LANGUAGES, translator
from firmware_host.cribbage.cards import all_suits_known, parse_card, parse_cards
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.rules import CRIB_SIZE
from firmware_host.cribbage.show import Count, Part, count_show
from firmware_host.cribbage.unknown_suits import flush_gains, nobs_could_add
from firmware_host.cribbage.variants import rules_for
from firmware_host.ui.texts.cadence import count_in_words
from firmware_host.ui.translator import Translator

EXAMPLE = '{"cards": ["5H", "5S", "5D", "JC"], "starter": "5C"}'
"""A right line of `--jsonl`."""


@click.command(name="count")
@cards_argument
@click.option("--crib", is_flag=True, help="Count CARDS as a crib.")
@variant_option
@house_rules_option
@click.option("--lang", type=click.Choice(LANGUAGES), help=f"The language of the count.  [default: {LANGUAGES[0]}]")
@click.option("--json", "as_json", is_flag=True, help="Print the parts as one JSON object.")
@click.option("--jsonl", "by_lines", is_flag=True, help="Read one JSON object a line from standard input.")
def command(
    cards: tuple[str, ...],
    crib: bool,
    variant: str | None,
    options: dict[str, str],
    lang: str | None,
    as_json: bool,
    by_lines: bool,
) -> None:
    """Count CARDS, the hand and then the starter, as players count aloud.

    Ranks are enough. Where suits could matter, it says what a flush and his nobs would add.

    \b
    Example: cribboard count 5H 5S 5D JC 5C
             cribboard count 5 5 6 7 8

    A line of --jsonl: {"cards": ["5H", "5S", "5D", "JC"], "starter": "5C"}. "crib": true, "variant" and "options" may
    be given too.
    """
    if by_lines:
        if cards or crib or variant or options or lang:
            raise click.UsageError("with --jsonl the lines hold everything: leave out the other arguments")
        answer_lines(CountLine, answer, EXAMPLE)
        return
    try:
        rules = rules_for(variant or DEFAULT_VARIANT, options)
        texts = _hand_and_starter(cards, CRIB_SIZE if crib else rules.hand_size)
        *held, starter = parse_cards(texts, rank_only=True)
        count = count_show(held, starter, rules, is_crib=crib)
    except Refusal as refusal:
        fail(refusal)
    flush = flush_gains(held, starter, rules, is_crib=crib)
    nobs = nobs_could_add(held, starter)
    if as_json:
        could_add = {} if all_suits_known((*held, starter)) else {"could_add": _could_add(flush, nobs)}
        write_line(json_line({**_with_scores(count), **could_add}))
        return
    tr = translator(lang or LANGUAGES[0])
    write_line(f"{count_in_words(count, tr)} ({count.total})")
    if sentences := " ".join(_in_words(flush, nobs, tr)):
        write_line(sentences)


def _hand_and_starter(texts: tuple[str, ...], size: int) -> tuple[str, ...]:
    """The cards of the hand and then the starter. Raises UsageError unless `size` cards come before it; of a hand in
    quotes and a starter, the count says how many cards the hand lacks."""
    cards = cards_of(texts)
    is_quoted = len(texts) == 2 and len(cards_of(texts[:1])) > 1 and len(cards_of(texts[1:])) == 1
    if len(cards) < 2 or (len(cards) != size + 1 and not is_quoted):
        example = " ".join(("5H", "5S", "5D", "JC", "9C")[:size])
        raise click.UsageError(f"expected {size} cards and the starter, such as {example} 5C, got {len(cards)}")
    return cards


def _in_words(flush: Sequence[int], nobs: bool, tr: Translator) -> Iterator[str]:
    """What suits that were not given would add, in sentences; nothing where they cannot matter."""
    if len(flush) > 1:
        least, *_, most = flush
        yield tr("A flush would add {points}, with the starter {more}.").format(points=least, more=most)
    elif flush:
        yield tr("A flush would add {points}.").format(points=flush[0])
    if nobs:
        yield tr("His nobs would add 1.")


def _could_add(flush: Sequence[int], nobs: bool) -> Record:
    """The most points that suits which were not given could add, by part."""
    return {Part.FLUSH.value: max(flush, default=0), Part.NOBS.value: int(nobs)}


class CountLine(GameLine, frozen=True):
    """A line of `--jsonl`: the hand and the starter."""

    cards: tuple[Any, ...]
    starter: str
    crib: bool | None = None


def answer(line: CountLine) -> Record:
    """The answer to one line. Raises Refusal."""
    cards = parse_cards(line.cards)
    starter = parse_card(line.starter)
    count = count_show(cards, starter, line.rules, is_crib=bool(line.crib))
    return {"total": count.total, **count.parts}


def _with_scores(count: Count) -> Record:
    scores = [
        {"kind": score.kind.value, "points": score.points, "cards": [*map(str, score.cards)]} for score in count.scores
    ]
    return {"total": count.total, **count.parts, "scores": scores}
