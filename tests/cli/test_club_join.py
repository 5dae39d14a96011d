"""A board joins a club by the files on a stick, here two folders: its own settings stay, and nothing is lost."""

from __future__ import annotations

from pathlib import Path
from stat import S_IMODE

import pytest
from click.testing import CliRunner, Result

from firmware_host.cli import main
from firmware_host.config.settings_sources import Sources

OWN = """\
# The board in the den.
simulate = false
kit = "sensing"  # reads its pegs

[mqtt]
host = "homeassistant.local"
"""
OF_CLUB = """\
[mqtt]
host = "organiser.local"
port = 8883
tls = true
ca = "/etc/cribboard/club-ca.pem"
board = "table-3"
user = "table-3"
password_file = "/etc/cribboard/mqtt-password"
results = true
"""


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    folder = tmp_path / "stick"
    folder.mkdir()
    for name, content in {"cribboard.toml": OF_CLUB, "mqtt-password": "secret\n", "club-ca.pem": "PEM\n"}.items():
        (folder / name).write_text(content)
        (folder / name).chmod(0o600)
    return folder


@pytest.fixture
def board(tmp_path: Path) -> Path:
    folder = tmp_path / "board"
    folder.mkdir()
    (folder / "cribboard.toml").write_text(OWN)
    return folder


def join(stick: Path, board: Path) -> Result:
    return CliRunner().invoke(main, ["club", "join", str(stick), "--board", str(board)])


def test_the_settings_are_merged_and_those_before_are_kept(stick: Path, board: Path) -> None:
    result = join(stick, board)
    assert result.exit_code == 0, result.output
    settings = Sources(board / "cribboard.toml", {}, {"state_folder": str(board)}).load()
    assert not settings.simulate and settings.kit == "sensing"
    assert (settings.mqtt_host, settings.mqtt_port, settings.mqtt_tls) == ("organiser.local", 8883, True)
    assert settings.mqtt_ca == str(board / "club-ca.pem")
    assert settings.mqtt_password_file == str(board / "mqtt-password")
    text = (board / "cribboard.toml").read_text()
    assert "# The board in the den." in text and "# reads its pegs" in text
    assert (board / "cribboard.toml.before-club").read_text() == OWN
    modes = {
        name: S_IMODE((board / name).stat().st_mode) for name in ("cribboard.toml", "mqtt-password", "club-ca.pem")
    }
    assert modes == {"cribboard.toml": 0o644, "mqtt-password": 0o640, "club-ca.pem": 0o644}


def test_a_second_stick_keeps_what_was_there_before_the_first(stick: Path, board: Path) -> None:
    join(stick, board)
    assert join(stick, board).exit_code == 0
    assert (board / "cribboard.toml.before-club").read_text() == OWN


@pytest.mark.parametrize(
    ("of_club", "complaint"),
    [
        ("simulate = true\n" + OF_CLUB, "got simulate too"),
        ('[mqtt]\nhost = 7\nport = "no"\n', "mqtt"),
        ("not toml", "cribboard.toml"),
    ],
)
def test_a_stick_with_other_settings_changes_nothing(stick: Path, board: Path, of_club: str, complaint: str) -> None:
    (stick / "cribboard.toml").write_text(of_club)
    result = join(stick, board)
    assert result.exit_code == 1 and complaint in result.output
    assert [path.name for path in board.iterdir()] == ["cribboard.toml"]
    assert (board / "cribboard.toml").read_text() == OWN


def test_a_stick_without_a_password_changes_nothing(stick: Path, board: Path) -> None:
    (stick / "mqtt-password").unlink()
    assert "mqtt-password" in join(stick, board).output
    assert [path.name for path in board.iterdir()] == ["cribboard.toml"]


def test_a_folder_without_settings_is_no_board(stick: Path, tmp_path: Path) -> None:
    result = join(stick, tmp_path)
    assert result.exit_code == 1 and "install the board first" in result.output


def test_an_installed_board_whose_settings_were_replaced_is_refused(
    stick: Path, board: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware_host.cli.club_join.BOARD_FOLDER", str(board))
    (board / "cribboard.toml").write_text('[mqtt]\nhost = "organiser.local"\n')
    result = join(stick, board)
    assert result.exit_code == 1 and "got a simulated one" in result.output
