"""The menus of a new game and of the deal."""

from __future__ import annotations

import pytest

from firmware_host.config.languages import LANGUAGES, translator
from firmware_host.cribbage.rules import RuleSet, Seat
from firmware_host.cribbage.variants import PRESETS, VARIANTS, rules_for
from firmware_host.game import commands as c
from firmware_host.game.decide import decide
from firmware_host.ui.display.oled_page import COLUMNS
from firmware_host.ui.keys.input_state import InputContext, NewGame
from firmware_host.ui.keys.menus import game_label, misdeals, values, with_option
from firmware_host.ui.translator import untranslated
from tests.ui.test_messages_in_languages import OFFER

CONTEXT = InputContext(None, False, (OFFER,), tuple(VARIANTS.values()), ("Ann", "Ben"))


def offered(rules: RuleSet, option: str) -> list[str]:
    """The values of the option that the menu offers beside these rules."""
    return [choice.label for choice in values(NewGame(rules, OFFER, option), CONTEXT, untranslated)]


@pytest.mark.parametrize(
    ("options", "option", "labels"),
    [
        ({}, "muggins_scope", ["both •"]),
        ({"muggins_mode": "claim"}, "muggins_scope", ["both •", "show"]),
        ({"muggins_mode": "claim", "muggins_scope": "show"}, "muggins_mode", ["off", "coach", "claim •", "automatic"]),
        ({"lowball": "on"}, "muggins_mode", ["off •", "coach"]),
        ({}, "stinkhole", ["off •", "heels and go", "heels", "show only"]),
        ({"target": 61}, "go_limit", ["none •"]),
    ],
)
def test_only_values_that_go_with_the_others_are_offered(
    options: dict[str, object], option: str, labels: list[str]
) -> None:
    assert offered(rules_for("six_card", options), option) == labels


def test_a_changed_option_takes_those_that_need_it_away() -> None:
    rules = rules_for("six_card", {"muggins_mode": "claim", "muggins_scope": "show"})
    assert with_option(rules, "muggins_mode", "off") == VARIANTS["six_card"]


def test_an_exposed_card_is_offered_where_a_misdeal_costs_points() -> None:
    start = c.StartGame(rules_for("six_card", {"misdeal": "two_points"}), ("Ann", "Ben"), dealer=Seat(0))
    table = decide(None, start).table
    choices = list(misdeals(table, untranslated))
    assert [choice.result.command for choice in choices] == [c.Misdeal(1), c.Misdeal(1, is_exposed=True)]
    usual = decide(None, c.StartGame(VARIANTS["six_card"], ("Ann", "Ben"), dealer=Seat(0))).table
    assert [choice.result.command for choice in misdeals(usual, untranslated)] == [c.Misdeal(1)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_presets_are_named_in_the_language_of_the_board(language: str) -> None:
    """A line of the display has the key and a space before the label."""
    tr = translator(language)
    labels = [game_label(preset.rules(), tr) for preset in PRESETS.values() if preset.options]
    assert labels == [tr(preset.label) for preset in PRESETS.values() if preset.options]
    assert not {*labels} & {*PRESETS} and max(map(len, labels)) <= COLUMNS - 2
