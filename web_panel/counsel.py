"""Two pages that settle questions at the table: "why 73?", and what to lay away."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, request

from firmware_host.cribbage.advice import Discard, advise
from firmware_host.cribbage.cards import parse_cards
from firmware_host.cribbage.refusals import Refusal
from firmware_host.cribbage.rules import RuleSet
from firmware_host.host import Host
from firmware_host.languages import words
from firmware_host.table.refusing import say_refused
from firmware_host.table.state import Table
from firmware_host.table.why import why
from firmware_host.table.wording import pretty
from web_panel.language import in_figures, language_now
from web_panel.pages import spoken

BEST = 8


def make_counsel(host: Host, gives_advice: Callable[[Table | None], bool]) -> Blueprint:
    pages = Blueprint("counsel", __name__)

    @pages.get("/why")
    def explain() -> str:
        """The cards and the hole moves behind every point of every side."""
        snapshot = host.snapshot
        table, language = snapshot.table, words(language_now())
        told = table if table and snapshot.manner.tells_counts else None
        sides = range(len(told.pegs)) if told else range(0)
        accounts = (
            [(told.side_name(side), told.pegs[side].front, why(snapshot.chronicle, side, language)) for side in sides]
            if told
            else []
        )
        return spoken("why.html", accounts=accounts)

    @pages.get("/advice")
    def advice() -> str:
        """What to lay away from the cards in the address; nothing is kept, and nobody else is told."""
        cards, own = request.args.get("cards", ""), request.args.get("crib") != "theirs"
        is_given = gives_advice(host.snapshot.table)
        discards, refused = counsel(cards, own, rules_at(host)) if cards and is_given else ((), "")
        return spoken(
            "advice.html",
            cards=cards,
            own=own,
            is_given=is_given,
            refused=refused,
            discards=[
                (*map(listed, (discard.laid_away, discard.kept)), *figures(discard)) for discard in discards[:BEST]
            ],
        )

    return pages


def rules_at(host: Host) -> RuleSet:
    table = host.snapshot.table
    return table.rules if table else host.house.games[0]


def counsel(cards: str, own: bool, rules: RuleSet) -> tuple[tuple[Discard, ...], str]:
    try:
        return advise(parse_cards(cards), rules, own_crib=own), ""
    except Refusal as refusal:
        return (), say_refused(refusal, words(language_now()))


def listed(cards: tuple[object, ...]) -> str:
    return " ".join(map(pretty, cards))


def figures(discard: Discard) -> tuple[str, ...]:
    """Hand, crib and total, and the least and most that the hand can be worth."""
    language = language_now()
    means = (float(mean) for mean in (discard.hand, discard.crib, discard.total))
    return (*(in_figures(mean, language, 2) for mean in means), f"{discard.least}–{discard.most}")
