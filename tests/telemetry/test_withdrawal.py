"""Nothing of a board stays at a real Mosquitto where the board was renamed, moved, or MQTT switched off."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware_host.config.settings import Settings
from firmware_host.host.loop import Host
from firmware_host.startup.services import telemetry_of, withdrawal_of
from firmware_host.telemetry.withdrawal import PublishedFile
from tests.telemetry.conftest import START
from tests.telemetry.mosquitto import Mosquitto, Observer, needs_mosquitto, wait_until

pytestmark = needs_mosquitto


@contextmanager
def started(settings: Settings, host: Host) -> Iterator[None]:
    """MQTT as `cribboard run` starts and stops it."""
    withdrawal = withdrawal_of(settings)
    telemetry = telemetry_of(settings, host, "http://192.168.1.20:8080/")
    if withdrawal:
        withdrawal.start()
    if telemetry:
        telemetry.start()
    try:
        yield
    finally:
        if telemetry:
            telemetry.stop()
        if withdrawal:
            withdrawal.stop()


def retained(port: int) -> set[str]:
    """The topics that the broker keeps, as somebody sees who comes later."""
    later = Observer(port)
    later.publish("end", "of what was kept")
    wait_until(lambda: later.on("end"))
    later.close()
    return {topic for topic, _, was_kept in later.seen if was_kept}


def settings_for(folder: Path, **values: object) -> Settings:
    return Settings(state_folder=folder, **({"mqtt_home_assistant": True} | values))  # type: ignore[arg-type]


def publish_once(settings: Settings, host: Host) -> None:
    """A start at which all of a board is published, with its stop."""
    host.submit(START)
    with started(settings, host):
        wait_until(lambda: len(retained(settings.mqtt_port)) == 15 - 4 + 5)


def test_home_assistant_switched_off_leaves_no_device(tmp_path: Path, host: Host, broker: Mosquitto) -> None:
    on = settings_for(tmp_path, mqtt_host="127.0.0.1", mqtt_port=broker.port, mqtt_board="table-3")
    publish_once(on, host)
    off = settings_for(
        tmp_path, mqtt_host="127.0.0.1", mqtt_port=broker.port, mqtt_board="table-3", mqtt_home_assistant=False
    )
    with started(off, host):
        wait_until(lambda: not any(topic.startswith("homeassistant/") for topic in retained(broker.port)))
        wait_until(lambda: not PublishedFile(off.mqtt_published).load()[0].home_assistant)
    assert "cribboard/1/from/table-3/status" in retained(broker.port)  # the table is published as before


@pytest.mark.parametrize("host_name", ["127.0.0.1", ""], ids=["renamed", "switched off"])
def test_a_board_that_left_its_name_leaves_nothing(
    tmp_path: Path, host: Host, broker: Mosquitto, host_name: str
) -> None:
    publish_once(settings_for(tmp_path, mqtt_host="127.0.0.1", mqtt_port=broker.port, mqtt_board="table-3"), host)
    after = settings_for(tmp_path, mqtt_host=host_name, mqtt_port=broker.port, mqtt_board="table-4")
    with started(after, host):
        wait_until(lambda: not any("table-3" in topic for topic in retained(broker.port)))
        names = {"table-4"} if host_name else set()
        wait_until(lambda: {place.broker.board for place in PublishedFile(after.mqtt_published).load()} == names)
    assert not any("table-3" in topic for topic in retained(broker.port))


def test_a_broker_that_does_not_answer_is_tried_again_at_the_next_start(
    tmp_path: Path, host: Host, new_broker: Callable[..., Mosquitto]
) -> None:
    keeps = ("persistence true", f"persistence_location {tmp_path}/", "autosave_on_changes true", "autosave_interval 1")
    broker = new_broker(*keeps)
    publish_once(settings_for(tmp_path, mqtt_host="127.0.0.1", mqtt_port=broker.port, mqtt_board="table-3"), host)
    broker.kill()
    off = settings_for(tmp_path, mqtt_port=broker.port)
    with started(off, host):
        assert PublishedFile(off.mqtt_published).load()
    broker.start()
    assert retained(broker.port)
    with started(off, host):
        wait_until(lambda: not PublishedFile(off.mqtt_published).load())
    assert not retained(broker.port)


@pytest.mark.parametrize("content", [b"", b"[{}]", b'[{"broker": {"host": 7}}]', b"\xff"])
def test_a_file_that_cannot_be_read_is_told_and_replaced(
    tmp_path: Path, content: bytes, host: Host, broker: Mosquitto, caplog: pytest.LogCaptureFixture
) -> None:
    settings = settings_for(tmp_path, mqtt_host="127.0.0.1", mqtt_port=broker.port)
    settings.mqtt_published.write_bytes(content)
    with started(settings, host):
        assert f"{settings.mqtt_published} and its copy are damaged" in caplog.text
        assert len(PublishedFile(settings.mqtt_published).load()) == 1
