"""Writes RELIABILITY.md: what cribboard guarantees, the tests that prove it, and the figures of the last run.

python -m tests.reliability.reliability_page > firmware_host/RELIABILITY.md
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from tests.reliability.figures import stored


class Proof(NamedTuple):
    """A test or a state machine, and its file."""

    file: str
    test: str


@dataclass(frozen=True, slots=True)
class Guarantee:
    """One section of the page. `command` prints the figures that are stored under the names `figures`."""

    title: str
    text: str
    proofs: tuple[Proof, ...]
    command: str = ""
    figures: tuple[str, ...] = ()


GUARANTEES = (
    Guarantee(
        "A power cut loses nothing",
        "A turn that was shown as final is on the disk, unless display and page say that the game is not saved. "
        "After a power cut at any moment the game is as it was last shown, or one turn further if that turn was being "
        "written; never less and never anything else. Not promised: a card that loses what it reported as written. The "
        "tests cut the power between all calls by which the program changes its disk; unsynced data is lost, "
        "torn or reordered as on a real disk. After each cut they check journal, phones, settings and backups. "
        "Another test kills the "
        "whole program at random moments during a game.",
        (
            Proof("tests/reliability/test_power_cuts.py", "test_many_power_cuts_lose_nothing"),
            Proof("tests/reliability/test_power_cuts.py", "test_journal_that_does_not_sync_is_detected"),
            Proof("tests/reliability/test_power_cuts.py", "test_settings_written_in_place_are_detected"),
            Proof("tests/reliability/test_process_kills.py", "test_killed_program_loses_nothing"),
            Proof("tests/reliability/test_process_kills.py", "test_lost_write_ahead_log_is_detected"),
            Proof("tests/storage/test_journal.py", "test_acknowledged_turns_survive_a_kill"),
            Proof("tests/reliability/test_full_disk.py", "test_board_starts_and_writes_when_it_can"),
        ),
        "make power-cuts",
        ("power_cuts", "process_kills"),
    ),
    Guarantee(
        "A corrupt journal is detected, and recovered as far as possible",
        "Every row of the journal has a checksum. A file that a failing SD card has corrupted is moved aside, under a "
        "name with the date. A new journal is built from its replica and from what is intact in the file. The "
        "display says that it was repaired, and the web panel until when moves were recovered. A damage in the "
        "write-ahead log of the game that is on looks "
        "to SQLite like a power cut; a high-water mark of 55 bytes, written with each turn, tells the two apart, and "
        "pages that the log still has are recovered. The mark is not synced: a damage of the log that comes with a "
        "power cut may go unnoticed as far as the mark had not reached the card: the kernel decides when, and it was "
        "not tested. Past games are read at rest, one each 30 seconds, and healed from the replica or the journal. A "
        "damage of "
        "both copies of one game is reported and loses turns of that game only. Checksums do not protect against "
        "somebody who changes the file on purpose.",
        (
            Proof("tests/reliability/test_corruption.py", "test_3000_flipped_bits"),
            Proof("tests/reliability/test_corruption.py", "test_intact_rows_are_recovered_without_a_replica"),
            Proof("tests/web_panel/test_backups.py", "test_display_and_page_say_what_was_lost_in_a_damaged_journal"),
            Proof("tests/host/test_storage_care.py", "test_past_games_are_checked_one_by_one_at_rest"),
            Proof("tests/reliability/test_log_damage.py", "test_every_bit_of_the_headers_and_every_second_byte"),
            Proof("tests/reliability/test_sound_games.py", "test_damaged_past_game_is_healed_from_the_replica"),
            Proof("tests/reliability/test_sound_games.py", "test_damaged_replica_is_written_again_from_the_journal"),
            Proof("tests/reliability/test_sound_games.py", "test_past_game_damaged_in_both_files_is_reported_once"),
            Proof("tests/reliability/test_sound_games.py", "test_harmless_changes_of_the_database_lose_nothing"),
        ),
        "make power-cuts",
        ("flipped_bits", "damaged_logs"),
    ),
    Guarantee(
        "What is believed was played again",
        "A backup is played again, from the first event to the last, before anything changes; one that cannot be "
        "changes nothing. A game of the journal that cannot be played again never stops a start: the others open, and "
        "it stays in the file that was moved aside, named in the report.",
        (
            Proof("tests/reliability/test_sound_games.py", "test_crafted_backup_is_refused_and_changes_nothing"),
            Proof("tests/reliability/test_sound_games.py", "test_start_with_an_unsound_game_opens_the_others"),
        ),
    ),
    Guarantee(
        "A game goes on without a disk",
        "With a full or read-only disk at the start, the game goes on in memory: display and page say that it is not "
        "saved, and it is written when the disk allows it. Until then a power cut loses it. While a game is on, a "
        "turn that cannot be written waits. A state folder that is deleted or replaced while the board runs is "
        "noticed with the next turn, and the games are written again.",
        (
            Proof("tests/reliability/test_full_disk.py", "test_board_starts_and_writes_when_it_can"),
            Proof(
                "tests/reliability/test_sound_games.py",
                "test_deleted_folder_is_noticed_and_all_games_are_written_again",
            ),
            Proof("tests/reliability/test_sound_games.py", "test_replaced_folder_is_noticed_and_its_games_stay"),
            Proof("tests/simulation/test_fault_plan.py", "test_leap_is_held_until_the_disk_can_be_written"),
        ),
    ),
    Guarantee(
        "Hidden cards stay hidden",
        "What the panel sends to one visitor does not depend on cards that lie face down in the hand of another. Two "
        "boards that differ in one hidden hand play the same commands, and every answer is compared byte by byte: all "
        "sequences of two of 35 commands, and of four of 16. So are the state, the display, the lights, the voice, "
        "MQTT and the log after each command, and all pages and downloads after the first ones. Not covered: how long an "
        "answer takes, and what somebody does at the keys of the board. When both hands are complete, the display and "
        "the log tell people at the board that one card is in two hands.",
        (
            Proof("tests/web_panel/test_hidden_cards.py", "test_no_sequence_of_two_commands_tells_of_hidden_cards"),
            Proof("tests/web_panel/test_hidden_cards.py", "test_no_sequence_of_four_commands_tells_of_hidden_cards"),
            Proof("tests/web_panel/test_hidden_cards.py", "test_attacks_that_were_found_by_hand"),
            Proof("tests/web_panel/test_private_hands.py", "test_entering_a_card_of_another_hand_gives_no_answer"),
        ),
    ),
    Guarantee(
        "With HTTPS nobody who reads the Wi-Fi reads a token or a card",
        "HTTPS is off at first; then everything is in clear. With `https = true` the panel answers in clear only "
        "with the page that explains how to trust the board, the file for it and static files; everything else is "
        "led to HTTPS or refused, but for the board's own computer. A relay that records every byte finds no "
        "token and no answer in them. A TLS handshake that is slow, broken or never finished delays nobody. Not "
        "promised: a phone that downloads the authority while somebody changes the traffic, unless the "
        "fingerprint is compared; the pairing code, and the token of a phone that was added before HTTPS was "
        "switched on, in its first request. Nobody has followed the steps on a real phone yet.",
        (
            Proof("tests/web_panel/test_tls.py", "test_nothing_is_in_clear_over_tls"),
            Proof("tests/web_panel/test_https.py", "test_in_clear_every_route_but_the_trust_page_leads_to_https"),
            Proof("tests/web_panel/test_https.py", "test_the_boards_own_computer_needs_no_https"),
            Proof(
                "tests/web_panel/test_https.py", "test_a_token_from_before_https_is_sent_over_https_only_from_now_on"
            ),
            Proof("tests/https/test_certificate.py", "test_a_stolen_authority_can_pose_as_no_other_site"),
            Proof("tests/web_panel/test_tls.py", "test_unfinished_handshakes_delay_nobody"),
            Proof("tests/https/test_renewal.py", "test_new_connections_get_the_renewed_certificate"),
        ),
    ),
    Guarantee(
        "Past games stay readable, and can be backed up",
        "A journal of every earlier format can be opened; the tests keep one of each. A journal of a newer format is "
        "refused with a message and not changed. A backup can be written while the board runs, and restored by "
        "command or in the web panel; the replaced journal is kept. `make test` proves it.",
        (
            Proof("tests/reliability/test_backups.py", "test_journal_of_any_format_is_migrated"),
            Proof("tests/storage/test_journal.py", "test_journal_of_a_newer_format_is_unchanged"),
            Proof("tests/reliability/test_backups.py", "test_backup_during_a_game"),
            Proof("tests/reliability/test_backups.py", "test_restore_keeps_the_old_journal"),
            Proof("tests/web_panel/test_backups.py", "test_a_backup_is_restored_and_play_continues"),
        ),
    ),
    Guarantee(
        "An upgrade can be undone",
        "The installer keeps the previous version and a copy of the games. A new version that does not come up within "
        "60 seconds is replaced by the previous one; `install.sh --rollback` does so later. Games since the upgrade "
        "stay if the previous version can read them; otherwise they are put aside, and the copy is used. Only packages "
        "with known checksums are installed, and pip never runs as root. The tests are slow or need a kernel of their "
        "own: `make test-slow` and `make test-kernel`, as root. The last ones run Debian's systemd as the first "
        "process of a container: with a game on they upgrade, go back, and install a version that ends at its start, "
        "one that hangs there and ignores SIGTERM, and one that freezes when it is ready; the previous one answered again "
        "after 69 to 86 seconds. "
        "Not promised: releases are not signed; a setting that only the newer version knows keeps the previous one "
        "from starting. Not tried: an upgrade on a Pi, and a version that starts and fails later, or whose page alone "
        "does not answer.",
        (
            Proof("tests/install/test_install_in_a_root.py", "test_upgrades_keep_a_way_back"),
            Proof("tests/kernel/test_service.py", "test_systemd_of_a_container_runs_the_installed_board"),
            Proof("tests/kernel/service/witness.py", "upgrade_and_return"),
            Proof("tests/release/test_release.py", "test_the_same_commit_gives_the_same_bytes"),
            Proof("tests/release/test_release.py", "test_a_changed_file_is_detected"),
        ),
    ),
    Guarantee(
        "The SD card is written as little as possible",
        "A turn writes a few kilobytes, and an idle board writes nothing. Nearly all of it is SQLite's write-ahead "
        "log, which must be on the card before a turn is shown. When a game is won its rows are written once to the "
        "journal and once to the replica. The high-water mark of 55 bytes is written in place and not synced.",
        (
            Proof("tests/reliability/test_power_cuts.py", "test_bytes_written_by_a_game"),
            Proof("tests/reliability/test_power_cuts.py", "test_idle_board_writes_nothing"),
        ),
        "make power-cuts",
        ("card_wear",),
    ),
    Guarantee(
        "Hardware faults are reported, and the game continues when they are over",
        "The faults: a full, read-only or slow disk; a broken sensor chain; swapped strips; a magnet on the board; "
        "switches that bounce or are dead, stuck or weak; noise on the cable to a scanner, or the cable pulled; a "
        "display that does not answer; a stuck key; a clock that jumps. The game goes on, or waits with a message. To "
        "try it: `cribboard run --faults PLAN`.",
        (
            Proof("tests/simulation/test_fault_plan.py", "test_leap_is_held_until_the_disk_can_be_written"),
            Proof("tests/simulation/test_fault_plan.py", "test_every_kind_has_a_test_and_is_in_the_readme"),
            Proof("tests/simulation/test_fault_plan.py", "test_cable_pulled_and_plugged_in_again"),
            Proof("tests/firmware/test_app_with_scanner.py", "test_planned_cable_faults_lose_no_move"),
            Proof("tests/tracking/test_weak_holes.py", "test_no_hole_of_a_sound_board_is_called_weak"),
        ),
    ),
    Guarantee(
        "Pegs are read correctly",
        "Simulated hands, less careful than the recorded ones of real players, play on every board to every target. "
        "The peg tracker does not know which points are due. *Tidy* hands only take their time; *everyday* hands "
        "count through the holes, make and correct errors, jostle pegs and clear the board; *untidy* hands do so "
        "often and move at once; *harsh* hands do little else. On a board with laps the holes alone do not show the "
        "lap: a front peg that slides on by a long hand, and overshoots by a group of holes, stands where a peg moved "
        "back by 21 to 30 would stand. Such a slide is reported after 3 seconds, or at once if it matches the points "
        "due; a correction counts from the start of the slide. If a lap was lost after all, it is found again in the "
        "game hole, or by the keys: no hole in between contradicts it.",
        (
            Proof("tests/tracking/test_played_games.py", "test_forty_thousand_turns_on_sound_boards"),
            Proof("tests/tracking/test_misread_turns.py", "test_a_turn_once_read_wrong_is_read_right"),
            Proof("tests/tracking/test_recorded_traces.py", "test_a_recorded_trace_is_read_right_and_soon"),
        ),
        "make pegs",
        ("pegs_at_scale",),
    ),
    Guarantee(
        "It does not slow down or grow from game to game",
        "200 games in almost five days of a simulated clock: simulated hands, phones that come and go, power cycles, "
        "and the faults "
        "above. Memory grows by less than 3 kB per game once a cache of rank patterns is full (4.8 MiB, filled by "
        "counting hands). No file descriptor and no thread is leaked, an idle board writes nothing, and resuming "
        "takes no longer after many games than after few.",
        (Proof("tests/reliability/test_soak.py", "test_four_games_leak_nothing"),),
        "make soak",
        ("soak",),
    ),
    Guarantee(
        "Any input is answered",
        "A coverage-guided fuzzer feeds everything that reads untrusted input: cards, game records, traces, settings "
        "and their changes, board plans, scanner frames, the journal and its rows, backups, and HTTP requests and "
        "commands. The program may only refuse with a message. State machines call game, host and journal in any "
        "order. What the last run found was fixed; the input that showed it stays among those that `make test` tries.",
        (
            Proof("tests/fuzz/test_targets.py", "test_corpus_is_taken_or_refused"),
            Proof("tests/fuzz/test_targets.py", "test_any_bytes_are_taken_or_refused"),
            Proof("tests/game/test_game_machine.py", "TestAnyTable"),
            Proof("tests/host/test_host_machine.py", "TestHostMachine"),
            Proof("tests/reliability/test_journal_machine.py", "TestAnyJournal"),
        ),
        "make fuzz",
        ("fuzz",),
    ),
    Guarantee(
        "A bug report names nobody",
        "`cribboard report` packs the trace of the pegs, the latest turns, the findings of the doctor and all "
        "versions into one file, without a card, a name or a token.",
        (Proof("tests/doctor/test_report.py", "test_report_has_no_card_name_or_token"),),
    ),
)

HEADING = """\
# Reliability

What cribboard guarantees, with the tests that prove it and the figures of the last run. `make reliability` generates
this page; do not edit it. You can run each command yourself. What could not be tested without real hardware is listed
in [hardware/TEST.md](../hardware/TEST.md).
"""


def page() -> str:
    """The text of RELIABILITY.md."""
    return "\n".join((HEADING, *(_section(guarantee) for guarantee in GUARANTEES)))


def _section(guarantee: Guarantee) -> str:
    return "\n".join((f"## {guarantee.title}", "", guarantee.text, "", *_figures(guarantee), *_proofs(guarantee)))


def _figures(guarantee: Guarantee) -> Iterator[str]:
    for name in guarantee.figures:
        yield f"Last run of `{guarantee.command}`, {name.replace('_', ' ')}:"
        yield ""
        for figure, value in stored(name).items():
            yield f"- {figure.replace('_', ' ')}: {f'{value:,}' if isinstance(value, int) else value}"
        yield ""


def _proofs(guarantee: Guarantee) -> Iterator[str]:
    yield "Proved by:"
    yield ""
    for file, test in guarantee.proofs:
        yield f"- `{test}` in [{file}](../{file})"
    yield ""


if __name__ == "__main__":
    print(page(), end="")
