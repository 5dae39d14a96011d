"""The cards of matches, nine games each: to look at, and to print and sign."""

from __future__ import annotations

from flask import Blueprint

from firmware_host.archive import Archive
from firmware_host.languages import words
from firmware_host.match import GAMES_A_CARD, CardLine, cards
from web_panel.captions import lost_by
from web_panel.language import language_now
from web_panel.pages import spoken

MINUS = "\N{MINUS SIGN}"


def make_card(archive: Archive) -> Blueprint:
    pages = Blueprint("card", __name__)

    @pages.get("/card")
    def card() -> str:
        """Every card there is, the latest first; what is still free of it stays free to be written in."""
        language = words(language_now())
        return spoken(
            "card.html",
            cards=cards(past.summary for past in archive.games())[::-1],
            games_a_card=GAMES_A_CARD,
            signed=signed,
            how=lambda line: lost_by(line.outcome.margin, language),
            dealer_of=dealer_of,
        )

    return pages


def dealer_of(line: CardLine) -> str:
    """Who dealt first; empty where nobody told."""
    dealer = line.game.first_dealer
    return "" if dealer is None else line.game.names[dealer]


def signed(holes: int) -> str:
    """A spread as it stands on a card: +12, −12, 0."""
    return f"{holes:+d}".replace("-", MINUS) if holes else "0"
