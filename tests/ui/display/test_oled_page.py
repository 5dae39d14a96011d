"""The page of the display in small letters: it fits the panel, whoever plays."""

from __future__ import annotations

import pytest

from firmware_host.ui.display.oled_page import COLUMNS, ROWS, page, with_scores
from tests.ui.display.test_tall_page import LONG, table

TABLES = {"six_card": "AB", "three_hand": "ABC", "four_single": "ABCD", "five_hand": "ABCDE", "six_hand": "ABCDEF"}


@pytest.mark.parametrize("variant", TABLES)
@pytest.mark.parametrize("prompt", ["Play", LONG])
def test_page_fits_the_panel_and_has_every_score(variant: str, prompt: str) -> None:
    now = table(variant, *TABLES[variant])
    for lines in (page(prompt, now, LONG), with_scores((("Play", 1), ("8♦ 9♥ Q♥ Q♠", 1)), now, LONG)):
        assert sum(scale for _, scale in lines) == ROWS
        assert all(len(text) * scale <= COLUMNS for text, scale in lines)
        assert sum(text.split().count("0") for text, _ in lines) == len(now.sides)
