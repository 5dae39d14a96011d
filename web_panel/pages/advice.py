"""Two pages of explanation: where each point of a score comes from, and which cards to discard."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, request

from firmware_host.config.languages import translator
from firmware_host.cribbage.cards import parse_cards
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.rules import RuleSet
from firmware_host.game.state import Table
from firmware_host.host.loop import Host
from firmware_host.strategy.discard_judge import Discard, judge_discards
from firmware_host.strategy.table_view import scores_for_advice
from firmware_host.ui.texts.error_messages import error_message
from firmware_host.ui.texts.messages import with_suit_symbol
from firmware_host.ui.texts.score_breakdown import score_steps
from web_panel.language import format_number, language_now
from web_panel.rendering import render

MAX_DISCARDS = 8


def make_advice(host: Host, gives_advice: Callable[[Table | None], bool]) -> Blueprint:
    """The pages /score-breakdown and /advice. `gives_advice` says whether a game allows advice."""
    pages = Blueprint("advice", __name__)

    @pages.get("/score-breakdown")
    def score_breakdown() -> str:
        """The cards and peg moves behind every point of every side."""
        snapshot = host.snapshot
        table = snapshot.table
        tr = translator(language_now())
        if table is None or not snapshot.referee_mode.announces_counts:
            return render("score_breakdown.html", breakdowns=[], is_game_on=table is not None)
        breakdowns = [
            (table.side_name(side), pegs.front, score_steps(snapshot.history, side, tr))
            for side, pegs in enumerate(table.pegs)
        ]
        return render("score_breakdown.html", breakdowns=breakdowns, pretty=with_suit_symbol)

    @pages.get("/advice")
    def advice() -> str:
        """The best discards from the cards in the query string. Nothing is stored or sent to others."""
        cards = request.args.get("cards", "")
        own = request.args.get("crib") != "theirs"
        is_given = gives_advice(host.snapshot.table)
        discards, error = best_discards(cards, own, host) if cards and is_given else ((), "")
        return render(
            "advice.html",
            cards=cards,
            own=own,
            is_given=is_given,
            error=error,
            discards=[(discard.discarded, discard.kept, numbers(discard)) for discard in discards[:MAX_DISCARDS]],
            pretty=with_suit_symbol,
        )

    return pages


def rules_at(host: Host) -> RuleSet:
    """The rules of the game under way, else those of the first preset game."""
    table = host.snapshot.table
    return table.rules if table else host.setup.games[0]


def best_discards(cards: str, own: bool, host: Host) -> tuple[tuple[Discard, ...], str]:
    """All discards, best first, and an empty text; or none, and why in the language of the request."""
    try:
        scores = scores_for_advice(host.snapshot.table, own)
        return judge_discards(parse_cards(cards), rules_at(host), own_crib=own, scores=scores), ""
    except Refusal as refusal:
        return (), error_message(refusal, translator(language_now()))


def numbers(discard: Discard) -> tuple[str, ...]:
    """Average of hand, crib, play and total, and the range of the hand."""
    language = language_now()
    means = (float(mean) for mean in (discard.hand, discard.mean_crib, discard.play, discard.total))
    return (*(format_number(mean, language, 2) for mean in means), f"{discard.least}–{discard.most}")
