"""The numbers of hole-scan/1 are the same in the firmware, in the driver and in the README."""

from __future__ import annotations

import re
from enum import IntEnum
from pathlib import Path

import pytest

from board_drivers import matrix_wiring, picture_frames, scan_protocol
from board_drivers.scan_protocol import ErrorCode, Kind, LightReturn, Refusal, SensorLayout
from firmware_host.board import matrix

FIRMWARE = Path(__file__).parents[2] / "hardware" / "firmware"
README = (FIRMWARE / "README.md").read_text(encoding="utf-8")
HEADERS = "\n".join(file.read_text(encoding="utf-8") for file in sorted(FIRMWARE.glob("*.h")))


def enum_in_c(name: str) -> dict[str, int]:
    """The members of an enum of the firmware and their values."""
    found = re.search(rf"enum {name} {{(.*?)}}", HEADERS, re.DOTALL)
    assert found, name
    members = re.findall(r"(\w+) = ('.'|\d+)", found[1])
    return {member: ord(value[1]) if value.startswith("'") else int(value) for member, value in members}


def defined_in_c(name: str) -> int:
    found = re.search(rf"#define {name} (\w+)", HEADERS)
    assert found, name
    return int(found[1], 0)


@pytest.mark.parametrize(
    ("in_c", "in_python", "only_in_c"),
    [
        ("kind", Kind, {}),
        ("error_code", ErrorCode, {}),
        ("refusal", Refusal, {"ACCEPTED": 0}),
    ],
)
def test_enums_have_the_same_members(in_c: str, in_python: type[IntEnum], only_in_c: dict[str, int]) -> None:
    assert enum_in_c(in_c) == only_in_c | {member.name: member.value for member in in_python}


@pytest.mark.parametrize(
    ("in_c", "in_python", "prefix"), [("layout", SensorLayout, ""), ("light_chain", LightReturn, "LIGHTS_")]
)
def test_enums_of_states_have_the_same_members(in_c: str, in_python: type[IntEnum], prefix: str) -> None:
    assert enum_in_c(in_c) == {prefix + member.name: member.value for member in in_python}


@pytest.mark.parametrize(
    ("in_c", "in_python"),
    [
        ("PROTO_VERSION", scan_protocol.PROTOCOL),
        ("MAX_PAYLOAD", scan_protocol.MAX_PAYLOAD),
        ("MAX_DISPLAY_PAYLOAD", scan_protocol.MAX_DISPLAY_PAYLOAD),
        ("TINTS", picture_frames.TINTS),
        ("LAST_OF_PICTURE", picture_frames.LAST_OF_PICTURE),
        ("STRIPS_PER_COLUMN", matrix_wiring.BYTES_PER_COLUMN),
        ("MIN_COLUMN_MA", matrix_wiring.MIN_COLUMN_MA),
        ("ROWS", matrix.ROWS),
    ],
)
def test_limits_are_the_same(in_c: str, in_python: int) -> None:
    assert defined_in_c(in_c) == in_python


def test_readme_describes_every_kind_of_frame() -> None:
    table = "".join(line for line in README.splitlines() if line.startswith("| `"))
    assert [chr(kind) for kind in Kind if f"`{chr(kind)}`" not in table] == []


def test_readme_describes_every_error() -> None:
    row = next(line for line in README.splitlines() if line.startswith("| `E`"))
    assert [int(code) for code in re.findall(r"(?:^|; )(\d), ", row.split("|")[3].strip())] == sorted(ErrorCode)
