"""How clearly a game was won: a plain win, a skunk, a lurch or a double skunk."""

from __future__ import annotations

from firmware_host.cribbage.rules import Margin
from firmware_host.game.state import Table
from firmware_host.ui.translator import Translator


def margin_of_win(table: Table, winner: int) -> Margin:
    """The margin over the side that is furthest behind."""
    losers = (score for side, score in enumerate(table.scores) if side != winner)
    return max(map(table.rules.margin, losers), key=list(Margin).index)


def win_headline(margin: Margin, people: int, tr: Translator) -> str:
    """Who won, a {name}, and how clearly. `people`: how many the winning side has."""
    match margin:
        case Margin.SKUNK:
            return tr.counted("{name} wins, and it is a skunk!", "{name} win, and it is a skunk!", people)
        case Margin.LURCH:
            return tr.counted("{name} wins, and it is a lurch!", "{name} win, and it is a lurch!", people)
        case Margin.DOUBLE_SKUNK:
            return tr.counted("{name} wins, and it is a double skunk!", "{name} win, and it is a double skunk!", people)
        case _:
            return tr.counted("{name} wins!", "{name} win!", people)


def margin_sentence(table: Table, winner: int, tr: Translator) -> str:
    """ "It is a skunk."; empty for a plain win."""
    sentences = {
        Margin.SKUNK: tr("It is a skunk."),
        Margin.LURCH: tr("It is a lurch."),
        Margin.DOUBLE_SKUNK: tr("It is a double skunk."),
    }
    return sentences.get(margin_of_win(table, winner), "")
