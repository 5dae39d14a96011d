"""A week of play, measured: memory, descriptors, threads, bytes written, the growth of the journal, and how long it
takes to come back.

python -m tests.reliability.soak --games 200

luma holds every display that was ever opened until the program ends, and here one is opened at every power cycle: that
is most of what memory grows by. A board opens its display once.
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
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, median
from time import process_time

from firmware_host.journal import Journal
from firmware_host.table.state import Phase
from tests.reliability.figures import publish
from tests.reliability.week import Week

DAYS = 7
WARM_UP = 0.1
"""The share of the games after which everything that is kept for ever has been made."""
NIGHT_H = 12.0
OFF_AT = 60
"""Turns into a game at which the power goes off and on: what has to be read is always about the same."""


@dataclass(frozen=True, slots=True)
class Weight:
    """What the process and its files weigh, as soon as a game was begun."""

    blocks: int
    """Objects of Python that are alive."""
    resident_kib: int
    descriptors: int
    threads: int
    journal_bytes: int
    written_bytes: int
    """Handed to the system to be written since the process began."""


@dataclass
class Soak:
    weights: list[Weight] = field(default_factory=list)
    resumed_s: list[float] = field(default_factory=list)
    idle_bytes: int = 0
    """Written in all the minutes in which nothing moved and nothing was amiss."""
    idle_minutes: int = 0
    played_s: float = 0.0


def weigh(folder: Path) -> Weight:
    gc.collect()
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return Weight(
        sys.getallocatedblocks(),
        int(status["VmRSS"].split()[0]),
        len(os.listdir("/proc/self/fd")),
        threading.active_count(),
        (folder / "journal.sqlite3").stat().st_size,
        written(),
    )


def written() -> int:
    return int(Path("/proc/self/io").read_text().split("wchar:")[1].split()[0])


def play(week: Week, games: int) -> Soak:
    """So many games over seven days and nights; fewer if somebody presses Ctrl-C, and then as far as it went."""
    soak, nights = Soak(), {round((day + 1) * games / DAYS) for day in range(DAYS)}
    stops = list[int]()
    signal.signal(signal.SIGINT, lambda number, frame: stops.append(number))
    for game in range(1, games + 1):
        if stops:
            break
        week.begin_game()
        soak.weights.append(weigh(week.folder))
        play_game(week, soak)
        if game in nights:
            sleep(week, soak)
        print(f"game {game}: {week.seen[-1]}, {week.now_s / 3600:.1f} h", file=sys.stderr, flush=True)
    soak.played_s = week.now_s
    return soak


def sleep(week: Week, soak: Soak) -> None:
    before = written()
    for is_idle in week.sleep(NIGHT_H):
        after = written()
        if is_idle:
            soak.idle_bytes += after - before
            soak.idle_minutes += 1
        before = after


def play_game(week: Week, soak: Soak) -> None:
    """To its end, with the power off and on once in the middle."""
    turns = 0
    while week.table.phase is not Phase.OVER:
        week.play_on()
        turns += 1
        if turns % 5 == 0:
            week.phones_look()
        if turns % 60 == 30:
            week.phone_comes()
        if turns == OFF_AT:
            before_s = process_time()
            week.power_cycle()
            soak.resumed_s.append(process_time() - before_s)
    week.seen.append(week.table.scores)


def unlike_the_journal(week: Week) -> int:
    """Games that the journal tells otherwise than the display did, or not at all."""
    with closing(Journal.open_to_read(week.folder / "journal.sqlite3")) as journal:
        kept = [game.scores for game in journal.games() if game.outcome][::-1]
    return sum(one != other for one, other in zip(kept, week.seen, strict=False)) + abs(len(kept) - len(week.seen))


def report(week: Week, soak: Soak) -> None:
    first, last = soak.weights[int(len(soak.weights) * WARM_UP)], soak.weights[-1]
    games = len(soak.weights) - 1 - int(len(soak.weights) * WARM_UP)
    quarter = max(1, len(soak.resumed_s) // 4)
    slower = median(soak.resumed_s[-quarter:]) / median(soak.resumed_s[:quarter])
    figures: dict[str, object] = {}

    def tell(name: str, figure: float, unit: str, sentence: str) -> None:
        figures[sentence] = f"{figure:,} {unit}"

    tell("soak_games", len(week.seen), "games", "Games played in a week of virtual time, with troubles and phones")
    tell("soak_hours", round(soak.played_s / 3600), "h", "Hours of that week that went by")
    for what, times in sorted(week.counted.items()):
        tell(f"soak_{what.replace(' ', '_')}", times, "times", f"In that week, {what}")
    tell("soak_unlike", unlike_the_journal(week), "games", "Games that the journal tells otherwise than they ended")
    tell("soak_objects", last.blocks - first.blocks, "objects", f"Objects more in memory after {games} more games")
    tell("soak_memory", last.resident_kib - first.resident_kib, "KiB", f"Memory more after {games} more games")
    tell("soak_descriptors", last.descriptors - first.descriptors, "descriptors", "Open files more at the end")
    tell("soak_threads", last.threads - first.threads, "threads", "Threads more at the end")
    grown = per_game([weight.journal_bytes for weight in soak.weights])
    tell("soak_journal", grown, "bytes", "Growth of the journal in a game")
    spent = per_game([weight.written_bytes for weight in soak.weights])
    tell("soak_written", spent, "bytes", "Written in a game, of all files together")
    idle_h = round(soak.idle_minutes / 60)
    tell(
        "soak_idle", soak.idle_bytes, "bytes", f"Written in {idle_h} hours in which nothing moved and nothing was amiss"
    )
    tell("soak_resume", round(slower, 2), "times", "Time to come back at the end of the week, against its beginning")
    tell("soak_resume_ms", round(1000 * mean(soak.resumed_s), 1), "ms", "Processor time to stop and come back")
    publish("soak", figures, keep="KEEP_FIGURES" in os.environ)


def per_game(of_each: Sequence[int]) -> int:
    return (of_each[-1] - of_each[0]) // max(1, len(of_each) - 1)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--games", type=int, default=200)
    asked.add_argument("--seed", type=int, default=1)
    args = asked.parse_args()
    logging.disable(logging.WARNING)  # every trouble would be told
    with tempfile.TemporaryDirectory() as folder:
        week = Week(Journal.in_memory(), folder=Path(folder), seed=args.seed)
        soak = play(week, args.games)
        report(week, soak)
        week.host.stop()


if __name__ == "__main__":
    main()
