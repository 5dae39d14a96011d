"""The API's own description: whole, sound, and true, which a tool tries that asks everything it allows and more."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.core.result import Ok

from firmware_host.cribbage.rules import Seat
from tests.panel.conftest import API, Room, told
from web_panel.openapi import AskedBody
from web_panel.roles import NEEDED
from web_panel.wishes import WISHES


def description(room: Room) -> Any:
    answer = room.get(f"{API}/openapi.json")
    assert answer.status_code == 200
    return told(answer)


def test_every_route_of_the_api_is_described_with_its_role(room: Room) -> None:
    paths = description(room)["paths"]
    described = {
        f"{method.upper()} {path}": operation["x-role"]
        for path, way in paths.items()
        for method, operation in way.items()
    }
    needed = {route.replace("<", "{").replace(">", "}"): role for route, role in NEEDED.items()}
    assert described == {route: role.name.lower() for route, role in needed.items() if f" {API}/" in route}


def test_every_operation_says_what_it_is_for(room: Room) -> None:
    operations = [operation for way in description(room)["paths"].values() for operation in way.values()]
    assert all(operation["summary"].endswith(".") for operation in operations)
    names = [operation["operationId"] for operation in operations]
    assert len(set(names)) == len(names)


def test_the_description_is_sound(room: Room) -> None:
    schemathesis.openapi.from_dict(description(room)).validate()


def test_a_body_is_described_by_whoever_reads_it(room: Room) -> None:
    paths = description(room)["paths"]
    correct = paths[f"{API}/orders/correct"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert correct["required"] == ["side", "score", "reason"] and correct["additionalProperties"] is False
    new_game = paths[f"{API}/orders/new-game"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert new_game["required"] == ["variant", "names"] and "dealer" in new_game["properties"]


@pytest.mark.parametrize("order", WISHES)
def test_a_body_as_described_is_never_malformed(room: Room, order: str) -> None:
    """Its least form: what must be told, and nothing else. The rules may still refuse it."""
    body = AskedBody()
    WISHES[order](body, Seat(0))
    least = {field: sample(body.fields[field]) for field in body.required}
    assert room.post(f"/orders/{order}", least).status_code in (200, 409)


def sample(schema: dict[str, object]) -> object:
    return {"integer": 0, "string": "5H", "array": ["5H"], "boolean": True}[str(schema["type"])]


@pytest.mark.slow
@pytest.mark.parametrize("mode", GenerationMode)
def test_nothing_that_is_asked_makes_the_panel_stumble(tmp_path: Path, mode: GenerationMode) -> None:
    """At a game that is on, by somebody who may do everything: bodies as described, and bodies that are not."""
    room = Room(settings_file=tmp_path / "cribboard.toml")
    room.begin()
    room.host.start()
    schema = schemathesis.openapi.from_wsgi(f"{API}/openapi.json", room.app)
    operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    assert len(operations) > len(WISHES)
    for operation in operations:
        can_be_wrong = mode is GenerationMode.POSITIVE or len(operation.body) > 0
        if can_be_wrong and not operation.path.endswith("/stream"):

            @settings(max_examples=40, deadline=None, database=None, suppress_health_check=list(HealthCheck))
            @given(operation.as_strategy(generation_mode=mode))
            def ask(case: Case[Any]) -> None:
                assert case.call().status_code < 500, case.as_curl_command()

            ask()
    room.host.stop()
