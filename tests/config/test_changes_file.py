"""Settings of an installed board: its file belongs to root, so changes are kept in the state folder."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

import pytest

from firmware_host.config.settings import Settings
from firmware_host.config.settings_editor import SettingsEditor
from firmware_host.config.settings_errors import SettingsError
from firmware_host.config.settings_sources import Sources


class Installed:
    """A settings file that cannot be replaced, and a state folder that can be written."""

    def __init__(self, folder: Path) -> None:
        self.file, self.state = folder / "etc" / "cribboard.toml", folder / "state" / "cribboard"
        self.file.parent.mkdir()
        self.file.write_text('# of root\nnames = ["Ann", "Ben"]\nport = 8090\n')
        self.applied: list[Settings] = []

    def sources(self, **environ: str) -> Sources:
        return Sources(self.file, {"XDG_STATE_HOME": str(self.state.parent), **environ}, {})

    def editor(self) -> SettingsEditor:
        sources = self.sources()
        return SettingsEditor(sources, sources.load(), self.applied.append)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Installed:
    installed, real = Installed(tmp_path), os.access
    monkeypatch.setattr(os, "access", lambda path, mode: path != installed.file.parent and real(path, mode))
    return installed


def test_change_is_written_to_the_state_folder(installed: Installed) -> None:
    before = installed.file.read_bytes()
    installed.editor().change({"names": ["Cat", "Dan"]})
    assert installed.file.read_bytes() == before
    assert tomllib.loads((installed.state / "settings.toml").read_text()) == {"names": ["Cat", "Dan"]}
    assert installed.applied[-1].names == ("Cat", "Dan")
    assert (installed.sources().load().names, installed.sources().load().port) == (("Cat", "Dan"), 8090)


def test_removed_change_is_as_in_the_file_again(installed: Installed) -> None:
    editor = installed.editor()
    editor.change({"names": ["Cat", "Dan"], "sound": False})
    editor.change({"names": None})
    assert (installed.sources().load().names, installed.sources().load().sound) == (("Ann", "Ben"), False)
    assert editor.file_values == {"names": ["Ann", "Ben"], "port": 8090, "sound": False}


def test_later_changes_go_to_the_same_file(installed: Installed, monkeypatch: pytest.MonkeyPatch) -> None:
    installed.editor().change({"sound": False})
    monkeypatch.undo()
    installed.editor().change({"sound": True})
    assert tomllib.loads((installed.state / "settings.toml").read_text()) == {"sound": True}


def test_environment_overrides_changes(installed: Installed) -> None:
    installed.editor().change({"language": "fr"})
    assert installed.sources(CRIBBOARD_LANGUAGE="pl").load().language == "pl"


def test_invalid_change_is_refused_and_not_written(installed: Installed) -> None:
    with pytest.raises(SettingsError):
        installed.editor().change({"scan_hz": 1})
    assert not (installed.state / "settings.toml").exists()


def test_error_in_the_changes_names_their_file(installed: Installed) -> None:
    installed.state.mkdir(parents=True)
    (installed.state / "settings.toml").write_text("scan_hz = 1\n")
    with pytest.raises(SettingsError, match=r"settings\.toml in the state folder, scan_hz"):
        installed.sources().load()
