"""What the parts of a host share: the setup, the game, the board that is open, and what is reported to people."""

from __future__ import annotations

from collections.abc import Callable

from firmware_host.game.state import Table
from firmware_host.host.parts.active_faults import ActiveFaults
from firmware_host.host.parts.asked_game import AskedGame
from firmware_host.host.parts.notices import Notices
from firmware_host.host.setup import HostSetup
from firmware_host.host.trace_log import TraceLog
from firmware_host.pairing.pairing import Pairing
from firmware_host.storage.active_game import ActiveGame
from firmware_host.ui.shown import Shown, shown_of


class HostContext:
    """Made before the parts, so that they need not know each other. Only the host thread uses it.

    Parts read `setup`, `plan` and `board` at each use and keep no copy: settings change while the host runs, and a game
    may begin on another board.
    """

    def __init__(
        self,
        setup: HostSetup,
        game: ActiveGame,
        pairing: Pairing,
        clock: Callable[[], float],
        trace: TraceLog | None,
    ) -> None:
        """Opens the board of the game. `clock` returns monotonic seconds."""
        self.setup = setup
        self.game = game
        self.pairing = pairing
        self.clock = clock
        self.trace = trace
        self.faults = ActiveFaults()
        self.notices = Notices()
        self.asked_game = AskedGame()
        self.plan = setup.plan_of(game.table)
        self.board = setup.open_board(self.plan)
        self.revision = 0
        """Grows with every visible change that no part counts."""
        self._shown: Shown | None = None

    @property
    def shown(self) -> Shown | None:
        """What may be shown of the present table; computed only when the table is another one."""
        table = self.game.table
        if table is None:
            self._shown = None
        elif self._shown is None or self._shown.whole is not table:
            self._shown = shown_of(table)
        return self._shown

    @property
    def table(self) -> Table | None:
        """The game that is shown; None before the first one."""
        return self.game.table
