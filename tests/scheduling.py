"""Which tests share a worker of pytest-xdist, and which begin first."""

from __future__ import annotations

import re

from xdist.scheduler import LoadFileScheduling

IN_A_DEBIAN = re.compile(r"(tests/install/.*)::.*\[(bookworm|trixie)\b")
"""A test that installs into a Debian, and which. Those of one file and Debian share it: it takes a minute to unpack."""
INSTALLER = "tests/install/test_install_in_a_root.py"
LONG = (f"{INSTALLER} bookworm", f"{INSTALLER} trixie", "tests/web_panel/test_hidden_cards.py")
"""What keeps a worker busy for many minutes."""


class LongFilesFirst(LoadFileScheduling):  # type: ignore[misc]
    """`--dist loadfile` that does not leave long tests to the end, when the other workers have nothing left to do.

    Each worker begins with a file that has many tests, as without this class. What takes long is next, and the tests in
    different Debians need not wait for each other.
    """

    def _split_scope(self, nodeid: str) -> str:
        installed = IN_A_DEBIAN.match(nodeid)
        return " ".join(installed.groups()) if installed else str(super()._split_scope(nodeid))

    def schedule(self) -> None:
        """Distribute the tests."""
        super().schedule()
        for scope in reversed(LONG):
            if scope in self.workqueue:
                self.workqueue.move_to_end(scope, last=False)
