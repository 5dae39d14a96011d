"""`cribboard report`: enough to find a fault by, and nothing of anybody."""

from __future__ import annotations

import json
from pathlib import Path
from zipfile import ZipFile

import pytest
from click.testing import CliRunner, Result

from firmware_host.cli import main
from firmware_host.cribbage.cards import PACK
from firmware_host.cribbage.variants import rules_for
from firmware_host.journal import Journal
from firmware_host.phones import PhoneBook, hash_of
from firmware_host.report import figures
from firmware_host.trace_log import FILE_NAME, TraceLog
from tests.table.random_player import play_game


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The state folder of a board that has played a game, every card told."""
    monkeypatch.setenv("CRIBBOARD_STATE_FOLDER", str(tmp_path))
    monkeypatch.setenv("CRIBBOARD_NAMES", "Zacharias,Wilhelmina")
    journal = Journal.open(tmp_path / "journal.sqlite3")
    *_, last = play_game(rules_for("six_card"), seed=1)
    for turn in reversed(list(last.turns_back())):
        journal.append(turn.events)
    journal.close()
    trace = TraceLog(tmp_path)
    trace.begin("classic-61", 2, 121)
    trace.close()
    return tmp_path


def report(home: Path) -> tuple[Result, dict[str, str]]:
    out = home / "report.zip"
    result = CliRunner().invoke(main, ["report", "--out", str(out)])
    if result.exit_code:
        return result, {}
    with ZipFile(out) as packed:
        return result, {name: packed.read(name).decode() for name in packed.namelist()}


def test_no_card_no_name_and_no_token_is_in_it(home: Path) -> None:
    phone, token = PhoneBook(home / "phones.json").admit("Ludovika")
    result, files = report(home)
    assert result.exit_code == 0, result.output
    told = "\n".join(files.values())
    cards = {f'"{card}"' for card in PACK}
    private = {*cards, '"P0"', '"P1"', "Zacharias", "Wilhelmina", "Ludovika", token, hash_of(token), str(home)}
    assert {secret for secret in private if secret in told} == set()


def test_the_course_of_the_game_is_in_it(home: Path) -> None:
    _, files = report(home)
    assert set(files) == {
        *("README.txt", "versions.json", "settings.json", "journal.jsonl", "doctor.jsonl", FILE_NAME),
    }
    events = [json.loads(line) for line in files["journal.jsonl"].splitlines()]
    assert [event["kind"] for event in events].count("game_won") == 1
    assert sum(event["body"]["seat"] == 0 for event in events if event["kind"] == "hand_counted") > 3
    assert json.loads(files["versions.json"])["gpiozero"].startswith("2.")
    assert json.loads(files["settings.json"])["board"] == "classic-61"
    assert json.loads(files[FILE_NAME]) == {"board": "classic-61", "tracks": 2, "target": 121}


def test_a_plan_in_a_folder_of_somebody_is_told_by_its_name(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIBBOARD_BOARD", "/home/ludovika/ours.toml")
    _, files = report(home)
    assert json.loads(files["settings.json"])["board"] == "ours.toml"
    assert "ludovika" not in "\n".join(files.values())


def test_a_trace_that_is_spoilt_is_packed_as_it_is(home: Path) -> None:
    (home / FILE_NAME).write_bytes(b'{"board": "classic-61"\xff\n')
    result, files = report(home)
    assert result.exit_code == 0 and files[FILE_NAME].startswith('{"board": "classic-61"')


def test_what_is_missing_is_told_in_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIBBOARD_STATE_FOLDER", str(tmp_path))
    result, files = report(tmp_path)
    assert result.exit_code == 0
    assert "no such file" in files["journal.jsonl"] and "No such file" in files[FILE_NAME]


def test_a_file_that_is_there_is_left_alone(home: Path) -> None:
    (home / "report.zip").write_text("mine", encoding="utf-8")
    result, _ = report(home)
    assert result.exit_code == 1 and "name another with --out" in result.stderr
    assert (home / "report.zip").read_text(encoding="utf-8") == "mine"


def test_of_an_event_only_the_figures_are_told() -> None:
    body = {"seat": 1, "cards": ["5C", "JD"], "why": {"text": "fifteen", "points": 2}, "names": ["Ann"], "crib": True}
    assert figures(body) == {"seat": 1, "cards": [], "why": {"points": 2}, "names": [], "crib": True}
