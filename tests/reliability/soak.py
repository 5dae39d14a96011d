"""Plays and measures a week: memory, descriptors, threads, bytes written, growth of the journal, and time to resume.

python -m tests.reliability.soak --games 200

Counting hands fills a cache of rank patterns, which is complete after months of play (4.8 MiB). It is filled before
anything is measured.
"""

from __future__ import annotations

import argparse
import gc
import logging
import os
import signal
import sys
import tempfile
import threading
from collections.abc import Sequence
from contextlib import closing
from itertools import combinations_with_replacement
from pathlib import Path
from statistics import mean, median
from time import process_time

from msgspec import Struct, field

from firmware_host.cribbage.ranks import combinations_of
from firmware_host.game.state import Phase
from firmware_host.storage.journal import Journal
from tests.reliability.figures import publish
from tests.reliability.soak_session import SoakSession

DAYS = 7
WARM_UP = 0.1
"""Share of the games before the first measurement: after them all permanent objects exist."""
NIGHT_H = 12.0
OFF_AT = 60
"""Turn of each game at which the power goes off and on, so that always about the same amount is read."""


class Measurement(Struct, frozen=True):
    """Sizes of the process and its files at the start of a game."""

    blocks: int
    """Allocated memory blocks of Python."""
    anonymous_kib: int
    """Resident memory that belongs to no file (RssAnon)."""
    descriptors: int
    threads: int
    journal_bytes: int
    written_bytes: int
    """Bytes passed to write calls since the process began."""


class Soak(Struct):
    """What was measured in a run; one measurement and one resume time per game."""

    measurements: list[Measurement] = field(default_factory=list)
    resumed_s: list[float] = field(default_factory=list)
    idle_bytes: int = 0
    """Written in all minutes in which nothing moved and no fault was active."""
    idle_minutes: int = 0
    played_s: float = 0.0


def measure(folder: Path) -> Measurement:
    gc.collect()
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return Measurement(
        sys.getallocatedblocks(),
        int(status["RssAnon"].split()[0]),
        len(os.listdir("/proc/self/fd")),
        threading.active_count(),
        (folder / "journal.sqlite3").stat().st_size,
        written(),
    )


def written() -> int:
    """Bytes passed to write calls since the process began."""
    return int(Path("/proc/self/io").read_text().split("wchar:")[1].split()[0])


def fill_rank_pattern_cache() -> None:
    for ranks in combinations_with_replacement(range(1, 14), 5):
        if max(map(ranks.count, ranks)) <= 4:
            combinations_of(ranks)


def play(session: SoakSession, games: int) -> Soak:
    """Play this many games over seven days and nights. Ctrl-C ends it after the current game."""
    fill_rank_pattern_cache()
    soak, nights = Soak(), {round((day + 1) * games / DAYS) for day in range(DAYS)}
    stops = list[int]()
    signal.signal(signal.SIGINT, lambda number, frame: stops.append(number))
    for game in range(1, games + 1):
        if stops:
            break
        session.begin_game()
        soak.measurements.append(measure(session.folder))
        play_game(session, soak)
        if game in nights:
            sleep(session, soak)
        print(f"game {game}: {session.seen[-1]}, {session.now_s / 3600:.1f} h", file=sys.stderr, flush=True)
    soak.played_s = session.now_s
    return soak


def sleep(session: SoakSession, soak: Soak) -> None:
    before = written()
    for is_idle in session.sleep(NIGHT_H):
        after = written()
        if is_idle:
            soak.idle_bytes += after - before
            soak.idle_minutes += 1
        before = after


def play_game(session: SoakSession, soak: Soak) -> None:
    """Play one game to its end, with the power off and on once."""
    turns = 0
    while session.table.phase is not Phase.OVER:
        session.play_on()
        turns += 1
        if turns % 5 == 0:
            session.read_pages()
        if turns % 60 == 30:
            session.pair_phone()
        if turns == OFF_AT:
            before_s = process_time()
            session.power_cycle()
            soak.resumed_s.append(process_time() - before_s)
    session.seen.append(session.table.scores)


def games_unlike_the_journal(session: SoakSession) -> int:
    """Number of games whose scores in the journal differ from the displayed ones, or that are missing."""
    with closing(Journal.open_readonly(session.folder / "journal.sqlite3")) as journal:
        kept = [game.scores for game in journal.games() if game.outcome][::-1]
    return sum(one != other for one, other in zip(kept, session.seen, strict=False)) + abs(
        len(kept) - len(session.seen)
    )


def report(session: SoakSession, soak: Soak) -> None:
    warm = int(len(soak.measurements) * WARM_UP)
    first, last = soak.measurements[warm], soak.measurements[-1]
    quarter = max(1, len(soak.resumed_s) // 4)
    slower = median(soak.resumed_s[-quarter:]) / median(soak.resumed_s[:quarter])
    figures: dict[str, object] = {
        "games": len(session.seen),
        "simulated_hours": round(soak.played_s / 3600),
        **{name.replace(" ", "_"): times for name, times in sorted(session.counted.items())},
        "games_unlike_the_journal": games_unlike_the_journal(session),
        "games_between_first_and_last_measurement": len(soak.measurements) - 1 - warm,
        "growth_of_memory_in_objects": last.blocks - first.blocks,
        "growth_of_memory_in_bytes": 1024 * (last.anonymous_kib - first.anonymous_kib),
        "growth_of_descriptors": last.descriptors - first.descriptors,
        "growth_of_threads": last.threads - first.threads,
        "bytes_of_journal_per_game": per_game([each.journal_bytes for each in soak.measurements]),
        "bytes_written_per_game": per_game([each.written_bytes for each in soak.measurements]),
        "idle_hours_without_faults": round(soak.idle_minutes / 60),
        "bytes_written_in_these_hours": soak.idle_bytes,
        "ms_of_processor_time_to_resume": round(1000 * mean(soak.resumed_s), 1),
        "resume_time_at_the_end_relative_to_the_start": round(slower, 2),
    }
    publish("soak", figures, keep="KEEP_FIGURES" in os.environ)


def per_game(values: Sequence[int]) -> int:
    return (values[-1] - values[0]) // max(1, len(values) - 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    logging.disable(logging.WARNING)  # every injected fault would be logged
    with tempfile.TemporaryDirectory() as folder:
        session = SoakSession(Journal.in_memory(), folder=Path(folder), seed=args.seed)
        soak = play(session, args.games)
        report(session, soak)
        session.host.stop()


if __name__ == "__main__":
    main()
