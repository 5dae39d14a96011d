"""Discovery and commands at a real Mosquitto, as Home Assistant sees and sends them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from firmware_host.cribbage.cards import parse_card
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.host.loop import Host
from firmware_host.telemetry.broker import Broker
from firmware_host.telemetry.commands import command_of
from firmware_host.telemetry.telemetry import Options, Telemetry
from firmware_host.ui.keys.input_state import SetBrightness, TestLights
from tests.telemetry.conftest import START
from tests.telemetry.mosquitto import Mosquitto, Observer, needs_mosquitto, wait_until
from tests.telemetry.schemas import check

SET = "cribboard/1/to/table-3/set"


@contextmanager
def announced(host: Host, port: int, *, commands: bool = True, page: str = "") -> Iterator[Telemetry]:
    telemetry = Telemetry(host, Broker("127.0.0.1", port, "table-3"), "1.2.3", None, Options(True, commands), page)
    telemetry.start()
    try:
        yield telemetry
    finally:
        telemetry.stop()


def entities(observer: Observer) -> dict[str, dict[str, object]]:
    """Component and name -> configuration, of those that are there now."""
    found = {topic: text for topic, text, _ in observer.seen if topic.startswith("homeassistant/")}
    return {"/".join(topic.split("/")[1:4:2]): json.loads(text) for topic, text in found.items() if text}


@needs_mosquitto
def test_the_board_is_one_device_whose_entities_read_topics_that_are_published(
    host: Host, broker: Mosquitto, observer: Observer
) -> None:
    with announced(host, broker.port, page="http://192.168.1.20:8080/"):
        host.submit(START)
        wait_until(lambda: len(entities(observer)) == 15)
        observer.wait_for("/controls", lambda controls: controls["brightness"] == 100)
        observer.wait_for("/health")
        found = entities(observer)
        assert len({config["unique_id"] for config in found.values()}) == len(found)
        assert all(
            config["default_entity_id"] == f"{name.split('/')[0]}.{config['object_id']}"
            for name, config in found.items()
        )
        assert {json.dumps(config["device"]) for config in found.values()} == {
            json.dumps(found["sensor/phase"]["device"])
        }
        device = found["sensor/phase"]["device"]
        assert isinstance(device, dict)
        assert (device["name"], device["configuration_url"]) == ("Cribbage board table-3", "http://192.168.1.20:8080/")
        published = {topic for topic, _, _ in observer.seen}
        read = {str(config["state_topic"]) for config in found.values() if "state_topic" in config}
        assert read - published == {"cribboard/1/from/table-3/event"}
        four = c.StartGame(rules_for("four_single", {}), ("A", "B", "C", "D"), "classic-61", dealer=Seat(0))
        host.submit(four)
        wait_until(lambda: "sensor/score_4" in entities(observer))
        host.submit(START)
        wait_until(lambda: "sensor/score_3" not in entities(observer))
    without = Observer(broker.port)
    with announced(host, broker.port, commands=False):
        wait_until(lambda: entities(without) and not any(name.startswith("button") for name in entities(without)))
    without.close()


@needs_mosquitto
def test_commands_go_through_the_host(host: Host, broker: Mosquitto, observer: Observer) -> None:
    with announced(host, broker.port):
        assert not observer.wait_for("/controls")["can_undo"]
        host.submit(START)
        host.submit(c.CutStarter(parse_card("5H")))
        controls = observer.wait_for("/controls", lambda controls: controls["can_undo"])
        check("controls", controls)
        observer.publish(f"{SET}/undo", "PRESS")
        wait_until(lambda: host.snapshot.table and host.snapshot.table.deal and not host.snapshot.table.deal.starter)
        observer.publish(f"{SET}/brightness", "40")
        observer.publish(f"{SET}/volume", "30")
        assert observer.wait_for("/controls", lambda controls: controls["volume"] == 30)["brightness"] == 40
        observer.publish(f"{SET}/test_lights", "PRESS")
        wait_until(lambda: len(host.snapshot.signals) == 1)
        observer.publish(f"{SET}/undo", "PRESS")  # refused: the game is at its beginning
        observer.publish(f"{SET}/brightness", "101")
        observer.publish(f"{SET}/brightness", "55")
        observer.wait_for("/controls", lambda controls: controls["brightness"] == 55)


@needs_mosquitto
def test_a_retained_command_is_ignored_and_commands_are_off_by_default(
    host: Host, broker: Mosquitto, observer: Observer
) -> None:
    observer.publish(f"{SET}/brightness", "20", retain=True)
    observer.wait_for("set/brightness")
    with announced(host, broker.port) as telemetry:
        wait_until(lambda: telemetry.link.is_settled)  # so the broker has its subscriptions
        observer.publish(f"{SET}/volume", "31")
        observer.wait_for("/controls", lambda controls: controls["volume"] == 31)
        assert host.snapshot.brightness == 100
    with announced(host, broker.port, commands=False) as telemetry:
        wait_until(lambda: telemetry.link.is_settled)  # so the broker has its subscriptions
        observer.publish(f"{SET}/volume", "32")
        observer.publish("homeassistant/status", "online")
        sent = len(observer.on("/phase/config"))
        wait_until(lambda: len(observer.on("/phase/config")) > sent)
        assert host.snapshot.voice.volume == 31


@pytest.mark.parametrize(
    ("name", "payload"),
    [
        ("undo", b""),
        ("undo", b"press"),
        ("brightness", b"9"),
        ("brightness", b"1e2"),
        ("volume", b"0"),
        ("x", b"PRESS"),
    ],
)
def test_a_malformed_command_is_ignored(host: Host, name: str, payload: bytes) -> None:
    assert command_of(name, payload, host.snapshot) is None


def test_commands_are_read(host: Host) -> None:
    read: Callable[[str, bytes], object] = lambda name, payload: command_of(name, payload, host.snapshot)  # noqa: E731
    assert read("brightness", b"10") == SetBrightness(10) and read("test_lights", b"PRESS") == TestLights()
