"""The log of the page: the latest turns in words, newest first. Pure but for `Log`, which keeps the words."""

from __future__ import annotations

from firmware_host.cribbage.options import MugginsMode
from firmware_host.game.history import Turn
from firmware_host.host.snapshot import Snapshot
from firmware_host.ui.referee_mode import RefereeMode
from firmware_host.ui.texts.messages import turn_message
from firmware_host.ui.translator import Translator

LOG_TURNS = 60
"""Number of turns in the log."""


class Log:
    """Words each turn once. Use one for each language.

    A turn that is over reads the same from then on, except while points may be claimed: what is secret now is told
    later. So a game with claims is worded anew for each snapshot.
    """

    def __init__(self) -> None:
        self._texts: dict[int, tuple[Turn, str]] = {}
        self._referee_mode: RefereeMode | None = None

    def lines(self, snapshot: Snapshot, tr: Translator) -> list[dict[str, object]]:
        """The latest turns, newest first, each with its number. Turns without a text are left out."""
        table = snapshot.table
        mode = snapshot.referee_mode
        has_claims = table is not None and table.rules.muggins_mode is MugginsMode.CLAIM
        known = {} if has_claims or mode is not self._referee_mode else self._texts
        texts: dict[int, tuple[Turn, str]] = {}
        lines: list[dict[str, object]] = []
        for at, turn in enumerate(snapshot.turns[:LOG_TURNS]):
            before = known.get(turn.number)
            if before is not None and before[0] is turn:
                texts[turn.number] = before
            else:
                texts[turn.number] = turn, turn_message(turn, tr, mode, table)
            if text := texts[turn.number][1]:
                lines.append({"turn": len(snapshot.turns) - at, "text": text})
        self._texts = texts
        self._referee_mode = mode
        return lines
