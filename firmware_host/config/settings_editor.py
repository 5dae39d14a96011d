"""Changes settings while the board runs: validates them as a start does, then edits the user's settings file.

The file belongs to the user: tomlkit keeps comments, order and layout, and only the changed lines are written again.
The file is replaced atomically. Where it cannot be written, as on an installed board, whose file belongs to root, the
changes go to `settings.toml` in the state folder, which overrides it; once that exists, all changes go there. That file
has a check and a copy (`checked_file.py`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from stat import S_IMODE
from threading import Lock
from typing import Any

from msgspec.structs import replace

from firmware_host.config.kits import PART_SETTINGS
from firmware_host.config.settings import AT_ONCE, Settings
from firmware_host.config.settings_errors import SettingsError, SettingsFileError
from firmware_host.config.settings_lines import TABLES
from firmware_host.config.settings_sources import Sources, check_board_loads, check_new_options, parse_toml
from firmware_host.storage.atomic_file import replace_file
from firmware_host.storage.checked_file import write_checked
from firmware_host.storage.plain_file import FILE_MODE

CHANGES_HEADING = """\
# Changed on the settings page. What is here overrides cribboard.toml.
# To edit it by hand, delete the last line, which is a checksum.
"""

Changes = Mapping[str, object]
"""Setting -> its new value; None removes the line, so that the default applies again."""


class SettingsEditor:
    """Edits one settings file for a running board. Any thread may use it; changes are serialised.

    `running` holds the settings in use. `on_change` is called with them after each change, once the file is written.
    Of a change, only the `settings_taken_at_once` take effect now; the others wait for the next start.
    """

    def __init__(self, sources: Sources, running: Settings, on_change: Callable[[Settings], None]) -> None:
        self.sources = sources
        self.running = running
        self._on_change = on_change
        self._lock = Lock()

    @property
    def file_values(self) -> Mapping[str, object]:
        """The values in the two files, as TOML has them and unvalidated. Raises SettingsError if one is not TOML."""
        changes = parse_toml(self.sources.changes_text, str(self.sources.changes_file))
        return {**self.sources.in_file, **changes}

    @property
    def next_settings(self) -> Settings:
        """The settings that the next start would use. Raises SettingsError if the file holds an invalid value."""
        return self.sources.load()

    def change(self, changes: Changes) -> None:
        """Write all the changes, or none. Raises SettingsError; file and running settings are then unchanged."""
        with self._lock:
            settings = self._change_in_state_folder(changes) if self._is_read_only else self._change_file(changes)
            taken = {key: getattr(settings, key) for key in settings_taken_at_once(self.running, settings)}
            self.running = replace(self.running, **taken)
        self._on_change(self.running)

    @property
    def _is_read_only(self) -> bool:
        """Whether changes go to the state folder: some are there already, or the file cannot be replaced."""
        if self.sources.changes_file.exists():
            return True
        file = self.sources.file.resolve()
        return file.exists() and not os.access(file.parent, os.W_OK)

    def _change_file(self, changes: Changes) -> Settings:
        file = self.sources.file
        text = self.sources.text if file.exists() else ""
        expected = _changed(parse_toml(text, str(file)), changes)
        settings = self.sources.load(expected, {})
        check_new_options(settings, self.running)
        check_board_loads(settings, self.sources)
        _write(file.resolve(), with_changes(text, changes), expected, _replace)  # a symbolic link stays one
        return settings

    def _change_in_state_folder(self, changes: Changes) -> Settings:
        """A setting that is removed there is again as the file has it."""
        file = self.sources.changes_file
        text = self.sources.changes_text
        expected = _changed(parse_toml(text, str(file)), changes)
        settings = self.sources.load(in_changes=expected)
        check_new_options(settings, self.running)
        check_board_loads(settings, self.sources)
        _write(file, with_changes(text or CHANGES_HEADING, changes), expected, write_checked)
        return settings


def _write(file: Path, text: str, expected: Mapping[str, object], write: Callable[[Path, bytes], None]) -> None:
    """Write the text by `write`, if it has the expected values. Raises SettingsError."""
    content = _encoded(text, str(file))
    if parse_toml(text, str(file)) != expected:
        fix = "edit the file by hand"
        raise SettingsError("a file whose lines can be edited one by one", "another layout", str(file), fix)
    try:
        write(file, content)
    except OSError as error:
        fix = "free some disk space, or correct the permissions; nothing has changed"
        got = error.strerror or str(error)
        raise SettingsFileError("a file that can be written", got, str(file), fix) from error


def _replace(file: Path, content: bytes) -> None:
    replace_file(file, content, S_IMODE(file.stat().st_mode) if file.exists() else FILE_MODE)


def settings_taken_at_once(running: Settings, changed: Settings) -> frozenset[str]:
    """The settings of `changed` that take effect while the board runs. The parts do while both boards are on the page:
    no wire is opened or closed, and the next game is on the other board."""
    is_on_page = running.parts.is_on_page and changed.parts.is_on_page
    return AT_ONCE | frozenset(PART_SETTINGS) if is_on_page else AT_ONCE


def _changed(values: Mapping[str, object], changes: Changes) -> Mapping[str, object]:
    return {key: value for key, value in {**values, **changes}.items() if value is not None}


def _encoded(text: str, where: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise SettingsError("text in UTF-8", ascii(text[error.start]), where, "type the value again") from error


def with_changes(text: str, changes: Changes) -> str:
    """The text of a settings file with the changes made; comments and all other lines are kept as they are."""
    import tomlkit  # slow to import, and only needed for a change

    document = tomlkit.parse(text)
    for name, value in changes.items():
        place, key = _place_of(document, name)
        before = place.get(key)
        if value is None:
            place.pop(key, None)
        elif isinstance(value, Mapping) and isinstance(before, Mapping):
            _update_table(before, value)
        else:
            place[key] = value
    return tomlkit.dumps(document)


def _place_of(document: dict[str, Any], name: str) -> tuple[dict[str, Any], str]:
    """The document or table in which a setting is written, and its key there."""
    for title in TABLES:
        key = name.removeprefix(f"{title}_")
        table = document.get(title)
        if key != name and isinstance(table, dict) and name not in document:
            return table, key
    return document, name


def _update_table(table: object, expected: Mapping[str, object]) -> None:
    """Changes a TOML table key by key, so that the comments beside the other keys stay."""
    assert isinstance(table, dict)
    for key in [key for key in table if key not in expected]:
        del table[key]
    for key, value in expected.items():
        if key not in table or table[key] != value:
            table[key] = value
