"""The state of the hardware: sensors, lights one by one, display, keys, and the faults of each part."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from flask import Blueprint, Response, jsonify

from board_drivers.ports import KEY_ROWS
from firmware_host.board.components import PlannedHole
from firmware_host.board.plan import BoardPlan
from firmware_host.config.languages import translator
from firmware_host.host.health import DISK, LIGHTS, OLED, SENSORS, SETTINGS, Health
from firmware_host.host.loop import Host
from firmware_host.pairing.registry import Role
from firmware_host.ui.keys.input_state import TestLights
from firmware_host.ui.texts.fault_messages import hole_fault_message
from firmware_host.ui.translator import Translator
from firmware_host.ui.voice import AskVoice, VoiceRequest
from web_panel.api.json_body import Body, reads_json
from web_panel.language import language_now
from web_panel.pages.board import revalidated
from web_panel.rendering import render
from web_panel.security.permissions import current_visitor

VOICE = "voice"
MQTT = "mqtt"
"""The parts beside those that the host reports on."""
FaultOf = Callable[[], str]
"""Returns the present fault of a part; empty while it works."""
DisplayPicture = Callable[[], bytes]
"""Returns the display as a PNG."""


def make_device(
    host: Host,
    picture: DisplayPicture | None,
    voice_fault: FaultOf | None = None,
    telemetry_fault: FaultOf | None = None,
) -> Blueprint:
    """The page /device, its routes in the API, and the display as /oled.png where there is a `picture`."""
    pages = Blueprint("device", __name__)

    @pages.get("/device")
    def device() -> str:
        plan = host.snapshot.plan
        # The display shows the pairing code and cards that are being typed, so it is for the owner alone.
        has_picture = picture is not None and current_visitor().role is Role.OWNER
        table = host.snapshot.table
        target = table.rules.target if table else usual_target(plan)
        return render(
            "device.html", plan=plan, target=target, tracks=holes_by_track(plan), keys=KEY_ROWS, has_picture=has_picture
        )

    @pages.get("/api/v1/device")
    def state() -> Response:
        """Each part: its fault, how often it failed, and how often each key was pressed."""
        return jsonify(device_json(host, voice_fault, telemetry_fault))

    @pages.post("/api/v1/device/voice")
    @reads_json(Body)
    def test_voice(body: Body) -> Response:
        """Let the board say a sentence, even if its voice is off."""
        host.submit(AskVoice(VoiceRequest.TEST))
        return jsonify(device_json(host, voice_fault, telemetry_fault))

    @pages.post("/api/v1/device/lights")
    @reads_json(Body)
    def test_lights(body: Body) -> Response:
        """Light every hole in turn, so that a dead light is found. The next turn of the game ends the test."""
        host.submit(TestLights())
        return jsonify(device_json(host, voice_fault, telemetry_fault))

    if picture:

        @pages.get("/oled.png")
        def oled() -> Response:
            return revalidated(picture(), "image/png")

    return pages


def device_json(
    host: Host, voice_fault: FaultOf | None = None, telemetry_fault: FaultOf | None = None
) -> dict[str, object]:
    """`parts` with a `status` text each, `hole_faults`, and `presses` by key.

    A status is a sentence in the language of the request. `detail` is what the driver reported, in English.
    """
    health = host.health
    tr = translator(language_now())
    plan = host.snapshot.plan
    faults = {**health.faults, **({OLED: " ".join(own)} if (own := host.board.faults()) else {})}
    names = {
        SENSORS: tr("Sensors ({count} inputs)").format(count=plan.bit_count),
        LIGHTS: tr("Lights ({count} LEDs)").format(count=plan.led_count),
        OLED: tr("Display"),
        DISK: tr("Game file"),
    }
    if SETTINGS in faults:
        names[SETTINGS] = tr("Settings")
    if voice_fault:
        names[VOICE] = tr("Voice")
        faults |= {VOICE: fault} if (fault := voice_fault()) else {}
    if telemetry_fault:
        names[MQTT] = tr("MQTT")
        faults |= {MQTT: fault} if (fault := telemetry_fault()) else {}
    advice = {
        SENSORS: tr("The holes cannot be read. Check the cable to the board."),
        LIGHTS: tr("The lights cannot be switched. Check their cable and power."),
        OLED: tr("The display does not answer. Check its four wires. You can play without it."),
        DISK: tr("Moves are not saved. Free disk space; keep the board on."),
        SETTINGS: tr("The settings file has a mistake, so the board runs with the settings before."),
        VOICE: tr("The board cannot be heard. You can play without its voice."),
        MQTT: tr("The MQTT broker does not get everything. You can play without it."),
    }
    is_silent = not host.snapshot.voice.is_on
    parts = [
        {
            "part": part,
            "name": name,
            "is_ok": part not in faults,
            "status": advice[part] if part in faults else tr("off") if part == VOICE and is_silent else tr("works"),
        }
        | {"detail": faults.get(part, ""), "failures": health.failures.get(part, 0)}
        for part, name in names.items()
    ]
    return {"parts": parts, "hole_faults": hole_faults_json(health, plan, tr), "presses": dict(health.presses)}


def hole_faults_json(health: Health, plan: BoardPlan, tr: Translator) -> list[dict[str, object]]:
    """The holes that were found faulty in this game: the kind of fault, their sensors, and a sentence."""
    return [
        {
            "kind": fault.fault.value,
            "sensors": [plan.at(fault.track, hole).sensor for hole in fault.holes],
            "text": hole_fault_message(plan, fault, tr),
        }
        for fault in health.hole_faults
    ]


def usual_target(plan: BoardPlan) -> int:
    """The target of the drawing without a game."""
    return 121 if 121 in plan.targets else plan.targets[0]


def holes_by_track(plan: BoardPlan) -> Iterator[tuple[str, list[PlannedHole]]]:
    """Name and holes of each track, in the order of play; last the shared game hole, with an empty name."""
    for track, inlay in enumerate(plan.track_info):
        yield inlay.name, sorted((hole for hole in plan.holes if hole.track == track), key=lambda hole: hole.hole)
    yield "", [hole for hole in plan.holes if hole.track is None]
