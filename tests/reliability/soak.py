"""A week of play, measured: memory, descriptors, threads, bytes written, the growth of the journal, and how long it
takes to come back.

python -m tests.reliability.soak --games 200

Counting keeps a table of the patterns of ranks it has met, which fills over months, and then is full (4.8 MiB). It is
filled here before anything is weighed.
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
from itertools import combinations_with_replacement
from pathlib import Path
from statistics import mean, median
from time import process_time

from firmware_host.cribbage.ranks import combinations_of
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
    anonymous_kib: int
    """Memory that belongs to no file: what the program has asked for and not given back."""
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
        int(status["RssAnon"].split()[0]),
        len(os.listdir("/proc/self/fd")),
        threading.active_count(),
        (folder / "journal.sqlite3").stat().st_size,
        written(),
    )


def written() -> int:
    return int(Path("/proc/self/io").read_text().split("wchar:")[1].split()[0])


def fill_the_table_of_patterns() -> None:
    for ranks in combinations_with_replacement(range(1, 14), 5):
        if max(map(ranks.count, ranks)) <= 4:
            combinations_of(ranks)


def play(week: Week, games: int) -> Soak:
    """So many games over seven days and nights; fewer if somebody presses Ctrl-C, and then as far as it went."""
    fill_the_table_of_patterns()
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
    warm = int(len(soak.weights) * WARM_UP)
    first, last = soak.weights[warm], soak.weights[-1]
    quarter = max(1, len(soak.resumed_s) // 4)
    slower = median(soak.resumed_s[-quarter:]) / median(soak.resumed_s[:quarter])
    figures: dict[str, object] = {
        "games": len(week.seen),
        "hours_that_went_by": round(soak.played_s / 3600),
        **{what.replace(" ", "_"): times for what, times in sorted(week.counted.items())},
        "games_that_the_journal_tells_otherwise": unlike_the_journal(week),
        "games_between_two_weighings": len(soak.weights) - 1 - warm,
        "objects_more_in_memory": last.blocks - first.blocks,
        "bytes_more_in_memory": 1024 * (last.anonymous_kib - first.anonymous_kib),
        "descriptors_more": last.descriptors - first.descriptors,
        "threads_more": last.threads - first.threads,
        "bytes_by_which_a_game_lengthens_the_journal": per_game([weight.journal_bytes for weight in soak.weights]),
        "bytes_written_in_a_game_to_all_files": per_game([weight.written_bytes for weight in soak.weights]),
        "hours_in_which_nothing_moved_and_nothing_was_amiss": round(soak.idle_minutes / 60),
        "bytes_written_in_those_hours": soak.idle_bytes,
        "ms_of_processor_time_to_come_back": round(1000 * mean(soak.resumed_s), 1),
        "times_as_long_at_the_end_as_at_the_beginning": round(slower, 2),
    }
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
