"""The settings page and its API, for the owner: each setting with its texts, and when a change takes effect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, jsonify
from msgspec import Struct
from msgspec.structs import asdict, fields

from firmware_host.config.board_plans import load_plan, plan_ids
from firmware_host.config.languages import translator
from firmware_host.config.settings import CHECKS, SENTENCES, Settings
from firmware_host.config.settings_checks import Choice, Integer, Number
from firmware_host.config.settings_editor import SettingsEditor, settings_taken_at_once
from firmware_host.config.settings_errors import InvalidSetting, SettingsClash, SettingsError, SettingsFileError
from firmware_host.ui.translator import Translator
from web_panel.api.json_body import Body, reads_json
from web_panel.errors import Problem
from web_panel.language import DECIMAL_COMMA, LANGUAGE_NAMES, language_now
from web_panel.pages import house_rules
from web_panel.pages import setting_texts as texts
from web_panel.pages.setting_texts import SECTIONS, TEXTS
from web_panel.rendering import render

DEFAULTS = {each.name: each.default for each in fields(Settings) if not each.required}
"""Setting -> its default. The state folder has none: it depends on the user."""


class Entry(Struct, frozen=True):
    """One setting as the page shows it, and as JSON."""

    name: str
    description: str
    control: str
    """The form control: choice, number-choice, integer, number, switch, house-rules, list or text."""
    value: object
    """The value of the next start."""
    default: object
    is_set: bool
    """Whether the file has a line for it."""
    takes_effect_at_once: bool
    """False: a change takes effect at the next start."""
    needs_restart: bool
    """Whether it was changed, and the board still runs with the value before."""
    overridden_by: str
    """What overrides the file: an environment variable or a command line option; empty if nothing does."""
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None


class Changes(Body, frozen=True):
    """Setting -> its new value."""

    changes: dict[str, Any] | None = None


def make_settings(settings_editor: SettingsEditor | None) -> Blueprint:
    """The page /settings and /api/v1/settings. Without an editor they answer that there is no settings file."""
    pages = Blueprint("settings", __name__)

    @pages.get("/settings")
    def settings_page() -> str:
        entries, error = entries_or_error(settings_editor)
        return render(
            "settings.html",
            sections=SECTIONS if entries else {},
            entries={entry.name: entry for entry in entries},
            texts=TEXTS,
            error=error,
            file=settings_editor.sources.file if settings_editor else "",
            unset=texts.UNSET,
            rules=house_rules.questions(),
            boards=board_names(translator(language_now())),
            choice_name=partial(choice_name, tr=translator(language_now())),
            number=lambda value: number_text(value, language_now()),
        )

    @pages.get("/api/v1/settings")
    def settings() -> Response:
        """All settings with their values for the next start."""
        return settings_json(required(settings_editor))

    @pages.post("/api/v1/settings")
    @reads_json(Changes)
    def change(body: Changes) -> Response:
        """Write `changes` (setting -> value) to the settings file; null removes the line."""
        changes = body.changes or {}
        editor = required(settings_editor)
        try:
            editor.change(changes)
        except SettingsError as error:
            return refused(error, changes, editor)
        return settings_json(editor)

    return pages


def refused(error: SettingsError, changes: Mapping[str, object], settings_editor: SettingsEditor) -> Response:
    """409 with the same message that a start prints for that line of the file, and a sentence for the visitor."""
    tr = translator(language_now())
    name = error.name if isinstance(error, InvalidSetting) and error.name in changes else next(iter(changes), "")
    body = {"kind": "invalid_setting", "message": str(error), "expected": error.expected, "got": error.got}
    response = jsonify(body | {"name": name, "localized": refusal_text(error, name, settings_editor, tr)})
    response.status_code = HTTPStatus.CONFLICT
    return response


def refusal_text(error: SettingsError, name: str, settings_editor: SettingsEditor, tr: Translator) -> str:
    """What the setting takes, and which value it still has."""
    match error:
        case SettingsClash(name="options"):
            return tr(texts.RULES_CLASH)
        case SettingsClash(name="scanner"):
            return tr(texts.SIMULATED_NEEDS_NO_READER)
        case SettingsClash(name="gpio", got="scanner = none"):
            return tr(texts.PEGS_NEED_A_READER)
        case SettingsClash():
            return tr(texts.PARTS_CLASH)
        case SettingsFileError():
            return tr(texts.CANNOT_WRITE)
    if not isinstance(error, InvalidSetting) or name not in TEXTS:
        return tr(texts.OTHER_ERROR)
    *_others, low, high = control_of(name)
    limits = {"low": number_text(low, language_now()), "high": number_text(high, language_now())}
    value = shown_value(name, getattr(settings_editor.next_settings, name), tr)
    still = f" {tr(texts.STILL).format(value=value)}" if value else ""
    return f"{tr(TEXTS[name].takes).format(**limits)}{still}"


def shown_value(name: str, value: object, tr: Translator) -> str:
    """A value as people read it."""
    match value:
        case bool():
            return tr("on") if value else tr("off")
        case tuple():
            return ", ".join(map(str, value))
        case int() | float():
            return number_text(value, language_now())
        case str():
            return choice_name(name, value, tr)
    return "" if value is None or isinstance(value, Mapping) else str(value)


def number_text(number: object, language: str) -> str:
    """A number with the decimal sign of the language and no more decimals than it needs."""
    text = f"{number:g}" if isinstance(number, float) else str(number)
    return text.replace(".", ",") if language in DECIMAL_COMMA else text


def board_names(tr: Translator) -> Mapping[str, str]:
    """Board -> its name and tracks, for every board that comes with the program."""
    plans = (load_plan(board) for board in plan_ids())
    return {plan.id: tr("{board}, {tracks} tracks").format(board=plan.title, tracks=plan.tracks) for plan in plans}


def required(settings_editor: SettingsEditor | None) -> SettingsEditor:
    """The editor. Raises Problem (404) without a settings file."""
    if settings_editor is None:
        raise Problem(HTTPStatus.NOT_FOUND, "this board was started without a settings file")
    return settings_editor


def entries_or_error(settings_editor: SettingsEditor | None) -> tuple[tuple[Entry, ...], str]:
    """The entries and an empty text; or none, and the error in the file."""
    try:
        return tuple(entries_of(settings_editor)) if settings_editor else (), ""
    except SettingsError as error:
        return (), str(error)


def settings_json(settings_editor: SettingsEditor) -> Response:
    """Every setting as JSON, and the file that changes are written to."""
    return jsonify(
        file=str(settings_editor.sources.file), settings=[asdict(entry) for entry in entries_of(settings_editor)]
    )


def entries_of(settings_editor: SettingsEditor) -> Iterator[Entry]:
    """Every setting, in the order of the documentation. Raises SettingsError."""
    next_settings = settings_editor.next_settings
    in_file = settings_editor.file_values
    overrides = settings_editor.sources.overridden
    at_once = settings_taken_at_once(settings_editor.running, next_settings)
    for name, description in SENTENCES.items():
        control, choices, minimum, maximum = control_of(name)
        yield Entry(
            *(name, description, control, plain(value_of(next_settings, name)), plain(DEFAULTS.get(name))),
            is_set=name in in_file,
            takes_effect_at_once=name in at_once,
            needs_restart=name not in overrides
            and getattr(next_settings, name) != getattr(settings_editor.running, name),
            overridden_by=overrides.get(name, ""),
            choices=choices,
            minimum=minimum,
            maximum=maximum,
        )


def value_of(settings: Settings, name: str) -> object:
    """The value of a setting. A kit that `simulate` chose is shown as chosen."""
    return settings.kit_in_use.value if name == "kit" else getattr(settings, name)


def choice_name(name: str, word: str, tr: Translator) -> str:
    """A choice as the page shows it. Chips and speeds have one name in every language."""
    if word in texts.CHOICES.get(name, {}):
        return tr(texts.CHOICES[name][word])
    match name:
        case "variant":
            return tr(word.replace("_", " "))
        case "board":
            return board_names(tr).get(word, word)
        case "language":
            return LANGUAGE_NAMES[word]
    return word


def control_of(name: str) -> tuple[str, tuple[str, ...], float | None, float | None]:
    """The form control of a setting, its choices, minimum and maximum."""
    match CHECKS[name]:
        case Choice(words):
            is_number = isinstance(words[0], int)
            return "number-choice" if is_number else "choice", tuple(map(str, words)), None, None
        case Integer(low, high):
            return "integer", (), low, high
        case Number(low, high):
            return "number", (), low, high
    if isinstance(DEFAULTS.get(name), bool):
        return "switch", (), None, None
    if isinstance(DEFAULTS.get(name), Mapping):
        return "house-rules", (), None, None
    is_list = isinstance(DEFAULTS.get(name), tuple)
    return "list" if is_list else "text", plan_ids() if name == "board" else (), None, None


def plain(value: object) -> object:
    """The value in types that JSON has."""
    match value:
        case Mapping():
            return {name: plain(each) for name, each in value.items()}
        case tuple():
            return list(value)
        case Path():
            return str(value)
        case _:
            return value
