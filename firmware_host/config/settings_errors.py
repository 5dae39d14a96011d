"""What can be wrong with settings: their file, their names, their values."""

from __future__ import annotations

from firmware_host.errors import HostError


class SettingsError(HostError):
    """A settings file cannot be read, or a setting is unknown or has a value that it does not take."""


class InvalidSetting(SettingsError):
    """The setting `name` has a value that it does not take."""

    def __init__(self, name: str, expected: str, got: str, where: str, fix: str) -> None:
        super().__init__(expected, got, where, fix)
        self.name = name


class SettingsClash(InvalidSetting):
    """A value is valid by itself, but not together with the other settings."""


class SettingsFileError(SettingsError):
    """The settings file cannot be read or written."""
