"""The texts beside a score: points still to move, the status of the side, and its progress for screen readers."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_host.cribbage.rules import Margin, RuleSet, Side
from firmware_host.game.state import Phase, Table
from firmware_host.ui.shown import Shown
from firmware_host.ui.translator import Translator


def peg_label(shown: Shown, number: int, pending: int, tr: Translator) -> str:
    """The points that the peg must still move, or where it belongs; empty when it is there.

    `pending` points were moved and have not settled; below zero the peg moved back.
    """
    side = shown.sides[number]
    owed = side.owed
    if pending:
        return f"{pending:+} ?".replace("-", "−")
    if owed > 0 and side.is_astray:
        return tr("peg to {score}").format(score=side.goal.front)
    if owed > 0:
        return tr("{points} to peg").format(points=owed)
    if owed == 0:
        return ""
    sentence = tr("back {points}") if shown.table.sides[number].is_to_go_back else tr("{points} too many")
    return sentence.format(points=-owed)


def status_label(table: Table, side: int, tr: Translator) -> str:
    """The points left to the target, or how the game ended for this side."""
    left = table.sides[side].target - table.scores[side]
    if table.winner == side:
        return tr("wins the game")
    if table.phase is Phase.OVER:
        margin = table.rules.margin(table.scores[side])
        return margin_label(margin, tr) or tr("{points} short").format(points=left)
    return tr("{points} to go").format(points=left)


def margin_label(margin: Margin, tr: Translator) -> str:
    """How badly a side lost; empty without a skunk."""
    labels = {
        Margin.SKUNK: tr("lost by a skunk"),
        Margin.LURCH: tr("lost by a lurch"),
        Margin.DOUBLE_SKUNK: tr("lost by a double skunk"),
    }
    return labels.get(margin, "")


def progress_label(table: Table, side: int, tr: Translator) -> str:
    """The text alternative of the progress bar."""
    score = table.scores[side]
    back = table.sides[side].pegs.back
    ahead = [line for line in table.rules.skunk_lines if score < line]
    target = table.rules.target_of(Side(side))
    label = tr("{score} of {target}, back peg at {back}").format(score=score, target=target, back=max(0, back))
    if not ahead:
        return label
    is_lurch = table.rules.margin(ahead[-1] - 1) is Margin.LURCH
    line = tr("lurch line at {line}") if is_lurch else tr("next skunk line at {line}")
    return f"{label}, {line.format(line=ahead[-1])}"


def skunk_word(rules: RuleSet, tr: Translator) -> str:
    """What players call a loss below the first line; empty without such a line."""
    if not rules.skunk_lines:
        return ""
    return tr("lurch") if rules.has_lurch and len(rules.skunk_lines) == 1 else tr("skunk")


def go_on_label(table: Table, tr: Translator) -> str:
    """The button that goes on with a stored game: who plays, and the score. Empty for a game that is over."""
    if table.phase is Phase.OVER:
        return ""
    names = [table.side_name(side) for side in range(len(table.sides))]
    scores = [str(score) for score in table.scores]
    text = tr("{one} to {other}").format(one=scores[0], other=scores[1]) if len(scores) == 2 else ", ".join(scores)
    return tr("Go on with {names}, {scores}").format(names=names_in_words(names, tr), scores=text)


def names_in_words(names: Sequence[str], tr: Translator) -> str:
    """Names as a list in words: Ann, Ben and Cat."""
    *first, last = names
    return tr("{names} and {last}").format(names=", ".join(first), last=last) if first else last
