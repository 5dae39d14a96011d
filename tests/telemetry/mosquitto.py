"""A real Mosquitto on a free port of the loopback interface, and a client that reads and writes beside the board."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from tests.free_port import free_port

PATIENCE_S = 60.0
"""How long a test waits for a condition: it only ends tests that hang."""

PROGRAM = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")
needs_mosquitto = pytest.mark.skipif(PROGRAM is None, reason="no mosquitto: sudo apt install mosquitto")


def wait_until(condition: Callable[[], object]) -> None:
    """Returns once the condition is true."""
    until_s = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < until_s, "the condition never became true"
        time.sleep(0.01)


class Mosquitto:
    """A broker with these lines in its configuration, besides its listener."""

    def __init__(self, folder: Path, *lines: str) -> None:
        assert PROGRAM
        self.port, self._file = free_port(), folder / "mosquitto.conf"
        allow = () if any(line.startswith("password_file") for line in lines) else ("allow_anonymous true",)
        self._file.write_text("\n".join((f"listener {self.port} 127.0.0.1", *allow, *lines, "user root", "")))
        self.start()

    def start(self) -> None:
        assert PROGRAM
        self._process = subprocess.Popen([PROGRAM, "-c", str(self._file)], stderr=subprocess.DEVNULL)
        wait_until(self._answers)

    def _answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self) -> None:
        """As a power cut."""
        self._process.kill()
        self._process.wait()


class Observer:
    """Reads every topic, and writes as another program of the network."""

    def __init__(self, port: int, user: str = "", password: str = "") -> None:
        self.seen = list[tuple[str, str, bool]]()
        """Topic, payload, and whether it was retained, in the order in which they came."""
        self._client = Client(CallbackAPIVersion.VERSION2, "", protocol=MQTTProtocolVersion.MQTTv311)
        if user:
            self._client.username_pw_set(user, password)
        self._client.on_message = self._received
        self._is_ready = False
        self._client.on_subscribe = lambda *_: setattr(self, "_is_ready", True)
        self._client.connect("127.0.0.1", port)
        self._client.subscribe("#", qos=1)
        self._client.loop_start()
        wait_until(lambda: self._is_ready)

    def _received(self, client: Client, _: object, message: MQTTMessage) -> None:
        self.seen.append((message.topic, message.payload.decode(), message.retain))

    def on(self, ending: str) -> list[Any]:
        """The payloads of all messages on topics with this ending; None for an empty one."""
        return [
            json.loads(text) if text[:1] in "{[" else text for topic, text, _ in self.seen if topic.endswith(ending)
        ]

    def wait_for(self, ending: str, condition: Callable[[Any], object] = bool) -> Any:
        """The first payload on such a topic that fulfils the condition."""
        wait_until(lambda: any(condition(payload) for payload in self.on(ending)))
        return next(payload for payload in self.on(ending) if condition(payload))

    def publish(self, topic: str, payload: object, *, retain: bool = False) -> None:
        text = payload if isinstance(payload, str) else json.dumps(payload)
        self._client.publish(topic, text, qos=1, retain=retain)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()
