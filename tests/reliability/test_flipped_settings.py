"""One flipped bit in the settings that people write: the start names the line or the setting, or says which settings
have another value than at the start before. No other value is used in silence."""

from __future__ import annotations

import logging
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from firmware_host.config.board_plans import load_plan
from firmware_host.config.settings import SETTINGS, Settings
from firmware_host.config.settings_errors import SettingsError
from firmware_host.config.settings_record import keep_record, read_record, record_of
from firmware_host.config.settings_sources import load_settings, prepare_changes
from firmware_host.doctor.findings import DoctorContext
from firmware_host.doctor.machine import ThisMachine
from firmware_host.doctor.storage_checks import check_changed_settings, check_damaged_files
from tests.reliability.test_flipped_files import SAMPLED, flipped

WRITTEN = """\
# Settings of this board.
kit = "page"
board = "classic-61"
names = ["Ann", "Zoë"]   # the left seat first
address = "0.0.0.0"
port = 8080
https = true
settle_s = 0.25
options = {target = 121, muggins_mode = "claim"}
[mqtt]
host = "broker.local"
results = true
"""
PLACE = re.compile(r"line \d+|at end of document|cribboard\.toml, [^ ]+: expected|cribboard\.toml, options: option")
"""How an error names the place in the file."""


def settings_in(file: Path) -> Settings:
    return load_settings(file, {}, {"state_folder": str(file.parent / "state")})


def silent_flips(file: Path, step: int) -> Iterable[int]:
    """The bits that change a setting, and neither the error nor the record says which."""
    before = settings_in(file)
    record = record_of(before, None)
    content = file.read_bytes()
    for bit in range(0, 8 * len(content), step):
        file.write_bytes(flipped(content, bit))
        try:
            now = settings_in(file)
        except SettingsError as error:
            is_told = str(file) in str(error) and bool(PLACE.search(str(error)))
        else:
            changed = {name for name in SETTINGS if getattr(now, name) != getattr(before, name)}
            is_told = set(record_of(now, record).former) == changed
        if not is_told:
            yield bit


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "cribboard.toml"
    file.write_text(WRITTEN)
    return file


def test_no_flipped_bit_of_the_settings_is_silent(file: Path) -> None:
    assert list(silent_flips(file, SAMPLED)) == []


@pytest.mark.slow
def test_none_of_all_flipped_bits_of_the_settings_is_silent(file: Path) -> None:
    assert list(silent_flips(file, 1)) == []


def test_a_start_logs_which_settings_have_changed(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    before = Settings(state_folder=tmp_path / "state", port=8080)
    keep_record(before)
    assert "first start with the state folder" in caplog.text
    caplog.clear()
    keep_record(before)
    assert caplog.text == ""
    keep_record(Settings(state_folder=before.state_folder, port=8084, sound=False))
    assert "settings changed since the start before: port, sound;" in caplog.text
    record = read_record(before.record)
    assert record and record.former == {"port": "8080", "sound": "True"} and record.settings["port"] == "8084"


def test_the_doctor_names_the_latest_change_and_damaged_files(tmp_path: Path) -> None:
    settings = Settings(state_folder=tmp_path)
    context = DoctorContext(ThisMachine(), settings, load_plan(settings.board))
    assert [*check_changed_settings(context), *check_damaged_files(context)] == []
    keep_record(settings)
    keep_record(Settings(state_folder=tmp_path, port=8084))
    keep_record(Settings(state_folder=tmp_path, port=8084))
    (tmp_path / "phones.aside-20260101-000000-000000.json").touch()
    changed, damaged = [*check_changed_settings(context), *check_damaged_files(context)]
    assert changed.got == "latest change seen at a start: port (was 8080)"
    assert damaged.got.endswith("replaced: phones.aside-20260101-000000-000000.json")


def test_a_board_starts_with_damaged_changes_of_the_page(file: Path) -> None:
    """Of a whole process: file and copy are damaged, so the board starts without, says so, and says what changed."""
    state = file.parent / "state"
    state.mkdir()
    file.write_text(WRITTEN.replace("https = true", "https = false").replace('host = "broker.local"\n', ""))
    changes = state / "settings.toml"
    changes.write_text("sound = false\n")
    prepare_changes(changes)
    keep_record(settings_in(file))
    content = changes.read_bytes()
    assert b"# check " in content
    for damaged in (changes, changes.with_name("settings.toml.copy")):
        damaged.write_bytes(flipped(content, 8))
    log = log_of_a_start(file)
    assert "settings.toml and its copy are damaged" in log and "since the start before: sound;" in log


def log_of_a_start(file: Path) -> str:
    command = [sys.executable, "-m", "firmware_host", "run", "--settings", str(file)]
    command += ["--state-folder", str(file.parent / "state")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        assert program.stdout and program.stderr
        assert "cribboard is at" in program.stdout.readline(), program.stderr.read()
        program.terminate()
        return program.stderr.read()
