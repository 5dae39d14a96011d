"""Home Assistant's MQTT discovery: the board as one device with its entities, one retained configuration each.

Each component has a topic of its own (`homeassistant/sensor/BOARD/turn/config`): that works in every version. A device
as a whole (`homeassistant/device/...`) needs Home Assistant 2024.12.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from firmware_host.game.state import Phase
from firmware_host.host.snapshot import Snapshot
from firmware_host.mqtt_messages.board import EVENT_TYPES, NO_GAME
from firmware_host.mqtt_messages.topics import CONTROLS, EVENT, FAULTS, HOME_ASSISTANT, SET, STATE, STATUS, Topics
from firmware_host.telemetry.broker import USUAL_PREFIX
from firmware_host.telemetry.commands import BRIGHTNESS, PRESS, TEST_LIGHTS, UNDO, VOLUME
from firmware_host.ui.keys.input_state import DIMMEST

Json = dict[str, object]

FEWEST_SIDES = 2
MOST_SIDES = 6
BIRTH = f"{HOME_ASSISTANT}/status"
"""Where Home Assistant says `online` when it has started."""


DEVICE = "Cribbage board"
"""What each board is called, before its own name: two boards of one house must differ."""


class Device(Struct, frozen=True):
    """What Home Assistant shows about the board beside its entities."""

    program: str = ""
    """The version of cribboard; empty: unknown."""
    page: str = ""
    """The address of the board's pages, for the link of the device; empty: other computers cannot reach them."""


class Entity(Struct, frozen=True):
    """One entity. `config` leaves out what all have in common."""

    component: str
    name: str
    config: Mapping[str, object]


def configurations(board: str, snapshot: Snapshot, device: Device, *, has_commands: bool) -> dict[str, Json | None]:
    """Topic -> configuration; None removes the entity. Sides that the game does not have, and commands that are not
    accepted, are removed."""
    topics = Topics(board)
    shared = _shared(topics, snapshot, device)
    sides = max(FEWEST_SIDES, len(snapshot.table.sides) if snapshot.table and not snapshot.table.is_demo else 0)
    wanted = [*_entities(topics)]
    wanted += [entity for side in range(sides) for entity in _entities_of_side(topics, side)]
    wanted += _commands(topics) if has_commands else ()
    found: dict[str, Json | None] = dict.fromkeys(discovery_topics(board))
    return found | {_topic(board, entity): _config(topics, entity, shared) for entity in wanted}


def discovery_topics(board: str) -> tuple[str, ...]:
    """Every topic on which a board may have a configuration."""
    topics = Topics(board)
    of_sides = (entity for side in range(MOST_SIDES) for entity in _entities_of_side(topics, side))
    return tuple(_topic(board, entity) for entity in (*_entities(topics), *of_sides, *_commands(topics)))


def _topic(board: str, entity: Entity) -> str:
    return f"{HOME_ASSISTANT}/{entity.component}/{board}/{entity.name}/config"


def _shared(topics: Topics, snapshot: Snapshot, device: Device) -> Json:
    """What all configurations of a board have in common. Home Assistant takes a link only with a scheme."""
    about: Json = {
        "identifiers": [topics.board],
        "name": f"{DEVICE} {topics.board.removeprefix(USUAL_PREFIX)}",
        "manufacturer": "cribboard",
        "model": snapshot.plan.title,
        "sw_version": device.program or "unknown",
    }
    link: Json = {"configuration_url": device.page} if device.page else {}
    return {"device": about | link, "origin": _origin(device.program)}


def _config(topics: Topics, entity: Entity, shared: Json) -> Json:
    is_available = {} if "availability" in entity.config else {"availability_topic": topics.of(STATUS)}
    name = f"{topics.board}_{entity.name}"
    # Home Assistant reads `default_entity_id` from 2025.10 on, and `object_id` before 2026.4.
    names = {"unique_id": name, "object_id": name, "default_entity_id": f"{entity.component}.{name}"}
    return {**is_available, **names, **shared, **entity.config}


