"""What `club board add --into` and `league board add --into` wrote on a stick, checked before a board uses it.

The settings name the password and the certificate as they will lie on the board; on the stick both lie beside them.
"""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from firmware_host.config.settings_errors import SettingsError
from firmware_host.config.settings_lines import TABLES
from firmware_host.config.settings_sources import FILE_NAME, parse_toml, read_text

PASSWORD = "mqtt_password_file"
AUTHORITY = "mqtt_ca"
NEEDED = ("mqtt_host", "mqtt_board", "mqtt_user", PASSWORD, AUTHORITY)
FIX = "let the organiser write the stick again: board add NAME --renew --into STICK"


class Stick(Struct, frozen=True):
    """The settings of MQTT that a board gets, by their full names, and its two files, by the setting of each."""

    settings: Mapping[str, object]
    files: Mapping[str, str]

    def name_of(self, setting: str) -> str:
        """The name of the file of a setting."""
        return Path(str(self.settings[setting])).name

    def settings_in(self, folder: Path) -> Mapping[str, object]:
        """The settings of a board whose two files lie in this folder."""
        return {**self.settings, **{setting: str(folder / self.name_of(setting)) for setting in self.files}}


def read_stick(folder: Path) -> Stick:
    """Read all files of a stick. Raises SettingsError if one is missing or damaged, or another setting is there."""
    file = folder / FILE_NAME
    settings = parse_toml(read_text(file, is_needed=True), str(file))
    if foreign := [name for name in settings if not name.startswith(tuple(f"{table}_" for table in TABLES))]:
        raise SettingsError("settings of MQTT alone", f"{', '.join(foreign)} too", str(file), FIX)
    for name in NEEDED:
        if not settings.get(name):
            raise SettingsError(name, "none", str(file), FIX)
    found = Stick(settings, {})
    password = folder / found.name_of(PASSWORD)
    authority = folder / found.name_of(AUTHORITY)
    return Stick(settings, {PASSWORD: _password(password), AUTHORITY: _authority(authority)})


def _password(file: Path) -> str:
    text = read_text(file, is_needed=True)
    if not (text.strip().isascii() and text.strip().isprintable() and text.strip()):
        raise SettingsError("a password", "something else", str(file), FIX)
    return text


def _authority(file: Path) -> str:
    text = read_text(file, is_needed=True)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cadata=text)
    except (ssl.SSLError, ValueError) as fault:
        raise SettingsError("a certificate", "something else", str(file), FIX) from fault
    return text
