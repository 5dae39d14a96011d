"""What the settings were at the latest start: a change that nobody made, such as a flipped bit, is noticed and logged.

People write `cribboard.toml`, so it can have no check. A damage that leaves valid settings is found by comparing them
with those of the start before, in `settings-at-start.json`: the log names each setting that has another value, and the
file keeps the former values of the latest change, for `cribboard doctor`.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from firmware_host.config.settings import SETTINGS, Settings
from firmware_host.storage.checked_file import UNREADABLE, begin, read_checked, write_checked
from firmware_host.validation.typed import decode

log = logging.getLogger(__name__)

FORMAT = 1


class SettingsRecord(Struct, frozen=True):
    """The file: the settings by name, each as text."""

    format: int
    settings: Mapping[str, str]
    """Those of the latest start."""
    former: Mapping[str, str]
    """The values that other ones replaced at the latest start that found some."""


def record_of(settings: Settings, before: SettingsRecord | None) -> SettingsRecord:
    """The record of a start with these settings; `before` is that of the start before. A setting that `before` does not
    have is one of a newer program, and no change."""
    now = {name: _text(getattr(settings, name)) for name in SETTINGS}
    if before is None:
        return SettingsRecord(FORMAT, now, {})
    return SettingsRecord(FORMAT, now, _replaced(before.settings, now) or before.former)


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


def keep_record(settings: Settings) -> None:
    """Log which settings have changed since the latest start, and keep those of this one. The file is written where it
    changes only."""
    file = settings.record
    try:
        begin(file, parse_record)
        before = read_record(file)
        record = record_of(settings, before)
        if record == before:
            return
        if before is None:
            log.info("first start with the state folder %s", settings.state_folder)
        elif changed := ", ".join(sorted(_replaced(before.settings, record.settings))):
            log.warning("settings changed since the start before: %s; %s has what they were", changed, file)
        write_checked(file, msgspec.json.encode(record))
    except OSError as fault:
        log.warning("%s: the settings of this start are not kept: %s", file, fault)
