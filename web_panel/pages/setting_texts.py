"""The texts of the settings page: for each setting its label, a line of help, its unit, and which values it takes.

Every text is English here and translated where it is shown. Which values are valid is decided by `config/settings.py`
alone; `takes` only says it, and its {low} and {high} are filled in from there.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from firmware_host.cribbage.variants import PRESETS


class SettingText(Struct, frozen=True):
    """What the page says about one setting."""

    label: str
    help: str
    takes: str = "Choose one of the list."
    unit: str = ""


RANGE = "From {low} to {high}."
FILE_PATH = "The path of a file, or nothing."

TEXTS: Mapping[str, SettingText] = {
    "referee_mode": SettingText("How much the referee says", "On the display, on phones and aloud."),
    "asks_counts": SettingText("Ask for the count", "The board asks how a hand counts, part by part, before it tells."),
    "opponent_pace_s": SettingText("Pace of the board", "As a player: its time for one card.", RANGE, "seconds"),
    "sound": SettingText("Sounds", "A click when a peg is read, a low tone for a refusal."),
    "tall_letters": SettingText("Tall letters", "Letters of the display are twice as high, where they fit."),
    "inverted_display": SettingText("Inverted display", "Dark letters on a lit ground."),
    "display_sleep_min": SettingText(
        "Display sleeps after", "Without a move. It wakes at a peg, key or command.", RANGE, "minutes"
    ),
    "light_colours": SettingText("Colours of the lights", "Choose those that you tell apart best."),
    "voice": SettingText("Voice", "The board says what happens and what comes next."),
    "voice_says": SettingText("How much it says", "Everything, or counts and scores only."),
    "voice_rate": SettingText("Speed of the voice", "As you can follow it well.", RANGE, "words per minute"),
    "voice_volume": SettingText("Volume of the voice", "The loudest may sound distorted.", RANGE, "percent"),
    "voice_device": SettingText(
        "Sound device", "Empty: the usual one of the computer.", "A device of aplay -L, such as plughw:1, or nothing."
    ),
    "voice_engine": SettingText("Speech program", "Piper sounds more natural; it and a voice have to be installed."),
    "advice": SettingText("Discard advice", "Phones may ask which cards to discard."),
    "board": SettingText("Board", "The model that you built.", "Choose a board, or a plan file that ends in .toml."),
    "settle_s": SettingText(
        "Peg delay", "How long a peg must rest. Longer, if you count hole by hole.", RANGE, "seconds"
    ),
    "names": SettingText(
        "Players", "Seat by seat, with commas between the names.", "Up to 6 names of 1 to 10 letters each."
    ),
    "preset": SettingText("Rules for new games", "You can change them for each game."),
    "variant": SettingText("Kind of game", "If it is not the usual one of these rules."),
    "options": SettingText("House rules", "What you play differently.", "These rules do not go together."),
    "open_watching": SettingText("Anyone on this network can watch", "To play, a phone must be added at the board."),
    "open_history": SettingText("Anyone on this network can see past games", "Phones that were added always can."),
    "seatless_play": SettingText(
        "Phones without a seat can play",
        "If not, such a phone watches while others have seats, and can take a free one.",
    ),
    "language": SettingText("Language of the display", "The language of the page is chosen at its bottom."),
    "address": SettingText(
        "Network address",
        "127.0.0.1: this computer only. 0.0.0.0: phones can connect.",
        "An address of this computer, such as 0.0.0.0.",
    ),
    "port": SettingText("Port", "The number after the colon in the address.", RANGE),
    "names_on_lan": SettingText(
        "Other names",
        "Further names of this computer, with commas between them.",
        "Names such as cards.local, without http and port.",
    ),
    "trusted_proxies": SettingText(
        "Proxies",
        "Addresses of proxies in front of the board, with commas between them.",
        "Addresses such as 192.168.1.2.",
    ),
    "https": SettingText(
        "Encrypted pages (HTTPS)", "Each phone must trust this board once: the page /trust shows how."
    ),
    "kit": SettingText("What you play on", "Between the page and your own board: with the next game."),
    "pegs": SettingText("Pegs", "Where they are, if the kit has them elsewhere."),
    "lights": SettingText("Lights", "Where they are, if the kit has them elsewhere."),
    "keys": SettingText("Keys", "Where they are, if the kit has them elsewhere."),
    "display": SettingText("Display", "Where it is, if the kit has it elsewhere."),
    "simulate": SettingText("Simulated board", "Only where nothing is chosen for what you play on."),
    "scanner": SettingText(
        "Peg reader", "none: the Pi’s pins; auto: the first found; or its port.", "none, auto, or a port of /dev."
    ),
    "gpio": SettingText("Lights, keys and display on the Pi", "Off: keys and display are on the page."),
    "card_reader": SettingText("Card reader", "none, or its port.", "none, or a port of /dev."),
    "card_reader_baud": SettingText("Card reader speed", "As its manual says.", unit="baud"),
    "scan_hz": SettingText("Sensor readings", "More readings see faster moves, fewer save power.", RANGE, "per second"),
    "oled": SettingText("Display chip", "You can also play without a display."),
    "oled_offset": SettingText(
        "First column of the display", "If the picture is cut off at one side. Only for sh1106."
    ),
    "oled_turned": SettingText("Display turned by 180 degrees", "For a display that is mounted upside down."),
    "lights_ma": SettingText("Current limit of the lights", "For all lights together.", RANGE, "mA"),
    "mqtt_host": SettingText(
        "MQTT broker",
        "Its name or address. Empty: nothing is published.",
        "A name or address such as broker.local, or nothing.",
    ),
    "mqtt_port": SettingText("Port of the broker", "Usually 1883, and 8883 with TLS.", RANGE),
    "mqtt_tls": SettingText("Encrypted connection (TLS)", "The board checks the broker’s certificate."),
    "mqtt_ca": SettingText(
        "Certificate authority", "The file that signed the broker’s certificate. Empty: the system’s.", FILE_PATH
    ),
    "mqtt_certificate": SettingText("Certificate of the board", "For brokers that ask for one.", FILE_PATH),
    "mqtt_key": SettingText("Key of that certificate", "Empty: it is in the same file.", FILE_PATH),
    "mqtt_user": SettingText("User name at the broker", "Empty: none is sent.", "Up to 200 characters."),
    "mqtt_password_file": SettingText("Password file", "A file with the password on its first line.", FILE_PATH),
    "mqtt_board": SettingText(
        "Name of this board",
        "In MQTT topics, and as client id. Each board needs its own.",
        "Letters without accents, digits, _ and -.",
    ),
    "mqtt_home_assistant": SettingText(
        "Show the board in Home Assistant", "It appears there by itself (MQTT discovery)."
    ),
    "mqtt_commands": SettingText(
        "Accept commands over MQTT", "Undo, test of the lights, brightness, volume of the voice."
    ),
    "lights_percent": SettingText(
        "Brightness of the lights", "Less at night; wrong pegs must stay visible.", RANGE, "percent"
    ),
    "mqtt_results": SettingText("Send finished games", "To a club or league, again until it confirms them."),
    "mqtt_club_code": SettingText(
        "Code of a club night", "Shown in the room. The board then begins the games of its table.", "Six digits."
    ),
    "state_folder": SettingText(
        "Folder of the game file", "Games and phones are saved there.", "The path of a folder."
    ),
}
"""Setting -> its texts."""

SECTIONS: Mapping[str, tuple[str, ...]] = {
    "The referee": ("referee_mode", "asks_counts", "sound", "advice"),
    "Display and lights": ("tall_letters", "inverted_display", "display_sleep_min", "light_colours"),
    "The voice": ("voice", "voice_says", "voice_rate", "voice_volume", "voice_engine", "voice_device"),
    "The board": ("kit", "board", "settle_s", "lights_percent"),
    "New games": ("names", "preset", "variant", "options", "opponent_pace_s"),
    "Phones": ("open_watching", "open_history", "seatless_play"),
    "Language": ("language",),
    "Network": ("address", "port", "names_on_lan", "trusted_proxies", "https"),
    "MQTT": (
        "mqtt_host",
        "mqtt_port",
        "mqtt_tls",
        "mqtt_ca",
        "mqtt_certificate",
        "mqtt_key",
        "mqtt_user",
        "mqtt_password_file",
        "mqtt_board",
        "mqtt_results",
        "mqtt_club_code",
        "mqtt_home_assistant",
        "mqtt_commands",
    ),
    "For the maker": (
        "pegs",
        "lights",
        "keys",
        "display",
        "simulate",
        "scanner",
        "gpio",
        "lights_ma",
        "scan_hz",
        "oled",
        "oled_offset",
        "oled_turned",
        "card_reader",
        "card_reader_baud",
        "state_folder",
    ),
}
"""Section -> its settings; those that people change most often first."""

STILL = "It is still {value}."
RULES_CLASH = "These rules do not go together."
SIMULATED_NEEDS_NO_READER = "A simulated board has no peg reader. Set the reader to none, or switch the simulation off."
PARTS_CLASH = "These parts do not work together."
PEGS_NEED_A_READER = "Without the Pi’s pins a peg reader is needed. Set the reader to auto first."
CANNOT_WRITE = "The settings file cannot be written. Nothing has changed."
OTHER_ERROR = "This value cannot be used. Nothing has changed."

CHOICES: Mapping[str, Mapping[str, str]] = {
    "kit": {
        "page": "The board on the page",
        "wood": "Your own board",
        "desk": "Your own board, with keypad and display",
        "lights": "Your own board, with lights beside it",
        "sensing": "A board that reads its pegs",
    },
    "pegs": {"drawn": "On the page", "by_hand": "On your own board", "sensors": "On a board that reads them"},
    "lights": {
        "none": "No lights",
        "drawn": "On the page",
        "pins": "On the Pi’s pins",
        "usb": "On the sensing board, by USB",
    },
    "keys": {"page": "On the page", "pins": "On the Pi’s pins"},
    "display": {"page": "On the page", "pins": "On the Pi’s pins"},
    "referee_mode": {"teacher": "Says points", "polite": "Lights holes", "silent": "When asked"},
    "voice_says": {"full": "Everything", "terse": "Counts and scores"},
    "voice_engine": {"best": "The best installed", "espeak": "espeak-ng"},
    "light_colours": {"board": "As the tracks", "colour_blind": "For the colour-blind"},
    "preset": {name: preset.label for name, preset in PRESETS.items()},
}
"""Setting -> choice -> its name. Choices that are no words of a language, such as chips, have none."""

UNSET: Mapping[str, str] = {
    "variant": "Usual game",
    **dict.fromkeys(("pegs", "lights", "keys", "display"), "As the kit has it"),
}
"""Setting that may be left open -> the name of that choice."""

SENTENCES: tuple[str, ...] = tuple(
    dict.fromkeys(
        (
            *(text for each in TEXTS.values() for text in (each.label, each.help, each.takes, each.unit) if text),
            *SECTIONS,
            *(name for names in CHOICES.values() for name in names.values()),
            *(STILL, RULES_CLASH, PARTS_CLASH, SIMULATED_NEEDS_NO_READER, PEGS_NEED_A_READER),
            *(CANNOT_WRITE, OTHER_ERROR, *UNSET.values()),
        )
    )
)
"""All texts of this module, for the catalogues."""
