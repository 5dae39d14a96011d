"""`cribboard advise`: every discard with what hand and crib are worth on average, best first."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import click

from firmware_host.cli.columns import in_columns
from firmware_host.cli.game_options import USUAL_VARIANT, house_rules_option, variant_option
from firmware_host.cli.lines import Record, WrongValue, answer_lines, fail, field, tell
from firmware_host.cribbage.advice import Discard, advise
from firmware_host.cribbage.cards import Card, parse_cards
from firmware_host.cribbage.refusals import Refusal, quoted
from firmware_host.cribbage.variants import rules_for

OWN, THEIRS = "own", "theirs"


@click.command(name="advise")
@click.argument("cards", required=False)
@click.option("--crib", type=click.Choice([OWN, THEIRS]), help="Whose the crib is; a partner's is your own.")
@variant_option
@house_rules_option
@click.option("--json", "as_json", is_flag=True, help="Say each discard as a JSON object on a line of its own.")
@click.option("--jsonl", "by_lines", is_flag=True, help="Advise on a JSON object a line from standard input.")
def command(
    cards: str | None,
    crib: str | None,
    variant: str | None,
    options: dict[str, str],
    as_json: bool,
    by_lines: bool,
) -> None:
    """Rank every discard from CARDS, all that were dealt, by what hand and crib bring on average.

    The crib's mean is exact for any cards of the others; "sensible" is its mean if the opponent lays away as a sensible
    player does. A crib of the other side is taken off the total. Neither play nor heels are counted.

    Example: cribboard advise "3C 3D 4S 4H 5C 9D" --crib own
    """
    if by_lines:
        if cards or crib or variant or options:
            raise click.UsageError("with --jsonl everything is said in the lines: leave out the rest")
        answer_lines(_answer)
        return
    if cards is None or crib is None:
        raise click.UsageError('expected CARDS and --crib own or theirs, such as "3C 3D 4S 4H 5C 9D" --crib own')
    try:
        discards = _advise(cards, crib, variant or USUAL_VARIANT, options)
    except Refusal as refusal:
        fail(refusal)
    for line in map(json.dumps, map(_record, discards)) if as_json else _table(discards):
        tell(line)


def _advise(
    cards: str | Sequence[object], crib: str, variant: str, options: Mapping[str, object]
) -> tuple[Discard, ...]:
    return advise(parse_cards(cards), rules_for(variant, options), own_crib=crib == OWN)


def _answer(record: Record) -> Record:
    crib = field(record, "crib", str)
    if crib not in (OWN, THEIRS):
        raise WrongValue(f"{OWN} or {THEIRS} as crib", quoted(crib))
    discards = _advise(
        field(record, "cards", list),
        crib,
        field(record, "variant", str, USUAL_VARIANT),
        field(record, "options", dict, {}),
    )
    return {"discards": [*map(_record, discards)]}


def _record(discard: Discard) -> Record:
    return {
        "discard": [*map(str, discard.laid_away)],
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
    heading = ("lay away", "keep", "hand", "crib", "sensible", "total", "least", "most")
    return in_columns([heading, *map(_row, discards)], words=2)


def _row(discard: Discard) -> tuple[str, ...]:
    means = (discard.hand, discard.crib, discard.crib_sensible, discard.total)
    return (
        _named(discard.laid_away),
        _named(discard.kept),
        *map(_two_places, means),
        str(discard.least),
        str(discard.most),
    )


def _named(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards))


def _two_places(mean: Fraction | None) -> str:
    return "-" if mean is None else f"{float(mean):.2f}"
