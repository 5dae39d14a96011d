"""The settings, to be looked at and changed by the owner: each with its sentence, and when a change counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from functools import partial
from http import HTTPStatus
from pathlib import Path

from flask import Blueprint, Response, jsonify

from firmware_host.languages import words
from firmware_host.plans import plan_ids
from firmware_host.settings import AT_ONCE, READERS, SENTENCES, Number, OneOf, Settings, SettingsFault, Whole
from firmware_host.settings_desk import SettingsDesk
from firmware_host.table.manner import Manner
from firmware_host.table.words import Words
from web_panel import house_rules
from web_panel.body import Body, takes
from web_panel.language import OWN_NAMES, language_now
from web_panel.pages import spoken
from web_panel.problems import Problem

USUAL = {each.name: each.default_factory() for each in fields(Settings) if callable(each.default_factory)}
"""Setting -> what counts where nothing is said; the folder of the journal has none that is the same everywhere."""


SECTIONS: Mapping[str, tuple[str, ...]] = {
    "The game": ("names", "preset", "variant", "options", "manner", "language"),
    "The phones": ("advice", "open_watching", "names_on_lan", "address", "port"),
    "The board": (
        "board",
        "simulate",
        "scanner",
        "header",
        "card_reader",
        "card_reader_baud",
        "scan_hz",
        "settle_s",
        "oled",
        "lights_ma",
        "state_folder",
    ),
}
"""Every setting, those that people change most often first."""


MANNERS = {
    Manner.TEACHER: "says the counts",
    Manner.POLITE: "lights the holes",
    Manner.SILENT: "waits to be asked",
}
"""As the keys call them."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One setting as the page shows it. `shape` is the kind of its control; `value` is that of the next start."""

    name: str
    sentence: str
    shape: str
    value: object
    usual: object
    is_said: bool
    """Whether the file says it."""
    is_at_once: bool
    """Whether a running board takes a change up, or its next start."""
    louder: str
    """The place whose word counts more than the file's; empty where there is none."""
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None


def make_settings(desk: SettingsDesk | None) -> Blueprint:
    pages = Blueprint("settings", __name__)

    @pages.get("/settings")
    def settings_page() -> str:
        entries, refused = told(desk)
        return spoken(
            "settings.html",
            sections=SECTIONS if entries else {},
            entries={entry.name: entry for entry in entries},
            refused=refused,
            file=desk.sources.file if desk else "",
            groups=house_rules.GROUPS,
            options=house_rules.options_by_name(),
            sentence_of=house_rules.sentence_of,
            said_of=partial(said_of, _=words(language_now())),
        )

    @pages.get("/api/v1/settings")
    def settings() -> Response:
        """All settings: what the next start will go by, and what a change would do."""
        return listed(needed(desk))

    @pages.post("/api/v1/settings")
    @takes(lambda body: changes(body))
    def change(told: Mapping[str, object]) -> Response:
        """Write some `changes` into the settings file, setting by setting; null takes its line out."""
        needed(desk).change(told)
        return listed(needed(desk))

    return pages


def changes(body: Body) -> Mapping[str, object]:
    return body.table_if_told("changes")


def needed(desk: SettingsDesk | None) -> SettingsDesk:
    if desk is None:
        raise Problem(HTTPStatus.NOT_FOUND, "this board was started without a settings file")
    return desk


def told(desk: SettingsDesk | None) -> tuple[tuple[Entry, ...], str]:
    """The entries; or none, and why: somebody wrote what cannot be meant."""
    try:
        return tuple(entries_of(desk)) if desk else (), ""
    except SettingsFault as fault:
        return (), str(fault)


def listed(desk: SettingsDesk) -> Response:
    return jsonify(file=str(desk.sources.file), settings=[asdict(entry) for entry in entries_of(desk)])


def entries_of(desk: SettingsDesk) -> Iterator[Entry]:
    """Raises SettingsFault."""
    written, said, louder = desk.written, desk.said, desk.sources.outspoken
    for name, sentence in SENTENCES.items():
        shape, choices, low, high = shape_of(name)
        yield Entry(
            *(name, sentence, shape, plain(getattr(written, name)), plain(USUAL.get(name))),
            is_said=name in said,
            is_at_once=name in AT_ONCE,
            louder=louder.get(name, ""),
            choices=choices,
            low=low,
            high=high,
        )


def said_of(name: str, word: str, _: Words) -> str:
    """A choice as the page calls it. Presets, boards and chips go by their names everywhere."""
    match name:
        case "manner":
            return _(MANNERS[Manner(word)])
        case "variant":
            return _(word.replace("_", " "))
        case "language":
            return OWN_NAMES[word]
    return word


def shape_of(name: str) -> tuple[str, tuple[str, ...], float | None, float | None]:
    """The control that fits, its choices, and its limits."""
    match READERS[name]:
        case OneOf(words):
            is_number = isinstance(words[0], int)
            return "figure" if is_number else "choice", tuple(map(str, words)), None, None
        case Whole(low, high):
            return "whole", (), low, high
        case Number(low, high):
            return "number", (), low, high
    if isinstance(USUAL.get(name), bool):
        return "switch", (), None, None
    if isinstance(USUAL.get(name), Mapping):
        return "agreements", (), None, None
    is_list = isinstance(USUAL.get(name), tuple)
    return "list" if is_list else "text", plan_ids() if name == "board" else (), None, None


def plain(value: object) -> object:
    """As JSON tells it."""
    match value:
        case Mapping():
            return {name: plain(each) for name, each in value.items()}
        case tuple():
            return list(value)
        case Path():
            return str(value)
        case _:
            return value
