"""The check of MQTT: nothing where it is off, else one line with the fix."""

from __future__ import annotations

import socket
from pathlib import Path

from msgspec.structs import replace

from firmware_host.doctor.findings import Finding, Verdict
from firmware_host.doctor.mqtt import check_mqtt
from tests.doctor.fake_machine import FakeMachine
from tests.doctor.test_doctor import context


def found(machine: FakeMachine, **settings: object) -> list[Finding]:
    base = context(machine)
    changed = replace(base.settings, **settings)
    return list(check_mqtt(replace(base, settings=changed)))


def test_mqtt_that_is_off_needs_no_line(machine: FakeMachine) -> None:
    assert not found(machine)


def test_a_missing_file_a_missing_broker_and_a_broker_that_answers(machine: FakeMachine, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        (wrong,) = found(machine, mqtt_host="127.0.0.1", mqtt_port=port, mqtt_ca=str(tmp_path / "none"))
        assert wrong.got == "mqtt_ca cannot be read: No such file or directory"
        (right,) = found(machine, mqtt_host="127.0.0.1", mqtt_port=port)
        assert right.verdict is Verdict.OK
    (missing,) = found(machine, mqtt_host="127.0.0.1", mqtt_port=port)
    assert (missing.verdict, missing.got) == (Verdict.WARNING, "no broker: Connection refused")
