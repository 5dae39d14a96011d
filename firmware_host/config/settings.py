"""The settings of this board: one frozen `Settings`, from `cribboard.toml`, the environment and the command line.

To add a setting, add one field to the class: its default, a sentence for the settings page, and the check of its value;
then name it in a section of `web_panel/pages/settings.py`.
The command line overrides environment variables such as CRIBBOARD_PORT, and these override the file. Between them is
`settings.toml` in the state folder: what was changed on the settings page of an installed board, whose own file belongs
to root and cannot be written.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from ipaddress import ip_address
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from firmware_host.config.board_plans import plan_ids
from firmware_host.config.languages import LANGUAGES
from firmware_host.cribbage.rule_errors import Refusal, quoted
from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.variants import PRESETS, VARIANTS, rules_for
from firmware_host.errors import HostError
from firmware_host.tracking.timing import Timing
from firmware_host.ui.input_state import DIMMEST
from firmware_host.ui.light_colours import LightColours
from firmware_host.ui.look import Look
from firmware_host.ui.voice import DEFAULT_RATE, DEFAULT_VOLUME, FASTEST, SLOWEST, Verbosity, VoiceSettings
from firmware_host.validation.fields import Check, Choice, Flag, Integer, Invalid, Number

FILE_NAME = "cribboard.toml"
CHANGES_NAME = "settings.toml"
PREFIX = "CRIBBOARD_"
TABLES = ("mqtt",)
"""Tables of a settings file whose keys may be written without their prefix: `host` in `[mqtt]` is `mqtt_host`."""

T = TypeVar("T")

REFEREE_MODES = ("teacher", "polite", "silent")
VERBOSITIES = ("full", "terse")
LIGHT_COLOURS = tuple(colours.value for colours in LightColours)
NONE, AUTO = "none", "auto"
BAUDS = (1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200)
OLEDS = ("sh1106", "ssd1306", "ssd1309")

_HOST_NAME = re.compile(r"[a-z0-9.-]+|[0-9a-f:]+", re.ASCII)
_BOARD_NAME = re.compile(r"[A-Za-z0-9_-]{0,40}")
_SOUND_DEVICE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_:=,.@-]*")
_LONGEST_NAME = 10
_MAX_PLAYERS = 6


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


def folder(value: object) -> Path:
    """Accepts the path of a folder, which need not exist; `~` stands for a home folder. Raises Invalid."""
    if isinstance(value, str | Path) and str(value).strip() and "\0" not in str(value):
        with suppress(RuntimeError):  # `~name` of an unknown user
            return Path(value).expanduser()
    raise Invalid("the path of a folder")


def board_plan(value: object) -> str:
    """Accepts the id of a plan, or the path of a plan file, which is not opened here. Raises Invalid."""
    if isinstance(value, str) and (value in plan_ids() or value.endswith(".toml")):
        return value
    raise Invalid(f"one of {', '.join(plan_ids())}, or the path of a plan file ending in .toml")


def serial_port(*words: str) -> Check[str]:
    """A check that accepts an absolute path, or one of these words."""

    def check(value: object) -> str:
        if isinstance(value, str) and (value in words or (value.startswith("/") and "\0" not in value)):
            return value
        raise Invalid(f"{', '.join(words)}, or a port such as /dev/serial/by-id/usb-...")

    return check


def sound_device(value: object) -> str:
    """Accepts the name of an ALSA device, or nothing for the default one. Raises Invalid."""
    if isinstance(value, str) and (not value or _SOUND_DEVICE.fullmatch(value)):
        return value
    raise Invalid("the name of an ALSA device as aplay -L lists it, such as plughw:1, or nothing")


def broker_host(value: object) -> str:
    """Accepts the name or address of another computer, or nothing. Raises Invalid."""
    if isinstance(value, str) and (not value or _HOST_NAME.fullmatch(value.lower())):
        return value.lower()
    raise Invalid("a name or address such as broker.local or 192.168.1.2, without mqtt://, or nothing")


def board_name(value: object) -> str:
    """Accepts a name for MQTT topics, or nothing. Raises Invalid."""
    if isinstance(value, str) and _BOARD_NAME.fullmatch(value):
        return value
    raise Invalid("up to 40 of the letters A-Z, a-z, digits, _ and -, or nothing")


def file_path(value: object) -> str:
    """Accepts the path of a file, which need not exist; `~` stands for a home folder; or nothing. Raises Invalid."""
    with suppress(Invalid):
        return "" if value == "" else str(folder(value))
    raise Invalid("the path of a file, or nothing")


def text_line(value: object) -> str:
    """Accepts up to 200 printable characters. Raises Invalid."""
    if isinstance(value, str) and len(value) <= 200 and value.isprintable():
        return value
    raise Invalid("up to 200 printable characters")


def listen_address(value: object) -> str:
    """Accepts an IP address or `localhost`. Raises Invalid."""
    with suppress(ValueError):
        if isinstance(value, str) and (value == "localhost" or ip_address(value)):
            return value
    raise Invalid("localhost, or an address of this computer, such as 127.0.0.1, or 0.0.0.0 for all it has")


def host_names(value: object) -> tuple[str, ...]:
    """Accepts a list, or one text with commas; returns lower case. Raises Invalid."""
    items = value.split(",") if isinstance(value, str) else value
    if isinstance(items, list | tuple) and all(isinstance(name, str) for name in items):
        names = tuple(name.strip().lower() for name in items)
        if all(_HOST_NAME.fullmatch(name) for name in names):
            return names
    raise Invalid("names or addresses as in the panel's address, such as cards.local, without http:// and port")


def addresses(value: object) -> tuple[str, ...]:
    """Accepts a list, or one text with commas; empty: none. Raises Invalid."""
    items = value.split(",") if isinstance(value, str) else value
    if isinstance(items, list | tuple) and all(isinstance(address, str) for address in items):
        with suppress(ValueError):
            return tuple(str(ip_address(address.strip())) for address in items if address.strip())
    raise Invalid("addresses such as 192.168.1.2, without http:// and port")


def player_names(value: object) -> tuple[str, ...]:
    """Accepts a list, or one text with commas. Raises Invalid."""
    items = value.split(",") if isinstance(value, str) else value
    if isinstance(items, list | tuple) and len(items) <= _MAX_PLAYERS and all(isinstance(name, str) for name in items):
        names = tuple(name.strip() for name in items)
        if all(name.isprintable() and 1 <= len(name) <= _LONGEST_NAME for name in names):
            return names
    raise Invalid(f"at most {_MAX_PLAYERS} names of 1 to {_LONGEST_NAME} letters")


def house_rules(value: object) -> Mapping[str, object]:
    """Accepts any table; its options are checked with the variant, by `rules_for`. Raises Invalid."""
    if isinstance(value, Mapping):
        return MappingProxyType(dict(value))
    raise Invalid("a table of options, such as {muggins_mode = 'claim'}")


def setting(default: T, sentence: str, check: Check[object], *, at_once: bool = False) -> T:
    """A field of `Settings`: its default, a sentence that explains it to people, and the check of its value.

    `at_once`: a change takes effect while the board runs; other changes take effect at the next start.
    """
    return field(default_factory=lambda: default, metadata={"sentence": sentence, "check": check, "at_once": at_once})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings, checked. Make one with `load_settings`."""

    state_folder: Path = field(metadata={"sentence": "Folder of the game file.", "check": folder, "at_once": False})
    board: str = setting("classic-61", "Board model: a plan name, or the path of a plan file.", board_plan)
    simulate: bool = setting(True, "Simulated board, without hardware; false: a real board.", Flag())
    address: str = setting(
        "127.0.0.1", "Network address of the pages; 0.0.0.0: the whole local network.", listen_address
    )
    names_on_lan: tuple[str, ...] = setting((), "Other names of this computer on the network.", host_names)
    trusted_proxies: tuple[str, ...] = setting((), "Addresses of proxies in front of the pages.", addresses)
    https: bool = setting(False, "Encrypt the pages; each phone must trust this board once.", Flag())
    open_watching: bool = setting(True, "Anyone on this network can watch.", Flag(), at_once=True)
    open_history: bool = setting(False, "Anyone on this network can see past games.", Flag(), at_once=True)
    advice: bool = setting(True, "Discard advice on phones.", Flag(), at_once=True)
    port: int = setting(8080, "Network port of the pages.", Integer(1, 65535))
    names: tuple[str, ...] = setting((), "Players, seat by seat in playing order.", player_names, at_once=True)
    preset: str = setting("family", "Rules for new games.", Choice(tuple(PRESETS)), at_once=True)
    variant: str | None = setting(
        None, "Kind of game, if it is not the usual one of these rules.", Choice(tuple(VARIANTS)), at_once=True
    )
    options: Mapping[str, object] = setting(
        MappingProxyType({}), "House rules: what you changed.", house_rules, at_once=True
    )
    scan_hz: int = setting(50, "Sensor readings per second.", Integer(10, 200), at_once=True)
    settle_s: float = setting(
        Timing().settle_s, "Peg delay: seconds that a moved peg must stay still.", Number(0.05, 5.0)
    )
    referee_mode: str = setting("teacher", "Referee: how much it says.", Choice(REFEREE_MODES), at_once=True)
    language: str = setting(LANGUAGES[0], "Language of the board’s display.", Choice(LANGUAGES), at_once=True)
    sound: bool = setting(
        True,
        "Sounds: a click when a peg is read, a low tone for a refusal.",
        Flag(),
        at_once=True,
    )
    tall_letters: bool = setting(False, "Display: letters twice as high, where they fit.", Flag(), at_once=True)
    inverted_display: bool = setting(False, "Display: dark letters on a lit ground.", Flag(), at_once=True)
    light_colours: str = setting(
        "board", "Colours of the lights, also for the colour-blind.", Choice(LIGHT_COLOURS), at_once=True
    )
    voice: bool = setting(False, "The board speaks; it needs espeak-ng and a sound device.", Flag(), at_once=True)
    voice_says: str = setting("full", "Voice: how much it says.", Choice(VERBOSITIES), at_once=True)
    voice_rate: int = setting(DEFAULT_RATE, "Voice: words per minute.", Integer(SLOWEST, FASTEST), at_once=True)
    voice_volume: int = setting(DEFAULT_VOLUME, "Voice: volume in percent.", Integer(1, 100), at_once=True)
    voice_device: str = setting(
        "", "Voice: ALSA device, such as plughw:1; empty: the default.", sound_device, at_once=True
    )
    scanner: str = setting(NONE, "Peg reader: none (the Pi’s pins), auto, or a port.", serial_port(NONE, AUTO))
    gpio: bool = setting(
        True, "Lights, keys and display on the Pi’s pins; otherwise keys and display on the page.", Flag()
    )
    card_reader: str = setting(NONE, "Port of the card reader; none: no reader.", serial_port(NONE))
    card_reader_baud: int = setting(9600, "Speed of the card reader.", Choice(BAUDS))
    oled: str = setting("sh1106", "Display chip; you can also play without a display.", Choice(OLEDS))
    lights_ma: int = setting(800, "Current limit of all lights together, in mA.", Integer(100, 10_000))

    lights_percent: int = setting(100, "Brightness of the lights, in percent.", Integer(DIMMEST, 100), at_once=True)
    mqtt_host: str = setting("", "MQTT: name or address of the broker; empty: off.", broker_host)
    mqtt_port: int = setting(1883, "MQTT: port of the broker; usually 8883 with TLS.", Integer(1, 65535))
    mqtt_tls: bool = setting(False, "MQTT: encrypt the connection, and check the broker’s certificate.", Flag())
    mqtt_ca: str = setting(
        "", "MQTT: file of the authority that signed the broker’s certificate; empty: the system’s.", file_path
    )
    mqtt_certificate: str = setting("", "MQTT: file of the board’s own certificate.", file_path)
    mqtt_key: str = setting("", "MQTT: file of the key of the board’s own certificate.", file_path)
    mqtt_user: str = setting("", "MQTT: user name at the broker.", text_line)
    mqtt_password_file: str = setting("", "MQTT: file with the password, on its first line.", file_path)
    mqtt_board: str = setting(
        "", "MQTT: name of this board in topics, and client id; empty: made from the machine’s id.", board_name
    )

    mqtt_results: bool = setting(False, "MQTT: send finished games to a club or league.", Flag())

    mqtt_home_assistant: bool = setting(False, "MQTT: the board appears in Home Assistant by itself.", Flag())
    mqtt_commands: bool = setting(False, "MQTT: accept undo, light test, brightness and volume.", Flag())

    @property
    def look(self) -> Look:
        """How display and lights look."""
        return Look(self.tall_letters, self.inverted_display, LightColours(self.light_colours))

    @property
    def voice_settings(self) -> VoiceSettings:
        """How the voice is set at the start."""
        verbosity = Verbosity(self.voice_says)
        return VoiceSettings(
            self.voice, self.language, verbosity, self.voice_rate, self.voice_volume, self.voice_device
        )

    @property
    def journal(self) -> Path:
        """The file of all games."""
        return self.state_folder / "journal.sqlite3"

    @property
    def phones(self) -> Path:
        """The file of the paired phones."""
        return self.state_folder / "phones.json"

    @property
    def https_folder(self) -> Path:
        """The folder of the certificates of the pages."""
        return self.state_folder / "https"

    @property
    def people(self) -> Path:
        """The file of the names that were merged."""
        return self.state_folder / "people.json"

    @property
    def club(self) -> Path:
        """The file of the club: members, nights and results."""
        return self.state_folder / "club.sqlite3"

    @property
    def learners(self) -> Path:
        """The file of the count coach: the progress of each learner."""
        return self.state_folder / "learners.json"

    @property
    def wizard(self) -> Path:
        """The file with the progress of the set-up wizard."""
        return self.state_folder / "wizard.json"

    @property
    def card_tags(self) -> Path:
        """The file that says which tag is on which card."""
        return self.state_folder / "deck.json"

    @property
    def rules(self) -> RuleSet:
        """The rules of a new game."""
        preset = PRESETS[self.preset]
        return rules_for(self.variant or preset.variant, {**preset.options, **self.options})


