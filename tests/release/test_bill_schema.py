"""The bill of materials is valid by CycloneDX's own JSON schema. Needs the network."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import jsonschema_rs
import pytest

from release.sbom import bill_of_materials

pytestmark = pytest.mark.slow

LIBRARY = "cyclonedx-python-lib==11.12.0"
"""A wheel with the schemas of CycloneDX. It is unpacked, not installed."""
SCHEMAS = ("bom-1.6", "spdx", "jsf-0.82", "cryptography-defs")


@pytest.fixture(scope="module")
def validator(tmp_path_factory: pytest.TempPathFactory) -> jsonschema_rs.Validator:
    folder = tmp_path_factory.mktemp("cyclonedx")
    fetch = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:", "-d", str(folder)]
    subprocess.run([*fetch, LIBRARY], check=True)
    (wheel,) = folder.glob("*.whl")
    schemas = {name: schema_in(wheel, name) for name in SCHEMAS}
    base = "http://cyclonedx.org/schema"
    resources = [(f"{base}/{name}.SNAPSHOT.schema.json", schema) for name, schema in schemas.items()]
    return jsonschema_rs.validator_for(
        schemas["bom-1.6"], registry=jsonschema_rs.Registry(resources), validate_formats=True
    )


def schema_in(wheel: Path, name: str) -> dict[str, Any]:
    with ZipFile(wheel) as files:
        content: dict[str, Any] = json.loads(files.read(f"cyclonedx/schema/_res/{name}.SNAPSHOT.schema.json"))
    return content


@pytest.fixture
def bill() -> dict[str, Any]:
    content = bill_of_materials("9.9", "2026-01-01T00:00:00+00:00", {"cribboard-9.9.tar.gz": "c" * 64})
    read: dict[str, Any] = json.loads(json.dumps(content))
    return read


def test_bill_of_materials_is_valid_by_the_schema_of_cyclonedx(
    validator: jsonschema_rs.Validator, bill: dict[str, Any]
) -> None:
    assert [(error.instance_path, error.message) for error in validator.iter_errors(bill)] == []


def test_an_invalid_bill_is_detected(validator: jsonschema_rs.Validator, bill: dict[str, Any]) -> None:
    bill["metadata"]["timestamp"] = "yesterday"
    bill["components"][0]["hashes"][0]["content"] = "short"
    assert len(list(validator.iter_errors(bill))) == 2
