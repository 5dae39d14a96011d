"""How the parts of the board are: every sensor now, the lights one by one, the display, the keys, the links."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from flask import Blueprint, Response, jsonify

from board_drivers.ports import KEY_ROWS
from firmware_host.board.plan import BoardPlan
from firmware_host.board.wood import PlannedHole
from firmware_host.health import DISK, LIGHTS, OLED, SENSORS
from firmware_host.host import Host
from firmware_host.languages import words
from firmware_host.phones import Role
from firmware_host.table.entries import TestLights
from web_panel.body import nothing, takes
from web_panel.language import language_now
from web_panel.pages import fresh, spoken
from web_panel.roles import asking

Picture = Callable[[], bytes]
"""The display as a PNG."""


def make_workshop(host: Host, picture: Picture | None) -> Blueprint:
    pages = Blueprint("workshop", __name__)

    @pages.get("/device")
    def device() -> str:
        plan = host.snapshot.plan
        # The display shows the code at the door and cards that are being typed: it is for the owner alone.
        has_picture = picture is not None and asking().role is Role.OWNER
        return spoken("device.html", lanes=lanes(plan), keys=KEY_ROWS, has_picture=has_picture)

    @pages.get("/api/v1/device")
    def state() -> Response:
        """How each part is: what ails it, how often it has failed, which keys were pressed how often."""
        return jsonify(health_of(host))

    @pages.post("/api/v1/device/lights")
    @takes(nothing)
    def lights(told: None) -> Response:
        """Let a light wander through all holes, so that a dark one is found. The next turn of the game ends it."""
        host.submit(TestLights())
        return jsonify(health_of(host))

    if picture:

        @pages.get("/oled.png")
        def oled() -> Response:
            return fresh(picture(), "image/png")

    return pages


def health_of(host: Host) -> dict[str, object]:
    """By part, with `says` in the language of whoever asks where all is well, and in the driver's words where not."""
    health, _, plan = host.health, words(language_now()), host.snapshot.plan
    ails = {**health.troubles, **({OLED: " ".join(own)} if (own := host.board.ailments()) else {})}
    names = {
        SENSORS: _("Chain of sensors, {count} inputs").format(count=plan.bit_count),
        LIGHTS: _("Chain of lights, {count} lamps").format(count=plan.led_count),
        OLED: _("Display"),
        DISK: _("Journal on the disk"),
    }
    parts = [
        {"part": part, "name": name, "is_well": part not in ails, "says": ails.get(part) or _("works")}
        | {"failures": health.failures.get(part, 0)}
        for part, name in names.items()
    ]
    return {"parts": parts, "presses": dict(health.presses)}


def lanes(plan: BoardPlan) -> Iterator[tuple[str, list[PlannedHole]]]:
    """The holes of each track in the order of play; the game hole, which all share, stands by itself at the end."""
    for track, inlay in enumerate(plan.inlays):
        yield inlay.name, sorted((hole for hole in plan.holes if hole.track == track), key=lambda hole: hole.hole)
    yield "", [hole for hole in plan.holes if hole.track is None]