SENTENCES: Mapping[str, str] = {each.name: each.metadata["sentence"] for each in fields(Settings)}
"""Setting -> what it means."""

CHECKS: Mapping[str, Check[Any]] = {each.name: each.metadata["check"] for each in fields(Settings)}
"""Setting -> the check of its value."""

AT_ONCE: frozenset[str] = frozenset(each.name for each in fields(Settings) if each.metadata["at_once"])
"""The settings that take effect while the board runs."""


@dataclass(frozen=True, slots=True)
class Layer:
    """The settings from one source. `place` returns the name of a setting as it is written there."""

    values: Mapping[str, object]
    place: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Sources:
    """Where the settings of this start come from: the file, the environment, and the command line."""

    file: Path
    environ: Mapping[str, str]
    overrides: Mapping[str, object]
    """The settings on the command line."""
    is_needed: bool = True
    """Whether somebody named the file; the default file may be missing."""

    @property
    def text(self) -> str:
        """The content of the file. Raises SettingsError."""
        return read_text(self.file, is_needed=self.is_needed)

    @property
    def changes_file(self) -> Path:
        """The file in the state folder that overrides `file`. Raises SettingsError."""
        text = self.text if self.file.exists() else ""
        return self._load(parse_toml(text, str(self.file)), {}).state_folder / CHANGES_NAME

    @property
    def changes_text(self) -> str:
        """The content of `changes_file`; empty if there is none. Raises SettingsError."""
        return read_text(self.changes_file, is_needed=False)

    def load(
        self, in_file: Mapping[str, object] | None = None, in_changes: Mapping[str, object] | None = None
    ) -> Settings:
        """The settings; with `in_file` and `in_changes`, as if these were in the two files. Raises SettingsError."""
        if in_file is None:
            in_file = parse_toml(self.text, str(self.file))
        if in_changes is None:
            file = self._load(in_file, {}).state_folder / CHANGES_NAME
            in_changes = parse_toml(read_text(file, is_needed=False), str(file))
        return self._load(in_file, in_changes)

    def _load(self, in_file: Mapping[str, object], in_changes: Mapping[str, object]) -> Settings:
        changes = {key: value for key, value in in_changes.items() if key != "state_folder"}  # it is in that folder
        return settings_of(
            Layer({"state_folder": _home_folder(self.environ, "XDG_STATE_HOME", ".local/state")}, str),
            Layer(in_file, lambda key: f"{self.file}, {key}"),
            Layer(changes, lambda key: f"{CHANGES_NAME} in the state folder, {key}"),
            *self._above_file,
        )

    @property
    def _above_file(self) -> tuple[Layer, Layer]:
        """The sources that override the file."""
        return (
            Layer(parse_environment(self.environ), lambda key: f"{PREFIX}{key.upper()}"),
            Layer(self.overrides, lambda key: f"--{key.replace('_', '-')}"),
        )

    @property
    def overridden(self) -> Mapping[str, str]:
        """Setting -> what overrides the file: a variable or an option of the command line, by its name."""
        return {key: layer.place(key) for layer in self._above_file for key in layer.values}


