"""The page that starts a game: who plays, how far, who deals first, and the house rules as questions.

Everything is filled in from the last game, or from the settings before the first one, so that Start is enough.
"""

from __future__ import annotations

import msgspec
from flask import Blueprint, json, request
from msgspec import Struct

from firmware_host.board.peg_source import PegSource
from firmware_host.config.languages import translator
from firmware_host.config.settings_editor import SettingsEditor
from firmware_host.cribbage.compatibility import NEEDS
from firmware_host.cribbage.levels import Level
from firmware_host.cribbage.rules import RuleSet, Seat
from firmware_host.cribbage.variants import VARIANTS
from firmware_host.game.rematch import next_games_dealer
from firmware_host.game.state import Phase, Table
from firmware_host.host.loop import Host
from firmware_host.ui.translator import Translator
from web_panel.language import language_now
from web_panel.pages import house_rules
from web_panel.pages.board import display_language, offered_names
from web_panel.rendering import render

MAX_PLAYERS = 6
PRESETS = ("family", "kitchen", "acc")
"""The presets on the page. Beside them stand one's own rules."""

KINDS = ("usual", "five_card", "seven_card", "auction")
"""Kinds of game: with the usual one, the number of players decides about the deal."""
KIND_PLAYERS = {"usual": range(2, 7), "five_card": (2,), "seven_card": (2,), "auction": range(2, 5)}


class Draft(Struct, frozen=True):
    """What the form shows at first."""

    names: tuple[str, ...]
    rules: RuleSet
    board: str
    dealer: Seat | None
    """None: the cards are cut."""
    is_dealt: bool = False
    """Whether the program deals the cards."""
    level: str = ""
    """How well the program plays for all players but the first; empty: people play."""

    @property
    def kind(self) -> str:
        """One of KINDS."""
        return self.rules.variant if self.rules.variant in KINDS else KINDS[0]

    @property
    def seating(self) -> str:
        """Who plays with whom: single, two_sides, three_sides or captain."""
        return "captain" if self.rules.captain else house_rules.values_of(self.rules)["sides"] or "single"

    @property
    def changes(self) -> dict[str, str]:
        """The house rules that differ from the variant, without those that are asked for elsewhere."""
        changes = house_rules.offered("", self.rules).changes
        return {name: choice for name, choice in changes.items() if choice and name not in house_rules.NOT_ASKED}


def fields_of(draft: Draft) -> dict[str, object]:
    """What the script of the page fills in."""
    return {"target": draft.rules.target, "dealer": draft.dealer, "rules": draft.changes}


def pegs_of(host: Host, table: Table | None) -> str | None:
    """Where the pegs of the new game are: as the first page asked (`?pegs=`), or as in the last game on an own board.
    None: where this board usually has them."""
    asked = request.args.get("pegs", PegSource.BY_HAND if table and table.is_by_hand else "")
    return asked if asked in host.setup.peg_sources else None


def make_new_game(host: Host, settings_editor: SettingsEditor | None) -> Blueprint:
    """The page /new-game. It sends /api/v1/commands/new-game."""
    pages = Blueprint("new_game", __name__)

    @pages.get("/new-game")
    def new_game() -> str:
        tr = translator(language_now())
        table = host.snapshot.table
        draft = draft_of(host, table)
        return render(
            "new_game.html",
            draft=draft,
            draft_json=json.dumps(fields_of(draft) | {"pegs": pegs_of(host, table)}),
            names=default_names(host, table),
            is_under_way=table is not None and table.phase is not Phase.OVER,
            levels=level_names(tr),
            has_card_reader=host.setup.card_reader is not None,
            plans=host.setup.plans,
            variants_json=json.dumps({game.name: game.values for game in house_rules.variants()}),
            needs=[msgspec.to_builtins(need) for need in NEEDS],
            presets={game.name: preset_changes(game) for game in house_rules.presets() if game.name in PRESETS},
            kinds={kind: KIND_PLAYERS[kind] for kind in KINDS},
            kind_names=kind_names(tr),
            questions=[each for each in house_rules.questions() if each.name not in house_rules.NOT_ASKED],
            display_language=display_language(settings_editor),
        )

    return pages


def draft_of(host: Host, table: Table | None) -> Draft:
    """The same people, rules and board as in the last game; else those of the settings."""
    if table is None or table.is_demo:
        rules = host.setup.games[0]
        return Draft(offered_names(host.setup)[: rules.players], rules, host.snapshot.plan.id, None)
    level = next((level.value for level in table.levels if level is not None), "")
    return Draft(table.names, table.rules, table.board, next_games_dealer(table), table.is_dealt, level)


def default_names(host: Host, table: Table | None) -> tuple[str, ...]:
    """A name for every seat: of the last game, then of the settings."""
    known = table.names if table is not None and not table.is_demo else ()
    return (*known, *offered_names(host.setup)[len(known) : MAX_PLAYERS])


def preset_changes(game: house_rules.OfferedGame) -> dict[str, str]:
    """The house rules that a preset sets, whatever is played with them."""
    return {name: choice for name, choice in game.changes.items() if name not in house_rules.NOT_ASKED}


def kind_names(tr: Translator) -> dict[str, str]:
    """Kind of game -> its name."""
    usual = {KINDS[0]: tr("Usual game")}
    return usual | {kind: tr(kind.replace("_", " ")) for kind in KINDS if kind in VARIANTS}


def level_names(tr: Translator) -> dict[str, str]:
    """Level -> its name, for a program that plays."""
    return {
        Level.BEGINNER.value: tr("The board: beginner"),
        Level.CLUB.value: tr("The board: club player"),
        Level.EXPERT.value: tr("The board: expert"),
    }
