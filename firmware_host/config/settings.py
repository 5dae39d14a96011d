"""The settings of this board: one frozen `Settings`. `settings_sources.py` makes it.

To add a setting, add one field to the class: its type, with a sentence for the settings page and the check of its
value, and its default; then name it in a section of `web_panel/pages/setting_texts.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, get_type_hints

from msgspec import Struct

from firmware_host.board.peg_source import PegSource
from firmware_host.config.kits import NO_SCANNER, Chosen, Kit, LightSource, Parts, Where, parts_of
from firmware_host.config.languages import LANGUAGES
from firmware_host.config.settings_checks import (
    Check,
    Choice,
    Flag,
    Integer,
    Number,
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
from firmware_host.cribbage.variants import PRESETS, VARIANTS, Consistent, consistent_rules
from firmware_host.tracking.timing import Timing
from firmware_host.ui.display.look import Look
from firmware_host.ui.display.rest import DEFAULT_SLEEP_MIN, LONGEST_SLEEP_MIN
from firmware_host.ui.keys.input_state import DIMMEST
from firmware_host.ui.lights.colours import LightColours
from firmware_host.ui.voice import DEFAULT_RATE, DEFAULT_VOLUME, FASTEST, SLOWEST, Verbosity, VoiceSettings

REFEREE_MODES = ("teacher", "polite", "silent")
VERBOSITIES = ("full", "terse")
BEST = "best"
ESPEAK = "espeak"
LIGHT_COLOURS = tuple(colours.value for colours in LightColours)
NONE = NO_SCANNER
AUTO = "auto"
BAUDS = (1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200)
OLEDS = ("sh1106", "ssd1306", "ssd1309")
COLUMN_OFFSETS = (0, 2, 4)


RECORD_NAME = "settings-at-start.json"


class Setting(Struct, frozen=True):
    """What stands beside the type of a field of `Settings`."""

    sentence: str
    """What it means, for people."""
    check: Check[Any]
    """Returns a value in the type of the field, or raises Invalid."""
    at_once: bool = False
    """A change takes effect while the board runs; other changes take effect at the next start."""


class Settings(Struct, frozen=True, kw_only=True):
    """All settings, checked. Make one with `settings_sources.load_settings`."""

    state_folder: Annotated[Path, Setting("Folder of the game file.", folder)]
    board: Annotated[str, Setting("Board model: a plan name, or the path of a plan file.", board_plan)] = "classic-61"
    kit: Annotated[str | None, Setting("What you play on.", Choice(tuple(map(str, Kit))))] = None
    pegs: Annotated[
        str | None, Setting("Where the pegs are, if not as the kit has it.", Choice(tuple(map(str, PegSource))))
    ] = None
    lights: Annotated[
        str | None, Setting("Where the lights are, if not as the kit has it.", Choice(tuple(map(str, LightSource))))
    ] = None
    keys: Annotated[
        str | None, Setting("Where the keys are, if not as the kit has it.", Choice(tuple(map(str, Where))))
    ] = None
    display: Annotated[
        str | None, Setting("Where the display is, if not as the kit has it.", Choice(tuple(map(str, Where))))
    ] = None
    simulate: Annotated[
        bool, Setting("Without a kit: a simulated board, without hardware; false: a board with sensors.", Flag())
    ] = True
    address: Annotated[
        str, Setting("Network address of the pages; 0.0.0.0: the whole local network.", listen_address)
    ] = "127.0.0.1"
    names_on_lan: Annotated[tuple[str, ...], Setting("Other names of this computer on the network.", host_names)] = ()
    trusted_proxies: Annotated[tuple[str, ...], Setting("Addresses of proxies in front of the pages.", addresses)] = ()
    https: Annotated[bool, Setting("Encrypt the pages; each phone must trust this board once.", Flag())] = False
    open_watching: Annotated[bool, Setting("Anyone on this network can watch.", Flag(), at_once=True)] = True
    open_history: Annotated[bool, Setting("Anyone on this network can see past games.", Flag(), at_once=True)] = False
    seatless_play: Annotated[
        bool, Setting("A phone without a seat can play, also while others have seats.", Flag(), at_once=True)
    ] = False
    advice: Annotated[bool, Setting("Discard advice on phones.", Flag(), at_once=True)] = True
    port: Annotated[int, Setting("Network port of the pages.", Integer(1, 65535))] = 8080
    names: Annotated[
        tuple[str, ...], Setting("Players, seat by seat in playing order.", player_names, at_once=True)
    ] = ()
    preset: Annotated[str, Setting("Rules for new games.", Choice(tuple(PRESETS)), at_once=True)] = "family"
    variant: Annotated[
        str | None,
        Setting("Kind of game, if it is not the usual one of these rules.", Choice(tuple(VARIANTS)), at_once=True),
    ] = None
    options: Annotated[Mapping[str, object], Setting("House rules: what you changed.", house_rules, at_once=True)] = (
        MappingProxyType({})
    )
    scan_hz: Annotated[int, Setting("Sensor readings per second.", Integer(10, 200), at_once=True)] = 50
    settle_s: Annotated[float, Setting("Peg delay: seconds that a moved peg must stay still.", Number(0.05, 5.0))] = (
        Timing().settle_s
    )
    referee_mode: Annotated[str, Setting("Referee: how much it says.", Choice(REFEREE_MODES), at_once=True)] = "teacher"
    language: Annotated[str, Setting("Language of the board’s display.", Choice(LANGUAGES), at_once=True)] = LANGUAGES[
        0
    ]
    sound: Annotated[
        bool, Setting("Sounds: a click when a peg is read, a low tone for a refusal.", Flag(), at_once=True)
    ] = True
    asks_counts: Annotated[bool, Setting("The board asks for the count of a hand first.", Flag(), at_once=True)] = False
    opponent_pace_s: Annotated[
        float, Setting("The board as a player: seconds that it takes for a card.", Number(0.3, 10.0), at_once=True)
    ] = 1.2
    tall_letters: Annotated[bool, Setting("Display: letters twice as high, where they fit.", Flag(), at_once=True)] = (
        False
    )
    inverted_display: Annotated[bool, Setting("Display: dark letters on a lit ground.", Flag(), at_once=True)] = False
    display_sleep_min: Annotated[
        int, Setting("Display: minutes without a move until it sleeps.", Integer(1, LONGEST_SLEEP_MIN), at_once=True)
    ] = DEFAULT_SLEEP_MIN
    light_colours: Annotated[
        str, Setting("Colours of the lights, also for the colour-blind.", Choice(LIGHT_COLOURS), at_once=True)
    ] = "board"
    voice: Annotated[
        bool, Setting("The board speaks; it needs espeak-ng and a sound device.", Flag(), at_once=True)
    ] = False
    voice_says: Annotated[str, Setting("Voice: how much it says.", Choice(VERBOSITIES), at_once=True)] = "full"
    voice_rate: Annotated[int, Setting("Voice: words per minute.", Integer(SLOWEST, FASTEST), at_once=True)] = (
        DEFAULT_RATE
    )
    voice_volume: Annotated[int, Setting("Voice: volume in percent.", Integer(1, 100), at_once=True)] = DEFAULT_VOLUME
    voice_device: Annotated[
        str, Setting("Voice: ALSA device, such as plughw:1; empty: the default.", sound_device, at_once=True)
    ] = ""
    voice_engine: Annotated[
        str,
        Setting(
            "Voice: best (Piper, if it and a voice are installed) or espeak.", Choice((BEST, ESPEAK)), at_once=True
        ),
    ] = BEST
    scanner: Annotated[
        str | None,
        Setting("Peg reader, if not as the kit has it: none, auto, or a port.", serial_port(NONE, AUTO)),
    ] = None
    gpio: Annotated[
        bool, Setting("Lights, keys and display on the Pi’s pins; otherwise keys and display on the page.", Flag())
    ] = True
    card_reader: Annotated[str, Setting("Port of the card reader; none: no reader.", serial_port(NONE))] = NONE
    card_reader_baud: Annotated[int, Setting("Speed of the card reader.", Choice(BAUDS))] = 9600
    oled: Annotated[str, Setting("Display chip; you can also play without a display.", Choice(OLEDS))] = "sh1106"
    oled_offset: Annotated[
        int, Setting("Display: first column of an SH1106; 2 on most modules.", Choice(COLUMN_OFFSETS))
    ] = 2
    oled_turned: Annotated[bool, Setting("Display: turned by 180 degrees.", Flag())] = False
    lights_ma: Annotated[int, Setting("Current limit of all lights together, in mA.", Integer(100, 10_000))] = 800
    lights_percent: Annotated[
        int, Setting("Brightness of the lights, in percent.", Integer(DIMMEST, 100), at_once=True)
    ] = 100
    mqtt_host: Annotated[str, Setting("MQTT: name or address of the broker; empty: off.", broker_host)] = ""
    mqtt_port: Annotated[int, Setting("MQTT: port of the broker; usually 8883 with TLS.", Integer(1, 65535))] = 1883
    mqtt_tls: Annotated[bool, Setting("MQTT: encrypt the connection, and check the broker’s certificate.", Flag())] = (
        False
    )
    mqtt_ca: Annotated[
        str,
        Setting("MQTT: file of the authority that signed the broker’s certificate; empty: the system’s.", file_path),
    ] = ""
    mqtt_certificate: Annotated[str, Setting("MQTT: file of the board’s own certificate.", file_path)] = ""
    mqtt_key: Annotated[str, Setting("MQTT: file of the key of the board’s own certificate.", file_path)] = ""
    mqtt_user: Annotated[str, Setting("MQTT: user name at the broker.", text_line)] = ""
    mqtt_password_file: Annotated[str, Setting("MQTT: file with the password, on its first line.", file_path)] = ""
    mqtt_board: Annotated[
        str,
        Setting("MQTT: name of this board in topics, and client id; empty: made from the machine’s id.", board_name),
    ] = ""
    mqtt_results: Annotated[bool, Setting("MQTT: send finished games to a club or league.", Flag())] = False
    mqtt_club_code: Annotated[
        str, Setting("MQTT: code of a club night; the board begins the games of its table.", club_code)
    ] = ""
    mqtt_home_assistant: Annotated[bool, Setting("MQTT: the board appears in Home Assistant by itself.", Flag())] = (
        False
    )
    mqtt_commands: Annotated[bool, Setting("MQTT: accept undo, light test, brightness and volume.", Flag())] = False

    @property
    def kit_in_use(self) -> Kit:
        """The kit, whether it or `simulate` is set."""
        return self._chosen_parts.kit_in_use

    @property
    def parts(self) -> Parts:
        """Where each part of the board is. Raises PartsClash, but not for settings that were loaded."""
        return parts_of(self._chosen_parts)

    @property
    def _chosen_parts(self) -> Chosen:
        return Chosen(self.kit, self.simulate, self.gpio, self.scanner, self.pegs, self.lights, self.keys, self.display)

    @property
    def look(self) -> Look:
        """How display and lights look."""
        light_colours = LightColours(self.light_colours)
        return Look(self.tall_letters, self.inverted_display, light_colours, self.display_sleep_min * 60.0)

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
    def record(self) -> Path:
        """The file with the settings of the latest good start."""
        return self.state_folder / RECORD_NAME

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
    def mqtt_published(self) -> Path:
        """The file that says which MQTT brokers keep messages of this board."""
        return self.state_folder / "mqtt-published.json"

    @property
    def card_tags(self) -> Path:
        """The file that says which tag is on which card."""
        return self.state_folder / "deck.json"

    @property
    def rules(self) -> RuleSet:
        """The rules of a new game, without the house rules that do not go with the others. Raises Refusal."""
        return self.rules_with().rules

    def rules_with(self, chosen: Collection[str] = ()) -> Consistent:
        """The rules of a new game, and what is against the house rules that they leave out. Those that are `chosen` now
        are refused instead. Raises Refusal."""
        preset = PRESETS[self.preset]
        return consistent_rules(self.variant or preset.variant, {**preset.options, **self.options}, chosen)


SETTINGS: Mapping[str, Setting] = {
    name: hint.__metadata__[0] for name, hint in get_type_hints(Settings, include_extras=True).items()
}
"""The settings by name."""

SENTENCES: Mapping[str, str] = {name: each.sentence for name, each in SETTINGS.items()}
"""Setting -> what it means."""

CHECKS: Mapping[str, Check[Any]] = {name: each.check for name, each in SETTINGS.items()}
"""Setting -> the check of its value."""

AT_ONCE: frozenset[str] = frozenset(name for name, each in SETTINGS.items() if each.at_once)
"""The settings that take effect while the board runs."""
