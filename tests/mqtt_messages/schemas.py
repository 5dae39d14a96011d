"""Makes the JSON schemas of the MQTT messages from their types: `make schemas` runs this module."""

from __future__ import annotations

import json
from pathlib import Path

from msgspec.json import schema

import firmware_host.telemetry
from firmware_host.mqtt_messages.board import (
    ControlsMessage,
    EventMessage,
    FaultsMessage,
    HealthMessage,
    StateMessage,
)
from firmware_host.mqtt_messages.result import ReceiptMessage, ResultMessage
from firmware_host.mqtt_messages.seat import GAME_FIELDS, JoinMessage, SeatMessage, SeatState

FOLDER = Path(firmware_host.telemetry.__file__).with_name("schemas")
DIALECT = "https://json-schema.org/draft/2020-12/schema"
MESSAGES = {
    "controls": ControlsMessage,
    "event": EventMessage,
    "faults": FaultsMessage,
    "health": HealthMessage,
    "join": JoinMessage,
    "receipt": ReceiptMessage,
    "result": ResultMessage,
    "seat": SeatMessage,
    "state": StateMessage,
}
"""Name of the file -> type."""
IS_SEATED = {"properties": {"state": {"const": SeatState.SEATED.value}}}
CONDITIONS = {"seat": {"if": IS_SEATED, "then": {"required": list(GAME_FIELDS)}}}


def schema_text(name: str) -> str:
    """The file of this schema. It allows other fields, because a later version may add some."""
    content = {"$schema": DIALECT, **schema(MESSAGES[name]), **CONDITIONS.get(name, {})}
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for name in MESSAGES:
        (FOLDER / f"{name}.json").write_text(schema_text(name), encoding="utf-8")
