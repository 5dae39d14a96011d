"""The model of the clock line agrees with ngspice, and its worst margins are the ones on the page of the row board."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from hardware.row.clock_line import CORNERS, Corner, edge, hold_margin_ns, spice_deck, waveforms, worst

PAGE = Path(__file__).parents[2] / "hardware" / "row" / "README.md"


def measured(corner: Corner, tmp_path: Path) -> dict[str, float]:
    deck = tmp_path / "clock.cir"
    deck.write_text(spice_deck(corner), encoding="utf-8")
    done = subprocess.run(["ngspice", "-b", str(deck)], capture_output=True, text=True, timeout=60, check=True)
    assert "failed" not in done.stdout
    return {name: float(value) for name, value in re.findall(r"^(\w+\d)\s*=\s*([-\d.e+]+)", done.stdout, re.M)}


@pytest.mark.kicad
@pytest.mark.parametrize("corner", CORNERS[::7], ids=str)
def test_the_model_agrees_with_ngspice(corner: Corner, tmp_path: Path) -> None:
    theirs = measured(corner, tmp_path)
    for number, wave in enumerate(waveforms(corner), start=1):
        ours = edge(wave)
        assert ours.low_ns == pytest.approx(theirs[f"low{number}"] * 1e9, abs=0.4)
        assert ours.high_ns == pytest.approx(theirs[f"high{number}"] * 1e9, abs=0.8)
        assert ours.peak_v == pytest.approx(theirs[f"peak{number}"], abs=0.25)


@pytest.mark.slow
def test_the_worst_margins_are_on_the_page() -> None:
    rows = list(worst())
    back = max(one.back_v for _, edges, _ in rows for one in edges)
    hold = min(hold_margin_ns(edges) for _, edges, _ in rows)
    peak = max(one.peak_v for _, edges, _ in rows for one in edges)
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    assert f"step back of {back:.2f} V" in page
    assert f"hold margin of {hold:.1f} ns" in page
    assert f"peak of {peak:.1f} V" in page


def test_a_weak_driver_without_edge_is_reported() -> None:
    with pytest.raises(ValueError, match="expected an edge"):
        edge([0.0, 1.5, 1.6])
