"""`cribboard count`: counts a hand or a crib, in words or as JSON."""

from __future__ import annotations

from collections.abc import Sequence

import click

from firmware_host.cli.game_options import DEFAULT_VARIANT, cards_argument, cards_of, house_rules_option, variant_option
from firmware_host.cli.jsonl import Record, answer_lines, fail, fields_of, json_line, write_line
from firmware_host.config.languages import LANGUAGES, translator
from firmware_host.cribbage.cards import parse_card, parse_cards
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.rules import CRIB_SIZE, RuleSet
from firmware_host.cribbage.show import Count, count_show
from firmware_host.cribbage.variants import rules_for
from firmware_host.ui.cadence import count_in_words

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

    Example: cribboard count 5H 5S 5D JC 5C
    """
    if by_lines:
        if cards or crib or variant or options or lang:
            raise click.UsageError("with --jsonl the lines hold everything: leave out the other arguments")
        answer_lines(answer, EXAMPLE)
        return
    try:
        rules = rules_for(variant or DEFAULT_VARIANT, options)
        held, starter = _hand_and_starter(cards, CRIB_SIZE if crib else rules.hand_size)
        count = _count(held, starter, crib, rules)
    except Refusal as refusal:
        fail(refusal)
    write_line(json_line(_with_scores(count)) if as_json else _in_words(count, lang or LANGUAGES[0]))


def _hand_and_starter(texts: tuple[str, ...], size: int) -> tuple[tuple[str, ...], str]:
    """The last card is the starter. Raises UsageError unless `size` cards come before it; of a hand in quotes and a
    starter, the count says how many cards the hand lacks."""
    cards = cards_of(texts)
    is_quoted = len(texts) == 2 and len(cards_of(texts[1:])) == 1
    if len(cards) < 2 or (len(cards) != size + 1 and not is_quoted):
        example = " ".join(("5H", "5S", "5D", "JC", "9C")[:size])
        raise click.UsageError(f"expected {size} cards and the starter, such as {example} 5C, got {len(cards)} cards")
    return cards[:-1], cards[-1]


def _in_words(count: Count, language: str) -> str:
    """The count as players say it, then in digits."""
    return f"{count_in_words(count, translator(language))} ({count.total})"


def _count(cards: Sequence[object], starter: object, is_crib: bool, rules: RuleSet) -> Count:
    return count_show(parse_cards(cards), parse_card(starter), rules, is_crib=is_crib)


def answer(record: Record) -> Record:
    """The answer to one line. Raises Refusal."""
    fields = fields_of(record)
    count = _count(
        fields.items("cards"),
        fields.text("starter"),
        fields.flag("crib", default=False),
        rules_for(fields.text("variant", DEFAULT_VARIANT), fields.mapping("options")),
    )
    return {"total": count.total, **count.parts}


def _with_scores(count: Count) -> Record:
    scores = [
        {"kind": score.kind.value, "points": score.points, "cards": [*map(str, score.cards)]} for score in count.scores
    ]
    return {"total": count.total, **count.parts, "scores": scores}
