"""A journal that is written, closed, opened and spoilt in any order: what was acknowledged is there, or its loss is
told; nothing is made up."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from firmware_host.journal import Journal, JournalFault
from firmware_host.rescue import open_journal
from firmware_host.spare import bring_up_to_date, spare_of
from firmware_host.table.events import Event
from tests.golden.make_journal import turns

TURNS = tuple(turns())
FIRST = 0
"""The turn that starts a game."""

Turns = list[tuple[Event, ...]]


class AnyJournal(RuleBasedStateMachine):
    """`acknowledged` are all turns of which the journal said that they are durable, as far as no loss was told."""

    @initialize()
    def begin(self) -> None:
        self.folder = TemporaryDirectory()
        self.path = Path(self.folder.name) / "state" / "journal.sqlite3"
        self.acknowledged: Turns = []
        self.following = FIRST
        self.open()

    def open(self) -> None:
        """After a loss a new game is started: nobody knows better where the old one stood."""
        opened = open_journal(self.path)
        self.journal = opened.journal
        if opened.loss:
            kept = turns_of(self.journal)
            assert kept == self.acknowledged[: len(kept)], "what is left is as it was written"
            self.acknowledged, self.following = kept, FIRST

    @rule(number=st.integers(1, 40))
    def play_on(self, number: int) -> None:
        for _ in range(number):
            turn = TURNS[self.following]
            self.journal.append(turn)
            self.acknowledged.append(turn)
            self.following = (self.following + 1) % len(TURNS)

    @rule()
    def close_and_open(self) -> None:
        self.journal.close()
        self.open()

    @rule()
    def lose_the_spare(self) -> None:
        """It is made anew when a game ends, whatever became of it."""
        spare_of(self.path).unlink(missing_ok=True)
        bring_up_to_date(spare_of(self.path), self.journal.pages)

    @rule(place=st.floats(0, 1), content=st.binary(min_size=1, max_size=200))
    def spoil(self, place: float, content: bytes) -> None:
        """While it is closed, some bytes anywhere in its file turn into others."""
        self.journal.close()
        whole = self.path.read_bytes()
        at = int(place * len(whole))
        self.path.write_bytes(whole[:at] + content + whole[at + len(content) :])
        try:
            self.open()
        except JournalFault as refused:  # its format is spoilt into a newer one: for all we know, it is one
            assert "update cribboard" in str(refused)
            self.path.write_bytes(whole)
            self.open()

    @rule(share=st.floats(0, 1))
    def cut_short(self, share: float) -> None:
        self.journal.close()
        whole = self.path.read_bytes()
        self.path.write_bytes(whole[: int(share * len(whole))])
        self.open()

    @invariant()
    def what_was_acknowledged_is_there(self) -> None:
        assert turns_of(self.journal) == self.acknowledged

    def teardown(self) -> None:
        if hasattr(self, "journal"):
            self.journal.close()
            self.folder.cleanup()


def turns_of(journal: Journal) -> Turns:
    return [turn for game in range(1, journal.last_game + 1) for turn in journal.turns_of(game)]


TestAnyJournal = AnyJournal.TestCase
TestAnyJournal.settings = settings(
    max_examples=10, stateful_step_count=10, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
