"""LOAD.md is made from the stored figures."""

from __future__ import annotations

from pathlib import Path

from tests.league.load_page import page

LOAD = Path(__file__).parents[2] / "firmware_host" / "league" / "LOAD.md"


def test_the_page_shows_the_stored_figures() -> None:
    assert LOAD.read_text(encoding="utf-8") == page(), "make league-load"
