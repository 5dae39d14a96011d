"""A board joins a club by the files on a stick, here two folders: its own settings stay, and nothing is lost."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from stat import S_IMODE

import pytest
from click.testing import CliRunner, Result

from firmware_host.cli import main
from firmware_host.club_server.broker import settings_for_board
from firmware_host.config.settings_editor import SettingsEditor
from firmware_host.config.settings_sources import Sources
from firmware_host.https.signing import new_authority

OWN = """\
# The board in the den.
simulate = false
kit = "sensing"  # reads its pegs

[mqtt]
host = "homeassistant.local"
"""
OF_CLUB = settings_for_board("table-3", "organiser.local", 8883, "club-ca.pem")
CERTIFICATE = new_authority(
    "a club", datetime(2026, 1, 1, tzinfo=UTC), datetime(2036, 1, 1, tzinfo=UTC)
).certificate_pem


@pytest.fixture(autouse=True)
def _state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def write_stick(folder: Path, of_club: str = OF_CLUB, authority: str = "club-ca.pem") -> Path:
    folder.mkdir()
    for name, content in {"cribboard.toml": of_club, "mqtt-password": "secret\n"}.items():
        (folder / name).write_text(content)
    (folder / authority).write_bytes(CERTIFICATE)
    for file in folder.iterdir():
        file.chmod(0o600)
    return folder


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    return write_stick(tmp_path / "stick")


@pytest.fixture
def board(tmp_path: Path) -> Path:
    folder = tmp_path / "board"
    folder.mkdir()
    (folder / "cribboard.toml").write_text(OWN)
    return folder


def join(stick: Path | str, board: Path) -> Result:
    return CliRunner().invoke(main, ["club", "join", str(stick), "--board", str(board)])


def tree(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Content and mode of each file."""
    return {file.name: (file.read_bytes(), S_IMODE(file.stat().st_mode)) for file in folder.iterdir()}


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


def test_the_service_can_read_the_files_whatever_the_umask_is(stick: Path, board: Path) -> None:
    before = os.umask(0o077)
    try:
        join(stick, board)
    finally:
        os.umask(before)
    modes = {name: oct(mode) for name, (_, mode) in tree(board).items() if not name.endswith(".before-club")}
    assert modes == {"cribboard.toml": "0o644", "mqtt-password": "0o640", "club-ca.pem": "0o644"}


