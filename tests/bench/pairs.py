"""Each figure beside a floor or another package of the same run, and what became worse since it was last stored.

Machines differ, so only ratios are compared. `KEEP_FIGURES=1 make bench-small` stores those of a small run; a later
small run, in CI for example, warns about each that is more than 10 % worse. It never fails: small runs are noisy.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from firmware_host.cribbage.variants import VARIANTS
from tests.figures import read_json, write_json

FOLDER = Path(__file__).parent
NAME = "pairs_of_a_small_run"
MOST_WORSE = 1.10

Figures = Mapping[str, Mapping[str, float]]
"""Benchmark -> its figures."""


class Pair(NamedTuple):
    """One figure, and the floor or the package (`peer`) that the same benchmark measured: keys of its figures."""

    what: str
    benchmark: str
    ours: str
    floor: str = ""
    peer: str = ""
    is_rate: bool = False
    """More is better."""


PAIRS = (
    Pair(
        "totals at the show", "scoring_hands", "show_total_per_s", "table_look_up_per_s", "cribbage_scorer_per_s", True
    ),
    Pair("hands with all parts", "scoring_hands", "count_show_per_s", "", "cribbage_scorer_per_s", True),
    Pair("points of a card", "scoring_play", "points_for_per_s", "count_of_per_s", "cribbage_scorer_per_s", True),
    *(
        Pair(
            f"games refereed, {variant}",
            "games",
            f"{variant}_games_per_s",
            f"{variant}_floor_games_per_s",
            "six_card_cribbage_scorer_games_per_s" if variant == "six_card" else "",
            True,
        )
        for variant in VARIANTS
    ),
    *(
        Pair(f"advice, {variant}, ms", "advice", f"{variant}_new_hand_ms", f"{variant}_floor_ms")
        for variant in VARIANTS
    ),
    Pair("a frame of four tracks, µs", "peg_tracking", "4_tracks_us_per_frame", "2_tracks_us_per_frame"),
    Pair("start until display, s", "start_time", "display_s", "import_of_libraries_s"),
    Pair("start until panel, s", "start_time", "ready_s", "import_of_libraries_s"),
    Pair("first page, s", "start_time", "first_page_s", "import_of_libraries_s"),
    Pair("cribboard count, s", "start_time", "count_s", "import_of_click_s"),
    Pair("memory, ten phones, MiB", "memory", "ten_phones_mib", "libraries_mib"),
    Pair("a board at rest, % of a core", "idle", "classic_61_percent", "waking_only_percent"),
    Pair("a durable turn, ms", "durable_turn", "median_ms", "sync_median_ms"),
    Pair("start with a long journal, ms", "resume", "many_games_ms", "one_game_ms"),
    Pair("first visit to history, ms", "history", "history_many_games_ms", "history_few_games_ms"),
    Pair("last of 200 phones, ms", "stream", "200_phones_median_ms", "1_phones_median_ms"),
    Pair("a phone under attack, ms", "attack", "under_attack_median_ms", "calm_median_ms"),
    Pair("light, broker hangs, ms", "mqtt", "peg_to_light_hanging_median_ms", "peg_to_light_median_ms"),
    Pair("start with HTTPS, s", "https", "https_start_s", "clear_start_s"),
)


class Row(NamedTuple):
    """A pair that was measured. `cost`: how many times its floor, or else its peer, it takes; less is better."""

    pair: Pair
    ours: float
    floor: float | None
    peer: float | None
    cost: float


def rows_of(measured: Figures) -> Iterator[Row]:
    """The pairs whose benchmark was run."""
    for pair in PAIRS:
        if figures := measured.get(pair.benchmark):
            ours, floor = figures[pair.ours], figures[pair.floor] if pair.floor else None
            peer = figures[pair.peer] if pair.peer else None
            least = floor or peer
            assert least, f"{pair.what}: expected a floor or a peer"
            yield Row(pair, ours, floor, peer, least / ours if pair.is_rate else ours / least)


def table(rows: Iterable[Row]) -> Iterator[str]:
    """Peer, ours, floor, and ours as a share of the floor, in columns."""
    yield f"{'':32}{'peer':>12}{'ours':>12}{'floor':>12}{'share of floor':>16}"
    for pair, ours, floor, peer, cost in rows:
        share = f"{100 / cost:.0f} %" if floor else ""
        yield f"{pair.what:32}{_cell(peer):>12}{_cell(ours):>12}{_cell(floor):>12}{share:>16}"


def _cell(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def store(rows: Iterable[Row], folder: Path = FOLDER) -> None:
    """Keep the costs of a small run, with the commit that was measured."""
    costs = {row.pair.what: float(f"{row.cost:.3g}") for row in rows}
    write_json(
        folder, NAME, {"date": f"{datetime.now(UTC):%Y-%m-%d}", "commit": _git("rev-parse", "HEAD"), "costs": costs}
    )


def warnings(rows: Iterable[Row], folder: Path = FOLDER) -> Iterator[str]:
    """A line for each pair that costs more than 10 % more than in the stored small run, with the commits since then."""
    stored = read_json(folder, NAME)
    costs = stored["costs"]
    assert isinstance(costs, dict)
    for row in rows:
        before = costs.get(row.pair.what)
        if before and row.cost > MOST_WORSE * before:
            change = f"{before:.3g} -> {row.cost:.3g} times its {'floor' if row.floor else 'peer'}"
            percent = f"{100 * (row.cost / before - 1):.0f} % worse"
            yield f"!!! WARNING: {row.pair.what}: {change}, {percent} {_since(stored)}. !!!"


def _since(stored: Mapping[str, object]) -> str:
    """The range of commits in which a regression must be."""
    commit, head = str(stored["commit"]), _git("rev-parse", "--short", "HEAD")
    count = _git("rev-list", "--count", f"{commit}..HEAD")
    return f"in {commit[:9]}..{head} ({count} commits)" if count else f"since {stored['date']}"


def _git(*arguments: str) -> str:
    """The output of git; empty where it fails, as outside a checkout."""
    done = subprocess.run(["git", *arguments], cwd=FOLDER, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""
