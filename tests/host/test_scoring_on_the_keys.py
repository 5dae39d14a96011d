"""A game on a board that people own, scored by the sixteen keys: what they do, and what display and voice say."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from firmware_host.board.peg_source import PegSource
from firmware_host.config.languages import translator
from firmware_host.cribbage.cards import parse_card
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.game.state import Phase
from firmware_host.host.spoken_situation import spoken_game, spoken_last_turn
from firmware_host.storage.journal import Journal
from firmware_host.ui.display.oled_page import COLUMNS
from firmware_host.ui.translator import untranslated
from tests.host.bench import HostBench

LANGUAGES = ["en", "fr", "pl", "ru"]


def desk(variant: str = "six_card", language: str = "en", **options: object) -> HostBench:
    """A board of kit `desk`: keys and a display, and nothing reads the pegs. Ann deals."""
    bench = HostBench(Journal.in_memory())
    tr = untranslated if language == "en" else translator(language)
    bench.setup = replace(bench.setup, peg_sources=(PegSource.BY_HAND,), translator=tr)
    bench.switch_on()
    rules = rules_for(variant, options)
    names = ("Ann", "Ben", "Cat", "Dan", "Eva", "Finn")[: rules.players]
    bench.host.execute(c.StartGame(rules, names, dealer=Seat(0)))
    bench.wait(0.1)
    return bench


def page(bench: HostBench) -> list[str]:
    return [line for line, _scale in bench.host.snapshot.oled_page]


def text(bench: HostBench) -> str:
    return " ".join(page(bench))


@pytest.mark.parametrize(
    ("keys", "scores"),
    [
        ("A 8", (8, 0)),
        ("2 10", (0, 10)),
        ("2 Q", (0, 12)),
        ("A K 2 9 ENTER", (29, 0)),
        ("A UNDO 2 A", (0, 1)),
        ("3 5", (0, 0)),
        ("A 8 A 2 UNDO", (8, 0)),
    ],
)
def test_two_keys_score(keys: str, scores: tuple[int, int]) -> None:
    bench = desk()
    bench.keys(keys)
    assert bench.table.scores == scores


def test_each_of_six_players_has_a_key() -> None:
    bench = desk("six_hand")
    for key in ("A", "2", "3", "4", "5", "6"):
        bench.keys(f"{key} {key}")
    assert bench.table.scores == (1, 2, 3, 4, 5, 6)
    assert "6 Finn" in text(bench)


def test_the_display_says_whose_key_is_which_and_where_the_peg_goes() -> None:
    bench = desk()
    assert page(bench)[:2] == ["Points? ENTER: deal", "A Ann•          2 Ben"]
    bench.keys("A")
    assert page(bench) == ["Ann: how many?", "A-10: 1-10", "J: 11  Q: 12", "K: 13-29"]
    bench.keys("8")
    assert "Ann +8, now 8. Peg 0 to 8." in text(bench)
    bench.keys("UNDO")
    assert "Ann back to 0. Front peg 0, back peg 0." in text(bench)


def test_the_voice_says_the_same() -> None:
    bench = desk()
    bench.keys("A 8")
    assert spoken_last_turn(bench.host.snapshot, untranslated) == "Ann, peg eight, to eight."
    bench.keys("UNDO")
    said = spoken_game(bench.host.snapshot, untranslated)
    assert said and said.text.startswith("Ann back to zero. Front peg zero, back peg zero.")


def test_fn_twice_begins_the_starter_and_then_cards_score_by_themselves() -> None:
    bench = desk()
    bench.keys("FN FN 4 J 5 10")
    assert bench.table.scores == (2, 0) and bench.table.is_followed
    assert "Fifteen for two, Ann. Peg 0 to 2." in text(bench)
    bench.keys("FN FN 2 3 ENTER")
    assert bench.table.scores == (2, 3)


def test_a_skipped_deal_asks_first_and_a_played_one_does_not() -> None:
    bench = desk()
    bench.keys("A 8 ENTER")
    assert bench.table.deal and bench.table.deal.number == 2
    bench.keys("ENTER")
    assert bench.table.deal.number == 2 and "Skip this deal?" in text(bench)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_whole_game_by_the_keypad_alone(language: str) -> None:
    """Without a card, to 61; no line of the display is too long, and the next game has the same pegs."""
    bench = desk("five_card", language, three_for_last="off")
    for keys in ("A 4", "2 3", "2 Q", "A 8", "ENTER") * 5:
        if bench.table.phase is not Phase.OVER:
            bench.keys(keys)
            assert all(len(line) * scale <= COLUMNS for line, scale in bench.host.snapshot.oled_page), page(bench)
    assert max(bench.table.scores) == 61
    bench.keys("ENTER")
    assert bench.table.is_by_hand and bench.table.scores == (0, 0)


def test_a_claim_of_muggins_is_two_keys_and_enter() -> None:
    bench = desk(muggins_mode="claim")
    for command in (c.CutStarter(parse_card("4S")), c.PlayCard(parse_card("5C")), c.PlayCard(parse_card("10C"))):
        bench.host.execute(command)
    bench.wait(0.1)
    bench.keys("FN FN A A ENTER")  # one of two
    bench.keys("3")
    bench.keys("FN A ENTER")
    assert bench.table.scores == (1, 1)
    assert "Muggins: 1 point to Ben. Peg 0 to 1." in text(bench)
