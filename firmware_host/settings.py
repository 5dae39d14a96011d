"""How this board is set up: one frozen `Settings`, from `cribboard.toml`, the environment and the command line.

Each setting is one entry of the class: its usual value, what it means, and what may be said of it. What is said later
counts more: the file, then variables such as CRIBBOARD_PORT, then the command line.
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
from typing import Any, Generic, TypeVar

from firmware_host.board.timing import Timing
from firmware_host.cribbage.refusals import Refusal, quoted
from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.variants import PRESETS, VARIANTS, rules_for
from firmware_host.faults import HostFault
from firmware_host.languages import LANGUAGES
from firmware_host.plans import plan_ids

FILE_NAME = "cribboard.toml"
PREFIX = "CRIBBOARD_"

T = TypeVar("T")
Reader = Callable[[object], T]

MANNERS = ("teacher", "polite", "silent")
NONE, AUTO = "none", "auto"
BAUDS = (1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200)
OLEDS = ("sh1106", "ssd1306", "ssd1309")

_HOST_NAME = re.compile(r"[a-z0-9.-]+|[0-9a-f:]+", re.ASCII)
_LONGEST_NAME = 10
_MOST_SEATS = 6


class SettingsFault(HostFault):
    """A settings file cannot be read, or a setting is unknown or says what it cannot mean."""


class Unfit(ValueError):
    """A setting cannot mean this. The text says what was expected."""


def switch(value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise Unfit("true or false")


@dataclass(frozen=True, slots=True)
class Whole:
    """Reads a whole number from `low` to `high`."""

    low: int
    high: int

    def __call__(self, value: object) -> int:
        if isinstance(value, int) and not isinstance(value, bool) and self.low <= value <= self.high:
            return value
        raise Unfit(f"a whole number from {self.low} to {self.high}")


@dataclass(frozen=True, slots=True)
class Number:
    """Reads a number from `low` to `high`."""

    low: float
    high: float

    def __call__(self, value: object) -> float:
        if isinstance(value, int | float) and not isinstance(value, bool) and self.low <= value <= self.high:
            return float(value)
        raise Unfit(f"a number from {self.low} to {self.high}")


@dataclass(frozen=True, slots=True)
class OneOf(Generic[T]):
    """Reads one of some words, or of some numbers."""

    words: tuple[T, ...]

    def __call__(self, value: object) -> T:
        for word in self.words:
            if word == value and type(word) is type(value):
                return word
        raise Unfit(f"one of {', '.join(map(str, self.words))}")


def folder(value: object) -> Path:
    if isinstance(value, str | Path) and str(value).strip() and "\0" not in str(value):
        with suppress(RuntimeError):  # ~nobody has no home
            return Path(value).expanduser()
    raise Unfit("the path of a folder")


def board_plan(value: object) -> str:
    if isinstance(value, str) and (value in plan_ids() or value.endswith(".toml")):
        return value
    raise Unfit(f"one of {', '.join(plan_ids())}, or the path of a plan file ending in .toml")


def serial_port(*words: str) -> Reader[str]:
    def read(value: object) -> str:
        if isinstance(value, str) and (value in words or (value.startswith("/") and "\0" not in value)):
            return value
        raise Unfit(f"{', '.join(words)}, or a port such as /dev/serial/by-id/usb-...")

    return read


def own_address(value: object) -> str:
    with suppress(ValueError):
        if isinstance(value, str) and (value == "localhost" or ip_address(value)):
            return value
    raise Unfit("localhost, or an address of this computer, such as 127.0.0.1, or 0.0.0.0 for all it has")


def host_names(value: object) -> tuple[str, ...]:
    """A list, or one text with commas."""
    told = value.split(",") if isinstance(value, str) else value
    if isinstance(told, list | tuple) and all(isinstance(name, str) for name in told):
        names = tuple(name.strip().lower() for name in told)
        if all(_HOST_NAME.fullmatch(name) for name in names):
            return names
    raise Unfit("names or addresses as in the panel's address, such as cards.local, without http:// and port")


def seat_names(value: object) -> tuple[str, ...]:
    """A list, or one text with commas."""
    told = value.split(",") if isinstance(value, str) else value
    if isinstance(told, list | tuple) and len(told) <= _MOST_SEATS and all(isinstance(name, str) for name in told):
        names = tuple(name.strip() for name in told)
        if all(name.isprintable() and 1 <= len(name) <= _LONGEST_NAME for name in names):
            return names
    raise Unfit(f"at most {_MOST_SEATS} names of 1 to {_LONGEST_NAME} letters")


def agreements(value: object) -> Mapping[str, object]:
    if isinstance(value, Mapping):
        return MappingProxyType(dict(value))
    raise Unfit("a table of options, such as {muggins_mode = 'claim'}")


def setting(usual: T, sentence: str, read: Reader[object], *, at_once: bool = False) -> T:
    """A field of `Settings`: its usual value, a sentence for people, and what reads it or raises Unfit.

    `at_once`: a board that runs takes a change up at once; the others wait for its next start.
    """
    return field(default_factory=lambda: usual, metadata={"sentence": sentence, "read": read, "at_once": at_once})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that can be set. Make one with `load_settings`."""

    state_folder: Path = field(
        metadata={"sentence": "Where the journal of all games is kept.", "read": folder, "at_once": False}
    )
    board: str = setting("classic-61", "The board: the id of a plan, or the path of a plan file.", board_plan)
    simulate: bool = setting(True, "Whether the board is a simulated one; false asks for real parts.", switch)
    address: str = setting("127.0.0.1", "Where the phone panel listens; 0.0.0.0 is the whole LAN.", own_address)
    names_on_lan: tuple[str, ...] = setting((), "More names by which phones may call this computer.", host_names)
    open_watching: bool = setting(True, "Whether phones may watch that were not let in.", switch, at_once=True)
    advice: bool = setting(True, "Whether players may ask their phones what to lay away.", switch, at_once=True)
    port: int = setting(8080, "The port of the phone panel.", Whole(1, 65535))
    names: tuple[str, ...] = setting(
        (), "The players' names, seat by seat in the direction of play.", seat_names, at_once=True
    )
    preset: str = setting("family", "The rules of a new game, by name.", OneOf(tuple(PRESETS)), at_once=True)
    variant: str | None = setting(
        None, "The variant of a new game, where it is not the preset's.", OneOf(tuple(VARIANTS)), at_once=True
    )
    options: Mapping[str, object] = setting(
        MappingProxyType({}), "Agreements beyond the preset's.", agreements, at_once=True
    )
    scan_hz: int = setting(50, "How often the sensors are read in a second.", Whole(10, 200), at_once=True)
    settle_s: float = setting(Timing().settle_s, "How long a moved peg must hold still, in seconds.", Number(0.05, 5.0))
    manner: str = setting(
        "teacher", "What the referee says: every count, a light only, or nothing.", OneOf(MANNERS), at_once=True
    )
    language: str = setting(LANGUAGES[0], "The language of the display.", OneOf(LANGUAGES), at_once=True)
    sound: bool = setting(
        True,
        "Whether a real board may be heard: a tick for a settled peg, low notes for a refusal.",
        switch,
        at_once=True,
    )
    scanner: str = setting(
        NONE, "Who reads a real board's pegs: none (a Pi's pins), auto, or a port.", serial_port(NONE, AUTO)
    )
    header: bool = setting(True, "Whether a Pi's pins have lights, keys and display; else the screen has them.", switch)
    card_reader: str = setting(NONE, "The port of a reader of tagged cards, if there is one.", serial_port(NONE))
    card_reader_baud: int = setting(9600, "How fast the card reader talks.", OneOf(BAUDS))
    oled: str = setting("sh1106", "The chip of a real board's OLED; a board without one plays too.", OneOf(OLEDS))
    lights_ma: int = setting(800, "What all lights of a real board may draw together, in mA.", Whole(100, 10_000))

    @property
    def journal(self) -> Path:
        """The file that keeps all games."""
        return self.state_folder / "journal.sqlite3"

    @property
    def phones(self) -> Path:
        """The file that keeps the phones that were let in."""
        return self.state_folder / "phones.json"

    @property
    def deck(self) -> Path:
        """The file that keeps which tag is which card."""
        return self.state_folder / "deck.json"

    @property
    def rules(self) -> RuleSet:
        """The rules of a new game."""
        preset = PRESETS[self.preset]
        return rules_for(self.variant or preset.variant, {**preset.options, **self.options})


