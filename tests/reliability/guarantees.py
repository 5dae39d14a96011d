"""What RELIABILITY.md guarantees: each claim with the tests that prove it, and what is not promised."""

from __future__ import annotations

from msgspec import Struct


class Claim:
    """A sentence or a few, and the names of the tests that prove them."""

    def __init__(self, text: str, *tests: str) -> None:
        self.text, self.tests = text, tests


class Guarantee(Struct, frozen=True):
    """One section of the page. `limits` are what is not promised, not tried or not covered; `about` says how it is
    tested. `command` prints the figures that are stored under the names `figures`."""

    title: str
    claims: tuple[Claim, ...]
    limits: tuple[str, ...] = ()
    about: str = ""
    command: str = ""
    figures: tuple[str, ...] = ()


GUARANTEES = (
    Guarantee(
        "A power cut loses nothing",
        (
            Claim(
                "A turn that was shown as final is on the disk.",
                "test_acknowledged_turns_survive_a_kill",
                "test_many_power_cuts_lose_nothing",
            ),
            Claim(
                "While it is not, display and page say so.",
                "test_board_starts_and_writes_when_it_can",
            ),
            Claim(
                "After a power cut at any moment the game is as it was last shown, or one turn further if that "
                "turn was being written. Phones, settings and backups are as before or as after a change.",
                "test_many_power_cuts_lose_nothing",
                "test_settings_written_in_place_are_detected",
            ),
            Claim(
                "The same holds while a journal of an earlier format is upgraded, and while a corrupt one is "
                "recovered.",
                "test_upgrade_survives_power_cuts",
                "test_recovery_survives_power_cuts",
            ),
            Claim(
                "When the whole program is killed during a game, no turn that was shown is lost.",
                "test_killed_program_loses_nothing",
            ),
            Claim(
                "The tests notice a program that would lose something.",
                "test_journal_that_does_not_sync_is_detected",
                "test_disk_that_ignores_syncs_is_detected",
                "test_lost_write_ahead_log_is_detected",
            ),
        ),
        limits=("A card that loses what it reported as written.",),
        about="The power is cut between the calls by which the program changes its disk; unsynced data is lost, "
        "torn or reordered as on a real disk.",
        command="make power-cuts",
        figures=("power_cuts", "process_kills"),
    ),
    Guarantee(
        "A corrupt journal is detected, and recovered as far as possible",
        (
            Claim(
                "Every row has a checksum.",
                "test_seal_detects_a_changed_score",
                "test_3000_flipped_bits",
            ),
            Claim(
                "A corrupt file is moved aside, and a new one is built from the replica and from what is intact.",
                "test_corrupt_file_is_rebuilt_from_the_replica",
                "test_intact_rows_are_recovered_without_a_replica",
            ),
            Claim(
                "The display says that it was repaired, and the web panel until when moves were recovered.",
                "test_display_and_page_say_what_was_lost_in_a_damaged_journal",
            ),
            Claim(
                "A damage in the write-ahead log of the game that is on looks to SQLite like a power cut; a "
                "high-water mark of 55 bytes, written with each turn, tells the two apart. Pages that the log "
                "still has are recovered.",
                "test_every_bit_of_the_headers_and_every_second_byte",
                "test_flipped_bits_in_the_log_are_harmless_or_reported",
                "test_mark_is_one_short_write_for_each_turn",
            ),
            Claim(
                "Past games are read at rest, one after the other, and healed from the replica or the journal.",
                "test_past_games_are_checked_one_by_one_at_rest",
                "test_damaged_past_game_is_healed_from_the_replica",
                "test_damaged_replica_is_written_again_from_the_journal",
            ),
            Claim(
                "A damage of both copies of one game is reported, and loses turns of that game only.",
                "test_past_game_damaged_in_both_files_is_reported_once",
                "test_different_games_damaged_in_both_files_are_both_healed",
            ),
            Claim(
                "The first page, with the header and the definition of the table, is replaced where it is damaged: "
                "the rows on other pages are read.",
                "test_a_flipped_bit_of_the_first_page_loses_no_row",
                "test_a_flipped_number_of_the_format_or_the_program_does_not_refuse_the_start",
            ),
            Claim(
                "Games are found by number, not counted: a number far beyond the others makes nothing hang. In an "
                "unreadable file no more games are searched for than the files can hold.",
                "test_a_start_leaves_out_a_game_beyond_all_numbers",
                "test_games_with_a_gap_are_listed_copied_checked_and_restored",
                "test_no_more_games_are_searched_than_the_files_can_hold",
            ),
            Claim(
                "`ANALYZE`, an added index or `VACUUM` loses nothing.",
                "test_harmless_changes_of_the_database_lose_nothing",
            ),
        ),
        limits=(
            "A damage of the log that comes with a power cut: the mark is not synced, so it may go unnoticed as "
            "far as the mark had not reached the card. It was not tested.",
            "A file that somebody changes on purpose.",
        ),
        command="make power-cuts",
        figures=("flipped_bits", "damaged_logs"),
    ),
    Guarantee(
        "A flipped bit in any other file is harmless or reported",
        (
            Claim(
                "Phones, merged names, learners, wiring, card tags, accounts of a club, settings changed on the page, "
                "the progress of the set-up, the brokers that keep messages of the board and the authority of HTTPS "
                "have a checksum and a copy. One flipped bit changes nothing that is used, and refuses no start.",
                "test_a_flipped_bit_of_a_small_file_changes_nothing",
                "test_every_flipped_bit_of_a_small_file_changes_nothing",
                "test_an_empty_file_is_read_from_its_copy",
                "test_a_damaged_authority_is_read_from_its_copy",
            ),
            Claim(
                "A small file whose length is damaged does not fill the memory, and a lock that is damaged keeps no "
                "board from starting.",
                "test_a_file_of_a_damaged_length_is_read_from_its_copy",
                "test_a_lock_that_is_filled_keeps_no_board_from_starting",
            ),
            Claim(
                "The same holds for every file that a state folder has after an evening, tried by listing the folder: "
                "the board starts, and what it and its pages do not find any more is in its log.",
                "test_a_flipped_bit_of_any_file_is_harmless_or_told",
                "test_flipped_bits_of_every_file_are_harmless_or_told",
            ),
            Claim(
                "People write `cribboard.toml`, so it has no check. After any flipped bit the start names the line or "
                "the setting that it cannot use, or which settings have another value than at the start before; "
                "`cribboard doctor` has their former values.",
                "test_no_flipped_bit_of_the_settings_is_silent",
                "test_none_of_all_flipped_bits_of_the_settings_is_silent",
                "test_a_start_logs_which_settings_have_changed",
                "test_the_doctor_names_the_latest_change_and_damaged_files",
            ),
            Claim(
                "A `cribboard.toml` that cannot be used keeps no installed board from starting: it uses the settings "
                "of its latest good start. Display, device page, log and doctor name line and setting until the file "
                "is right.",
                "test_a_service_starts_with_the_settings_of_its_latest_good_start",
                "test_a_damaged_byte_anywhere_keeps_no_service_from_starting",
                "test_without_a_copy_the_board_opens_no_network_and_simulates_nothing",
                "test_the_display_says_it_until_the_file_is_right",
                "test_the_doctor_names_the_fault_and_checks_the_former_settings",
            ),
            Claim(
                "Where file and copy are damaged the program starts without, keeps both aside and says so in its log.",
                "test_a_start_with_a_damaged_file_and_copy_goes_on_without",
                "test_a_board_starts_with_damaged_changes_of_the_page",
            ),
            Claim(
                "What a person wrote into one of them is kept aside, where the check does not fit any more.",
                "test_what_a_person_wrote_is_kept",
            ),
            Claim(
                "The file of a club has a replica and is verified each time that it is opened; one event that is "
                "damaged in both is left out alone.",
                "test_a_flipped_bit_loses_no_event",
                "test_a_flipped_bit_of_the_replica_is_repaired",
                "test_one_event_damaged_in_both_files_is_left_out_alone",
                "test_power_cuts_take_no_event_from_a_club",
            ),
        ),
        limits=(
            "A damaged `cribboard.toml` on a board that has never started with a good one: it then reads no pegs and "
            "opens no network. In a terminal `cribboard run` refuses a damaged file.",
            "Certificate and templates of the pages, and figures: they are made again. The peg trace is not checked.",
        ),
    ),
    Guarantee(
        "Nothing in the state folder leads out of it",
        (
            Claim(
                "No link and no pipe is followed or waited for, at any place of a path.",
                "test_a_planted_link_changes_no_file_elsewhere",
                "test_a_planted_link_makes_no_file_elsewhere",
                "test_a_pipe_is_refused_and_not_waited_for",
                "test_a_linked_folder_is_not_written_to",
                "test_files_of_the_state_folder_are_opened_by_one_module",
            ),
            Claim(
                "A program that root starts goes on as the owner of the state folder, or refuses.",
                "test_root_gives_itself_up_before_it_writes",
                "test_a_folder_that_others_can_write_is_refused",
            ),
        ),
        limits=("A state folder that does not exist yet, in a folder in which everybody may make files.",),
    ),
    Guarantee(
        "What is believed was played again",
        (
            Claim(
                "A backup is played again, from the first event to the last, before anything changes; one that "
                "cannot be changes nothing.",
                "test_crafted_backup_is_refused_and_changes_nothing",
                "test_restoring_a_corrupt_backup_changes_nothing",
            ),
            Claim(
                "A crafted table of merged names or learners is refused before it is read.",
                "test_a_crafted_document_in_a_backup_is_refused_unread",
            ),
            Claim(
                "A game of the journal that cannot be played again never stops a start: the others open, and it "
                "stays in the file that was moved aside, named in the report.",
                "test_start_with_an_unsound_game_opens_the_others",
            ),
        ),
    ),
    Guarantee(
        "A game goes on without a disk",
        (
            Claim(
                "With a full or read-only disk at the start, the game goes on in memory: display and page say "
                "that it is not saved, and it is written when the disk allows it.",
                "test_board_starts_and_writes_when_it_can",
                "test_turns_are_written_when_the_disk_can_be",
            ),
            Claim(
                "While a game is on, a turn that cannot be written waits.",
                "test_leap_is_held_until_the_disk_can_be_written",
            ),
            Claim(
                "A state folder that is deleted or replaced is noticed with the next turn, and the games are "
                "written again.",
                "test_deleted_folder_is_noticed_and_all_games_are_written_again",
                "test_replaced_folder_is_noticed_and_its_games_stay",
            ),
        ),
        limits=("A game that is in memory alone, after a power cut.",),
    ),
    Guarantee(
        "Hidden cards stay hidden",
        (
            Claim(
                "What the panel sends to one visitor does not depend on cards that lie face down in the hand of "
                "another, after any two of 35 commands and any four of 16.",
                "test_no_sequence_of_two_commands_tells_of_hidden_cards",
                "test_no_sequence_of_four_commands_tells_of_hidden_cards",
            ),
            Claim(
                "Neither do display, lights, voice, MQTT and log after each of them, nor any page or download "
                "after the first one, and after each command of the attacks that were found by hand.",
                "test_no_sequence_of_two_commands_tells_of_hidden_cards",
                "test_attacks_that_were_found_by_hand",
            ),
            Claim(
                "The same holds for sampled sequences of four and six commands by everybody, the list of which is that "
                "of the routes; with hands of the program at each of its levels; and with a backup that is restored "
                "between them. Every page and file is read in the end.",
                "test_many_sampled_sequences_by_everybody",
                "test_sequences_with_a_restore_by_everybody",
                "test_every_route_that_changes_something_is_tried",
            ),
            Claim(
                "Whoever enters a card of another hand is not told: neither by an answer, nor by the display or its "
                "picture, before both cards lie face up.",
                "test_entering_a_card_of_another_hand_gives_no_answer",
                "test_one_card_in_two_hands_is_told_once_both_are_shown",
            ),
        ),
        limits=("How long an answer takes, and what somebody does at the keys of the board.",),
        about="Two boards that differ in one hidden hand play the same commands, and everything is compared byte by "
        "byte.",
    ),
    Guarantee(
        "With HTTPS nobody who reads the Wi-Fi reads a token or a card",
        (
            Claim(
                "With `https = true` the panel answers in clear only with the page that explains how to trust the "
                "board, the file for it and static files; everything else is led to HTTPS or refused.",
                "test_in_clear_every_route_but_the_trust_page_leads_to_https",
            ),
            Claim(
                "Only the board's own computer needs none.",
                "test_the_boards_own_computer_needs_no_https",
            ),
            Claim(
                "A relay that records every byte finds no token and no answer in them.",
                "test_nothing_is_in_clear_over_tls",
            ),
            Claim(
                "A token from before HTTPS was switched on is sent over HTTPS alone after its first request.",
                "test_a_token_from_before_https_is_sent_over_https_only_from_now_on",
            ),
            Claim(
                "A TLS handshake that is slow, broken or never finished delays nobody.",
                "test_unfinished_handshakes_delay_nobody",
                "test_a_broken_handshake_is_closed_and_the_next_one_works",
            ),
            Claim(
                "The certificate is renewed while the board runs.",
                "test_new_connections_get_the_renewed_certificate",
            ),
            Claim(
                "A stolen authority cannot pose as another site.",
                "test_a_stolen_authority_can_pose_as_no_other_site",
            ),
        ),
        limits=(
            "HTTPS is off at first; then everything is in clear.",
            "A phone that downloads the authority while somebody changes the traffic, unless the fingerprint is "
            "compared.",
            "The pairing code, and the first request of a token from before HTTPS.",
            "Nobody has followed the steps on a real phone yet.",
        ),
    ),
    Guarantee(
        "Past games stay readable, and can be backed up",
        (
            Claim(
                "A journal of every earlier format can be opened.",
                "test_journal_of_any_format_is_migrated",
            ),
            Claim(
                "A journal of a newer format is refused with a message and not changed.",
                "test_journal_of_a_newer_format_is_unchanged",
            ),
            Claim(
                "A backup can be written while the board runs.",
                "test_backup_during_a_game",
            ),
            Claim(
                "It can be restored by command or in the web panel; the replaced journal is kept.",
                "test_backup_and_restore_commands",
                "test_a_backup_is_restored_and_play_continues",
                "test_restore_keeps_the_old_journal",
            ),
            Claim(
                "So can a backup of 100 MB over HTTPS, while the line breaks: the upload goes on with the chunk that "
                "the board expects, in a browser too.",
                "test_a_hundred_megabytes_are_restored_over_https_and_a_line_that_breaks",
                "test_the_upload_goes_on_after_the_line_was_broken",
            ),
        ),
    ),
    Guarantee(
        "An upgrade can be undone",
        (
            Claim(
                "The installer keeps the previous version and a copy of the games, and `install.sh --rollback` "
                "returns to them. Games since the upgrade stay if the previous version can read them; otherwise "
                "they are put aside.",
                "test_upgrades_keep_a_way_back",
            ),
            Claim(
                "A new version that does not come up within 60 seconds is replaced by the previous one, with the "
                "game on: one that ends at its start, one that hangs there and ignores SIGTERM, and one that "
                "freezes when it is ready.",
                "test_systemd_of_a_container_runs_the_installed_board",
                "upgrade_and_return",
            ),
            Claim(
                "Only packages with known checksums are installed, and pip never runs as root.",
                "test_upgrades_keep_a_way_back",
            ),
            Claim(
                "A release is made reproducibly, and a changed file in it is detected.",
                "test_the_same_commit_gives_the_same_bytes",
                "test_a_changed_file_is_detected",
            ),
        ),
        limits=(
            "Releases are not signed.",
            "A setting that only the newer version knows keeps the previous one from starting.",
            "Not tried: an upgrade on a Pi, and a version that starts and fails later, or whose page alone does "
            "not answer.",
        ),
        about="The tests are slow or need a kernel of their own: `make test-slow` and `make test-kernel`, as root.",
    ),
    Guarantee(
        "The SD card is written as little as possible",
        (
            Claim(
                "A turn writes a few kilobytes.",
                "test_bytes_written_by_a_game",
            ),
            Claim(
                "An idle board writes nothing.",
                "test_idle_board_writes_nothing",
            ),
            Claim(
                "The high-water mark of 55 bytes is written in place and not synced.",
                "test_mark_is_one_short_write_for_each_turn",
            ),
        ),
        about="Nearly all of it is SQLite's write-ahead log, which must be on the card before a turn is shown. When "
        "a game is won its rows are written once to the journal and once to the replica.",
        command="make power-cuts",
        figures=("card_wear",),
    ),
    Guarantee(
        "Hardware faults are reported, and the game continues when they are over",
        (
            Claim(
                "A full or read-only disk.",
                "test_leap_is_held_until_the_disk_can_be_written",
            ),
            Claim(
                "A slow disk.",
                "test_slow_disk_delays_and_loses_nothing",
            ),
            Claim(
                "A broken sensor chain.",
                "test_broken_chain_is_named_and_recovers",
            ),
            Claim(
                "Swapped strips.",
                "test_swapped_strips_change_no_score",
            ),
            Claim(
                "A magnet near the board.",
                "test_magnet_near_the_board_changes_no_score",
            ),
            Claim(
                "A magnet in one hole after the other, while the pegs of the track stay in place.",
                "test_magnet_in_one_hole_after_the_other_moves_nothing",
                "test_points_that_a_magnet_moved_like_a_hand_are_given_back",
            ),
            Claim(
                "Switches that bounce, or are dead, stuck or weak.",
                "test_bouncing_switches_lose_no_turn",
                "test_dead_and_stuck_holes_do_not_stop_a_game",
                "test_no_hole_of_a_sound_board_is_called_weak",
            ),
            Claim(
                "Noise on the cable to a scanner, or the cable pulled.",
                "test_noisy_scanner_cable_loses_no_turn",
                "test_planned_cable_faults_lose_no_move",
                "test_cable_pulled_and_plugged_in_again",
            ),
            Claim(
                "A display that does not answer.",
                "test_display_is_refreshed_after_it_was_lost",
            ),
            Claim(
                "A stuck key.",
                "test_stuck_key_is_named_and_the_others_work",
            ),
            Claim(
                "A clock that jumps.",
                "test_clock_that_jumps_back_does_not_reorder_events",
            ),
        ),
        about="To try it: `cribboard run --faults PLAN`. All faults are simulated.",
    ),
    Guarantee(
        "Pegs are read correctly",
        (
            Claim(
                "Simulated hands, less careful than the recorded ones of real players, play on every board to "
                "every target; the figures below count what the tracker read wrong.",
                "test_forty_thousand_turns_on_sound_boards",
            ),
            Claim(
                "Traces of real players are read right.",
                "test_a_recorded_trace_is_read_right_and_soon",
            ),
            Claim(
                "Every turn that a version has read wrong is read right since.",
                "test_a_turn_once_read_wrong_is_read_right",
            ),
        ),
        limits=(
            "On a board with laps the holes alone do not show the lap: a front peg that slides on by a long hand, "
            "and overshoots by a group of holes, stands where a peg moved back by 21 to 30 would stand. Such a "
            "slide is reported after 3 seconds, or at once if it matches the points due; a correction counts from "
            "the start of the slide. If a lap was lost after all, it is found again in the game hole, or by the "
            "keys.",
        ),
        about="The tracker does not know which points are due. *Tidy* hands only take their time; *everyday* hands "
        "count through the holes, make and correct errors, jostle pegs and clear the board; *untidy* hands do "
        "so often and move at once; *harsh* hands do little else.",
        command="make pegs",
        figures=("pegs_at_scale",),
    ),
    Guarantee(
        "It does not slow down or grow from game to game",
        (
            Claim(
                "No file descriptor and no thread is leaked.",
                "test_four_games_leak_nothing",
            ),
            Claim(
                "Pages of past games read as much after many games as after few, and downloads are made in pieces.",
                "test_a_page_reads_no_more_games_than_it_shows",
                "test_sqlite_takes_no_more_steps_after_many_games",
                "test_a_download_is_made_in_pieces",
            ),
            Claim(
                "An idle board writes nothing.",
                "test_idle_board_writes_nothing",
            ),
        ),
        about="The figures are of 200 games in almost five days of a simulated clock: simulated hands, phones that "
        "come and go, power cycles, and the faults above. Memory grew by less than 3 kB per game once a cache of rank "
        "patterns was full (4.8 MiB, filled by counting hands).",
        command="make soak",
        figures=("soak",),
    ),
    Guarantee(
        "A club night loses and doubles nothing",
        (
            Claim(
                "Every game that ended on a board is in the club once, whatever fails between: broker, network, or the "
                "organiser's machine.",
                "test_a_night_with_a_killed_broker_and_a_power_cut_loses_and_doubles_nothing",
                "test_a_result_that_could_not_be_written_is_sent_again",
                "test_a_message_that_comes_twice_is_written_once_and_answered_twice",
            ),
            Claim(
                "What the club has acknowledged survives a power cut of the organiser's machine at any moment.",
                "test_power_cuts_take_no_event_from_a_club",
                "test_a_club_that_does_not_sync_is_detected",
            ),
            Claim(
                "Several programs may have its file open.",
                "test_another_program_that_closes_the_file_takes_nothing_from_one_that_has_it_open_twice",
            ),
            Claim(
                "The broker comes back after it was killed, also where a power cut has damaged its database.",
                "test_a_broker_that_was_killed_comes_back_with_its_retained_messages",
                "test_a_broker_with_a_damaged_database_starts_without_it",
            ),
            Claim(
                "Pairings, standings and play-offs are those of an independent oracle.",
                "test_a_thousand_random_nights_agree_with_the_oracle",
            ),
        ),
        limits=(
            "A disk of the organiser that loses what it has reported as synced.",
            "A journal that is lost with its board before the results in it were sent.",
        ),
        about="The figures are of one night: every board is a process with a host, a journal, a password and simulated "
        "hands, and has a TCP line of its own to a Mosquitto that the program of the club started. The broker is "
        "killed (kill -9) just after it was sent a result. In a power cut broker and program are killed at the "
        "same moment, and the folder gets a state that its disk may have then: once without anything that was not "
        "synced, once with any part of it and without Mosquitto's database. Each board is cut off for ten minutes "
        "of real time, because its pauses between two attempts are real ones: every second line passes nothing "
        "and stays open, the others refuse connections. In the end the standings are computed from the journals "
        "by the oracle. Memory is the proportional share (PSS). Processor time is that of all programs of the "
        "night, as a share of its duration. Both players confirm each result on their board.",
        command="make club-load",
        figures=("club_load",),
    ),
    Guarantee(
        "Any input is answered",
        (
            Claim(
                "Cards, game records, traces, settings and their changes, board plans, scanner frames, the "
                "journal and its rows, backups, and HTTP requests and commands are taken or refused with a "
                "message.",
                "test_corpus_is_taken_or_refused",
                "test_any_bytes_are_taken_or_refused",
            ),
            Claim(
                "Game, host and journal may be called in any order.",
                "TestAnyTable",
                "TestHostMachine",
                "TestAnyJournal",
            ),
        ),
        about="A coverage-guided fuzzer feeds them. What the last run found was fixed; the input that showed it "
        "stays among those that `make test` tries.",
        command="make fuzz",
        figures=("fuzz",),
    ),
    Guarantee(
        "A bug report names nobody",
        (
            Claim(
                "`cribboard report` packs the trace of the pegs, the latest turns, the findings of the doctor and "
                "all versions into one file, without a card, a name or a token.",
                "test_report_has_no_card_name_or_token",
            ),
        ),
    ),
)
