"""`make club-load`: a night of fifty board processes with faults. See `night.py`."""

from __future__ import annotations

import argparse
import logging
import os
import sys
import tempfile
from pathlib import Path

from msgspec.structs import replace

from tests.club.load.night import LoadedNight, NightFigures, NightPlan
from tests.reliability.figures import publish

KEEP = "KEEP_FIGURES" in os.environ


def figures_of(plan: NightPlan, night: NightFigures) -> dict[str, object]:
    """What the page shows."""
    found = night.comparison
    return {
        "boards": plan.boards,
        "rounds": plan.rounds,
        "results": found.results,
        "results_lost": found.lost,
        "results_doubled": found.doubled,
        "other_differences": len(found.differences),
        "messages_with_a_result": night.result_messages,
        "kills_of_the_broker": len(plan.kills),
        "power_cuts_of_the_organisers_machine": len(plan.power_cuts),
        "seconds_each_board_was_cut_off": round(plan.cut_off_s) if plan.cut_off else 0,
        "times_as_fast_as_people": plan.speed,
        "minutes": round(night.minutes, 1),
        "processor_cores_of_all_programs": round(night.cores, 2),
        "MiB_of_memory_for_each_board": round(night.board_mib, 1),
        "MiB_of_memory_for_all_boards": round(night.boards_mib),
        "MiB_of_memory_for_the_program_of_the_club": round(night.organiser_mib, 1),
        "MiB_of_memory_for_mosquitto": round(night.broker_mib, 1),
    }


def main() -> int:
    """The exit code."""
    logging.getLogger().setLevel(logging.ERROR)
    usual = NightPlan()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=usual.boards)
    parser.add_argument("--speed", type=float, default=usual.speed, help="speed of the players; 1 is that of people")
    parser.add_argument("--folder", type=Path, help="an empty folder, which is kept")
    options = parser.parse_args()
    plan = replace(usual, boards=options.boards, speed=options.speed)
    with tempfile.TemporaryDirectory(prefix="cribboard-load-") as name:
        night = LoadedNight(plan, options.folder or Path(name), lambda text: print(text, flush=True)).run()
    publish("club_load", figures_of(plan, night), keep=KEEP)
    for difference in night.comparison.differences:
        print(difference)
    found = night.comparison
    is_right = found.results == plan.boards * plan.rounds and not (found.lost or found.doubled or found.differences)
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
