"""The password of the broker in a file of its own: what is said where it cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.telemetry.broker import Broker, LinkError, password_of


def test_the_first_line_is_the_password(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text(" secret \nthe rest\n")
    assert password_of(Broker("localhost", password_file=str(file))) == "secret"


@pytest.mark.parametrize(("content", "why"), [(None, "No such file or directory"), (b"\xff", "no text in UTF-8")])
def test_a_password_that_cannot_be_read_is_named_without_its_content(
    tmp_path: Path, content: bytes | None, why: str
) -> None:
    file = tmp_path / "password"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(LinkError) as fault:
        password_of(Broker("localhost", password_file=str(file)))
    said = f"mqtt_password_file cannot be read: {file}: {why}; correct its name or its rights"
    assert str(fault.value) == said
