"""`cribboard count`: what a hand or a crib is worth, aloud or as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import click

from firmware_host.cli.game_options import USUAL_VARIANT, house_rules_option, variant_option
from firmware_host.cli.lines import Record, answer_lines, fail, field, tell
from firmware_host.cribbage.cards import parse_card, parse_cards
from firmware_host.cribbage.refusals import Refusal
from firmware_host.cribbage.show import Count, count_show
from firmware_host.cribbage.variants import rules_for
from firmware_host.languages import LANGUAGES, words
from firmware_host.table.cadence import count_in_words


@click.command(name="count")
@click.argument("cards", required=False)
@click.argument("starter", required=False)
@click.option("--crib", is_flag=True, help="Count CARDS as a crib.")
@variant_option
@house_rules_option
@click.option("--lang", type=click.Choice(LANGUAGES), help=f"The language of the count.  [default: {LANGUAGES[0]}]")
@click.option("--json", "as_json", is_flag=True, help="Say the parts as JSON.")
@click.option("--jsonl", "by_lines", is_flag=True, help="Count a JSON object a line from standard input.")
def command(
    cards: str | None,
    starter: str | None,
    crib: bool,
    variant: str | None,
    options: dict[str, str],
    lang: str | None,
    as_json: bool,
    by_lines: bool,
) -> None:
    """Count CARDS with STARTER, in cadence.

    Example: cribboard count "5H 5S 5D JC" 5C
    """
    if by_lines:
        if cards or starter or crib or variant or options or lang:
            raise click.UsageError("with --jsonl everything is said in the lines: leave out the rest")
        answer_lines(answer)
        return
    if cards is None or starter is None:
        raise click.UsageError('expected CARDS and STARTER, such as "5H 5S 5D JC" 5C')
    try:
        count = _count(cards, starter, crib, variant or USUAL_VARIANT, options)
    except Refusal as refusal:
        fail(refusal)
    tell(json.dumps(_with_scores(count)) if as_json else count_in_words(count, words(lang or LANGUAGES[0])))


def _count(
    cards: str | Sequence[object], starter: object, is_crib: bool, variant: str, options: Mapping[str, object]
) -> Count:
    return count_show(parse_cards(cards), parse_card(starter), rules_for(variant, options), is_crib=is_crib)


def answer(record: Record) -> Record:
    """What one line asks for. Raises Refusal."""
    count = _count(
        field(record, "cards", list),
        field(record, "starter", str),
        field(record, "crib", bool, False),
        field(record, "variant", str, USUAL_VARIANT),
        field(record, "options", dict, {}),
    )
    return {"total": count.total, **count.parts}


def _with_scores(count: Count) -> Record:
    scores = [
        {"kind": kind.value, "points": points, "cards": [*map(str, cards)]} for kind, points, cards in count.scores
    ]
    return {"total": count.total, **count.parts, "scores": scores}
