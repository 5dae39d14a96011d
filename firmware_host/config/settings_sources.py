"""Where settings come from: `cribboard.toml`, the environment and the command line, merged and checked.

The command line overrides environment variables such as CRIBBOARD_PORT, and these override the file. Between them is
`settings.toml` in the state folder: what was changed on the settings page of an installed board, whose own file belongs
to root and cannot be written.

People write `cribboard.toml`, so it has no check: a start that cannot use it names the line or the setting, and one
that finds other values than the start before says which (`settings_record.py`). The page writes `settings.toml`, which
has a check and a copy; who edits it by hand deletes its last line.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from firmware_host.board.plan_reader import PlanError
from firmware_host.config.board_plans import NoSuchPlan, load_plan
from firmware_host.config.kits import PART_SETTINGS, Kit, PartsClash
from firmware_host.config.settings import CHECKS, Settings
from firmware_host.config.settings_checks import Invalid
from firmware_host.config.settings_errors import InvalidSetting, SettingsClash, SettingsError, SettingsFileError
from firmware_host.config.settings_lines import TABLES, line_of
from firmware_host.cribbage.rule_errors import Refusal, did_you_mean, quoted
from firmware_host.storage.checked_file import prepare_file, read_checked

FILE_NAME = "cribboard.toml"
CHANGES_NAME = "settings.toml"
PREFIX = "CRIBBOARD_"
OF_LEAGUE = "CRIBBOARD_LEAGUE"
"""How the variables of `cribboard league` begin: its operator exports them for all commands. They are no settings."""


class Layer(Struct, frozen=True):
    """The settings from one source. `place` returns the name of a setting as it is written there."""

    values: Mapping[str, object]
    place: Callable[[str], str]


class Sources(Struct, frozen=True):
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
    def in_file(self) -> Mapping[str, object]:
        """The values in the file, not yet checked. Raises SettingsError."""
        return parse_toml(self.text, str(self.file))

    def state_folder(self, in_file: Mapping[str, object]) -> Path:
        """The state folder, with these values in the file. Raises SettingsError."""
        return self._load(in_file, {}).state_folder

    @property
    def changes_file(self) -> Path:
        """The file in the state folder that overrides `file`. Raises SettingsError."""
        return self.state_folder(self.in_file if self.file.exists() else {}) / CHANGES_NAME

    @property
    def changes_text(self) -> str:
        """The content of `changes_file`; empty if there is none. Raises SettingsError."""
        return read_changes(self.changes_file)

    def load(
        self, in_file: Mapping[str, object] | None = None, in_changes: Mapping[str, object] | None = None
    ) -> Settings:
        """The settings; with `in_file` and `in_changes`, as if these were in the two files. Raises SettingsError."""
        if in_file is None:
            in_file = self.in_file
        if in_changes is None:
            file = self.state_folder(in_file) / CHANGES_NAME
            in_changes = parse_toml(read_changes(file), str(file))
        return self._load(in_file, in_changes)

    def _load(self, in_file: Mapping[str, object], in_changes: Mapping[str, object]) -> Settings:
        changes = {key: value for key, value in in_changes.items() if key != "state_folder"}  # it is in that folder
        return settings_of(
            Layer({"state_folder": _home_folder(self.environ, "XDG_STATE_HOME", ".local/state")}, str),
            Layer(in_file, partial(self._place_in_file, self._text_or_empty())),
            Layer(changes, lambda key: f"{CHANGES_NAME} in the state folder, {key}"),
            *self._above_file,
        )

    def _text_or_empty(self) -> str:
        try:
            return read_text(self.file, is_needed=False)
        except SettingsError:
            return ""

    def place(self, key: str) -> str:
        """Where a setting is: what overrides the file, or its line there."""
        return self.overridden.get(key) or self._place_in_file(self._text_or_empty(), key)

    def _place_in_file(self, text: str, key: str) -> str:
        line = line_of(text, key)
        return f"{self.file}, line {line}, {key}" if line else f"{self.file}, {key}"

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
        for other in _overridden_by(layer.values):
            values.pop(other, None)
        for key, value in layer.values.items():
            places[key] = layer.place(key)
            values[key] = _merged(values.get(key), _checked(key, value, places[key]))
    values["state_folder"] = _without_links(Path(values["state_folder"]))
    settings = Settings(**values)
    _check_simulate(values, places)
    _check_rules(settings, places)
    _check_parts(settings, places)
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
    ours = (
        name for name, text in environ.items() if name.startswith(PREFIX) and not name.startswith(OF_LEAGUE) and text
    )
    return {name.removeprefix(PREFIX).lower(): _toml_or_text(environ[name]) for name in ours}


def _toml_or_text(text: str) -> object:
    try:
        parsed = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):
        return text
    return parsed["value"] if len(parsed) == 1 else text


def _checked(key: str, value: object, place: str) -> object:
    if key not in CHECKS:
        fix = did_you_mean(key, CHECKS) or f"there are {', '.join(CHECKS)}"
        raise InvalidSetting(key, "a setting that there is", quoted(key), place, fix)
    try:
        return CHECKS[key](value)
    except Invalid as invalid:
        fix = "correct it, or leave it out"
        raise InvalidSetting(key, str(invalid), quoted(value), place, fix) from invalid


def _overridden_by(values: Mapping[str, object]) -> Iterator[str]:
    """`kit` and `simulate` both say what people play on: the one of a later layer overrides the other of an earlier
    one."""
    if "kit" in values and "simulate" not in values:
        yield "simulate"
    if "simulate" in values and "kit" not in values:
        yield "kit"


def _merged(before: object, value: object) -> object:
    if isinstance(before, Mapping) and isinstance(value, Mapping):
        return MappingProxyType({**before, **value})
    return value


def _without_links(folder: Path) -> Path:
    """The folder itself: the programs follow no link below it. One that cannot be is left for the checks of a start."""
    try:
        return folder.resolve()
    except (OSError, RuntimeError, ValueError):
        return folder


def _check_rules(settings: Settings, places: Mapping[str, str]) -> None:
    """Preset, variant and options must make a game that can be played."""
    try:
        assert settings.rules
    except Refusal as refusal:
        given = [places[key] for key in ("preset", "variant", "options") if key in places]
        where = ": ".join(part for part in (" and ".join(given), refusal.where) if part)
        fix = refusal.fix or "choose another"
        raise SettingsClash("options", refusal.expected, refusal.got, where, fix) from refusal


def rule_warnings(settings: Settings, sources: Sources) -> tuple[str, ...]:
    """A line for each house rule that new games leave out, because it does not go with the others."""
    where = sources.changes_file if sources.changes_file.exists() else sources.file
    left_out = settings.rules_with().left_out
    return tuple(f"{where}: options: {objection}, or leave {objection.need.option} out" for objection in left_out)


def check_new_options(settings: Settings, before: Settings) -> None:
    """House rules that somebody chooses now must go with the others. Raises SettingsClash."""
    chosen = [name for name, value in settings.options.items() if before.options.get(name) != value]
    try:
        settings.rules_with(chosen)
    except Refusal as refusal:
        raise SettingsClash("options", refusal.expected, refusal.got, refusal.where, refusal.fix) from refusal


def check_board_loads(settings: Settings, sources: Sources) -> None:
    """A start needs the plan of its board. Raises InvalidSetting."""
    try:
        load_plan(settings.board)
    except (NoSuchPlan, PlanError) as error:
        got = f"{settings.board}: {str(error).removeprefix(f'{settings.board}: ')}"
        raise InvalidSetting("board", "a board", got, sources.place("board"), "choose another") from error


def _check_simulate(values: Mapping[str, object], places: Mapping[str, str]) -> None:
    """In one layer, `simulate` must not deny what the kit says."""
    kit = values.get("kit")
    is_simulated = values.get("simulate")
    with_hardware = (Kit.DESK, Kit.LIGHTS, Kit.SENSING)
    if (is_simulated is True and kit in with_hardware) or (is_simulated is False and kit == Kit.PAGE):
        expected = f"simulate = {str(not is_simulated).lower()} for kit {kit}"
        got = f"simulate = {str(is_simulated).lower()}"
        raise SettingsClash("simulate", expected, got, places["simulate"], "leave simulate out: the kit says it")


def _check_parts(settings: Settings, places: Mapping[str, str]) -> None:
    """The parts of the board must work together."""
    try:
        assert settings.parts
    except PartsClash as clash:
        given = (places[key] for key in (clash.name, *PART_SETTINGS) if key in places)
        where = next(given, clash.name)
        raise SettingsClash(clash.name, clash.expected, clash.got, where, clash.fix) from clash


def read_text(file: Path, *, is_needed: bool) -> str:
    """The text of a settings file; empty for a missing one that is not needed. Raises SettingsError."""
    try:
        return file.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        if isinstance(error, FileNotFoundError) and not is_needed:
            return ""
        raise _unreadable(file, error) from error


def read_changes(file: Path) -> str:
    """The text of `settings.toml`, or of its copy; empty if there is none. Raises SettingsError."""
    try:
        return read_checked(file, partial(_toml_text, where=str(file)))
    except FileNotFoundError:
        return ""
    except (OSError, ValueError) as error:
        raise _unreadable(file, error) from error


def prepare_changes(file: Path) -> None:
    """Prepare `settings.toml` at the start of the board. Where it and its copy are damaged, both are set aside and
    the board starts without them, which is logged."""
    with suppress(PermissionError):  # the next reader raises it
        prepare_file(file, partial(_toml_text, where=str(file)))


def _toml_text(text: str, where: str) -> str:
    """The text, if it is TOML. The page writes a heading at least, so an empty file is a damaged one."""
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise SettingsError("settings", "an empty file", where, "delete it, if no setting should be changed there")
    parse_toml(text, where)
    return text


def _unreadable(file: Path, error: OSError | ValueError) -> SettingsFileError:
    match error:
        case OSError():
            got = error.strerror or str(error)
        case UnicodeDecodeError():
            line = error.object[: error.start].count(b"\n") + 1
            got = f"bytes in line {line} that are no UTF-8 text"
        case _:
            got = str(error)
    return SettingsFileError("a settings file", got, str(file), "check its name, rights and encoding")


def _home_folder(environ: Mapping[str, str], variable: str, default: str) -> Path:
    """The folder `cribboard` in an XDG base directory. That specification says to ignore a relative path."""
    base = Path(environ.get(variable, ""))
    return (base if base.is_absolute() else Path(environ.get("HOME") or Path.home()) / default) / "cribboard"
