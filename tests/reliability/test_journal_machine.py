"""A journal written, closed, opened and corrupted in any order: acknowledged turns are there, or their loss is
reported."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from firmware_host.game.events import Event, GameStarted
from firmware_host.storage.journal import Journal, JournalCorrupt, JournalError
from firmware_host.storage.recovery import open_or_recover, rebuild
from firmware_host.storage.replica import replica_path, update_replica
from tests.golden.make_journal import turns

TURNS = tuple(turns())
FIRST = 0
"""The turn that starts a game."""

Turns = list[tuple[Event, ...]]


class AnyJournal(RuleBasedStateMachine):
    """`acknowledged`: the turns of each game for which `append` returned, minus reported losses."""

    @initialize()
    def begin(self) -> None:
        self.folder = TemporaryDirectory()
        self.path = Path(self.folder.name) / "state" / "journal.sqlite3"
        self.acknowledged: list[Turns] = []
        self.next_turn = FIRST
        self.open()

    def open(self) -> None:
        """After a loss the next turn starts a new game."""
        opened = open_or_recover(self.path)
        self.journal = opened.journal
        if opened.loss:
            kept = games_of(self.journal)
            assert len(kept) <= len(self.acknowledged)
            for game, written in zip(kept, self.acknowledged, strict=False):
                assert game == written[: len(game)], "the recovered turns of a game are the first that were written"
            self.acknowledged, self.next_turn = kept, FIRST

    @rule(number=st.integers(1, 40))
    def play_on(self, number: int) -> None:
        for _ in range(number):
            turn = TURNS[self.next_turn]
            try:
                self.journal.append(turn)
            except JournalCorrupt:  # the damage lies where only writing finds it
                self.journal, _ = rebuild(self.journal)
                self.journal.append(turn)
            if isinstance(turn[0], GameStarted):
                self.acknowledged.append([])
            self.acknowledged[-1].append(turn)
            self.next_turn = (self.next_turn + 1) % len(TURNS)

    @rule()
    def close_and_open(self) -> None:
        self.journal.close()
        self.open()

    @rule()
    def lose_the_replica(self) -> None:
        """The next update begins it again. Where the journal has lost an earlier game too, the next start finds it."""
        replica_path(self.path).unlink(missing_ok=True)
        try:
            update_replica(replica_path(self.path), self.journal.row_reader)
        except JournalCorrupt:
            self.close_and_open()

    @rule(place=st.floats(0, 1), content=st.binary(min_size=1, max_size=200))
    def corrupt(self, place: float, content: bytes) -> None:
        """Overwrite some bytes anywhere in the closed file."""
        self.journal.close()
        whole = self.path.read_bytes()
        at = int(place * len(whole))
        self.path.write_bytes(whole[:at] + content + whole[at + len(content) :])
        try:
            self.open()
        except JournalError as refused:  # the format number became a newer one
            assert "update cribboard" in str(refused)
            self.path.write_bytes(whole)
            self.open()

    @rule(share=st.floats(0, 1))
    def truncate(self, share: float) -> None:
        self.journal.close()
        whole = self.path.read_bytes()
        self.path.write_bytes(whole[: int(share * len(whole))])
        self.open()

    @invariant()
    def what_was_acknowledged_is_there(self) -> None:
        assert games_of(self.journal) == self.acknowledged

    def teardown(self) -> None:
        if hasattr(self, "journal"):
            self.journal.close()
            self.folder.cleanup()


def games_of(journal: Journal) -> list[Turns]:
    return [list(journal.turns_of(game)) for game in range(1, journal.last_game + 1)]


def of_length(examples: int) -> settings:
    return settings(
        max_examples=examples, stateful_step_count=10, deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )


class ManyJournals(AnyJournal):
    """The same, for the slow suite."""


TestAnyJournal = AnyJournal.TestCase
TestAnyJournal.settings = of_length(2)
TestManyJournals = pytest.mark.slow(ManyJournals.TestCase)
TestManyJournals.settings = of_length(20)
