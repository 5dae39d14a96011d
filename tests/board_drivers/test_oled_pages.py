"""Whole pages of the OLED compared with golden files, as text pictures. A changed glyph shows up as a diff."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import pytest

from board_drivers.simulated import SimulatedBoard

GOLDEN = Path(__file__).parents[1] / "golden"

PAGES = {
    "oled_two_players_en": [
        ("Ann: 3 more, to 36", 1),
        ("", 1),
        ("Ann               Bob", 1),
        ("47   52", 3),
        ("Fifteen 2, pair is 4", 1),
        ("5♥ 5♠ 10♦ J♣", 1),
    ],
    "oled_three_players_fr": [
        ("À Zoé : « 15 », où ça ?", 1),
        ("Zoé    112", 2),
        ("Noël    98", 2),
        ("Maître   9", 2),
        ("Chevilles à côté → 37", 1),
    ],
    "oled_sentences_ru": [
        ("Боб: ещё 3, до 36 ↑", 1),
        ("Съешь ж этих мягких", 1),
        ("французских булок,", 1),
        ("да выпей чаю. ЦЩЭЙ", 1),
        ("Юля 120", 3),
    ],
    "oled_sentences_pl": [
        ("Łukasz: jeszcze 3 ▲", 1),
        ("Zażółć gęślą jaźń", 1),
        ("ZAŻÓŁĆ GĘŚLĄ JAŹŃ", 1),
        ("„Kołek” — dziura 61 ✓", 1),
        ("Świnks 86", 2),
        ("½ × 2 …", 2),
    ],
}


def keep_golden(name: str, rows: Sequence[str]) -> NoReturn:
    """Call this in place of the comparison to rewrite a golden page. It fails, so that the call cannot stay."""
    (GOLDEN / f"{name}.txt").write_text("\n".join(rows) + "\n", encoding="utf-8")
    pytest.fail("golden page rewritten: check the diff, then remove this call")


def drawn(page: Sequence[tuple[str, int]]) -> list[str]:
    board = SimulatedBoard(sensor_count=1, led_count=1)
    board.scoreboard.show(page)
    return ["".join("#" if lit else "." for lit in row) for row in board.oled_pixels()]


@pytest.mark.parametrize("name", PAGES)
def test_page_matches_its_golden_file(name: str) -> None:
    assert drawn(PAGES[name]) == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8").splitlines()
