"""`cribboard advise`: ranks every discard by the expected points of hand and crib, or by the chance to win."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any, Literal

import click
from msgspec import Meta
from msgspec.structs import replace

from firmware_host.cli.game_options import DEFAULT_VARIANT, cards_argument, cards_of, house_rules_option, variant_option
from firmware_host.cli.jsonl import GameLine, Record, answer_lines, fail, json_line, write_lines
from firmware_host.cli.text_table import text_table
from firmware_host.cribbage.cards import Card, all_suits_known, card_of, no_duplicates, parse_cards
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.unknown_suits import with_mixed_suits
from firmware_host.cribbage.variants import rules_for
from firmware_host.strategy.discard_judge import Discard, judge_discards

OWN = "own"
THEIRS = "theirs"
MAX_SCORE = 1000
EXAMPLE = '{"cards": ["3C", "3D", "4S", "4H", "5C", "9D"], "crib": "own"}'
"""A right line of `--jsonl`."""
WITHOUT_SUITS = "Not all suits are given, so no flush counts."


@click.command(name="advise")
@cards_argument
@click.option("--crib", type=click.Choice([OWN, THEIRS]), help="Whose crib it is; a partner's counts as your own.")
@variant_option
@house_rules_option
@click.option(
    "--scores",
    type=click.IntRange(0, MAX_SCORE),
    nargs=2,
    metavar="MINE THEIRS",
    help="The scores, to rank by the chance to win; two sides only.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, one for each discard.")
@click.option("--jsonl", "by_lines", is_flag=True, help="Read one JSON object a line from standard input.")
def command(
    cards: tuple[str, ...],
    crib: str | None,
    variant: str | None,
    options: dict[str, str],
    scores: tuple[int, int] | None,
    as_json: bool,
    by_lines: bool,
) -> None:
    """Rank every discard from CARDS (all cards dealt) by the expected points of hand and crib, or by the chance to win.

    "crib" is exact if the other players discard at random, "sensible" if they discard as good players do, given the
    cards that are gone. The total is hand and sensible crib, as tables in books have it; a crib of the other side is
    subtracted. "play" is what you make in the play with the cards kept, less what the opponent makes. With --scores all
    of it counts: discards are ranked by the chance to win, and the total is that chance in points. For the best discard
    of a new game give --scores 0 0. "least" and "most" are the points of the hand with the worst and the best starter.

    Ranks are enough: unless all suits are given, no flush counts.

    \b
    Example: cribboard advise 3C 3D 4S 4H 5C 9D --crib own
             cribboard advise 3 3 4 4 5 9 --crib theirs

    A line of --jsonl: {"cards": ["3C", "3D", "4S", "4H", "5C", "9D"], "crib": "own"}. "scores": [0, 0], "variant" and
    "options" may be given too.
    """
    if by_lines:
        if cards or crib or variant or options or scores:
            raise click.UsageError("with --jsonl the lines hold everything: leave out the other arguments")
        answer_lines(AdviseLine, _answer, EXAMPLE)
        return
    if not cards or crib is None:
        raise click.UsageError("expected CARDS and --crib own or theirs, such as 3C 3D 4S 4H 5C 9D --crib own")
    try:
        dealt = parse_cards(cards_of(cards), rank_only=True)
        no_duplicates(dealt)
        has_suits = all_suits_known(dealt)
        discards = _advise(
            dealt if has_suits else with_mixed_suits(dealt), crib, variant or DEFAULT_VARIANT, options, scores
        )
    except Refusal as refusal:
        fail(refusal)
    if not has_suits:
        discards = _by_ranks(discards)
    write_lines(map(json_line, map(_record, discards)) if as_json else _table(discards))
    if not has_suits:
        click.echo(WITHOUT_SUITS, err=True)


def _advise(
    cards: Sequence[Card],
    crib: str,
    variant: str,
    options: Mapping[str, object],
    scores: tuple[int, int] | None,
) -> tuple[Discard, ...]:
    return judge_discards(cards, rules_for(variant, options), own_crib=crib == OWN, scores=scores)


def _by_ranks(discards: Sequence[Discard]) -> tuple[Discard, ...]:
    """The discards without suits; of those that are equal by rank, the best."""
    found = dict[tuple[Card, ...], Discard]()
    for discard in discards:
        discarded = _without_suits(discard.discarded)
        found.setdefault(discarded, replace(discard, discarded=discarded, kept=_without_suits(discard.kept)))
    return tuple(found.values())


def _without_suits(cards: Sequence[Card]) -> tuple[Card, ...]:
    return tuple(card_of(card.rank) for card in cards)


Score = Annotated[int, Meta(ge=0, le=MAX_SCORE)]
SCORES_WANTED = f"a list of 2 whole numbers from 0 to {MAX_SCORE}"


class AdviseLine(GameLine, frozen=True):
    """A line of `--jsonl`: the cards that were dealt, whose crib it is, and the scores, the own one first."""

    crib: Literal["own", "theirs"]
    cards: tuple[Any, ...]
    scores: Annotated[tuple[Score, Score] | None, Meta(description=SCORES_WANTED)] = None


def _answer(line: AdviseLine) -> Record:
    discards = judge_discards(parse_cards(line.cards), line.rules, own_crib=line.crib == OWN, scores=line.scores)
    return {"discards": [*map(_record, discards)]}


def _record(discard: Discard) -> Record:
    win = {} if discard.win is None else {"win": discard.win}
    return {
        "discard": [*map(str, discard.discarded)],
        "keep": [*map(str, discard.kept)],
        "hand": float(discard.hand),
        "crib": float(discard.crib),
        "crib_sensible": None if discard.crib_sensible is None else float(discard.crib_sensible),
        "play": discard.play,
        "total": discard.total,
        **win,
        "least": discard.least,
        "most": discard.most,
        "chances": {str(points): float(chance) for points, chance in discard.chances.items()},
    }


def _table(discards: Sequence[Discard]) -> Iterator[str]:
    """A heading, and a row for each discard."""
    heading: tuple[str, ...] = ("discard", "keep", "hand", "crib", "sensible", "play", "total", "least", "most")
    wins = [discard.win for discard in discards]
    rows = [_row(discard) for discard in discards]
    if None not in wins:
        heading = (*heading, "win")
        rows = [(*row, f"{100 * win:.1f} %") for row, win in zip(rows, wins, strict=True) if win is not None]
    return text_table([heading, *rows], text_columns=2)


def _row(discard: Discard) -> tuple[str, ...]:
    means = (discard.hand, discard.crib, discard.crib_sensible, discard.play, discard.total)
    return (
        _named(discard.discarded),
        _named(discard.kept),
        *map(_two_places, means),
        str(discard.least),
        str(discard.most),
    )


def _named(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards))


def _two_places(mean: Fraction | float | None) -> str:
    return "-" if mean is None else f"{float(mean):.2f}"
