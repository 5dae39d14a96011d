"""The page of performance figures is generated from the stored figures, and only full runs are stored."""

from __future__ import annotations

from math import isfinite
from pathlib import Path

import pytest

from tests.bench import latency_budget as budget
from tests.bench.performance_page import BENCHMARKS, BOARD_GOALS, SCAN_GOAL_MS, page
from tests.bench.recording import FOLDER, Machine, Recorder, Size, read_measurement, this_machine

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "firmware_host" / "PERFORMANCE.md"
BENCH_SHEET = ROOT / "hardware" / "BENCH.md"


def test_the_page_is_up_to_date() -> None:
    fix = "run: python -m tests.bench.performance_page > firmware_host/PERFORMANCE.md"
    assert PAGE.read_text(encoding="utf-8") == page(), fix


def test_the_page_shows_every_stored_benchmark() -> None:
    assert {file.stem for file in FOLDER.glob("*.json")} == set(BENCHMARKS)


@pytest.mark.parametrize("name", BENCHMARKS)
def test_stored_figures_are_of_a_full_run(name: str) -> None:
    measurement = read_measurement(name)
    assert measurement.size is Size.FULL
    assert measurement.figures and all(map(isfinite, measurement.figures.values()))


@pytest.mark.parametrize("target", ["bench", "bench-small", "performance"])
def test_every_command_on_the_page_is_in_the_makefile(target: str) -> None:
    assert f"`make {target}`" in page()
    assert f"\n{target}:" in (ROOT / "Makefile").read_text(encoding="utf-8")


def test_a_full_run_stores_date_machine_load_and_rounded_figures(tmp_path: Path) -> None:
    Recorder(Size.FULL, keep=True, folder=tmp_path).record("speed", {"count": 12345, "median_ms": 1.23456})
    stored = read_measurement("speed", tmp_path)
    assert stored.machine == this_machine() and stored.size is Size.FULL and len(stored.date) == len("2025-01-31")
    assert stored.load >= 0 and stored.figures == {"count": 12345, "median_ms": 1.23}


@pytest.mark.parametrize(("size", "keep"), [(Size.SMALL, True), (Size.SMALL, False), (Size.FULL, False)])
def test_no_other_run_stores_anything(tmp_path: Path, size: Size, keep: bool) -> None:
    Recorder(Size.FULL, keep=True, folder=tmp_path).record("speed", {"median_ms": 1.0})
    Recorder(size, keep, tmp_path).record("speed", {"median_ms": 2.0})
    assert read_measurement("speed", tmp_path).figures == {"median_ms": 1.0}


def test_a_small_run_fails_where_its_figures_are_not_those_stored(tmp_path: Path) -> None:
    Recorder(Size.FULL, keep=True, folder=tmp_path).record("speed", {"median_ms": 1.0})
    with pytest.raises(AssertionError, match="full size"):
        Recorder(Size.SMALL, keep=False, folder=tmp_path).record("speed", {"median_ms": 1.0, "worst_ms": 2.0})


def test_the_size_is_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCH_SIZE", "small")
    assert Recorder.from_environment().pick(full=100, small=1) == 1
    monkeypatch.setenv("BENCH_SIZE", "tiny")
    with pytest.raises(ValueError, match="tiny"):
        Recorder.from_environment()


def test_a_machine_is_named_by_processor_cores_and_python() -> None:
    assert str(Machine("AMD EPYC", 2, "3.11.7")) == "AMD EPYC, 2 cores, Python 3.11.7"


def test_the_bench_sheet_expects_the_times_of_the_budget() -> None:
    times = read_measurement("sensing_board").figures
    sheet = BENCH_SHEET.read_text(encoding="utf-8")
    light = budget.peg_to_light(times["classic_scan_ms"], times["classic_lit_ms"])
    page = budget.board_key_to_display(times["classic_scan_ms"])
    for what, floor in (("from peg in its hole to its light", light), ("from key at J2 to new page", page)):
        wanted = f"{what}, twenty times | {floor.mean_ms:.0f} ms, at most {floor.worst_ms:.0f} ms, plus the computer"
        assert wanted in sheet


def test_the_board_scans_and_lights_as_fast_as_wanted() -> None:
    times = read_measurement("sensing_board").figures
    for key, _, goal_ms in BOARD_GOALS:
        assert times[f"{key}_scan_ms"] <= SCAN_GOAL_MS
        assert times[f"{key}_lit_ms"] <= goal_ms
