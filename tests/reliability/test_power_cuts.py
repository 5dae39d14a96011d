"""Whatever was acknowledged outlives a power cut at any moment; and a proof that could not fail would prove nothing."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.conftest import COUNTED
from tests.reliability.conftest import recorded
from tests.reliability.cuts import Tally, cut_everywhere
from tests.reliability.disk import Cut, Disk
from tests.reliability.figures import publish
from tests.reliability.recording import Kind, Recording

KEEP = "KEEP_FIGURES" in os.environ
STATE = "home/cribboard"
GOLDEN = Path(__file__).parents[1] / "golden"
OLDEST = {f"{STATE}/journal.sqlite3": (GOLDEN / "journal-1.sqlite3").read_bytes()}


def damaged(life: Recording) -> dict[str, bytes]:
    """The disk after that life, with the journal cut short."""
    journal = f"{STATE}/journal.sqlite3"
    content = life.after[journal]
    return {**life.after, journal: content[: len(content) * 2 // 3]}


def test_the_recording_misses_nothing(life: Recording) -> None:
    disk = Disk(life.before)
    for call in life.calls:
        disk.do(call)
    assert disk.found(Cut.KILLED, Random(0)) == life.after
    assert {Kind.WRITE, Kind.SYNC, Kind.RENAME, Kind.TRUNCATE} <= {call.kind for call in life.calls}


def test_two_hundred_power_cuts_lose_nothing(life: Recording, record_property: Callable[[str, object], None]) -> None:
    tally = cut_everywhere(life, 200, seed=1)
    record_property(COUNTED, str(tally))
    assert tally.cuts.total() == 200
    assert not tally.losses


def test_an_upgrade_survives_power_cuts(tmp_path: Path) -> None:
    tally = cut_everywhere(recorded(tmp_path, "old_journal", before=OLDEST), 40, seed=2)
    assert not tally.losses


def test_a_rescue_survives_power_cuts(life: Recording, tmp_path: Path) -> None:
    tally = cut_everywhere(recorded(tmp_path, "rescue", before=damaged(life)), 8, seed=3)
    assert not tally.losses


def test_a_disk_that_does_not_keep_what_it_synced_is_found_out(life: Recording) -> None:
    assert cut_everywhere(life, 20, seed=4, is_sync_believed=False).losses


def test_a_journal_that_does_not_sync_is_found_out(tmp_path: Path) -> None:
    assert cut_everywhere(recorded(tmp_path, "careless_evening"), 40, seed=5).losses


def test_settings_that_are_written_in_place_are_found_out(tmp_path: Path) -> None:
    losses = cut_everywhere(recorded(tmp_path, "careless_settings"), 60, seed=9).losses
    assert any("settings" in loss for loss in losses)


def test_idle_writes_nothing(life: Recording) -> None:
    assert life.between("first game", "first game is over").calls
    assert life.between("idle", "trembling").calls == ()


def test_a_trembling_peg_reaches_the_trace_and_nothing_else(life: Recording) -> None:
    calls = life.between("trembling", "idle is over").calls
    assert {(call.kind, call.path) for call in calls} <= {(Kind.WRITE, f"{STATE}/pegs.trace.jsonl")}


@pytest.mark.slow
def test_ten_thousand_power_cuts_lose_nothing(life: Recording, tmp_path: Path) -> None:
    parts: dict[str, Tally] = {
        "life": cut_everywhere(life, 8_000, seed=6),
        "upgrade": cut_everywhere(recorded(tmp_path / "old", "old_journal", before=OLDEST), 1_000, seed=7),
        "rescue": cut_everywhere(recorded(tmp_path / "ill", "rescue", before=damaged(life)), 1_000, seed=8),
    }
    losses = [loss for tally in parts.values() for loss in tally.losses]
    figures: dict[str, object] = {f"cuts_in_{name}": tally.cuts.total() for name, tally in parts.items()}
    figures |= {"cuts": sum(tally.cuts.total() for tally in parts.values()), "losses": len(losses)}
    publish("power_cuts", figures, keep=KEEP)
    assert not losses


@pytest.mark.slow
def test_what_a_game_costs_the_card(life: Recording) -> None:
    game, idle = life.between("first game", "first game is over"), life.between("idle", "trembling")
    turns = sum("journal" in said.words for said in game.said)
    figures = {
        "turns_of_a_game": turns,
        "bytes_written_in_it": game.bytes_written,
        "bytes_a_turn": game.bytes_written // turns,
        "blocks_of_4096_bytes_written_in_it": game.blocks_written,
        "syncs_in_it": game.syncs,
        "calls_that_changed_the_disk_while_idle": len(idle.calls),
    }
    publish("card_wear", figures, keep=KEEP)
    assert game.bytes_written < 4_000 * turns and game.blocks_written < 2 * turns
