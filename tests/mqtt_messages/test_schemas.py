"""The schemas say what the types say."""

from __future__ import annotations

import json

import pytest

from firmware_host.game.state import Phase
from firmware_host.mqtt_messages.board import NO_GAME, PHASES
from firmware_host.mqtt_messages.topics import VERSION
from tests.mqtt_messages.schemas import FOLDER, MESSAGES, schema_text


@pytest.mark.parametrize("name", MESSAGES)
def test_the_schema_is_current(name: str) -> None:
    assert (FOLDER / f"{name}.json").read_text(encoding="utf-8") == schema_text(name), "run: make schemas"


def test_every_schema_has_a_type() -> None:
    assert {file.stem for file in FOLDER.glob("*.json")} == set(MESSAGES)


@pytest.mark.parametrize("name", MESSAGES)
def test_every_message_is_described_and_has_a_version(name: str) -> None:
    for definition in json.loads(schema_text(name))["$defs"].values():
        assert definition["description"]
        version = definition.get("properties", {}).get("version")
        assert version is None or (version["const"] == VERSION and "version" in definition["required"])


def test_the_phases_are_those_of_the_game() -> None:
    assert {*PHASES} == {NO_GAME, *(phase.value for phase in Phase)}