def test_joining_keeps_the_rights_of_root(stick: Path, board: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other commands go on as the owner of the state folder, who cannot write the settings of an installed board."""
    given_up: list[Path] = []
    monkeypatch.setattr("firmware_host.startup.own_user.become_owner", given_up.append)
    assert join(stick, board).exit_code == 0 and given_up == []


def test_the_same_stick_again_changes_nothing(stick: Path, board: Path) -> None:
    join(stick, board)
    before = tree(board)
    assert "nothing has changed" in join(stick, board).output
    assert tree(board) == before


def test_another_stick_keeps_what_was_there_before_the_first(stick: Path, board: Path, tmp_path: Path) -> None:
    join(stick, board)
    league = settings_for_board("table-3", "league.example", 8883, "league-ca.pem")
    assert join(write_stick(tmp_path / "league", league, "league-ca.pem"), board).exit_code == 0
    settings = Sources(board / "cribboard.toml", {}, {"state_folder": str(board)}).load()
    assert (settings.mqtt_host, settings.mqtt_ca) == ("league.example", str(board / "league-ca.pem"))
    assert (board / "cribboard.toml.before-club").read_text() == OWN


def test_settings_of_the_page_do_not_override_those_of_the_club(stick: Path, board: Path, tmp_path: Path) -> None:
    state = tmp_path / "state" / "cribboard"
    state.mkdir(parents=True)
    (state / "settings.toml").write_text('voice_volume = 40\nmqtt_host = "homeassistant.local"\nmqtt_board = "den"\n')
    join(stick, board)
    environ = {"XDG_STATE_HOME": str(tmp_path / "state")}
    sources = Sources(board / "cribboard.toml", environ, {})
    settings = sources.load()
    assert (settings.mqtt_host, settings.mqtt_board, settings.voice_volume) == ("organiser.local", "table-3", 40)
    assert "nothing has changed" in join(stick, board).output
    SettingsEditor(sources, settings, lambda changed: None).change({"voice_volume": 50})

    join("--undo", board)
    settings = sources.load()
    assert (settings.mqtt_host, settings.mqtt_board, settings.voice_volume) == ("homeassistant.local", "den", 50)


def test_undo_makes_mqtt_what_it_was_and_keeps_later_changes(stick: Path, board: Path) -> None:
    (board / "mqtt-password").write_text("of the smart home\n")
    join(stick, board)
    file = board / "cribboard.toml"
    file.write_text(file.read_text().replace('kit = "sensing"', 'kit = "lights"'))
    result = join("--undo", board)
    assert result.exit_code == 0 and "as it was before" in result.output
    assert file.read_text() == OWN.replace('kit = "sensing"', 'kit = "lights"')
    assert {file.name for file in board.iterdir()} == {"cribboard.toml", "mqtt-password"}
    assert (board / "mqtt-password").read_text() == "of the smart home\n"
    assert "nothing is to be undone" in join("--undo", board).output


@pytest.mark.parametrize("own", ["port = 8080\n", "port = 8080\n\n[options]\ntarget = 61\n"])
def test_undo_after_a_board_without_mqtt(stick: Path, board: Path, own: str) -> None:
    (board / "cribboard.toml").write_text(own)
    result = join(stick, board)
    assert result.exit_code == 0, result.output
    settings = Sources(board / "cribboard.toml", {}, {"state_folder": str(board)}).load()
    assert settings.mqtt_results and settings.port == 8080
    join("--undo", board)
    assert (board / "cribboard.toml").read_text() == own
    assert [file.name for file in board.iterdir()] == ["cribboard.toml"]


def damage(file: Path, content: bytes | None) -> None:
    file.unlink()
    if content is not None:
        file.write_bytes(content)


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("cribboard.toml", b"simulate = true\n" + OF_CLUB.encode(), "got simulate too"),
        ("cribboard.toml", OF_CLUB.replace('"organiser.local"', "7").encode(), "mqtt_host"),
        ("cribboard.toml", OF_CLUB.replace("club-ca.pem", "journal.sqlite3").encode(), "got journal.sqlite3"),
        ("cribboard.toml", b"not toml", "expected TOML"),
        ("cribboard.toml", b"\xff\xfe", "no UTF-8 text"),
        ("cribboard.toml", b"", "expected mqtt_host, got none"),
        ("cribboard.toml", None, "No such file"),
        ("mqtt-password", b"", "expected a password"),
        ("mqtt-password", b"\x00\x00\x00", "expected a password"),
        ("mqtt-password", None, "mqtt-password"),
        ("club-ca.pem", CERTIFICATE[: len(CERTIFICATE) // 2], "expected a certificate"),
        ("club-ca.pem", b"", "expected a certificate"),
        ("club-ca.pem", None, "club-ca.pem"),
    ],
)
def test_a_damaged_stick_changes_nothing(
    stick: Path, board: Path, name: str, content: bytes | None, complaint: str
) -> None:
    damage(stick / name, content)
    result = join(stick, board)
    assert result.exit_code == 1 and complaint in result.output, result.output
    assert len(result.output.splitlines()) == 1
    assert [path.name for path in board.iterdir()] == ["cribboard.toml"]
    assert (board / "cribboard.toml").read_text() == OWN


def test_a_folder_without_settings_is_no_board(stick: Path, tmp_path: Path) -> None:
    result = join(stick, tmp_path)
    assert result.exit_code == 1 and "install the board first" in result.output


@pytest.mark.parametrize(("line", "is_refused"), [("", True), ('kit = "page"\n', False), ("simulate = true\n", False)])
def test_only_an_installed_board_that_does_not_say_what_it_is_played_on_is_refused(
    stick: Path, board: Path, monkeypatch: pytest.MonkeyPatch, line: str, is_refused: bool
) -> None:
    """Copied over the settings, those of a stick made a real board a simulated one."""
    monkeypatch.setattr("firmware_host.startup.club_joining.BOARD_FOLDER", str(board))
    (board / "cribboard.toml").write_text(f'{line}[mqtt]\nhost = "organiser.local"\n')
    result = join(stick, board)
    assert (result.exit_code == 1) == is_refused == ("it would be a simulated one" in result.output)
