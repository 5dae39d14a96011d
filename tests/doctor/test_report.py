"""`cribboard report`: enough to find a fault, and nothing that identifies anybody."""

from __future__ import annotations

import json
from pathlib import Path
from zipfile import ZipFile

import pytest
from click.testing import CliRunner, Result

from firmware_host.cli import main
from firmware_host.cribbage.cards import PACK
from firmware_host.cribbage.variants import rules_for
from firmware_host.doctor.report import numbers_of
from firmware_host.host.trace_log import FILE_NAME, TraceLog
from firmware_host.pairing.registry import PhoneRegistry, hash_token
from firmware_host.storage.journal import Journal
from tests.game.random_player import play_game


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The state folder of a board on which a game was played, with every card entered."""
    monkeypatch.setenv("CRIBBOARD_STATE_FOLDER", str(tmp_path))
    monkeypatch.setenv("CRIBBOARD_NAMES", "Zacharias,Wilhelmina")
    journal = Journal.open(tmp_path / "journal.sqlite3")
    *_, last = play_game(rules_for("six_card"), seed=1)
    for turn in reversed(list(last.turns_back())):
        journal.append(turn.events)
    journal.close()
    trace = TraceLog(tmp_path)
    trace.start("classic-61", 2, 121)
    trace.close()
    return tmp_path


def report(home: Path) -> tuple[Result, dict[str, str]]:
    out = home / "report.zip"
    result = CliRunner().invoke(main, ["report", "--out", str(out)])
    if result.exit_code:
        return result, {}
    with ZipFile(out) as packed:
        return result, {name: packed.read(name).decode() for name in packed.namelist()}


def test_report_has_no_card_name_or_token(home: Path) -> None:
    phone, token = PhoneRegistry(home / "phones.json").add_phone("Ludovika")
    result, files = report(home)
    assert result.exit_code == 0, result.output
    text = "\n".join(files.values())
    cards = {f'"{card}"' for card in PACK}
    private = {*cards, '"P0"', '"P1"', "Zacharias", "Wilhelmina", "Ludovika", token, hash_token(token), str(home)}
    assert {secret for secret in private if secret in text} == set()


def test_report_has_the_events_of_the_game(home: Path) -> None:
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


def test_custom_plan_is_reported_without_its_folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIBBOARD_BOARD", "/home/ludovika/ours.toml")
    _, files = report(home)
    assert json.loads(files["settings.json"])["board"] == "ours.toml"
    assert "ludovika" not in "\n".join(files.values())


def test_corrupt_trace_is_packed_as_it_is(home: Path) -> None:
    (home / FILE_NAME).write_bytes(b'{"board": "classic-61"\xff\n')
    result, files = report(home)
    assert result.exit_code == 0 and files[FILE_NAME].startswith('{"board": "classic-61"')


def test_missing_files_are_reported_in_their_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIBBOARD_STATE_FOLDER", str(tmp_path))
    result, files = report(tmp_path)
    assert result.exit_code == 0
    assert "no such file" in files["journal.jsonl"] and "No such file" in files[FILE_NAME]


def test_existing_file_is_not_overwritten(home: Path) -> None:
    (home / "report.zip").write_text("mine", encoding="utf-8")
    result, _ = report(home)
    assert result.exit_code == 1 and "name another with --out" in result.stderr
    assert (home / "report.zip").read_text(encoding="utf-8") == "mine"


def test_events_keep_only_numbers() -> None:
    body = {"seat": 1, "cards": ["5C", "JD"], "why": {"text": "fifteen", "points": 2}, "names": ["Ann"], "crib": True}
    assert numbers_of(body) == {"seat": 1, "cards": [], "why": {"points": 2}, "names": [], "crib": True}
