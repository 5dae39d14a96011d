"""Figures beside their floors: the table, and the warning about what became worse."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench import pairs
from tests.bench.recording import read_measurement

MEASURED: pairs.Figures = {
    "scoring_hands": {
        "show_total_per_s": 4e6,
        "table_look_up_per_s": 5e6,
        "count_show_per_s": 2e5,
        "cribbage_scorer_per_s": 5e4,
    },
    "memory": {"ten_phones_mib": 50.0, "libraries_mib": 40.0},
}


def rows(**memory: float) -> list[pairs.Row]:
    return list(pairs.rows_of({**MEASURED, "memory": {**MEASURED["memory"], **memory}}))


@pytest.mark.parametrize("pair", pairs.PAIRS)
def test_every_pair_names_stored_figures(pair: pairs.Pair) -> None:
    assert {pair.ours, pair.floor, pair.peer} - {""} <= read_measurement(pair.benchmark).figures.keys()
    assert pair.floor or pair.peer


def test_only_benchmarks_that_ran_are_shown() -> None:
    assert [row.pair.benchmark for row in rows()] == ["scoring_hands", "scoring_hands", "memory"]


def test_the_cost_is_a_ratio_that_is_smaller_when_it_is_better() -> None:
    totals, parts, memory = rows()
    assert (totals.cost, parts.cost, memory.cost) == (1.25, 0.25, 1.25)


def test_the_table_has_peer_ours_floor_and_share() -> None:
    heading, totals, *_ = pairs.table(rows())
    assert heading.split() == ["peer", "ours", "floor", "share", "of", "floor"]
    assert totals.split()[-5:] == ["50,000", "4,000,000", "5,000,000", "80", "%"]


def test_what_became_more_than_ten_percent_worse_is_a_warning(tmp_path: Path) -> None:
    pairs.store(rows(), tmp_path)
    assert list(pairs.warnings(rows(ten_phones_mib=54.9), tmp_path)) == []
    (line,) = pairs.warnings(rows(ten_phones_mib=56.0), tmp_path)
    assert line.startswith("!!! WARNING: memory, ten phones, MiB: 1.25 -> 1.4 times its floor, 12 % worse in ")
    assert "(0 commits)" in line


def test_outside_a_checkout_the_warning_has_the_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs, "_git", lambda *_: "")
    pairs.store(rows(), tmp_path)
    (line,) = pairs.warnings(rows(ten_phones_mib=60.0), tmp_path)
    assert "20 % worse since 20" in line
