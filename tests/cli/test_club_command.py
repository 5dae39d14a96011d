"""`cribboard club`: a whole night from the command line."""

from __future__ import annotations

import csv
import json
import ssl
from codecs import BOM_UTF8
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from firmware_host.cli import main
from firmware_host.club.members import USUAL_PRESET
from firmware_host.club_server.accounts import Accounts
from firmware_host.club_server.store import open_club
from firmware_host.config.languages import LANGUAGES
from firmware_host.config.settings_sources import load_settings
from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.variants import PRESETS, rules_for
from firmware_host.https.certificate import LOOPBACK, CertificateFiles, read_certificate
from firmware_host.optional_packages import Option, install_command


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CRIBBOARD_STATE_FOLDER", str(tmp_path))
    return tmp_path


def club(*args: str) -> Result:
    return CliRunner().invoke(main, ["club", *args])


def output(*args: str) -> str:
    result = club(*args)
    assert result.exit_code == 0, result.output
    return result.stdout


def objects(*args: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output(*args).splitlines()]


def refusal(*args: str) -> str:
    result = club(*args)
    assert result.exit_code == 1
    return result.stderr.strip()


def begin(*names: str, options: tuple[str, ...] = ()) -> None:
    output("add", *names)
    output("create", "--date", "2026-03-14", *options)
    output("enter", "--all")


def play_round(tables: int, number: int) -> None:
    """The first player of each table wins, by one hole more at each table."""
    for table in range(1, tables + 1):
        output("correct", str(table), "121", str(90 + table), "--reason", "test", "--round", str(number))


def test_a_help_makes_no_club(folder: Path) -> None:
    assert output("add", "--help")
    assert not (folder / "club.sqlite3").exists()


def test_a_result_counts_when_both_players_confirmed_it(folder: Path) -> None:
    begin("Ann", "Bob")
    assert output("pair").splitlines() == [
        "Round 1",
        "Table  Player  Opponent  Score",
        "1      Ann     Bob",
    ]
    assert "121-90  not confirmed by Bob" in output("result", "1", "121", "90", "--by", "Ann")
    assert [row["game_points"] for row in objects("standings", "--json")] == [0, 0]
    assert "1 result is not confirmed yet." in output("standings")
    assert "not confirmed" not in output("confirm", "1", "bob")
    assert [(row["name"], row["game_points"], row["spread"]) for row in objects("standings", "--json")] == [
        ("Ann", 3, 31),
        ("Bob", 0, -31),
    ]
    assert refusal("result", "1", "121", "90") == "This result counts already. Only the organiser can correct it."


def test_a_correction_keeps_its_reason_and_the_audit_has_everything(folder: Path) -> None:
    begin("Ann", "Bob")
    output("pair")
    output("result", "1", "121", "90")
    assert "corrected: scores exchanged" in output("correct", "1", "90", "121", "--reason", "scores exchanged")
    assert [row["name"] for row in objects("standings", "--json")] == ["Bob", "Ann"]
    events = objects("audit")
    assert [event["event"] for event in events] == [
        *("member_added", "member_added", "night_created", "join_code_set", "player_entered", "player_entered"),
        *("round_paired", "result_reported", "result_corrected"),
    ]
    assert events[-1]["reason"] == "scores exchanged" and events[-2]["scores"] == [121, 90]


def test_a_night_with_play_offs_and_exports(folder: Path) -> None:
    begin("Ann", "Bob", "Cat", "Dan", "=Eve", options=("--games", "3"))
    output("pair", "--all")
    for number in (1, 2, 3):
        play_round(2, number)
    chart = output("chart").splitlines()
    assert chart[1].split() == ["Table", "Round", "1", "Round", "2", "Round", "3"] and chart[-1].startswith("bye")
    assert output("chart", "--players").count("bye") == 3
    assert "Signature ____" in output("cards", "Ann")

    drawn = output("playoffs", "--best-of", "5")
    assert drawn.startswith("Play-offs, best of 5\nRound 1\n  1  1. ")
    assert refusal("match", "1", "1", "2", "1") == "The winner of a match has 3 games, the loser fewer."
    assert "Winner: " in output("match", "1", "1", "3", "1")
    assert "Consolation, best of 3" in output("playoffs", "--consolation")

    rows = list(csv.DictReader(output("export").splitlines()))
    assert len(rows) == 15 and {row["name"] for row in rows} == {"Ann", "Bob", "Cat", "Dan", "'=Eve"}
    record = json.loads(output("export", "--format", "json"))
    totals = {row["member"]: row["game_points"] for row in record["standings"]}
    assert totals == {card["member"]: card["game_points"] for card in record["scorecards"]}
    assert sum(int(row["game_points"]) for row in rows) == sum(totals.values()) == 6 * 2
    assert [bracket["champion"] for bracket in record["brackets"]] == [record["brackets"][0]["seeds"][0], None]
    output("export", "-o", str(folder / "night.csv"))
    assert (folder / "night.csv").read_text(encoding="utf-8") == output("export")