SENTENCES: Mapping[str, str] = {each.name: each.metadata["sentence"] for each in fields(Settings)}
"""Setting -> what it means."""

READERS: Mapping[str, Reader[Any]] = {each.name: each.metadata["read"] for each in fields(Settings)}
"""Setting -> what reads it."""

AT_ONCE: frozenset[str] = frozenset(each.name for each in fields(Settings) if each.metadata["at_once"])
"""The settings that a running board takes up at once."""


@dataclass(frozen=True, slots=True)
class Layer:
    """What one place says. `place` names a key there as its author knows it."""

    values: Mapping[str, object]
    place: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Sources:
    """Where this start is told its settings: the file, the environment, and the command line."""

    file: Path
    environ: Mapping[str, str]
    overrides: Mapping[str, object]
    """What the command line says."""
    is_needed: bool = True
    """Whether the file was named by somebody; one that is only usual may be missing."""

    @property
    def text(self) -> str:
        """What the file says. Raises SettingsFault."""
        return read_text(self.file, is_needed=self.is_needed)

    def load(self, said: Mapping[str, object] | None = None) -> Settings:
        """The settings, with `said` in place of what the file says. Raises SettingsFault."""
        in_file = parse_toml(self.text, str(self.file)) if said is None else said
        return settings_of(
            Layer({"state_folder": _home_folder(self.environ, "XDG_STATE_HOME", ".local/state")}, str),
            Layer(in_file, lambda key: f"{self.file}, {key}"),
            *self._louder,
        )

    @property
    def _louder(self) -> tuple[Layer, Layer]:
        """Those whose word counts more than the file's."""
        return (
            Layer(parse_environment(self.environ), lambda key: f"{PREFIX}{key.upper()}"),
            Layer(self.overrides, lambda key: f"--{key.replace('_', '-')}"),
        )

    @property
    def outspoken(self) -> Mapping[str, str]:
        """Setting -> the place that says it louder than the file does."""
        return {key: layer.place(key) for layer in self._louder for key in layer.values}


