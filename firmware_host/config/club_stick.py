"""What `club board add --into` and `league board add --into` wrote on a stick, checked before a board uses it.

The settings name the password and the certificate as they will lie on the board; on the stick both lie beside them.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct

from firmware_host.config.settings_errors import SettingsError
from firmware_host.config.settings_lines import TABLES
from firmware_host.config.settings_sources import FILE_NAME, parse_toml, read_text

PASSWORD = "mqtt_password_file"
AUTHORITY = "mqtt_ca"
NEEDED = ("mqtt_host", "mqtt_board", "mqtt_user", PASSWORD, AUTHORITY)
NAMES: Mapping[str, tuple[str, ...]] = {PASSWORD: ("mqtt-password",), AUTHORITY: ("club-ca.pem", "league-ca.pem")}
"""No other file of the board may be replaced, such as the journal in the state folder."""
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
    return stick_of(lambda name: read_text(folder / name, is_needed=True), str(folder))


def stick_of(text_of: Callable[[str], str], where: str) -> Stick:
    """The stick with the files whose texts `text_of` gives by name. `where`: the place that errors name."""
    settings = parse_toml(text_of(FILE_NAME), f"{where}/{FILE_NAME}")
    if foreign := [name for name in settings if not name.startswith(tuple(f"{table}_" for table in TABLES))]:
        raise SettingsError("settings of MQTT alone", f"{', '.join(foreign)} too", f"{where}/{FILE_NAME}", FIX)
    for name in NEEDED:
        if not settings.get(name):
            raise SettingsError(name, "none", f"{where}/{FILE_NAME}", FIX)
    found = Stick(settings, {})
    for setting, names in NAMES.items():
        if found.name_of(setting) not in names:
            expected = f"{setting} with the name {' or '.join(names)}"
            raise SettingsError(expected, found.name_of(setting), f"{where}/{FILE_NAME}", FIX)
    texts = {setting: text_of(found.name_of(setting)) for setting in CHECKS}
    for setting, text in texts.items():
        expected, is_right = CHECKS[setting]
        if not is_right(text):
            raise SettingsError(expected, "something else", f"{where}/{found.name_of(setting)}", FIX)
    return Stick(settings, texts)


def _is_password(text: str) -> bool:
    password = text.strip()
    return bool(password) and password.isascii() and password.isprintable()


def _is_certificate(text: str) -> bool:
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cadata=text)
    except (ssl.SSLError, ValueError):
        return False
    return True


CHECKS: Mapping[str, tuple[str, Callable[[str], bool]]] = {
    PASSWORD: ("a password", _is_password),
    AUTHORITY: ("a certificate", _is_certificate),
}
"""The setting of each file -> what the file must be, and whether a text is that."""
