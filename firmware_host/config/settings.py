"""The settings of this board: one frozen `Settings`. `settings_sources.py` makes it.

To add a setting, add one field to the class: its default, a sentence for the settings page, and the check of its value;
then name it in a section of `web_panel/pages/settings.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from firmware_host.config.languages import LANGUAGES
from firmware_host.config.settings_checks import (
    addresses,
    board_name,
    board_plan,
    broker_host,
    club_code,
    file_path,
    folder,
    host_names,
    house_rules,
    listen_address,
    player_names,
    serial_port,
    sound_device,
    text_line,
)
from firmware_host.config.voices import piper_model
from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.variants import PRESETS, VARIANTS, rules_for
from firmware_host.lazy_dataclass import dataclass
from firmware_host.tracking.timing import Timing
from firmware_host.ui.input_state import DIMMEST
from firmware_host.ui.light_colours import LightColours
from firmware_host.ui.look import Look
from firmware_host.ui.voice import DEFAULT_RATE, DEFAULT_VOLUME, FASTEST, SLOWEST, Verbosity, VoiceSettings
from firmware_host.validation.fields import Check, Choice, Flag, Integer, Number

T = TypeVar("T")

REFEREE_MODES = ("teacher", "polite", "silent")
VERBOSITIES = ("full", "terse")
BEST, ESPEAK = "best", "espeak"
LIGHT_COLOURS = tuple(colours.value for colours in LightColours)
NONE, AUTO = "none", "auto"
BAUDS = (1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200)
OLEDS = ("sh1106", "ssd1306", "ssd1309")


def setting(default: T, sentence: str, check: Check[object], *, at_once: bool = False) -> T:
    """A field of `Settings`: its default, a sentence that explains it to people, and the check of its value.

    `at_once`: a change takes effect while the board runs; other changes take effect at the next start.
    """
    return field(default_factory=lambda: default, metadata={"sentence": sentence, "check": check, "at_once": at_once})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings, checked. Make one with `settings_sources.load_settings`."""

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
    asks_counts: bool = setting(False, "The board asks for the count of a hand first.", Flag(), at_once=True)
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
    voice_engine: str = setting(
        BEST, "Voice: best (Piper, if it and a voice are installed) or espeak.", Choice((BEST, ESPEAK)), at_once=True
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
    mqtt_club_code: str = setting("", "MQTT: code of a club night; the board begins the games of its table.", club_code)
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
        model = piper_model(self.voices_folder, self.language) if self.voice_engine == BEST else ""
        return VoiceSettings(
            self.voice, self.language, verbosity, self.voice_rate, self.voice_volume, self.voice_device, model
        )

    @property
    def voices_folder(self) -> Path:
        """The folder of the voices for Piper."""
        return self.state_folder / "voices"

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
    def club_broker(self) -> Path:
        """The folder of the club's own broker."""
        return self.state_folder / "club-broker"

    @property
    def club_accounts(self) -> Path:
        """The accounts for the pages of the club."""
        return self.state_folder / "club-accounts.json"

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