def test_the_games_of_a_match_are_entered_like_those_of_a_round(folder: Path) -> None:
    begin("Ann", "Bob", options=("--games", "1"))
    output("pair")
    play_round(1, 1)
    assert "  1  1. " in output("playoffs", "Ann", "Bob")
    assert output("swap", "1", "2").startswith("Tables of the play-offs\nTable") and output("tables").endswith("Bob\n")
    output("swap", "2", "1")
    output("result", "1", "121", "60", "--round", "2")
    assert output("confirm", "1", "Ann", "Bob").rstrip().endswith("1-0")
    assert "0-1" in output("correct", "1", "60", "121", "--round", "2", "--reason", "exchanged")
    rows = [row for row in csv.DictReader(output("export").splitlines()) if row["bracket"]]
    cells = [
        (row["round"], row["score"], row["won"], row["game_points"], row["match_round"], row["match"]) for row in rows
    ]
    assert cells == [("2", "60", "no", "", "1", "1"), ("2", "121", "yes", "", "1", "1")]
    record = json.loads(output("export", "--format", "json"))
    (match,) = record["brackets"][0]["matches"]
    assert match["games"] == [{"round": 2, "table": 1, "scores": [60, 121]}] and match["wins"] == []
    output("result", "1", "60", "121")
    assert "Winner: " in output("confirm", "1", "Ann", "Bob")
    assert refusal("result", "1", "60", "121", "--round", "4").startswith("Round 4")


@pytest.mark.parametrize("language", LANGUAGES)
def test_tables_fit_80_columns_with_long_names(folder: Path, language: str) -> None:
    names = ("Maximiliane Schwarzenberg", "Bartholomew", "Wilhelmina-Charlotte", "Dan")
    begin(*names, options=("--games", "3"))
    output("pair", "--all")
    for number in (1, 2, 3):
        play_round(2, number)
    output("playoffs", *names)
    commands = ("members", "tables", "chart", "chart --players", "standings", "season", "cards", "bracket")
    for command in commands:
        lines = output("--lang", language, *command.split()).splitlines()
        assert max(map(len, lines)) <= 80, command
        assert len(lines) >= 4


def test_a_season_adds_up_nights_without_guests(folder: Path) -> None:
    begin("Ann", "Bob", options=("--games", "1"))
    output("add", "Gus", "--guest")
    for date in ("2026-03-14", "2026-03-21"):
        if date != "2026-03-14":
            output("create", "--games", "1", "--date", date)
            output("enter", "Ann", "Bob", "Gus")
        output("pair")
        play_round(1, 1)
    rows = {row["name"]: row for row in objects("season", "--json")}
    assert set(rows) == {"Ann", "Bob"} and rows["Ann"]["nights"] == 2
    assert sum(row["season_points"] for row in rows.values()) == 4
    by_place = objects("season", "--points", "10,8", "--from", "2026-03-21", "--json")
    assert sorted(row["season_points"] for row in by_place) == [8, 10]


def test_tables_and_refusals_are_translated(folder: Path) -> None:
    begin("Ann", "Bob", options=("--games", "1"))
    assert output("--lang", "fr", "pair").startswith("Ronde 1\nTable  Joueur")
    assert refusal("--lang", "pl", "pair") == "Wszystkie rundy mają już pary."


def test_handicaps_give_head_starts_only_where_the_night_has_them(folder: Path) -> None:
    begin("Ann", "Bob", options=("--head-start",))
    output("change", "Ann", "--handicap", "3")
    assert "Ann starts 3 holes ahead" in output("pair")


