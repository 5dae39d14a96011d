"""The menu of the main page: short groups, and everything that a player looks for."""

from __future__ import annotations

import re

from tests.web_panel.conftest import Rig

MOST_ENTRIES = 7
"""Of one group."""


def test_the_menu_has_short_groups_and_the_coach(rig: Rig) -> None:
    rig.begin()
    page = rig.get("/").text
    menu = page[page.index('<dialog id="menu"') :]
    menu = menu[: menu.index("</dialog>")]
    groups = re.split(r"</nav>|</div>", menu)
    assert max(group.count("data-item") for group in groups) <= MOST_ENTRIES
    assert 'href="/coach"' in menu


def test_a_corrected_score_is_asked_for_as_a_score(rig: Rig) -> None:
    assert 'data-score="New score"' in rig.get("/").text
