"""How the board is set up and how its parts are: the settings with their sentences, and every sensor as it is now."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from flask import Blueprint

from firmware_host.board.plan import BoardPlan
from firmware_host.board.wood import PlannedHole
from firmware_host.host import Host
from firmware_host.settings import FILE_NAME, SENTENCES, Settings
from web_panel.hands import Hands
from web_panel.pages import spoken


@dataclass(frozen=True, slots=True)
class Line:
    """A setting, what it means, and how its present value is written in the file."""

    name: str
    sentence: str
    written: str


def make_workshop(host: Host, settings: Settings | None, hands: Hands | None) -> Blueprint:
    pages = Blueprint("workshop", __name__)

    @pages.get("/settings")
    def settings_page() -> str:
        lines = tuple(lines_of(settings)) if settings else ()
        return spoken("settings.html", lines=lines, file_name=FILE_NAME)

    @pages.get("/device")
    def device() -> str:
        plan = host.snapshot.plan
        return spoken("device.html", plan=plan, lanes=lanes(plan), oled=hands.oled_version if hands else None)

    return pages


def lanes(plan: BoardPlan) -> Iterator[tuple[str, list[PlannedHole]]]:
    """The holes of each track in the order of play; the game hole, which all share, stands by itself at the end."""
    for track, inlay in enumerate(plan.inlays):
        yield inlay.name, sorted((hole for hole in plan.holes if hole.track == track), key=lambda hole: hole.hole)
    yield "", [hole for hole in plan.holes if hole.track is None]


def lines_of(settings: Settings) -> Iterator[Line]:
    for name, sentence in SENTENCES.items():
        yield Line(name, sentence, in_toml(name, getattr(settings, name)))


def in_toml(name: str, value: object) -> str:
    """The line of the settings file that says so; of what is not set, a remark."""
    return f"# {name}" if value is None else f"{name} = {_written(value)}"


def _written(value: object) -> str:
    match value:
        case Mapping():
            return f"{{ {', '.join(f'{name} = {_written(each)}' for name, each in value.items())} }}" if value else "{}"
        case tuple():
            return f"[{', '.join(map(_written, value))}]"
        case str() | Path():
            return json.dumps(str(value), ensure_ascii=False)
        case bool():
            return "true" if value else "false"
        case _:
            return str(value)