def test_late_players_are_paired_after_the_round_is_withdrawn(folder: Path) -> None:
    begin("Ann", "Bob")
    output("add", "Cat", "Dan")
    output("pair")
    output("enter", "Cat", "Dan")
    assert output("unpair", "--reason", "two came late") == "Round 1 is withdrawn.\n"
    assert objects("audit")[-1]["reason"] == "two came late"
    output("pair")
    assert output("unpair") == "Round 1 is withdrawn.\n"
    assert objects("audit")[-1]["reason"] == ""
    assert len(output("pair").splitlines()) == 4
    assert output("leave", "Cat") == "3 players.\n"
    assert "bye" in output("tables")


def test_a_night_that_is_on_is_not_left_by_accident(folder: Path) -> None:
    begin("Ann", "Bob")
    assert refusal("create").startswith("Club night 1 is still on. Close it to begin another one.")
    assert output("standings").startswith("Club night 1,")
    assert output("create", "--close").startswith("Club night 2,")


def test_names_are_found_without_accents_and_case(folder: Path) -> None:
    begin("Zoë", "Ann Müller")
    output("add", "Łukasz", "Jose", "José")
    assert output("leave", "zoe") == "1 player.\n"
    assert output("enter", "lukasz", "JOSE", "José") == "4 players.\n"
    output("change", "Jose", "--name", "Josè")
    assert refusal("leave", "jose") == "Which one: Josè, José?"


def test_nights_before_can_be_read(folder: Path) -> None:
    begin("Ann", "Bob")
    output("create", "--close", "--date", "2026-04-01")
    assert output("standings").startswith("Club night 2, 2026-04-01")
    assert output("--night", "1", "standings").startswith("Club night 1, 2026-03-14")
    assert refusal("--night", "3", "standings") == "There is no such club night."


