"""The end of a game in sentences: margin, best hand, points left behind, and where points came from. Pure."""

from __future__ import annotations

from firmware_host.stats.result import GameResult, MissedPoints, Origin, missed_by
from firmware_host.ui.texts.cadence import scores_in_words
from firmware_host.ui.texts.messages import with_suit_symbol
from firmware_host.ui.texts.win_margin import win_headline
from firmware_host.ui.translator import Translator, labelled
from web_panel.json_type import Json


def result_view(result: GameResult, tr: Translator) -> Json:
    """The end of a finished game. Every text is in the language of `tr`."""
    sides = range(len(result.scores))
    return {
        "headline": headline(result, tr),
        "margin": margin(result, tr),
        "sides": [{"name": result.side_name(side), "score": result.scores[side]} for side in sides],
        "winner": result.winner,
        "best_hand": best_hand(result, tr),
        "left_behind": [left_behind(result, side, tr) for side in sides] if result.has_cards else [],
        "origins": origins(result, tr) if result.has_cards else None,
        "share_text": share_text(result, tr),
    }


def headline(result: GameResult, tr: Translator) -> str:
    """Who won, and whether by a skunk."""
    outcome = result.outcome
    assert outcome
    won = win_headline(outcome.margin, result.rules.people(outcome.winner), tr)
    return won.format(name=result.side_name(outcome.winner))


def margin(result: GameResult, tr: Translator) -> str:
    """By how much, and what the game is worth where it is a skunk."""
    outcome = result.outcome
    assert outcome
    holes = outcome.spread[outcome.winner]
    said = tr.counted("The game was won by {points} point.", "The game was won by {points} points.", holes)
    if not outcome.is_skunk:
        return said.format(points=holes)
    losers = [side for side in range(len(result.scores)) if side != outcome.winner]
    best = max(losers, key=lambda side: result.scores[side])
    line = min(line for line in result.rules.skunk_lines if result.scores[best] < line)
    behind = tr.counted("{name} is below {line}.", "{name} are below {line}.", result.rules.people(best))
    below = behind.format(name=result.side_name(best), line=line)
    points = outcome.points[outcome.winner]
    worth = tr.counted("It is worth {points} match point.", "It is worth {points} match points.", points)
    return f"{said.format(points=holes)} {below} {worth.format(points=points)}"


def best_hand(result: GameResult, tr: Translator) -> Json | None:
    """The hand that counted most; None if none was counted, or all counted nothing."""
    best = result.best
    if best is None or not best.points:
        return None
    sentence = tr("Best crib: {name}, deal {number}") if best.is_crib else tr("Best hand: {name}, deal {number}")
    title = sentence.format(name=result.names[best.seat], number=best.deal)
    return {
        "title": title,
        "summary": labelled(title, str(best.points), tr),
        "points": best.points,
        "cards": [with_suit_symbol(card) for card in best.cards],
        "starter": with_suit_symbol(best.starter),
    }


def left_behind(result: GameResult, side: int, tr: Translator) -> Json:
    """The points that one side lost because nobody pegged them in time."""
    missed = missed_by(result, side)
    text = missed_text(missed[0], tr) if len(missed) == 1 else ""
    if len(missed) > 1:
        text = tr.counted("{number} time", "{number} times", len(missed)).format(number=len(missed))
    return {
        "title": tr("Left behind: {name}").format(name=result.side_name(side)),
        "points": sum(each.points for each in missed),
        "text": text or tr("nothing missed"),
    }


def missed_text(missed: MissedPoints, tr: Translator) -> str:
    """What was missed, and in which deal."""
    return tr("{what}, deal {number}").format(what=missed_what(missed, tr), number=missed.deal)


def missed_what(missed: MissedPoints, tr: Translator) -> str:
    """A score in the play in words; the hand or the crib in the show."""
    if missed.origin is Origin.HANDS:
        return tr("in the hand")
    if missed.origin is Origin.CRIBS:
        return tr("in the crib")
    return scores_in_words(missed.scores, tr) if missed.scores else tr("in the play")


def origins(result: GameResult, tr: Translator) -> Json:
    """Where the points came from, as a table. The column of other points is left out where there are none."""
    titles = {
        Origin.PLAY: tr("Play"),
        Origin.HANDS: tr("Hands"),
        Origin.CRIBS: tr("Cribs"),
        Origin.OTHER: tr("Other"),
    }
    has_others = any(side[Origin.OTHER] for side in result.origins)
    columns = [origin for origin in Origin if has_others or origin is not Origin.OTHER]
    rows = [
        {"name": result.side_name(number), "points": [side[origin] for origin in columns]}
        for number, side in enumerate(result.origins)
    ]
    return {"columns": [titles[origin] for origin in columns], "rows": rows}


def share_text(result: GameResult, tr: Translator) -> str:
    """The game in a few lines, to send to others."""
    order = sorted(range(len(result.scores)), key=lambda side: side != result.winner)
    scores = ", ".join(f"{result.side_name(side)} {result.scores[side]}" for side in order)
    lines = [headline(result, tr), f"{scores}."]
    if best := best_hand(result, tr):
        lines.append(f"{best['summary']}.")
    return "\n".join(lines)