def sources_of(path: Path | None, environ: Mapping[str, str], overrides: Mapping[str, object]) -> Sources:
    """`overrides` are the options of the command line; None and {} there mean not given.

    `path` None: `cribboard/cribboard.toml` in the user's configuration folder, if it exists.
    """
    file = path or _home_folder(environ, "XDG_CONFIG_HOME", ".config") / FILE_NAME
    given = {key: value for key, value in overrides.items() if value not in (None, {})}
    return Sources(file, environ, given, is_needed=path is not None)


def load_settings(path: Path | None, environ: Mapping[str, str], overrides: Mapping[str, object]) -> Settings:
    """The settings of this start, from all sources; the arguments are those of `sources_of`. Raises SettingsError."""
    return sources_of(path, environ, overrides).load()


def settings_of(*layers: Layer) -> Settings:
    """Checks and merges the layers; a later one overrides an earlier one. Tables of options are merged by option.

    Raises SettingsError.
    """
    values: dict[str, Any] = {}
    places: dict[str, str] = {}
    for layer in layers:
        for key, value in layer.values.items():
            places[key] = layer.place(key)
            values[key] = _merged(values.get(key), _checked(key, value, places[key]))
    settings = Settings(**values)
    _check_rules(settings, places)
    _check_sensors(settings, places)
    return settings


