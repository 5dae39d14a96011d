"""Single checks: boot configuration by model, package versions, state folder, journal, and the command itself."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware_host.board.plan import BoardPlan
from firmware_host.cli import main
from firmware_host.config.board_plans import load_plan
from firmware_host.config.settings import Settings
from firmware_host.doctor.boot_config import effective_settings, required_lines
from firmware_host.doctor.findings import DoctorContext, Finding, Verdict
from firmware_host.doctor.machine import ThisMachine
from firmware_host.doctor.storage_checks import check_folder, check_journal, check_phones
from firmware_host.doctor.system import check_libraries, minimum_versions
from firmware_host.storage.journal import Journal

CLASSIC: BoardPlan = load_plan("classic-61")


def context_in(folder: Path, *, simulate: bool = True) -> DoctorContext:
    return DoctorContext(ThisMachine(), Settings(state_folder=folder, simulate=simulate), CLASSIC)


def verdicts(found: object) -> list[Verdict]:
    assert isinstance(found, list)
    return [finding.verdict for finding in found if isinstance(finding, Finding)]


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("dtparam=spi=on", {"dtparam=spi=on"}),
        ("dtparam=i2c_arm=on,spi=on # both", {"dtparam=i2c_arm=on", "dtparam=spi=on"}),
        ("dtparam=spi=on\ndtparam=spi=off", {"dtparam=spi=off"}),
        ("# dtparam=spi=on", set()),
        ("[pi4]\ndtparam=spi=on", set()),
        ("[pi5]\ndtparam=spi=on\n[all]\ngpio=24=op,dl", {"dtparam=spi=on", "gpio=24=op,dl"}),
        ("[cm5]\ndtparam=spi=on\n[none]\n[all]", set()),
    ],
)
def test_settings_of_config_txt_for_a_pi_5(text: str, settings: set[str]) -> None:
    assert effective_settings(text, "Raspberry Pi 5 Model B Rev 1.0") == settings


def test_required_lines_enable_spi_and_the_lights_pin() -> None:
    assert {"dtparam=spi=on", "gpio=24=op,dl"} <= set(required_lines())


def test_minimum_versions_are_those_of_our_package() -> None:
    assert {"gpiozero", "luma-oled", "pyserial"} == {package for package, _ in minimum_versions()}
    assert set(verdicts(list(check_libraries(context_in(Path()))))) == {Verdict.OK}


def test_intact_journal_is_read_completely(tmp_path: Path) -> None:
    Journal.open(tmp_path / "journal.sqlite3").close()
    (found,) = check_journal(context_in(tmp_path))
    assert found.got == "0 games with 0 turns, all readable"


def test_corrupt_journal_is_reported_with_path_and_fix(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite3").write_text("I am a shopping list." * 100)
    (found,) = check_journal(context_in(tmp_path))
    assert found.verdict is Verdict.FAULT and str(tmp_path) in found.expected and "moves the file aside" in found.fix


def test_database_of_another_program_is_reported(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "journal.sqlite3") as database:
        database.execute("CREATE TABLE shopping (what TEXT)")
    database.close()
    (found,) = check_journal(context_in(tmp_path))
    assert found.got == "the database of another program"


def test_unreadable_phones_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "phones.json").write_text("{")
    assert verdicts(list(check_phones(context_in(tmp_path)))) == [Verdict.FAULT]


def test_folder_that_is_a_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (found,) = check_folder(context_in(tmp_path / "file" / "deeper"))
    assert found.got == f"{tmp_path / 'file'} is a file"


def test_folder_of_user_without_name_is_reported_by_uid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A card that was written on another computer has owners whom this one does not know."""

    def unknown_uid(folder: Path) -> str:
        raise KeyError(f"getpwuid(): uid not found: {folder.stat().st_uid}")

    monkeypatch.setattr(Path, "owner", unknown_uid)
    monkeypatch.setattr(ThisMachine, "may_write", lambda machine, folder: False)
    (found, _) = check_folder(context_in(tmp_path))
    uid = tmp_path.stat().st_uid
    assert found.verdict is Verdict.FAULT and found.got.endswith(f"in {tmp_path}, which belongs to user {uid}")
    assert f"sudo -u '#{uid}' cribboard doctor" in found.fix


def test_command_changes_nothing_on_a_simulated_board(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["doctor", "--state-folder", str(tmp_path)], env={"CRIBBOARD_SIMULATE": "true"})
    assert done.exit_code == 0, done.output
    assert "kit page: no wires to check" in done.stdout and list(tmp_path.iterdir()) == [], (
        "checked, and nothing was written"
    )


def test_command_without_a_board_exits_with_1(tmp_path: Path) -> None:
    arguments = ["doctor", "--json", "--state-folder", str(tmp_path)]
    done = CliRunner().invoke(main, arguments, env={"CRIBBOARD_SIMULATE": "false"})
    if "Raspberry Pi" not in ThisMachine().read("/proc/device-tree/model"):
        assert done.exit_code == 1 and '"verdict": "fault"' in done.stdout


def test_invalid_settings_are_reported_on_one_line(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["doctor", "--board", "draughts"])
    assert done.exit_code == 1 and "one of classic-61" in done.stderr and done.stdout == ""