def sources_of(path: Path | None, environ: Mapping[str, str], overrides: Mapping[str, object]) -> Sources:
    """`overrides` are the command line's; None and {} there mean not given.

    `path` None: `cribboard/cribboard.toml` in the user's configuration folder, if there is one.
    """
    file = path or _home_folder(environ, "XDG_CONFIG_HOME", ".config") / FILE_NAME
    said = {key: value for key, value in overrides.items() if value not in (None, {})}
    return Sources(file, environ, said, is_needed=path is not None)


def load_settings(path: Path | None, environ: Mapping[str, str], overrides: Mapping[str, object]) -> Settings:
    """The settings of this start, from all its sources. Raises SettingsFault."""
    return sources_of(path, environ, overrides).load()


def settings_of(*layers: Layer) -> Settings:
    """The layers as one, the last word counting most; tables of options add up. Raises SettingsFault."""
    settled: dict[str, Any] = {}
    places: dict[str, str] = {}
    for layer in layers:
        for key, value in layer.values.items():
            places[key] = layer.place(key)
            settled[key] = _added(settled.get(key), _understood(key, value, places[key]))
    settings = Settings(**settled)
    _must_be_playable(settings, places)
    _must_have_sensors(settings, places)
    return settings


def parse_toml(text: str, where: str) -> Mapping[str, object]:
    """Raises SettingsFault."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as fault:
        raise SettingsFault("TOML, such as port = 8080", str(fault), where, "correct that line") from fault


def parse_environment(environ: Mapping[str, str]) -> Mapping[str, object]:
    """Settings among the variables, written as in the file but for the quotes; an empty variable says nothing."""
    ours = (name for name, text in environ.items() if name.startswith(PREFIX) and text)
    return {name.removeprefix(PREFIX).lower(): _toml_or_text(environ[name]) for name in ours}


def _toml_or_text(text: str) -> object:
    try:
        told = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):
        return text
    return told["value"] if len(told) == 1 else text


def _understood(key: str, value: object, place: str) -> object:
    if key not in READERS:
        near = get_close_matches(key, READERS, n=1)
        mend = f"did you mean {near[0]}?" if near else f"there are {', '.join(READERS)}"
        raise SettingsFault("a setting that there is", quoted(key), place, mend)
    try:
        return READERS[key](value)
    except Unfit as unfit:
        raise SettingsFault(str(unfit), quoted(value), place, "correct it, or leave it out") from unfit


def _added(before: object, value: object) -> object:
    if isinstance(before, Mapping) and isinstance(value, Mapping):
        return MappingProxyType({**before, **value})
    return value


def _must_be_playable(settings: Settings, places: Mapping[str, str]) -> None:
    try:
        assert settings.rules
    except Refusal as refusal:
        said = [places[key] for key in ("preset", "variant", "options") if key in places]
        where = ": ".join(part for part in (" and ".join(said), refusal.where) if part)
        raise SettingsFault(refusal.expected, refusal.got, where, refusal.mend or "choose another") from refusal


def _must_have_sensors(settings: Settings, places: Mapping[str, str]) -> None:
    """A scanner and no header belong to a real board; without a header only a scanner can read it."""
    if settings.simulate and settings.scanner != NONE:
        raise SettingsFault(
            "simulate = false", "simulate = true", places["scanner"], "a simulated board needs no scanner"
        )
    if not settings.simulate and not settings.header and settings.scanner == NONE:
        where, mend = places["header"], "set scanner = auto, or leave header out"
        raise SettingsFault("a scanner to read the pegs", "scanner = none", where, mend)


def read_text(file: Path, *, is_needed: bool) -> str:
    """The text of a settings file. One that is only usual may be missing."""
    try:
        return file.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as fault:
        if isinstance(fault, FileNotFoundError) and not is_needed:
            return ""
        got = fault.strerror if isinstance(fault, OSError) else "bytes that are no UTF-8 text"
        raise SettingsFault("a settings file", str(got), str(file), "check its name, rights and encoding") from fault


def _home_folder(environ: Mapping[str, str], variable: str, usual: str) -> Path:
    """Our folder among the user's. The XDG base directory specification takes no relative path for an answer."""
    named = Path(environ.get(variable, ""))
    return (named if named.is_absolute() else Path(environ.get("HOME") or Path.home()) / usual) / "cribboard"
