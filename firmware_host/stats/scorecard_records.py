"""Scorecards as data for other programs: one object a card, or one row a line for a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import asdict

from firmware_host.stats.people import Person
from firmware_host.stats.scorecards import Scorecard, ScorecardLine

Record = dict[str, object]


def card_record(card: Scorecard) -> Record:
    """One JSON object: the card with its lines and totals. `spread` is in holes, negative for a loss."""
    return {
        **_head(card),
        "games": [_line(line) for line in card.lines],
        "totals": {**asdict(card.totals), "spread": card.totals.spread},
    }


def card_rows(card: Scorecard) -> Iterator[Record]:
    """One row a line, column -> cell; the columns are LINE_COLUMNS."""
    for line in card.lines:
        row = {**_head(card), **_line(line)}
        lists = {
            "opponents": names_of(line.opponents),
            "partners": names_of(line.partners),
            "opponent_scores": " ".join(map(str, line.opponent_scores)),
            "won": "yes" if line.is_won else "no",
        }
        yield {**row, **lists, "plus": max(line.spread, 0), "minus": max(-line.spread, 0)}


LINE_COLUMNS = (
    *("card", "player", "variant", "target", "match_points"),
    *("number", "game", "started_at", "opponents", "initials", "partners", "score", "opponent_scores", "won"),
    *("margin", "game_points", "spread", "plus", "minus"),
)


def names_of(persons: tuple[Person, ...]) -> str:
    """Such as "Ann & Cat"; empty for nobody."""
    return " & ".join(person.name for person in persons)


def person_record(person: Person) -> Record:
    """One JSON object: the name that is shown, and all names, the shown one first."""
    return {"name": person.name, "names": person.names}


def _head(card: Scorecard) -> Record:
    kind = card.kind
    return {
        "card": card.number,
        "player": card.person.name,
        "variant": kind.variant,
        "target": kind.target,
        "match_points": kind.match_points,
    }


def _line(line: ScorecardLine) -> Record:
    return {
        "number": line.number,
        "game": line.game.game,
        "started_at": line.game.started_at.isoformat(),
        "opponents": [person.name for person in line.opponents],
        "initials": line.initials,
        "partners": [person.name for person in line.partners],
        "score": line.score,
        "opponent_scores": line.opponent_scores,
        "won": line.is_won,
        "margin": line.outcome.margin.value,
        "game_points": line.game_points,
        "spread": line.spread,
    }
