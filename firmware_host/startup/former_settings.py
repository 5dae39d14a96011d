"""A board whose settings file was damaged starts all the same: nobody may be there who can edit a file.

Only a service does so. In a terminal somebody reads the message, and can correct the file at once.

| settings files | settings of this start |
|---|---|
| valid | those |
| a fault, and a copy of the latest good start | that `cribboard.toml`, with `settings.toml` as it is now or was then |
| a fault, and no copy | SAFE_VALUES and the defaults: they open no network |
| a fault in the environment or the command line | none, it cannot start: the files are not the cause |

Until the file can be used again the display, the device page and the log say which line is wrong.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from firmware_host.config.kits import Kit
from firmware_host.config.settings import RECORD_NAME, Settings
from firmware_host.config.settings_errors import InvalidSetting, SettingsError
from firmware_host.config.settings_lines import line_in, line_of, name_in
from firmware_host.config.settings_record import SettingsTexts, read_record
from firmware_host.config.settings_sources import CHANGES_NAME, Sources, check_board_loads, parse_toml, prepare_changes
from firmware_host.host.setup import SettingsFault
from firmware_host.startup.own_user import become_owner, settings_as_owner, settings_at_start

log = logging.getLogger(__name__)

SAFE_VALUES: Mapping[str, object] = {"kit": str(Kit.DESK)}
"""The board of a service with a damaged file and no copy. It has a display, which can say what is wrong. It reads no
pegs, and does not draw any: no simulated board may take the place of a real one."""


class Start(Struct, frozen=True):
    """The settings of a start, and the texts that they came from; None for those after a fault."""

    settings: Settings
    texts: SettingsTexts | None = None

    @property
    def has_fault(self) -> bool:
        """Whether the files have a fault, and the settings are former or safe ones."""
        return self.texts is None


def start_in_terminal(sources: Sources) -> Start:
    """The settings in the files. Raises SettingsError and StartupError."""
    settings = settings_at_start(sources)
    check_board_loads(settings, sources)
    return Start(settings, SettingsTexts(sources.text, sources.changes_text))


def start_of_service(sources: Sources) -> Start:
    """The settings in the files; where the files have a fault, former or safe ones. Raises SettingsError and
    StartupError."""
    try:
        return start_in_terminal(sources)
    except SettingsError as fault:
        log.error("the settings cannot be used: %s", fault)
        folder = folder_despite_fault(sources)
        become_owner(folder)
        prepare_changes(folder / CHANGES_NAME)
        if settings := former_settings(sources, folder):
            log.error("the board starts with the settings of its latest good start")
        elif settings := _first_valid(sources, [({**SAFE_VALUES, "state_folder": str(folder)}, {})]):
            log.error("the board starts with safe settings: kit %s, no phones", settings.kit_in_use)
        else:
            raise
        return Start(settings)


def settings_or_former(sources: Sources) -> tuple[Settings, SettingsError | None]:
    """The settings for a program that only looks; with a fault in the files those of the latest good start, and the
    fault. Raises SettingsError without a copy, and StartupError."""
    try:
        return settings_as_owner(sources), None
    except SettingsError as fault:
        folder = folder_despite_fault(sources)
        become_owner(folder)
        if (settings := former_settings(sources, folder)) is None:
            raise
        return settings, fault


def former_settings(sources: Sources, folder: Path) -> Settings | None:
    """The settings of the latest good start, by the copy in the state folder; None if there is none that works. What
    was changed on the settings page since then is used, if it can be."""
    record = read_record(folder / RECORD_NAME)
    if record is None or record.texts is None:
        return None
    texts = record.texts
    try:
        in_file = parse_toml(texts.file, RECORD_NAME)
        in_changes = parse_toml(texts.changes, RECORD_NAME)
    except SettingsError:
        return None
    return _first_valid(sources, [(in_file, None), (in_file, in_changes)])


Values = Mapping[str, object]


def _first_valid(sources: Sources, candidates: list[tuple[Values, Values | None]]) -> Settings | None:
    return next(_valid(sources, candidates), None)


def _valid(sources: Sources, candidates: list[tuple[Values, Values | None]]) -> Iterator[Settings]:
    for in_file, in_changes in candidates:
        with suppress(SettingsError):
            settings = sources.load(in_file, in_changes)
            check_board_loads(settings, sources)
            yield settings


def folder_despite_fault(sources: Sources) -> Path:
    """The state folder, as the file names it if that can be read. Raises SettingsError for a fault elsewhere."""
    in_file: Values = {}
    with suppress(SettingsError):
        in_file = {key: value for key, value in sources.in_file.items() if key == "state_folder"}
        return sources.state_folder(in_file)
    return sources.state_folder({})


def settings_fault(sources: Sources) -> SettingsFault | None:
    """What is wrong in the settings files now; None: the next start can use them."""
    try:
        check_board_loads(sources.load(), sources)
    except SettingsError as error:
        return fault_of(error, sources)
    return None


def fault_of(error: SettingsError, sources: Sources) -> SettingsFault:
    """What the display and the device page say of an error."""
    text = ""
    with suppress(SettingsError):
        text = sources.text
    if isinstance(error, InvalidSetting):
        return SettingsFault(line_of(text, error.name), error.name, str(error))
    line = line_in(error.got, text)
    return SettingsFault(line, name_in(text, line), str(error))
