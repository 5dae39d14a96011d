"""Renders the templates of a club night, with what all of them need."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from flask import g

from firmware_host.club import by_hand as h
from firmware_host.club.conflicts import conflicts_of
from firmware_host.club.events import BracketKind
from firmware_host.club.history import place_of, why_unmatched
from firmware_host.club.members import USUAL_PRESET
from firmware_host.club.remarks import open_tables, remark
from firmware_host.club.state import Club, Night
from firmware_host.config.languages import translator
from firmware_host.cribbage.variants import PRESETS
from firmware_host.ui.translator import Translator
from web_panel.club.access import ORGANISER, REQUIRED_ROLES, may
from web_panel.club.players import match_of, phones_in_use
from web_panel.club.room import state_of
from web_panel.language import DECIMAL_COMMA, language_now
from web_panel.pages.scorecard import signed
from web_panel.pages.setting_texts import CHOICES
from web_panel.rendering import render

PLACES: Mapping[str, Callable[..., object]] = {
    "without_place": h.without_place,
    "bye_holders": h.bye_holders,
    "can_undo": h.can_undo,
    "free_tables": h.free_tables,
}
"""What templates ask about the night, mostly about one of its rounds."""


def render_club(template: str, club: Club, **context: object) -> str:
    """A template with what all pages of a club need."""
    tr = translator(language_now())
    night = club.nights[-1] if club.nights else None
    return render(
        template,
        club=club,
        night=night,
        account=g.get("account"),
        is_organiser=may(ORGANISER),
        may_use=lambda path: may(REQUIRED_ROLES[f"GET {path}"]),
        **({name: partial(ask, night) for name, ask in PLACES.items()} if night else {}),
        remark=lambda game: remark(club, game, tr),
        place_of=lambda game: place_of(game, tr),
        conflicts=conflicts_of(club, night) if night else (),
        unmatched=lambda conflict: why_unmatched(conflict.sent, tr),
        state_of=state_of,
        match_of=lambda game: match_of(night, game) if night else None,
        open_tables=tuple(open_tables(night.rounds, tr)) if night else (),
        phones=phones_in_use(night) if night else {},
        kinds=BracketKind,
        presets={name: tr(label) for name, label in CHOICES["preset"].items()},
        usual_preset=USUAL_PRESET,
        rules_in_words=rules_in_words(night, tr) if night else "",
        signed=signed,
        usual_delimiter=usual_delimiter(),
        **context,
    )


def rules_in_words(night: Night, tr: Translator) -> str:
    """The name of the preset with the rules of the night, else the variant and how far a game goes."""
    rules = night.settings.rules
    named = (label for name, label in CHOICES["preset"].items() if PRESETS[name].rules() == rules)
    if label := next(named, ""):
        return tr(label)
    return tr("{game} to {target}").format(game=tr(rules.variant.replace("_", " ")), target=rules.target)


def usual_delimiter() -> str:
    """Of the CSV for the language of the request: the one that its spreadsheets expect."""
    return "semicolon" if language_now() in DECIMAL_COMMA else "comma"
