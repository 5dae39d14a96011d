"""`cribboard league` on the command line, with SQLite."""

from __future__ import annotations

import json
import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firmware_host.cli import main
from firmware_host.club import decide as d
from firmware_host.club.members import MemberId, NightSettings
from firmware_host.club_server.store import open_club
from firmware_host.https.signing import new_authority
from firmware_host.league.collector import take
from firmware_host.league.database import Database
from firmware_host.league.ledger import MALFORMED, OTHER_BOARD
from tests.free_port import free_port
from tests.league.messages import message
from tests.stats.small_games import append, small_game


class League:
    def __init__(self, folder: Path) -> None:
        self.address = f"sqlite:///{folder}/league.sqlite3"

    def __call__(self, *arguments: object) -> Result:
        command = ["league", "--database", self.address, *map(str, arguments)]
        return CliRunner().invoke(main, command)


@pytest.fixture
def league(tmp_path: Path) -> League:
    run = League(tmp_path)
    assert run("migrate").output == "0001.ledger\n0002.game\n"
    return run


def test_migrating_again_does_nothing(league: League) -> None:
    assert league("migrate").output == "up to date\n"


def test_standings_show_the_players_in_order(league: League) -> None:
    with Database(league.address) as database:
        take(database, [(each.board, each.payload) for each in (message(1), message(2))])
    lines = league("standings").output.splitlines()
    assert [line.split() for line in lines] == [
        ["Player", "Games", "Points", "Won", "Spread", "Plus"],
        ["1", "Ann", "2", "6", "2", "72", "72"],
        ["2", "Bob", "2", "0", "0", "-72", "0"],
    ]
    assert len(league("standings", "--from", "2026-11-26").output.splitlines()) == 1
    assert len(league("standings", "--club", "Hill").output.splitlines()) == 1


def test_boards_are_added_with_their_settings_listed_and_expelled(league: League) -> None:
    settings = league("board", "add", "table-3", "--club", "Riverside").output
    assert 'board = "table-3"' in settings and "tls = true" in settings and "port = 8883" in settings
    assert league("board", "list").output == "table-3  Riverside\n"
    assert league("board", "expel", "table-3").exit_code == 0
    assert league("board", "list").output == "table-3  Riverside  (may not connect)\n"


def test_a_board_that_may_connect_keeps_its_password_unless_asked(league: League) -> None:
    first = league("board", "add", "table-3").output
    again = league("board", "add", "table-3")
    assert again.exit_code == 1 and "--renew" in again.output and again.output.count("\n") == 1
    assert league("board", "add", "table-3", "--renew").output != first
    assert league("board", "expel", "table-3").exit_code == 0
    assert league("board", "add", "table-3").exit_code == 0


def test_the_files_of_a_board_are_written_for_a_stick(league: League, tmp_path: Path) -> None:
    (tmp_path / "ca.crt").write_text("the authority\n")
    into = ("--into", tmp_path / "stick", "--ca", tmp_path / "ca.crt", "--host", "league.example")
    names = ["cribboard.toml", "mqtt-password", "league-ca.pem"]
    assert league("board", "add", "table-3", *into).output.split() == [str(tmp_path / "stick" / name) for name in names]
    settings = tomllib.loads((tmp_path / "stick" / "cribboard.toml").read_text())["mqtt"]
    assert (settings["host"], settings["user"], settings["results"]) == ("league.example", "table-3", True)
    assert [Path(settings[key]).name for key in ("password_file", "ca")] == names[1:]
    assert (tmp_path / "stick" / "mqtt-password").stat().st_mode & 0o777 == 0o600


def test_the_status_says_who_sent_what_and_what_was_refused(league: League) -> None:
    league("board", "add", "table-1")
    assert "boards: 1 may connect, 0 sent a result" in league("status").output
    with Database(league.address) as database:
        stolen = message(1, board="table-2", is_final=False)
        take(database, [(each.board, each.payload) for each in (message(1), message(2), stolen)])
        take(database, [("table-2", b"{"), ("table-2", stolen.payload)])
    found = json.loads(league("status", "--json").output)
    assert found["stream"] is None and found["ledger"]["replicas"] is None
    assert [found["ledger"][key] for key in ("boards", "boards_seen", "games", "results")] == [1, 1, 2, 2]
    assert {(each["board"], each["reason"], each["number"]) for each in found["ledger"]["refused"]} == {
        ("table-2", MALFORMED, 1),
        ("table-2", OTHER_BOARD, 2),
    }
    assert "refused: 2 from table-2: another board has sent" in league("status").output


