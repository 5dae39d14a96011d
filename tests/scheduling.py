"""Which tests share a worker of pytest-xdist, and which begin first."""

from __future__ import annotations

import re

from xdist.scheduler import LoadFileScheduling

SHARING = (
    re.compile(r"(tests/install)/.*::.*\[(bookworm|trixie)\b"),
    re.compile(r"(tests/pcb/test_kicad_board\.py)::\w+\[([\w-]+)\]"),
)
"""Tests that share what takes a minute to make: a Debian that is unpacked, a board that is drawn. Each is made once, by
the worker that has all tests of it."""
LONG = (
    "tests/install bookworm",
    "tests/install trixie",
    "tests/web_panel/test_hidden_cards.py",
    "tests/web_panel/test_lane_in_a_browser.py",
    "tests/web_panel/test_phones_in_a_browser.py",
    "tests/league/test_league_servers.py",
    "tests/strategy/test_strength.py",
    "tests/web_panel/test_own_pegs_in_a_browser.py",
    "tests/web_panel/test_cards_in_a_browser.py",
    "tests/web_panel/test_a_game_by_keyboard.py",
    "tests/web_panel/test_dealt_cards_in_a_browser.py",
    "tests/club/test_load.py",
)
"""What keeps a worker busy for minutes, or has a test that takes one, the longest first."""


class LongFilesFirst(LoadFileScheduling):  # type: ignore[misc]
    """`--dist loadfile` that does not leave long tests to the end, when the other workers have nothing left to do.

    Each worker begins with a file that has many tests, as without this class. What takes long is next, and the tests in
    different Debians, or of different boards, need not wait for each other.
    """

    def _split_scope(self, nodeid: str) -> str:
        found = next(filter(None, (sharing.match(nodeid) for sharing in SHARING)), None)
        return " ".join(found.groups()) if found else str(super()._split_scope(nodeid))

    def schedule(self) -> None:
        """Distribute the tests."""
        super().schedule()
        for scope in reversed(LONG):
            if scope in self.workqueue:
                self.workqueue.move_to_end(scope, last=False)
