"""What cribboard promises about not losing and not misreading anything, and what proves each promise.

python -m tests.reliability.promises > firmware_host/RELIABILITY.md
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from tests.reliability.figures import kept


class Proof(NamedTuple):
    """A test or a state machine, and the file it is in."""

    file: str
    test: str


@dataclass(frozen=True, slots=True)
class Promise:
    """`command` prints the figures that are kept under `figures`."""

    title: str
    sentence: str
    proofs: tuple[Proof, ...]
    command: str = ""
    figures: tuple[str, ...] = ()


PROMISES = (
    Promise(
        "A power cut loses nothing",
        "When a turn has been shown as final it is on the disk. After a cut at any moment the game is as it "
        "was shown last, or one turn further if that turn was just being written; never less, and never "
        "anything else. The cuts fall between all calls by which the program changes its disk, and what was "
        "not yet synced is lost, torn or reordered as a real disk may; journal, phones, settings and copies are "
        "looked at after each. And the whole program is killed at random while somebody plays on it.",
        (
            Proof("tests/reliability/test_power_cuts.py", "test_ten_thousand_power_cuts_lose_nothing"),
            Proof("tests/reliability/test_power_cuts.py", "test_a_journal_that_does_not_sync_is_found_out"),
            Proof("tests/reliability/test_power_cuts.py", "test_settings_that_are_written_in_place_are_found_out"),
            Proof("tests/reliability/test_kills.py", "test_a_program_killed_while_people_play_loses_nothing"),
            Proof("tests/reliability/test_kills.py", "test_a_log_of_turns_that_is_gone_is_found_out"),
            Proof("tests/host/test_journal.py", "test_whatever_was_acknowledged_survives_a_kill"),
        ),
        "make power-cuts",
        ("power_cuts", "kills"),
    ),
    Promise(
        "A damaged journal is told, and brought back as far as it goes",
        "Every row of the journal is sealed. A file that a bad card has spoilt is put aside under a name with "
        "its date, what its copy and the file still hold takes its place, and the display and the panel say "
        "how much that was.",
        (Proof("tests/reliability/test_damage.py", "test_thousands_of_bits_flip"),),
        "make power-cuts",
        ("flipped_bits",),
    ),
    Promise(
        "What was played stays readable, and can be taken along",
        "A journal of every format that ever was opens for ever; one is kept of each. A newer one is refused with "
        "a sentence, and left alone. A copy can be taken while a board runs and put back, by command and on the "
        "panel, and what it replaces is kept. `make test` proves it.",
        (
            Proof("tests/reliability/test_copies.py", "test_a_journal_of_any_format_goes_on_in_this_one"),
            Proof("tests/host/test_journal.py", "test_a_journal_of_a_newer_format_is_left_alone"),
            Proof("tests/reliability/test_copies.py", "test_a_copy_is_taken_while_a_game_is_on"),
            Proof("tests/reliability/test_copies.py", "test_a_copy_takes_the_place_of_a_journal_which_is_kept"),
            Proof("tests/panel/test_copies.py", "test_a_copy_is_brought_back_and_the_board_goes_on_with_it"),
        ),
    ),
    Promise(
        "The memory card is spared",
        "A turn costs a few kilobytes, and a board at rest writes nothing at all. Nearly all of it is the log of "
        "turns, which must be on the card before a turn is shown; when a game is won its rows go once into the "
        "journal and once into the spare.",
        (
            Proof("tests/reliability/test_power_cuts.py", "test_what_a_game_costs_the_card"),
            Proof("tests/reliability/test_power_cuts.py", "test_idle_writes_nothing"),
        ),
        "make power-cuts",
        ("card_wear",),
    ),
    Promise(
        "What goes wrong is said, and goes on by itself when it is over",
        "A disk that is full, read only or slow; a chain of sensors that drops out; strips in each other's "
        "place; a magnet on the board; switches that bounce, are dead, stuck or weak; noise on the cable to a "
        "scanner, and the cable pulled; a display that is gone; a key that sticks; a clock that jumps. The game "
        "goes on, or waits with a sentence. `cribboard run --faults PLAN` lets you see it.",
        (
            Proof("tests/host/test_mischief.py", "test_a_leap_waits_until_the_disk_takes_it"),
            Proof("tests/host/test_mischief.py", "test_every_kind_is_tried_here_and_told_in_the_readme"),
            Proof("tests/host/test_mischief.py", "test_a_cable_that_is_pulled_and_put_back"),
            Proof("tests/firmware/test_house_on_a_scanner.py", "test_a_cable_that_goes_wrong_as_planned"),
            Proof("tests/board/test_flicker.py", "test_no_hole_of_a_sound_board_is_called_weak"),
        ),
    ),
    Promise(
        "Pegs are read right",
        "Simulated hands, harsher than those that were recorded at a table, play on every board to every "
        "target, and nobody tells the reader what is owed. Of *tidy* hands nothing is asked but patience; "
        "*everyday* ones count through the holes, err and mend, jostle and wipe the board; *untidy* ones do "
        "it often, and move at once; *harsh* ones do little else. What longer runs still found read wrong, "
        "some 20 turns in 400,000, is a front peg slid on by twenty holes and more, with errors on its way: "
        "a hand does not do that, and where points are told as owed it is read right.",
        (
            Proof("tests/board/test_played_games.py", "test_forty_thousand_turns_on_sound_boards"),
            Proof("tests/board/test_wrong_turns.py", "test_a_turn_once_read_wrong_is_read_right"),
            Proof("tests/board/test_recorded_traces.py", "test_a_recorded_trace_is_read_right_and_soon"),
        ),
        "make pegs",
        ("pegs_at_scale",),
    ),
    Promise(
        "It runs for weeks",
        "A week of play on a clock that is not waited for: simulated hands, phones that come and go, power "
        "cycles, and the troubles above mixed in. Memory grows by less than 3 kB a game once a table of patterns of "
        "ranks is full (4.8 MiB, filled by counting); no descriptor and no thread is left over, a board at rest writes "
        "nothing, and to come back takes no longer after many games than after few.",
        (Proof("tests/reliability/test_soak.py", "test_a_few_games_of_a_week_leave_nothing_behind"),),
        "make soak",
        ("soak",),
    ),
    Promise(
        "Whatever is sent to it, it answers",
        "Everything that reads what others wrote (cards, records, traces, settings and their changes, plans, "
        "frames from a scanner, the journal and its rows, copies, requests and orders by HTTP) is fed by a fuzzer "
        "that follows the code; it may refuse with a sentence, and do nothing else. State machines give table, "
        "host and journal whatever comes, in any order.",
        (
            Proof("tests/fuzz/test_targets.py", "test_any_bytes_are_taken_or_refused"),
            Proof("tests/table/test_table_machine.py", "TestAnyTable"),
            Proof("tests/host/test_host_machine.py", "TestAnyEvening"),
            Proof("tests/reliability/test_journal_machine.py", "TestAnyJournal"),
        ),
        "make fuzz",
        ("fuzz",),
    ),
    Promise(
        "A report names nobody",
        "`cribboard report` packs the trace of the pegs, the latest turns, the doctor's word and all versions "
        "into one file, without a card, a name or a token.",
        (Proof("tests/cli/test_report.py", "test_no_card_no_name_and_no_token_is_in_it"),),
    ),
)

HEADING = """\
# What cribboard promises

Made by `make reliability` from the promises and from the figures of the last run; do not edit it here. Each figure
comes from a command that you can run yourself. What no machine here could prove is said in the [rooms](../README.md) it
belongs to.
"""


def page() -> str:
    return "\n".join((HEADING, *(_section(promise) for promise in PROMISES)))


def _section(promise: Promise) -> str:
    return "\n".join((f"## {promise.title}", "", promise.sentence, "", *_figures(promise), *_proofs(promise)))


def _figures(promise: Promise) -> Iterator[str]:
    for name in promise.figures:
        yield f"`{promise.command}` found:"
        yield ""
        for figure, value in kept(name).items():
            yield f"- {figure.replace('_', ' ')}: {f'{value:,}' if isinstance(value, int) else value}"
        yield ""


def _proofs(promise: Promise) -> Iterator[str]:
    yield "Proved by:"
    yield ""
    for file, test in promise.proofs:
        yield f"- `{test}` in [{file}](../{file})"
    yield ""


if __name__ == "__main__":
    print(page(), end="")