def parse_toml(text: str, where: str) -> Mapping[str, object]:
    """The values in the text of a settings file, not yet checked. `where` names the file. Raises SettingsError."""
    try:
        return without_tables(tomllib.loads(text))
    except (ValueError, RecursionError) as error:
        raise SettingsError("TOML, such as port = 8080", str(error), where, "correct that line") from error


def without_tables(values: Mapping[str, object]) -> Mapping[str, object]:
    """The same settings with those of each table in TABLES under their full names."""
    flat = dict[str, object]()
    for key, value in values.items():
        if key in TABLES and isinstance(value, Mapping):
            flat |= {f"{key}_{name}": each for name, each in value.items()}
        else:
            flat[key] = value
    return flat


def parse_environment(environ: Mapping[str, str]) -> Mapping[str, object]:
    """The settings among the variables, not yet checked. Texts need no quotes; an empty variable counts as absent."""
    ours = (name for name, text in environ.items() if name.startswith(PREFIX) and text)
    return {name.removeprefix(PREFIX).lower(): _toml_or_text(environ[name]) for name in ours}


def _toml_or_text(text: str) -> object:
    try:
        parsed = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):
        return text
    return parsed["value"] if len(parsed) == 1 else text


def _checked(key: str, value: object, place: str) -> object:
    if key not in CHECKS:
        near = get_close_matches(key, CHECKS, n=1)
        fix = f"did you mean {near[0]}?" if near else f"there are {', '.join(CHECKS)}"
        raise SettingsError("a setting that there is", quoted(key), place, fix)
    try:
        return CHECKS[key](value)
    except Invalid as invalid:
        fix = "correct it, or leave it out"
        raise InvalidSetting(key, str(invalid), quoted(value), place, fix) from invalid


