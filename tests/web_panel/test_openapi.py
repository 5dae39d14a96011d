"""The OpenAPI description: complete, valid, and true for generated requests."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.core.result import Ok

from firmware_host.pairing.registry import Role
from tests.web_panel.conftest import API, PhoneClient, Rig, json_of
from web_panel.api.commands import COMMANDS
from web_panel.security.permissions import REQUIRED_ROLES


def description(rig: Rig) -> Any:
    answer = rig.get(f"{API}/openapi.json")
    assert answer.status_code == 200
    return json_of(answer)


def test_every_route_of_the_api_is_described_with_its_role(rig: Rig) -> None:
    paths = description(rig)["paths"]
    described = {
        f"{method.upper()} {path}": operation["x-role"]
        for path, way in paths.items()
        for method, operation in way.items()
    }
    needed = {route.replace("<", "{").replace(">", "}"): role for route, role in REQUIRED_ROLES.items()}
    assert described == {route: role.name.lower() for route, role in needed.items() if f" {API}/" in route}


def test_every_operation_has_a_summary(rig: Rig) -> None:
    operations = [operation for way in description(rig)["paths"].values() for operation in way.values()]
    assert all(operation["summary"].endswith(".") for operation in operations)
    names = [operation["operationId"] for operation in operations]
    assert len(set(names)) == len(names)


def test_the_description_is_valid_openapi(rig: Rig) -> None:
    schemathesis.openapi.from_dict(description(rig)).validate()


def test_the_description_does_not_depend_on_who_asks_first(real_rig: Rig) -> None:
    by_stranger = json_of(PhoneClient(real_rig).get("/openapi.json"))
    other = Rig(is_simulated=False)
    by_owner = json_of(PhoneClient(other).pair("Owner", Role.OWNER).get("/openapi.json"))
    other.host.stop()
    assert by_stranger == by_owner


def test_the_schema_of_a_body_is_that_of_its_type(rig: Rig) -> None:
    paths = description(rig)["paths"]
    correct = paths[f"{API}/commands/correct"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert correct["required"] == ["side", "score", "reason"] and correct["additionalProperties"] is False
    new_game = paths[f"{API}/commands/new-game"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert new_game["required"] == ["variant", "names"] and "dealer" in new_game["properties"]
    assert correct["properties"]["score"] == {"type": "integer", "minimum": 0, "maximum": 9999}


def test_the_schema_of_a_body_names_what_it_takes(rig: Rig) -> None:
    described = description(rig)
    role = described["paths"][f"{API}/phones/{{phone}}/role"]["post"]["requestBody"]["content"]["application/json"]
    assert role["schema"]["properties"]["role"]["enum"] == ["viewer", "player", "keeper", "owner"]
    assert described["components"]["schemas"]["Suit"]["enum"] == ["C", "D", "H", "S"]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_minimal_body_by_the_schema_is_never_malformed(rig: Rig, command: str) -> None:
    """With its required fields only. The rules may still refuse it."""
    schema = description(rig)["paths"][f"{API}/commands/{command}"]["post"]["requestBody"]["content"][
        "application/json"
    ]["schema"]
    minimal = {field: sample(schema["properties"][field]) for field in schema["required"]}
    assert rig.post(f"/commands/{command}", minimal).status_code in (200, 409)


def sample(schema: dict[str, object]) -> object:
    if "enum" in schema:
        return list(cast(list[object], schema["enum"]))[0]
    return {"integer": 0, "string": "5H", "array": ["5H"], "boolean": True}[str(schema["type"])]


@pytest.mark.slow
@pytest.mark.parametrize("mode", GenerationMode)
def test_generated_requests_never_cause_a_500(tmp_path: Path, mode: GenerationMode) -> None:
    """With a game under way, by an owner: bodies by the schema, and bodies against it."""
    rig = Rig(settings_file=tmp_path / "cribboard.toml")
    rig.begin()
    rig.host.start()
    schema = schemathesis.openapi.from_wsgi(f"{API}/openapi.json", rig.app)
    operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    assert len(operations) > len(COMMANDS)
    for operation in operations:
        can_be_wrong = mode is GenerationMode.POSITIVE or len(operation.body) > 0
        if can_be_wrong and not operation.path.endswith("/stream"):

            @settings(max_examples=40, deadline=None, database=None, suppress_health_check=list(HealthCheck))
            @given(operation.as_strategy(generation_mode=mode))
            def ask(case: Case[Any]) -> None:
                assert case.call().status_code < 500, case.as_curl_command()

            ask()
    rig.host.stop()
