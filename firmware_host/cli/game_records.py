"""Past games for other programs, as JSON and as a table for spreadsheets: who, when, what and how it ended.

Rule: what is written here is a summary and nothing more. No card that anybody held ever leaves the journal this way.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import asdict

from firmware_host.cli.lines import Record
from firmware_host.cribbage.variants import options_of
from firmware_host.match import MatchCard
from firmware_host.summary import GameSummary


def record_of(game: GameSummary) -> Record:
    """`scores`, `match_points` and `spread` have one entry a side, and `winner` is a side; null: not played out."""
    outcome = game.outcome
    return {
        "game": game.game,
        "started_at": game.started_at.isoformat(),
        "names": game.names,
        "sides": game.rules.sides,
        "variant": game.rules.variant,
        "options": options_of(game.rules),
        "target": game.rules.target,
        "board": game.board,
        "is_demo": game.is_demo,
        "first_dealer": game.first_dealer,
        "scores": game.scores,
        "winner": game.winner,
        "margin": outcome and outcome.margin.value,
        "match_points": outcome and outcome.points,
        "spread": outcome and outcome.spread,
    }


def card_record(card: MatchCard) -> Record:
    """`totals` has one entry a side."""
    rules = card.lines[0].game.rules
    return {
        "sides": card.sides,
        "variant": rules.variant,
        "target": rules.target,
        "games": [{"number": line.number, **record_of(line.game)} for line in card.lines],
        "totals": [asdict(total) for total in card.totals],
    }


def as_json(games: Sequence[GameSummary]) -> str:
    """One array, a line a game."""
    return "[\n" + ",\n".join(json.dumps(record_of(game)) for game in games) + "\n]"


def as_csv(games: Sequence[GameSummary]) -> str:
    """A heading and a row a game. Each side has columns of its own, of which there are enough for every game."""
    sides = max((len(game.scores) for game in games), default=2)
    heading = [*OF_A_GAME, *(f"{name}_{number}" for number in range(1, sides + 1) for name in OF_A_SIDE)]
    sheet = io.StringIO()
    writer = csv.DictWriter(sheet, heading, lineterminator="\n")
    writer.writeheader()
    writer.writerows(map(_row, games))
    return sheet.getvalue().rstrip("\n")


OF_A_GAME = (
    *("game", "started_at", "variant", "options", "target", "board", "is_demo"),
    *("first_dealer", "winner", "margin"),
)
OF_A_SIDE = ("side", "score", "match_points", "spread")


def _row(game: GameSummary) -> Record:
    """The cells of a game, by the names of their columns. People stand in it by name, not by seat."""
    record = record_of(game)
    cells = {name: record[name] for name in OF_A_GAME} | {
        "options": " ".join(f"{name}={json.dumps(value)}" for name, value in record["options"].items()),
        "is_demo": "yes" if game.is_demo else "no",
        "first_dealer": None if game.first_dealer is None else game.names[game.first_dealer],
        "winner": None if game.winner is None else game.side_name(game.winner),
    }
    for side, score in enumerate(game.scores):
        of_side = (game.side_name(side), score, *_worth(game, side))
        cells |= {f"{name}_{side + 1}": cell for name, cell in zip(OF_A_SIDE, of_side, strict=True)}
    return {name: _tamed(cell) for name, cell in cells.items()}


def _worth(game: GameSummary, side: int) -> tuple[int | None, int | None]:
    """Match points and spread of a side."""
    outcome = game.outcome
    return (outcome.points[side], outcome.spread[side]) if outcome else (None, None)


def _tamed(cell: object) -> object:
    """A name is a name, even if a spreadsheet would take it for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(("=", "+", "-", "@")) else cell
