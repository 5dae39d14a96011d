"""Past games as JSON and CSV: players, time, variant, board and result.

Rule: only the summary of a game is exported, never a card that anybody held.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence

from firmware_host.cli.jsonl import Record
from firmware_host.cribbage.variants import options_of
from firmware_host.storage.game_summary import GameSummary


def record_of(game: GameSummary) -> Record:
    """One JSON object. `scores`, `match_points` and `spread` have one entry a side; `winner` is a side.

    Null stands where the game was not finished.
    """
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


def as_json(games: Sequence[GameSummary]) -> str:
    """One JSON array with one line a game."""
    return "[\n" + ",\n".join(json.dumps(record_of(game)) for game in games) + "\n]"


def as_csv(games: Sequence[GameSummary]) -> str:
    """A heading and one row a game, with a group of columns for each side of the game with the most sides."""
    sides = max((len(game.scores) for game in games), default=2)
    heading = [*GAME_COLUMNS, *(f"{name}_{number}" for number in range(1, sides + 1) for name in SIDE_COLUMNS)]
    sheet = io.StringIO()
    writer = csv.DictWriter(sheet, heading, lineterminator="\n")
    writer.writeheader()
    writer.writerows(map(_row, games))
    return sheet.getvalue().rstrip("\n")


GAME_COLUMNS = (
    *("game", "started_at", "variant", "options", "target", "board", "is_demo"),
    *("first_dealer", "winner", "margin"),
)
SIDE_COLUMNS = ("side", "score", "match_points", "spread")


def _row(game: GameSummary) -> Record:
    """Column -> cell. Dealer, winner and sides are given by name, not by seat."""
    record = record_of(game)
    cells = {name: record[name] for name in GAME_COLUMNS} | {
        "options": " ".join(f"{name}={json.dumps(value)}" for name, value in record["options"].items()),
        "is_demo": "yes" if game.is_demo else "no",
        "first_dealer": None if game.first_dealer is None else game.names[game.first_dealer],
        "winner": None if game.winner is None else game.side_name(game.winner),
    }
    for side, score in enumerate(game.scores):
        cells_of_side = (game.side_name(side), score, *_worth(game, side))
        cells |= {f"{name}_{side + 1}": cell for name, cell in zip(SIDE_COLUMNS, cells_of_side, strict=True)}
    return {name: _escaped(cell) for name, cell in cells.items()}


def _worth(game: GameSummary, side: int) -> tuple[int | None, int | None]:
    """Match points and spread of a side."""
    outcome = game.outcome
    return (outcome.points[side], outcome.spread[side]) if outcome else (None, None)


def _escaped(cell: object) -> object:
    """Escapes names that a spreadsheet would take for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(("=", "+", "-", "@")) else cell
