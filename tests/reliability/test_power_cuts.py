"""Whatever was acknowledged survives a power cut at any moment. Two bugs on purpose show that a loss is detected."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.conftest import SUMMARY_LINE
from tests.reliability.conftest import recorded
from tests.reliability.figures import publish
from tests.reliability.power_cuts import Tally, cut_everywhere
from tests.reliability.recording import Kind, Recording
from tests.reliability.simulated_disk import Cut, Disk

KEEP = "KEEP_FIGURES" in os.environ
CUTS = int(os.environ.get("POWER_CUTS", "1000"))
"""How often the slow suite cuts the power. `make power-cuts` does it 10,000 times, in twenty minutes."""
STATE = "home/cribboard"
GOLDEN = Path(__file__).parents[1] / "golden"
OLDEST = {f"{STATE}/journal.sqlite3": (GOLDEN / "journal-1.sqlite3").read_bytes()}


def truncated(recording: Recording) -> dict[str, bytes]:
    """The disk at the end of the recording, with its journal truncated."""
    journal = f"{STATE}/journal.sqlite3"
    content = recording.after[journal]
    return {**recording.after, journal: content[: len(content) * 2 // 3]}


def test_recording_is_complete(recording: Recording) -> None:
    disk = Disk(recording.before)
    for call in recording.calls:
        disk.apply(call)
    assert disk.found(Cut.KILLED, Random(0)) == recording.after
    assert {Kind.WRITE, Kind.SYNC, Kind.RENAME, Kind.TRUNCATE} <= {call.kind for call in recording.calls}


def test_50_power_cuts_lose_nothing(recording: Recording, record_property: Callable[[str, object], None]) -> None:
    tally = cut_everywhere(recording, 50, seed=1)
    record_property(SUMMARY_LINE, str(tally))
    assert tally.cuts.total() == 50
    assert not tally.losses


@pytest.mark.slow
def test_upgrade_survives_power_cuts(tmp_path: Path) -> None:
    tally = cut_everywhere(recorded(tmp_path, "upgrade", before=OLDEST), 40, seed=2)
    assert not tally.losses


@pytest.mark.slow
def test_recovery_survives_power_cuts(recording: Recording, tmp_path: Path) -> None:
    tally = cut_everywhere(recorded(tmp_path, "recovery", before=truncated(recording)), 8, seed=3)
    assert not tally.losses


@pytest.mark.slow
def test_disk_that_ignores_syncs_is_detected(recording: Recording) -> None:
    assert cut_everywhere(recording, 20, seed=4, is_sync_believed=False).losses


@pytest.mark.slow
def test_journal_that_does_not_sync_is_detected(tmp_path: Path) -> None:
    assert cut_everywhere(recorded(tmp_path, "unsynced_journal"), 40, seed=5).losses


@pytest.mark.slow
def test_settings_written_in_place_are_detected(tmp_path: Path) -> None:
    losses = cut_everywhere(recorded(tmp_path, "unsynced_settings"), 60, seed=9).losses
    assert any("settings" in loss for loss in losses)


def test_idle_board_writes_nothing(recording: Recording) -> None:
    assert recording.between("first game", "first game is over").calls
    assert recording.between("idle", "trembling").calls == ()


def test_trembling_peg_is_written_only_to_the_trace(recording: Recording) -> None:
    calls = recording.between("trembling", "idle is over").calls
    assert {(call.kind, call.path) for call in calls} <= {(Kind.WRITE, f"{STATE}/pegs.trace.jsonl")}


@pytest.mark.slow
def test_many_power_cuts_lose_nothing(recording: Recording, tmp_path: Path) -> None:
    parts: dict[str, Tally] = {
        "runs": cut_everywhere(recording, CUTS * 8 // 10, seed=6),
        "upgrade": cut_everywhere(recorded(tmp_path / "old", "upgrade", before=OLDEST), CUTS // 10, seed=7),
        "recovery": cut_everywhere(
            recorded(tmp_path / "corrupt", "recovery", before=truncated(recording)), CUTS // 10, seed=8
        ),
    }
    losses = [loss for tally in parts.values() for loss in tally.losses]
    figures: dict[str, object] = {f"cuts_in_{name}": tally.cuts.total() for name, tally in parts.items()}
    figures |= {"cuts": sum(tally.cuts.total() for tally in parts.values()), "losses": len(losses)}
    publish("power_cuts", figures, keep=KEEP)
    assert not losses


@pytest.mark.slow
def test_bytes_written_by_a_game(recording: Recording) -> None:
    game, idle = recording.between("first game", "first game is over"), recording.between("idle", "trembling")
    turns = sum("journal" in each.digests for each in game.acknowledgements)
    figures = {
        "turns_in_the_game": turns,
        "bytes_written": game.bytes_written,
        "bytes_per_turn": game.bytes_written // turns,
        "blocks_of_4096_bytes_written": game.blocks_written,
        "syncs": game.syncs,
        "writing_calls_while_idle": len(idle.calls),
    }
    publish("card_wear", figures, keep=KEEP)
    assert game.bytes_written < 4_000 * turns and game.blocks_written < 2 * turns
