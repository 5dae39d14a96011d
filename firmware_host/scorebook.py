"""The game that is on, and the journal it is written in: nothing is believed before it is durable."""

from __future__ import annotations

from collections.abc import Container, Sequence
from pathlib import Path

from firmware_host.journal import Journal
from firmware_host.rescue import restore_open
from firmware_host.table.chronicle import Chronicle
from firmware_host.table.events import Event
from firmware_host.table.orders import Observation, Order
from firmware_host.table.state import Table


class Scorebook:
    """Opened at the game that was on when the power went, if its board is one of `boards`."""

    def __init__(self, journal: Journal, boards: Container[str]) -> None:
        self._journal, self._boards = journal, boards
        self.chronicle = resumed(journal, boards)

    @property
    def table(self) -> Table | None:
        return self.chronicle.table

    @property
    def path(self) -> Path | None:
        """None of a journal in memory."""
        return self._journal.path

    def take(self, wish: Order | Observation) -> Sequence[Event]:
        """Decide, make durable, believe. Raises Refusal or JournalFault, and then nothing has happened."""
        events = self.chronicle.decide(wish)
        if events:
            self._journal.append(events)
            self.chronicle = self.chronicle.after(events)
        return events

    def put_back(self, source: Path) -> None:
        """Let the copy in `source` take the place of all games. Raises JournalFault, and then all is as it was."""
        self._journal, refused = restore_open(self._journal, source)
        if refused:
            raise refused
        self.chronicle = resumed(self._journal, self._boards)

    def close(self) -> None:
        self._journal.close()


def resumed(journal: Journal, boards: Container[str]) -> Chronicle:
    """The game that was on when the power went. A demonstration is not taken up again; nor is a game on a board that
    is not here: it stays in the journal as it was."""
    chronicle = Chronicle()
    for turn in journal.current_game():
        chronicle = chronicle.after(turn)
    table = chronicle.table
    return chronicle if table and not table.is_demo and table.board in boards else Chronicle()
