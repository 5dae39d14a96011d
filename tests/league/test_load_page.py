"""LOAD.md shows the figures of the last run."""

from __future__ import annotations

from tests.league.league_load import ROOT
from tests.league.load_page import page


def test_page_is_up_to_date() -> None:
    assert (ROOT / "firmware_host" / "league" / "LOAD.md").read_text(encoding="utf-8") == page(), (
        "python -m tests.league.load_page > firmware_host/league/LOAD.md updates it"
    )
