"""What the settings were at the latest good start: a change that nobody made, such as a flipped bit, is noticed and
logged; and a start that cannot use the settings files goes on with those.

People write `cribboard.toml`, so it can have no check. A damage that leaves valid settings is found by comparing them
with those of the start before, in `settings-at-start.json`: the log names each setting that has another value, and the
file keeps the former values of the latest change, for `cribboard doctor`. For a damage that does not, it has the texts
of the settings files (`startup/former_settings.py`).
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from firmware_host.config.settings import SETTINGS, Settings
from firmware_host.storage.checked_file import UNREADABLE, prepare_file, read_checked, write_checked
from firmware_host.validation.typed import decode

log = logging.getLogger(__name__)

FORMAT = 1


class SettingsTexts(Struct, frozen=True):
    """The texts of the settings files with which the board started; empty where there was none."""

    file: str
    """Of `cribboard.toml`."""
    changes: str
    """Of `settings.toml` in the state folder."""


class SettingsRecord(Struct, frozen=True):
    """The file: the settings by name, each as text."""

    format: int
    settings: Mapping[str, str]
    """Those of the latest start."""
    former: Mapping[str, str]
    """The values that other ones replaced at the latest start that found some."""
    texts: SettingsTexts | None = None
    """None in the record of an earlier version."""


def record_of(settings: Settings, before: SettingsRecord | None, texts: SettingsTexts | None = None) -> SettingsRecord:
    """The record of a start with these settings; `before` is that of the start before. A setting that `before` does not
    have is one of a newer program, and no change."""
    now = {name: _text(getattr(settings, name)) for name in SETTINGS}
    former = _replaced(before.settings, now) or before.former if before else {}
    return SettingsRecord(FORMAT, now, former, texts)


def _replaced(before: Mapping[str, str], now: Mapping[str, str]) -> Mapping[str, str]:
    return {name: text for name, text in before.items() if now.get(name, text) != text}


def _text(value: object) -> str:
    return str(dict(value) if isinstance(value, Mapping) else value)


def parse_record(text: str) -> SettingsRecord:
    """The record in the text of its file. Raises ValueError or RecursionError."""
    return decode(text, SettingsRecord)


def read_record(file: Path) -> SettingsRecord | None:
    """The record of the latest start; None if there is none, or none that can be read."""
    try:
        return read_checked(file, parse_record)
    except (OSError, *UNREADABLE):
        return None


def keep_record(settings: Settings, texts: SettingsTexts | None = None) -> None:
    """Log which settings have changed since the latest start, and keep those of this one, with the texts of the files
    that they came from. The file is written where it changes only."""
    file = settings.record
    try:
        prepare_file(file, parse_record)
        before = read_record(file)
        record = record_of(settings, before, texts)
        if record == before:
            return
        if before is None:
            log.info("first start with the state folder %s", settings.state_folder)
        elif changed := ", ".join(sorted(_replaced(before.settings, record.settings))):
            log.warning("settings changed since the start before: %s; %s has what they were", changed, file)
        write_checked(file, msgspec.json.encode(record))
    except OSError as fault:
        log.warning("%s: the settings of this start are not kept: %s", file, fault)
