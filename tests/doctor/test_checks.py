"""Single checks: boot lines by model, versions, and a journal that is damaged."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware_host.board.plan import BoardPlan
from firmware_host.cli import main
from firmware_host.doctor.boot_config import settled, wanted
from firmware_host.doctor.computer import check_libraries, least_versions
from firmware_host.doctor.findings import Finding, Patient, Verdict
from firmware_host.doctor.keeping import check_folder, check_journal, check_phones
from firmware_host.doctor.machine import ThisMachine
from firmware_host.journal import Journal
from firmware_host.plans import load_plan
from firmware_host.settings import Settings

CLASSIC: BoardPlan = load_plan("classic-61")


def here(folder: Path, *, simulate: bool = True) -> Patient:
    return Patient(ThisMachine(), Settings(state_folder=folder, simulate=simulate), CLASSIC)


def verdicts(found: object) -> list[Verdict]:
    assert isinstance(found, list)
    return [finding.verdict for finding in found if isinstance(finding, Finding)]


@pytest.mark.parametrize(
    ("text", "told"),
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
def test_what_a_config_txt_says_to_a_pi_5(text: str, told: set[str]) -> None:
    assert settled(text, "Raspberry Pi 5 Model B Rev 1.0") == told


def test_the_lines_that_a_board_needs_turn_both_buses_on() -> None:
    assert {"dtparam=spi=on", "gpio=24=op,dl"} <= set(wanted())


def test_the_least_versions_are_those_of_our_own_package() -> None:
    assert {"gpiozero", "luma-oled", "pyserial"} == {package for package, _ in least_versions()}
    assert set(verdicts(list(check_libraries(here(Path()))))) == {Verdict.OK}


def test_a_sound_journal_is_read_to_its_end(tmp_path: Path) -> None:
    Journal.open(tmp_path / "journal.sqlite3").close()
    (found,) = check_journal(here(tmp_path))
    assert found.got == "0 games of 0 turns, all to be read"


def test_a_damaged_journal_is_told_with_the_file_and_the_mend(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite3").write_text("I am a shopping list." * 100)
    (found,) = check_journal(here(tmp_path))
    assert found.verdict is Verdict.MEND and str(tmp_path) in found.expected and "puts the file aside" in found.mend


def test_a_journal_of_another_program_is_told(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "journal.sqlite3") as database:
        database.execute("CREATE TABLE shopping (what TEXT)")
    database.close()
    (found,) = check_journal(here(tmp_path))
    assert found.got == "the database of another program"


def test_phones_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    (tmp_path / "phones.json").write_text("{")
    assert verdicts(list(check_phones(here(tmp_path)))) == [Verdict.MEND]


def test_a_folder_that_is_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (found,) = check_folder(here(tmp_path / "file" / "deeper"))
    assert found.got == f"{tmp_path / 'file'} is a file"


def test_the_command_on_a_simulated_board(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["doctor", "--state-folder", str(tmp_path)], env={"CRIBBOARD_SIMULATE": "true"})
    assert done.exit_code == 0, done.output
    assert "a simulated board" in done.stdout and list(tmp_path.iterdir()) == [], "looked at, and left as it was"


def test_the_command_without_a_board_ends_with_one(tmp_path: Path) -> None:
    asked = ["doctor", "--json", "--state-folder", str(tmp_path)]
    done = CliRunner().invoke(main, asked, env={"CRIBBOARD_SIMULATE": "false"})
    if "Raspberry Pi" not in ThisMachine().read("/proc/device-tree/model"):
        assert done.exit_code == 1 and '"verdict": "mend"' in done.stdout


def test_settings_that_mean_nothing_are_one_line(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["doctor", "--board", "draughts"])
    assert done.exit_code == 1 and "one of classic-61" in done.stderr and done.stdout == ""
