"""The JSON schemas of the payloads."""

from __future__ import annotations

import json
from functools import cache

import jsonschema_rs

import firmware_host.telemetry

FOLDER = firmware_host.telemetry.__file__.replace("__init__.py", "schemas")


@cache
def _validator(name: str) -> jsonschema_rs.Validator:
    with open(f"{FOLDER}/{name}.json", encoding="utf-8") as file:
        return jsonschema_rs.validator_for(json.load(file))


def check(name: str, payload: object) -> None:
    """Raises ValidationError unless the payload fulfils the schema of its topic."""
    _validator(name).validate(payload)
