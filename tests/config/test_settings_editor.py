"""Settings changed while the board runs: validated as at a start, written atomically, comments kept."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as within
from hypothesis import strategies as st

from firmware_host.config.settings import AT_ONCE, SENTENCES, Settings
from firmware_host.config.settings_editor import SettingsEditor, with_changes
from firmware_host.config.settings_errors import SettingsError
from firmware_host.config.settings_sources import parse_toml, sources_of
from firmware_host.cribbage.variants import VARIANTS
from firmware_host.storage import atomic_file
from tests.conftest import EXAMPLES

MINE = """\
# The board in the kitchen.
port = 8090  # the printer has 8080
referee_mode = 'polite'
names = ["Ann",
         "Ben"]   # they sit like this

[options]
crib_flush = "four_ok"  # as grandfather had it
"""


class EditedFile:
    """A settings file, its editor, and the settings that the board received."""

    def __init__(self, file: Path, environ: Mapping[str, str] | None = None, **overrides: object) -> None:
        sources = sources_of(file, {"HOME": "/home/red", **(environ or {})}, overrides)
        self.received: list[Settings] = []
        self.file, self.editor = file, SettingsEditor(sources, sources.load(), self.received.append)

    def change(self, **changes: object) -> None:
        self.editor.change(changes)


@pytest.fixture
def mine(tmp_path: Path) -> EditedFile:
    file = tmp_path / "cribboard.toml"
    file.write_text(MINE)
    return EditedFile(file)


def test_a_change_leaves_every_other_line_as_it_was(mine: EditedFile) -> None:
    mine.change(port=8100)
    assert mine.file.read_text() == MINE.replace("8090", "8100")


def test_a_new_house_rule_that_does_not_go_with_the_others_is_refused(mine: EditedFile) -> None:
    with pytest.raises(SettingsError, match="muggins_scope=show: expected muggins_mode claim or automatic, got off"):
        mine.change(options={"muggins_scope": "show"})
    assert mine.file.read_text() == MINE


def test_an_earlier_house_rule_makes_room_for_a_new_one(mine: EditedFile) -> None:
    mine.change(options={"muggins_mode": "claim", "muggins_scope": "show"})
    mine.change(options={"muggins_mode": "off", "muggins_scope": "show"})
    assert mine.editor.running.rules == VARIANTS["six_card"]
    mine.change(port=8100)


def test_a_setting_of_a_table_is_changed_there(tmp_path: Path) -> None:
    file = tmp_path / "cribboard.toml"
    file.write_text("port = 8090\n\n[mqtt]\nhost = 'one'  # in the hall\ntls = true\n")
    edited = EditedFile(file)
    edited.change(mqtt_host="two", mqtt_tls=None, mqtt_user="ann", language="pl")
    text = file.read_text()
    assert text == 'port = 8090\nlanguage = "pl"\n\n[mqtt]\nhost = "two"  # in the hall\nuser = "ann"\n'
    edited.change(mqtt_host=None, mqtt_user=None)
    assert not edited.editor.next_settings.mqtt_host


def test_a_new_setting_is_written_before_the_tables(mine: EditedFile) -> None:
    mine.change(language="pl", options={"crib_flush": "four_ok", "muggins_mode": "claim"})
    text = mine.file.read_text()
    assert set(MINE.splitlines()) <= set(text.splitlines())
    assert parse_toml(text, "")["language"] == "pl" and mine.editor.next_settings.options["muggins_mode"] == "claim"


def test_none_restores_the_default(mine: EditedFile) -> None:
    mine.change(referee_mode=None, options=None, language=None)
    assert mine.editor.next_settings.referee_mode == "teacher" and not mine.editor.next_settings.options
    assert "# The board in the kitchen." in mine.file.read_text()


def test_a_missing_file_is_created(tmp_path: Path) -> None:
    sources = sources_of(None, {"XDG_CONFIG_HOME": str(tmp_path / "config"), "HOME": "/home/red"}, {})
    SettingsEditor(sources, sources.load(), lambda now: None).change({"referee_mode": "silent"})
    assert (tmp_path / "config/cribboard/cribboard.toml").read_text() == 'referee_mode = "silent"\n'


def test_only_settings_in_at_once_apply_before_the_next_start(mine: EditedFile) -> None:
    mine.change(referee_mode="silent", port=8100, language="fr")
    (now,) = mine.received
    assert (now.referee_mode, now.language, now.port) == ("silent", "fr", 8090)
    assert now == mine.editor.running and mine.editor.next_settings.port == 8100
    assert {"referee_mode", "language"} <= AT_ONCE and not AT_ONCE & {"port", "board", "simulate", "state_folder"}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("port", 0), ("port", "8080"), ("port", True), ("scan_hz", 5), ("settle_s", 99), ("simulate", "no")),
        *(("referee_mode", "rude"), ("language", "de"), ("preset", "bridge"), ("names", ["A name much too long"])),
        *(("address", "somewhere"), ("colour", "red"), ("options", {"crib_flush": "six"}), ("names", 7)),
    ],
)
def test_an_invalid_value_gives_the_same_error_as_at_a_start(
    mine: EditedFile, key: str, value: object, tmp_path: Path
) -> None:
    with pytest.raises(SettingsError) as at_editor:
        mine.change(**{key: value})
    other = tmp_path / "other" / "cribboard.toml"
    other.parent.mkdir()
    other.write_text(with_changes(MINE, {key: value}))
    with pytest.raises(SettingsError) as at_start:
        sources_of(other, {"HOME": "/home/red"}, {}).load()
    in_new_line = re.sub(r", line \d+", "", str(at_start.value))
    assert re.sub(r", line \d+", "", str(at_editor.value)) == in_new_line.replace(str(other), str(mine.file))
    assert mine.file.read_text() == MINE and not mine.received


def test_a_lone_surrogate_is_refused(mine: EditedFile) -> None:
    with pytest.raises(SettingsError, match="expected text in UTF-8"):
        mine.change(state_folder="/games/\ud800")
    assert mine.file.read_text() == MINE


@pytest.mark.parametrize("board", ["nothing.toml", "/dev/null/x.toml"])
def test_an_unknown_board_is_refused(mine: EditedFile, board: str) -> None:
    with pytest.raises(SettingsError, match="board: expected a board"):
        mine.change(board=board)
    assert mine.file.read_text() == MINE


@pytest.mark.parametrize("full_at", ["write", "fsync", "replace"])
def test_a_full_disk_leaves_the_old_file_and_no_temporary_file(
    mine: EditedFile, monkeypatch: pytest.MonkeyPatch, full_at: str
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(
        *{"write": (atomic_file, "open_in"), "fsync": (os, "fsync"), "replace": (os, "replace")}[full_at], full
    )
    with pytest.raises(SettingsError, match="No space left on device; free some disk space"):
        mine.change(port=8100)
    monkeypatch.undo()
    assert mine.file.read_text() == MINE and not mine.received
    assert [path.name for path in mine.file.parent.iterdir()] == ["cribboard.toml"]


def test_an_unwritable_folder_is_reported_with_a_fix(tmp_path: Path) -> None:
    (tmp_path / "a-file").touch()
    sources = sources_of(tmp_path / "a-file" / "cribboard.toml", {"HOME": "/home/red"}, {})
    editor = SettingsEditor(sources, Settings(state_folder=tmp_path), lambda now: None)
    with pytest.raises(SettingsError, match="cribboard.toml: expected a file .*correct the permissions"):
        editor.change({"port": 8100})


def test_edits_made_by_hand_meanwhile_are_kept(mine: EditedFile) -> None:
    mine.file.write_text(MINE + "# tomorrow: the big board\n")
    mine.change(port=8100)
    assert mine.file.read_text().endswith("# tomorrow: the big board\n")


def test_an_invalid_file_is_not_overwritten(mine: EditedFile) -> None:
    mine.file.write_text("port = = 1")
    with pytest.raises(SettingsError, match="expected TOML"):
        mine.change(port=8100)
    assert mine.file.read_text() == "port = = 1"


def test_a_symbolic_link_and_the_permissions_are_kept(mine: EditedFile, tmp_path: Path) -> None:
    mine.file.chmod(0o640)
    link = tmp_path / "elsewhere" / "cribboard.toml"
    link.parent.mkdir()
    link.symlink_to(mine.file)
    EditedFile(link).change(port=8100)
    assert link.is_symlink() and "8100" in mine.file.read_text() and mine.file.stat().st_mode & 0o777 == 0o640


def test_an_override_of_the_file_is_named_by_its_source(mine: EditedFile) -> None:
    overridden = EditedFile(mine.file, {"CRIBBOARD_REFEREE_MODE": "silent"}, port=9000, options={}, board=None)
    assert overridden.editor.sources.overridden == {"referee_mode": "CRIBBOARD_REFEREE_MODE", "port": "--port"}
    overridden.change(referee_mode="teacher")
    assert (
        overridden.editor.running.referee_mode == "silent"
        and parse_toml(mine.file.read_text(), "")["referee_mode"] == "teacher"
    )


words = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)
values = st.none() | st.booleans() | st.integers(-99, 9999) | words | st.lists(words, max_size=3)
tables = values | st.dictionaries(words.filter(bool), st.booleans() | st.integers() | words, max_size=3)


@within(max_examples=4 * EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(st.dictionaries(st.sampled_from(["port", "names", "options", "referee_mode", "new"]), tables), max_size=4)
)
def test_the_file_holds_each_change(changes: list[dict[str, object]]) -> None:
    text, expected = MINE, dict(parse_toml(MINE, ""))
    for change in changes:
        text = with_changes(text, change)
        expected = {key: value for key, value in {**expected, **change}.items() if value is not None}
        assert parse_toml(text, "") == expected
        assert "# The board in the kitchen." in text


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=5,
)
"""Any JSON value, and NaN."""


@within(max_examples=4 * EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(key=st.sampled_from([*SENTENCES, "new"]), value=anything)
def test_no_value_breaks_the_editor_or_the_file(tmp_path: Path, key: str, value: object) -> None:
    file = tmp_path / "cribboard.toml"
    file.write_text(MINE)
    edited = EditedFile(file)
    with suppress(SettingsError):
        edited.change(**{key: value})
    assert edited.editor.next_settings
