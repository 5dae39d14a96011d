"""`cribboard advise`: ranks every discard by the expected points of hand and crib."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import click

from firmware_host.cli.game_options import DEFAULT_VARIANT, cards_argument, cards_of, house_rules_option, variant_option
from firmware_host.cli.jsonl import Record, WrongValue, answer_lines, fail, fields_of, json_line, write_line
from firmware_host.cli.text_table import text_table
from firmware_host.cribbage.advice import Discard, advise
from firmware_host.cribbage.cards import Card, parse_cards
from firmware_host.cribbage.rule_errors import Refusal, quoted
from firmware_host.cribbage.variants import rules_for

OWN = "own"
THEIRS = "theirs"
EXAMPLE = '{"cards": ["3C", "3D", "4S", "4H", "5C", "9D"], "crib": "own"}'
"""A right line of `--jsonl`."""


@click.command(name="advise")
@cards_argument
@click.option("--crib", type=click.Choice([OWN, THEIRS]), help="Whose crib it is; a partner's counts as your own.")
@variant_option
@house_rules_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, one for each discard.")
@click.option("--jsonl", "by_lines", is_flag=True, help="Read one JSON object a line from standard input.")
def command(
    cards: tuple[str, ...],
    crib: str | None,
    variant: str | None,
    options: dict[str, str],
    as_json: bool,
    by_lines: bool,
) -> None:
    """Rank every discard from CARDS (all cards dealt) by the expected points of hand and crib.

    "crib" is exact if the other players discard at random, "sensible" if they discard as good players do. The total
    subtracts a crib of the other side. Points in the play and his heels are not counted.

    Example: cribboard advise 3C 3D 4S 4H 5C 9D --crib own
    """
    if by_lines:
        if cards or crib or variant or options:
            raise click.UsageError("with --jsonl the lines hold everything: leave out the other arguments")
        answer_lines(_answer, EXAMPLE)
        return
    if not cards or crib is None:
        raise click.UsageError("expected CARDS and --crib own or theirs, such as 3C 3D 4S 4H 5C 9D --crib own")
    try:
        discards = _advise(cards_of(cards), crib, variant or DEFAULT_VARIANT, options)
    except Refusal as refusal:
        fail(refusal)
    for line in map(json_line, map(_record, discards)) if as_json else _table(discards):
        write_line(line)


def _advise(cards: Sequence[object], crib: str, variant: str, options: Mapping[str, object]) -> tuple[Discard, ...]:
    return advise(parse_cards(cards), rules_for(variant, options), own_crib=crib == OWN)


def _answer(record: Record) -> Record:
    fields = fields_of(record)
    crib = fields.text("crib")
    if crib not in (OWN, THEIRS):
        raise WrongValue(f"{OWN} or {THEIRS} as crib", quoted(crib))
    discards = _advise(
        fields.items("cards"),
        crib,
        fields.text("variant", DEFAULT_VARIANT),
        fields.mapping("options"),
    )
    return {"discards": [*map(_record, discards)]}


def _record(discard: Discard) -> Record:
    return {
        "discard": [*map(str, discard.discarded)],
        "keep": [*map(str, discard.kept)],
        "hand": float(discard.hand),
        "crib": float(discard.crib),
        "crib_sensible": None if discard.crib_sensible is None else float(discard.crib_sensible),
        "total": float(discard.total),
        "least": discard.least,
        "most": discard.most,
        "chances": {str(points): float(chance) for points, chance in discard.chances.items()},
    }


def _table(discards: Sequence[Discard]) -> Iterator[str]:
    """A heading, and a row for each discard."""
    heading = ("discard", "keep", "hand", "crib", "sensible", "total", "least", "most")
    return text_table([heading, *map(_row, discards)], text_columns=2)


def _row(discard: Discard) -> tuple[str, ...]:
    means = (discard.hand, discard.crib, discard.crib_sensible, discard.total)
    return (
        _named(discard.discarded),
        _named(discard.kept),
        *map(_two_places, means),
        str(discard.least),
        str(discard.most),
    )


def _named(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards))


def _two_places(mean: Fraction | None) -> str:
    return "-" if mean is None else f"{float(mean):.2f}"