def test_a_club_that_is_imported_is_no_board_that_sent_a_result(league: League, tmp_path: Path) -> None:
    with open_club(tmp_path / "club.sqlite3") as file:
        for name in ("Ann", "Ben"):
            file.change(lambda club, name=name: d.add_member(club, name))  # type: ignore[misc]
        file.change(lambda club: d.create_night(club, "2026-03-14", NightSettings()))
        file.change_all(lambda club: [d.enter_player(club, club.nights[0], MemberId(member)) for member in (1, 2)])
        file.change(lambda club: d.pair_round(club, club.nights[0]))
        file.change(lambda club: d.sign_result(club.nights[0], 1, 1, (121, 100)))
    assert league("import", tmp_path / "club.sqlite3", "--club", "Hill").output == "1 result of Hill counts\n"
    said = league("status").output
    assert "boards: 0 may connect, 0 sent a result\nledger: 1 game, 1 result\n" in said


def test_the_status_tells_what_it_can_while_the_brokers_are_away(league: League, tmp_path: Path) -> None:
    first = free_port()
    (tmp_path / "access.toml").write_text(
        f'servers = ["tls://127.0.0.1:{first}"]\nuser = "league-collector"\npassword = "secret"\n'
    )
    now = datetime.now(UTC)
    (tmp_path / "ca.crt").write_bytes(new_authority("a league", now, now + timedelta(days=1)).certificate_pem)
    done = league("status", tmp_path / "access.toml")
    assert done.exit_code == 1 and "ledger: 0 games, 0 results" in done.output
    assert "brokers: NO ANSWER" in done.output and "Traceback" not in done.output + done.stderr
    found = json.loads(league("status", "--json", tmp_path / "access.toml").output)
    assert found["ledger"]["games"] == 0 and found["stream"] is None and len(found["faults"]) == 1


def test_the_status_says_that_the_database_is_away(tmp_path: Path) -> None:
    done = League(tmp_path / "missing")("status")
    assert done.exit_code == 1 and done.output.startswith("ledger: NO ANSWER: ")


def test_a_configuration_is_written_for_three_hosts_or_for_a_laptop(league: League, tmp_path: Path) -> None:
    hosts = [f"--node=n{number}=10.0.0.{number}" for number in (1, 2, 3)]
    lines = league("broker-config", tmp_path / "hosts", *hosts, "--installed", "/etc/league").output.splitlines()
    assert lines[0] == "n1: nats-server -c /etc/league/nats.conf" and lines[3].startswith("cribboard league collect ")
    laptop = league("broker-config", tmp_path / "laptop", "--laptop")
    assert f"n3: nats-server -c {tmp_path}/laptop/n3/nats.conf" in laptop.output
    assert 'listen: "127.0.0.1:8884"' in (tmp_path / "laptop" / "n2" / "nats.conf").read_text()


def test_a_check_fails_where_a_game_is_missing(league: League, tmp_path: Path) -> None:
    append(tmp_path / "journal.sqlite3", small_game(("Ann", "Bob"), (121, 60)))
    done = league("check", tmp_path / "journal.sqlite3")
    assert done.exit_code == 1 and done.output.startswith("1 game: 1 missing, 0 different, 0 unknown\nmissing: ")


def test_games_of_other_boards_are_no_fault_of_a_check_of_some(league: League, tmp_path: Path) -> None:
    append(tmp_path / "journal.sqlite3", small_game(("Ann", "Bob"), (30, 60)))
    with Database(league.address) as database:
        take(database, [("table-1", message().payload)])
    assert league("check", tmp_path / "journal.sqlite3").exit_code == 1
    assert league("check", "--some", tmp_path / "journal.sqlite3").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("broker-config", "folder", "--node", "10.0.0.1"), "expected NAME=HOST"),
        (("broker-config", "folder", "--node", "n1=10.0.0.1"), "three nodes"),
        (("collect", "access.toml"), "broker-config"),
        (("check", "none.sqlite3"), "no such file"),
        (("collect", "access.toml", "--replica", "copy"), "expected PostgreSQL"),
        (("collect", "access.toml", "--metrics", "9105"), "expected ADDRESS:PORT"),
        (("status", "access.toml"), "broker-config"),
    ],
)
def test_an_error_is_one_line_that_says_what_to_do(league: League, arguments: tuple[str, ...], words: str) -> None:
    done = league(*arguments)
    assert done.exit_code == 1 and words in done.output and done.output.count("\n") == 1


def test_tables_that_were_never_made_are_named(tmp_path: Path) -> None:
    done = League(tmp_path)("standings")
    assert done.exit_code == 1 and "cribboard league migrate" in done.output
