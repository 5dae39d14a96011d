"""The pegs of a game on a board that the program does not see: what moves, where each peg stands, what may be entered.

People move these pegs by hand. The page shows them on a straight strip, because the board at home may have any shape,
and names each hole as players find it on wood: by its street, its group of five and its hole in the group.
"""

from __future__ import annotations

from firmware_host.board.course import TrackPegs
from firmware_host.game.state import Phase, Table
from firmware_host.host.snapshot import Snapshot
from firmware_host.ui.texts.peg_news import PegNews, peg_news
from firmware_host.ui.translator import Translator, untranslated
from web_panel.json_type import Json

STREET = 30
GROUP = 5
ROUND = 60
"""Holes of one round of a board that the pegs go round twice."""

WITHOUT_POINTS = (Phase.CUT, Phase.BID, Phase.OVER)
"""Phases in which nobody scores."""


def own_pegs(snapshot: Snapshot, tr: Translator = untranslated) -> Json | None:
    """None for a board that is seen. `take_back` is the label of the button that undoes the points entered last, else
    empty; `has_cards`: cards of this deal are entered; `claims`: missed points may be claimed."""
    shown = snapshot.shown
    if shown is None or not shown.table.is_by_hand:
        return None
    table = shown.table
    news = peg_news(snapshot.history, tr)
    return {
        "news": [move(each) for each in news],
        "take_back": take_back(news, tr),
        "takes_points": table.phase not in WITHOUT_POINTS,
        "has_cards": table.is_dealt or (table.deal is not None and bool(table.deal.starter or table.deal.seen)),
        "sides": [side(table, number, tr) for number in range(len(table.sides))],
    }


def move(news: PegNews) -> Json:
    """One peg that moves now."""
    return {"side": news.side, "start": news.start, "hole": news.hole}


def take_back(news: tuple[PegNews, ...], tr: Translator) -> str:
    """The label of the button that undoes the points entered last; empty where none were."""
    if len(news) != 1 or not news[0].is_entered:
        return ""
    return tr("Take back {points}").format(points=news[0].points)


def side(table: Table, number: int, tr: Translator) -> Json:
    """Both pegs of a side. `last` are the points of its last move, 0 before the first."""
    pegs = table.sides[number].pegs
    target = table.sides[number].target
    front = max(0, pegs.front)
    back = max(0, pegs.back)
    return {
        "front": front,
        "back": back,
        "last": last_points(pegs),
        "owner_of_crib": owns_crib(table, number),
        "seats": list(table.rules.sides[number]),
        "where": [place(front, target, tr), place(back, target, tr)],
        "where_twice": [place(front, target, tr, rounds=2), place(back, target, tr, rounds=2)],
    }


def last_points(pegs: TrackPegs) -> int:
    """The points between the pegs: those of the last move."""
    return max(0, pegs.front) - max(0, pegs.back)


def owns_crib(table: Table, number: int) -> bool:
    """Whether the crib of this deal counts for the side."""
    if table.deal is None:
        return False
    owner = table.deal.dealer if table.deal.owner is None else table.deal.owner
    return table.rules.side_of(owner) == number


def place(hole: int, target: int, tr: Translator, rounds: int = 1) -> str:
    """Where the hole of a score is, counted as on wood. `rounds`: how often the pegs go round the board."""
    if hole <= 0:
        return tr("at the start")
    if hole >= target:
        return tr("in the game hole")
    numbers = {"street": (hole - 1) // STREET + 1, "group": (hole - 1) % STREET // GROUP + 1}
    numbers["hole"] = (hole - 1) % GROUP + 1
    if rounds == 1:
        return tr("street {street}, group {group}, hole {hole}").format(**numbers)
    round_now, on_board = divmod(hole - 1, ROUND)
    numbers["street"] = on_board // STREET + 1
    sentence = tr("round {round}, street {street}, group {group}, hole {hole}")
    return sentence.format(**numbers, round=round_now + 1)
