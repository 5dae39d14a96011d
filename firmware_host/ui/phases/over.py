"""The end of a game."""

from __future__ import annotations

from firmware_host.game.rematch import next_games_dealer
from firmware_host.game.state import Table
from firmware_host.ui.phases.guide import Expects, Guide, Tone
from firmware_host.ui.texts.side_names import side_in_words
from firmware_host.ui.texts.spoken_words import ended, number_in_words, together
from firmware_host.ui.texts.win_margin import margin_of_win, win_headline
from firmware_host.ui.translator import Translator


def line(table: Table, tr: Translator) -> str:
    """For the display, in 21 columns."""
    assert table.winner is not None
    if table.to_confirm is not None:
        return tr("{name}: right? ENTER").format(name=table.side_name(table.to_confirm))
    if table.club_game is not None:
        return tr("Result confirmed")
    won = tr.counted("{name} wins! ENTER", "{name} win! ENTER", table.rules.people(table.winner))
    return won.format(name=table.side_name(table.winner))


def spoken(table: Table, tr: Translator) -> str:
    """For the voice: the score of each side, and what ENTER does."""
    scores = (
        tr("{name}: {cards}.").format(name=side_in_words(table, side, tr), cards=number_in_words(score, tr))
        for side, score in enumerate(table.scores)
    )
    if table.to_confirm is not None:
        question = tr("{name}, is that right? ENTER confirms.").format(name=side_in_words(table, table.to_confirm, tr))
        return together(*scores, question)
    if table.club_game is not None:
        return together(*scores, ended(tr("Result confirmed")))
    return together(*scores, ended(tr("ENTER: new game")))


def guide(table: Table, tr: Translator) -> Guide:
    """For the page: the winner, the scores, and who has to do what."""
    assert table.winner is not None
    losers = [side for side in range(len(table.sides)) if side != table.winner]
    won = win_headline(margin_of_win(table, table.winner), table.rules.people(table.winner), tr)
    headline = won.format(name=table.side_name(table.winner))
    if len(losers) == 1:
        detail = tr("{score} to {other}.").format(score=table.sides[table.winner].target, other=table.scores[losers[0]])
    else:
        sides = sorted(range(len(table.sides)), key=lambda side: -table.scores[side])
        detail = ", ".join(f"{table.side_name(side)} {table.scores[side]}" for side in sides) + "."
    if table.to_confirm is not None:
        detail += " " + tr("{name}, is that right?").format(name=table.side_name(table.to_confirm))
    elif table.club_game is not None:
        detail += " " + tr("Both players confirmed the result.")
    elif (dealer := next_games_dealer(table)) is not None:
        detail += " " + tr("{name} deals next.").format(name=table.names[dealer])
    return Guide(headline, detail, Tone.WIN, Expects.CONFIRM, table.winner)