def _origin(program: str) -> Json:
    """Who publishes this; Home Assistant names it in its log."""
    return {"name": "cribboard", "sw_version": program or "unknown"}


def _entities(topics: Topics) -> Iterator[Entity]:
    state = topics.of(STATE)
    faults = topics.of(FAULTS)
    phases = [NO_GAME, *(phase.value for phase in Phase)]
    of_phase = {"device_class": "enum", "options": phases, "icon": "mdi:cards-playing"}
    yield Entity("sensor", "phase", _read("Phase", state, "value_json.phase") | of_phase)
    turn = _read("Turn", state, "value_json.turn if value_json.turn else 'None'") | {"icon": "mdi:account-arrow-right"}
    yield Entity("sensor", "turn", turn)
    count = _read("Faults", faults, "value_json.count") | {"entity_category": "diagnostic", "icon": "mdi:alert"}
    yield Entity("sensor", "faults", count | {"json_attributes_topic": faults})
    for name, title, key in (
        ("game_on", "Game on", "is_on"),
        ("attention", "Somebody must act", "needs_attention"),
        ("skunk_danger", "Skunk danger", "skunk_danger"),
    ):
        yield Entity("binary_sensor", name, _read(title, state, f"'ON' if value_json.{key} else 'OFF'"))
    kinds = list(EVENT_TYPES)
    yield Entity("event", "event", {"name": "Event", "state_topic": topics.of(EVENT), "event_types": kinds})


def _entities_of_side(topics: Topics, side: int) -> Iterator[Entity]:
    """Score and holes to go. The attributes say whose: the players change with each game. Home Assistant does not take
    an attribute `name`."""
    state = topics.of(STATE)
    place = f"value_json.sides[{side}]"
    has_side = f"value_json.sides | length > {side}"
    whose = f"{{'side': {place}.name, 'players': {place}.players}}"
    attributes = {
        "json_attributes_topic": state,
        "json_attributes_template": f"{{{{ ({whose} if {has_side} else {{}}) | tojson }}}}",
        "unit_of_measurement": "holes",
        "icon": "mdi:counter",
    }
    for name, title, key in (("score", "Score", "score"), ("to_go", "Holes to go", "to_go")):
        config = _read(f"{title} {side + 1}", state, f"{place}.{key} if {has_side} else 'None'") | attributes
        yield Entity("sensor", f"{name}_{side + 1}", config)


def _commands(topics: Topics) -> Iterator[Entity]:
    controls = topics.of(CONTROLS)
    is_allowed = {"topic": controls, "value_template": "{{ 'online' if value_json.can_undo else 'offline' }}"}
    undo = {"availability": [{"topic": topics.of(STATUS)}, is_allowed], "availability_mode": "all"}
    yield Entity("button", UNDO, _button("Undo", topics, UNDO) | undo | {"icon": "mdi:undo"})
    yield Entity("button", TEST_LIGHTS, _button("Test lights", topics, TEST_LIGHTS) | {"icon": "mdi:led-on"})
    for name, title, low, icon in (
        (BRIGHTNESS, "Brightness of the lights", DIMMEST, "mdi:brightness-6"),
        (VOLUME, "Volume of the voice", 1, "mdi:volume-high"),
    ):
        limits = {"min": low, "max": 100, "unit_of_measurement": "%", "entity_category": "config", "icon": icon}
        command = {"command_topic": topics.to(f"{SET}/{name}")}
        yield Entity("number", name, _read(title, controls, f"value_json.{name}") | command | limits)


def _read(title: str, topic: str, expression: str) -> dict[str, object]:
    return {"name": title, "state_topic": topic, "value_template": f"{{{{ {expression} }}}}"}


def _button(title: str, topics: Topics, name: str) -> dict[str, object]:
    return {"name": title, "command_topic": topics.to(f"{SET}/{name}"), "payload_press": PRESS}