def _merged(before: object, value: object) -> object:
    if isinstance(before, Mapping) and isinstance(value, Mapping):
        return MappingProxyType({**before, **value})
    return value


def _check_rules(settings: Settings, places: Mapping[str, str]) -> None:
    """Preset, variant and options must make a game that can be played."""
    try:
        assert settings.rules
    except Refusal as refusal:
        given = [places[key] for key in ("preset", "variant", "options") if key in places]
        where = ": ".join(part for part in (" and ".join(given), refusal.where) if part)
        fix = refusal.fix or "choose another"
        raise SettingsClash("options", refusal.expected, refusal.got, where, fix) from refusal


def _check_sensors(settings: Settings, places: Mapping[str, str]) -> None:
    """Only a real board has a scanner; without GPIO nothing but a scanner can read its pegs."""
    if settings.simulate and settings.scanner != NONE:
        where, fix = places["scanner"], "a simulated board needs no scanner"
        raise SettingsClash("scanner", "simulate = false", "simulate = true", where, fix)
    if not settings.simulate and not settings.gpio and settings.scanner == NONE:
        where, fix = places["gpio"], "set scanner = auto, or leave gpio out"
        raise SettingsClash("gpio", "a scanner to read the pegs", "scanner = none", where, fix)


def read_text(file: Path, *, is_needed: bool) -> str:
    """The text of a settings file; empty for a missing one that is not needed. Raises SettingsError."""
    try:
        return file.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        if isinstance(error, FileNotFoundError) and not is_needed:
            return ""
        got = error.strerror if isinstance(error, OSError) else "bytes that are no UTF-8 text"
        raise SettingsFileError(
            "a settings file", str(got), str(file), "check its name, rights and encoding"
        ) from error


def _home_folder(environ: Mapping[str, str], variable: str, default: str) -> Path:
    """The folder `cribboard` in an XDG base directory. That specification says to ignore a relative path."""
    base = Path(environ.get(variable, ""))
    return (base if base.is_absolute() else Path(environ.get("HOME") or Path.home()) / default) / "cribboard"