def test_results_of_boards_need_a_broker_and_a_night(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert refusal("collect") == "no broker is set; name one by mqtt_host in the settings"
    monkeypatch.setenv("CRIBBOARD_MQTT_HOST", "broker.local")
    assert refusal("collect") == "There is no such club night."


def test_the_last_organiser_stays_and_gets_a_new_password_at_the_computer(folder: Path) -> None:
    accounts = Accounts(folder / "club-accounts.json")
    first = accounts.first_password()
    assert "none would be left" in refusal("account", "remove", "organiser")
    assert "none would be left" in refusal(
        "account", "set", "organiser", "--role", "scorekeeper", "--password", "x" * 8
    )
    assert "organiser  organiser" in output("account", "set", "organiser", "--password", "another one")
    assert not accounts.check("organiser", first)
    password = output("account", "reset").split()[-1]
    account = accounts.check("organiser", password)
    assert account and account.role.name == "ORGANISER"


def test_serve_makes_the_first_account_once(folder: Path) -> None:
    accounts = Accounts(folder / "club-accounts.json")
    password = accounts.first_password()
    assert accounts.check("organiser", password) and accounts.first_password() == ""


def test_serve_without_mosquitto_prints_no_address_and_makes_no_account(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.which", lambda *_, **more: None)
    assert f"the program mosquitto, got it is not installed; run: {install_command(Option.CLUB)}" in refusal(
        "serve", "--broker"
    )
    assert not (folder / "club-accounts.json").exists()


def test_boards_on_the_computer_of_the_club_trust_its_broker_by_a_loopback_name(folder: Path) -> None:
    output("board", "add", "table-3")
    files = CertificateFiles(folder / "club-broker" / "tls", is_for_own_programs=True)
    assert read_certificate(files).names >= LOOPBACK


def test_accounts_are_set_listed_and_removed(folder: Path) -> None:
    assert output("account", "set", "Sue", "--password", "long enough") == "Sue  organiser\n", "somebody has to be"
    assert output("account", "set", "sue", "--password", "another one") == "sue  organiser\n"
    assert "Pat  scorekeeper" in output("account", "set", "Pat", "--password", "long enough")
    assert "Pat" not in output("account", "remove", "pat")
    assert output("account", "set", "Tim", "--role", "organiser", "--password", "long enough").count("\n") == 2
    assert output("account", "remove", "SUE") == "Tim  organiser\n"
    assert "expected 8 to 200 characters, got 5" in refusal("account", "set", "Sue", "--password", "short")
    assert "expected the name of an account" in refusal("account", "remove", "Sue")


def test_a_code_is_drawn_and_a_board_released(folder: Path) -> None:
    begin("Ann", "Bob")
    assert output("board", "code").strip().isdecimal()
    assert "table-3 has not joined this night" in refusal("board", "release", "table-3")


def test_boards_are_added_listed_and_expelled(folder: Path) -> None:
    settings = output("board", "add", "table-3")
    assert 'user = "table-3"' in settings and "results = true" in settings and "BEGIN CERTIFICATE" in settings
    assert "PRIVATE KEY" not in settings
    assert output("board", "list") == "table-3\n" and output("board", "expel", "table-3") == ""
    assert "expected the name of a board" in refusal("board", "expel", "table-3")


def test_the_files_for_a_board_are_written_into_a_folder(folder: Path, tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    written = output("board", "add", "table-3", "--into", str(stick), "--host", "club.local").splitlines()
    assert sorted(map(Path, written)) == sorted(stick.iterdir()) and "-----" not in "".join(written)
    text = (stick / "cribboard.toml").read_text().replace("/etc/cribboard", str(stick))
    (tmp_path / "board.toml").write_text(text)
    settings = load_settings(tmp_path / "board.toml", {"HOME": str(tmp_path)}, {})
    assert (settings.mqtt_host, settings.mqtt_port, settings.mqtt_tls) == ("club.local", 8883, True)
    ssl.create_default_context(cafile=settings.mqtt_ca)
    assert (stick / "mqtt-password").stat().st_mode & 0o077 == 0


def test_the_club_is_backed_up_and_restored(folder: Path, tmp_path: Path) -> None:
    begin("Ann", "Bob")
    output("board", "add", "table-3")
    file = tmp_path / "stick" / "club.zip"
    assert "2 members, 1 night, " in output("backup", str(file)) and "existing file" in refusal("backup", str(file))
    output("add", "Cat")
    said = output("restore", str(file))
    assert "2 members, 1 night, " in said and "boards that may connect: table-3" in said and "accounts: none" in said
    assert "Cat" not in output("members")
    assert "a backup of a club" in refusal("restore", str(folder / "club.sqlite3"))


@pytest.mark.parametrize(
    ("options", "rules"),
    [
        ((), PRESETS[USUAL_PRESET].rules()),
        (("--preset", "family"), PRESETS["family"].rules()),
        (("--variant", "five_card"), rules_for("five_card")),
    ],
)
def test_a_night_is_played_by_the_rules_of_the_acc_unless_others_are_chosen(
    folder: Path, options: tuple[str, ...], rules: RuleSet
) -> None:
    output("create", *options)
    with open_club(folder / "club.sqlite3") as file:
        assert file.club.nights[-1].settings.rules == rules


def test_a_night_has_rules_and_a_code_for_the_boards(folder: Path) -> None:
    output("add", "Ann", "Bob")
    assert "Code for boards and phones: " in output("create", "--preset", "acc", "--option", "muggins_mode=off")
    with open_club(folder / "club.sqlite3") as file:
        night = file.club.nights[-1]
    assert night.settings.rules == rules_for("six_card", {**PRESETS["acc"].options, "muggins_mode": "off"})
    assert night.join_code.isdecimal() and len(night.join_code) == 6
    assert "expected one of" in refusal("create", "--variant", "chess")
    assert refusal("create", "--variant", "three_hand")


def test_places_are_changed_by_hand_and_the_changes_undone(folder: Path) -> None:
    begin("Ann", "Ben", "Cat", "Dan")
    before = output("pair")
    changed = output("seat", "Ann", "Ben")
    assert "Ann" in (at_first := changed.splitlines()[2]) and "Ben" in at_first
    assert output("undo") == before
    assert refusal("undo").endswith("that can be undone.")
    assert output("swap", "1", "2").splitlines()[2:] != before.splitlines()[2:]
    assert output("bye", "Ann").count("bye") == 2
    assert output("leave", "Ann") == "3 players.\n"
    assert output("leave", "Ann", "--undo") == "4 players.\n"
    output("add", "Eva")
    assert output("enter", "Eva").startswith("5 players.\n") and output("tables").count("bye") == 1


def test_a_change_by_hand_that_lets_two_meet_again_asks_first(folder: Path) -> None:
    begin("Ann", "Ben", "Cat", "Dan", "Eva")
    opponents = {line.split()[1]: line.split()[2] for line in output("pair").splitlines()[2:4]}
    one, two = next(iter(opponents.items()))
    without = ({"Ann", "Ben", "Cat", "Dan", "Eva"} - opponents.keys() - set(opponents.values())).pop()
    output("pair")
    question = "have met already, in round 1. Let them meet again? To do it, repeat the command with --sure."
    assert refusal("seat", one, two, "--round", "2").endswith(question)
    assert "had a bye already, in round 1. Another one?" in refusal("bye", without, "--round", "2")
    paired = output("seat", one, two, "--round", "2", "--sure").splitlines()
    assert any({one, two} <= set(line.split()) for line in paired)
    assert without in output("bye", without, "--round", "2", "--sure").splitlines()[-1]


def test_who_has_left_does_not_come_back_with_all_others(folder: Path) -> None:
    begin("Ann", "Ben", "Cat")
    output("leave", "Cat")
    output("add", "Dan")
    assert output("enter", "--all") == "3 players.\n"
    assert output("enter", "Cat") == "4 players.\n"


def test_a_refusal_says_what_to_type_instead(folder: Path) -> None:
    begin("Ann Smith", "Zoë Smith", "Cat")
    assert refusal("create").endswith("Close it to begin another one. To do it, repeat the command with --close.")
    unknown = refusal("leave", "smith")
    assert unknown == "smith is not a member of the club. Did you mean: Ann Smith, Zoë Smith?"
    assert refusal("leave", "Bob") == "Bob is not a member of the club."


def test_the_terminal_says_where_a_late_player_sits(folder: Path) -> None:
    begin("Ann", "Ben", "Cat")
    assert output("pair").splitlines()[-1].endswith("bye")
    output("add", "Dan", "Eva")
    count, title, _, *places = output("enter", "Dan").splitlines()
    assert (count, title) == ("4 players.", "Round 1") and "Dan" in places[1]
    assert output("enter", "Eva") == "5 players.\n"


def test_the_csv_of_a_night_is_one_that_a_spreadsheet_opens(folder: Path) -> None:
    begin("Zoë", "Bob; Ltd")
    output("pair")
    output("export", "--bom", "--delimiter", "semicolon", "-o", str(folder / "night.csv"))
    data = (folder / "night.csv").read_bytes()
    assert data.startswith(BOM_UTF8 + b"night;date;")
    rows = list(csv.DictReader(data.decode("utf-8-sig").splitlines(), delimiter=";"))
    assert rows == list(csv.DictReader(output("export").splitlines())) and rows[1]["name"] == "Bob; Ltd"


def test_papers_are_pages_for_a_printer_in_the_language_of_the_club(folder: Path) -> None:
    blank = output("--lang", "pl", "print", "blank-scorecards", "--paper", "letter")
    assert '<html lang="pl">' in blank and blank.count('class="slip"') == 4
    assert refusal("print", "standings") == "There is no such club night."
    begin("Ann", "Bob")
    output("pair")
    output("print", "pairings", "-o", str(folder / "pairings.html"))
    assert "Ann" in (folder / "pairings.html").read_text(encoding="utf-8")


def test_high_hands_are_noted_and_taken_back(folder: Path) -> None:
    begin("Ann", "Bob")
    assert output("hands", "Ann", "28", "--count", "2") == "Ann: 28 × 2\n"
    assert output("hands", "Bob", "29") == "Bob: 29\nAnn: 28 × 2\n"
    assert output("hands", "Ann", "28", "--count", "0") == "Bob: 29\n" == output("hands")
    assert "expected points: 28 or 29" in club("hands", "Ann").stderr


def test_a_list_of_members_is_added_whole_or_not_at_all(folder: Path, tmp_path: Path) -> None:
    names = tmp_path / "members.csv"
    names.write_text("Name,Guest\nAnn Smith,\nZoë,guest\n12,\n")
    assert "Line 4" in refusal("import", str(names)) and objects("members", "--json") == []
    names.write_text("Name,Guest\nAnn Smith,\nZoë,guest\n")
    assert output("import", str(names)) == "2 members added.\n"
    assert "the same person?" in refusal("import", str(names))
    assert output("import", str(names), "--same") == "0 members added.\n"


def test_several_names_are_added_all_or_none(folder: Path) -> None:
    assert "already" in refusal("add", "Ann", "Bob", "ann")
    assert objects("members", "--json") == []


def test_a_season_lists_grand_slams_and_high_hands_with_their_dates(folder: Path) -> None:
    begin("Ann", "Bob", options=("--games", "1"))
    output("pair")
    assert "Grand slams" not in output("season")
    output("correct", "1", "121", "90", "--reason", "read aloud")
    output("hands", "Bob", "29")
    winner = objects("standings", "--json")[0]["name"]
    assert output("season").splitlines()[-2:] == [
        f"Grand slams: {winner} (2026-03-14)",
        "Hands of 28 and 29: Bob 29 (2026-03-14)",
    ]
    assert "29" not in output("season", "--from", "2026-03-15")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_lists_of_spreadsheets_are_read_in_their_encodings(folder: Path, tmp_path: Path, encoding: str) -> None:
    names = tmp_path / "members.csv"
    names.write_bytes("Jürgen Weiß;guest\r\n".encode(encoding))
    assert output("import", str(names)) == "1 member added.\n"
    assert objects("members", "--json")[0]["name"] == "Jürgen Weiß"


def test_a_picture_is_no_list_of_members(folder: Path, tmp_path: Path) -> None:
    names = tmp_path / "members.csv"
    names.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    assert refusal("import", str(names)).endswith(
        "This is no list in UTF-8, UTF-16 or the code page of Windows. Save it as a CSV file in UTF-8."
    )


def test_games_without_a_result_are_not_called_results(folder: Path) -> None:
    begin("Ann", "Ben", "Cat", "Dan")
    output("pair")
    assert "2 games have no result yet." in output("standings") and "not confirmed" not in output("standings")
    output("result", "1", "121", "90")
    assert output("standings").splitlines()[-2:] == ["1 result is not confirmed yet.", "1 game has no result yet."]


def test_who_confirms_at_the_wrong_table_is_told_the_right_one(folder: Path) -> None:
    begin("Ann", "Ben", "Cat", "Dan")
    at_second = output("pair").splitlines()[3].split()[1]
    output("correct", "1", "121", "90", "--reason", "test")
    for args in (("confirm", "1", at_second), ("result", "1", "121", "90", "--by", at_second)):
        assert refusal(*args).endswith(f"In round 1 {at_second} plays at table 2, not at table 1.")


def test_the_round_of_a_result_is_said_and_open_tables_are_named(folder: Path) -> None:
    begin("Ann", "Ben", "Cat", "Dan")
    assert "still open" not in output("pair")
    output("correct", "1", "121", "90", "--reason", "test")
    assert output("pair").splitlines()[-1] == "Table 2 of round 1 is still open."
    assert output("result", "2", "121", "80").splitlines()[0] == "Saved for round 1, table 2."
    assert output("result", "2", "121", "80", "--round", "2").splitlines()[0] == "Saved for round 2, table 2."
    assert output("pair", "--all").splitlines()[-2:] == [
        "Table 2 of round 1 is still open.",
        "Tables 1, 2 of round 2 are still open.",
    ]


def example_of(text: str) -> list[list[str]]:
    """The arguments of the first commands of `cribboard club` in a text, which follow each other."""
    lines = [line.strip().removeprefix("$ ") for line in text.splitlines()]
    first = next(number for number, line in enumerate(lines) if line.startswith("cribboard club add"))
    return [line.split()[2:] for line in takewhile(bool, lines[first:]) if line.startswith("cribboard")]


@pytest.mark.parametrize("place", ["help", "README.md"])
def test_the_result_of_the_example_counts(folder: Path, place: str) -> None:
    text = output("--help") if place == "help" else Path(place).read_text(encoding="utf-8")
    printed = [output(*args) for args in example_of(text)][-1]
    assert "not confirmed" not in printed and "1 game has no result yet." in printed
    assert objects("standings", "--json")[0]["game_points"] == 2


def test_a_night_of_ones_own_begins_after_the_example_as_the_readme_says(folder: Path) -> None:
    text = Path("README.md").read_text(encoding="utf-8")
    for args in example_of(text):
        output(*args)
    for command in ("create --close", "remove Ann Bob Cat Dan"):
        assert f"`cribboard club {command}`" in text
        output(*command.split())
    assert objects("standings", "--json") == []
    output("add", "Eve", "Fay")
    assert "2 players." in output("enter", "--all")


def test_scorecards_have_sums_when_every_game_is_known(folder: Path) -> None:
    begin("Ann", "Bob", options=("--games", "2"))
    for number in (1, 2):
        output("pair")
        total = next(line for line in output("cards", "Ann").splitlines() if line.startswith("Total"))
        assert total.split() == ["Total"]
        play_round(1, number)
    total = next(line for line in output("cards", "Ann").splitlines() if line.startswith("Total"))
    assert len(total.split()) == 4
