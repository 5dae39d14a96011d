"""A board in a real Home Assistant Core. `make test-home-assistant` and `make test-home-assistant-new` install one, and
name the command that runs it in HASS."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from functools import cache, partial
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.host.loop import Host
from tests.free_port import free_port
from tests.telemetry.conftest import START
from tests.telemetry.mosquitto import Mosquitto, Observer
from tests.telemetry.test_home_assistant import announced

HASS = shlex.split(os.environ.get("HASS", ""))
README = (Path(__file__).parents[2] / "firmware_host" / "telemetry" / "README.md").read_text(encoding="utf-8")
AUTOMATIONS, CARD = re.findall(r"```yaml\n(.+?)```", README, re.DOTALL)
NEWER_SYNTAX = (2024, 10)
"""The version from which Home Assistant reads `triggers` and `actions`."""
COMPLAINT = re.compile(r"^.*(?:WARNING|ERROR).*\bmqtt\b.*$", re.MULTILINE)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not HASS, reason="no Home Assistant: make test-home-assistant installs one"),
]

PATIENCE_S = 600.0
"""The first start installs what Core still needs."""
ME = "http://127.0.0.1/"
CONFIGURATION = """\
homeassistant: {{name: Test, latitude: 50, longitude: 10, unit_system: metric, time_zone: UTC}}
http: {{server_host: 127.0.0.1, server_port: {port}}}
api:
{automations}
"""
OWNER = {"client_id": ME, "name": "Ann", "username": "ann", "password": "cribbage", "language": "en"}


def wait_until(condition: Callable[[], object]) -> None:
    until_s = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < until_s, "the condition never became true"
        time.sleep(0.2)


class HomeAssistant:
    """A Core whose only integration is MQTT, with an owner who may call services."""

    def __init__(self, folder: Path, broker_port: int) -> None:
        self.folder, self.port, self._token = folder, free_port(), ""
        (folder / ".storage").mkdir(parents=True)
        automations = AUTOMATIONS if version() >= NEWER_SYNTAX else ""
        text = CONFIGURATION.format(port=self.port, automations=automations)
        (folder / "configuration.yaml").write_text(text, encoding="utf-8")
        broker = {"broker": "127.0.0.1", "port": broker_port, "discovery": True, "discovery_prefix": "homeassistant"}
        entry = {"entry_id": "1", "version": 1, "domain": "mqtt", "title": "broker", "data": broker, "options": {}}
        entry |= {"pref_disable_new_entities": False, "pref_disable_polling": False, "source": "user"}
        entry |= {"unique_id": None, "disabled_by": None, "minor_version": 1}
        stored = {"version": 1, "minor_version": 1, "key": "core.config_entries", "data": {"entries": [entry]}}
        (folder / ".storage" / "core.config_entries").write_text(json.dumps(stored))
        self.start()
        code = self.request("POST", "/api/onboarding/users", OWNER)["auth_code"]
        form = {"grant_type": "authorization_code", "code": code, "client_id": ME}
        self._token = self.request("POST", "/auth/token", urlencode(form))["access_token"]

    def start(self) -> None:
        with (self.folder / "output").open("ab") as output:
            command = [*HASS, "-c", str(self.folder)]
            self._process = subprocess.Popen(command, stdout=output, stderr=output, env=environ())
        wait_until(self._answers)

    def check_config(self) -> str:
        """What Home Assistant says of its configuration."""
        return output_of("--script", "check_config", "-c", str(self.folder))

    @property
    def complaints(self) -> list[str]:
        """Warnings and errors about MQTT, but those of a broker that is away."""
        found = COMPLAINT.findall((self.folder / "output").read_text())
        return [line for line in found if not re.search("connect|DISCONNECT", line, re.IGNORECASE)]

    def template(self, text: str) -> str:
        """What a template of Home Assistant gives."""
        with closing(self._connected("POST", "/api/template", {"template": text})) as connection:
            return connection.getresponse().read().decode()

    def _answers(self) -> bool:
        assert self._process.poll() is None, (self.folder / "output").read_text()[-2000:]
        try:
            return bool(self.request("GET", "/api/onboarding"))
        except (OSError, ValueError):
            return False

    def request(self, method: str, path: str, body: object = None) -> Any:
        with closing(self._connected(method, path, body)) as connection:
            return json.loads(connection.getresponse().read())

    def _connected(self, method: str, path: str, body: object) -> HTTPConnection:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        headers = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        kind = "application/x-www-form-urlencoded" if isinstance(body, str) else "application/json"
        text = body if isinstance(body, str) else json.dumps(body)
        connection.request(method, path, text if body else None, headers | {"Content-Type": kind})
        return connection

    @property
    def states(self) -> Mapping[str, Any]:
        """Entity of the board -> its state and attributes."""
        return {
            state["entity_id"].replace("table_3_", ""): state
            for state in self.request("GET", "/api/states")
            if "table_3_" in state["entity_id"]
        }

    def shows(self, **expected: str) -> bool:
        """Whether the entities have these states; `sensor__turn` stands for `sensor.turn`."""
        states = self.states
        return all(states.get(name.replace("__", "."), {}).get("state") == state for name, state in expected.items())

    def call(self, domain: str, service: str, entity: str, **data: object) -> None:
        name = f"{domain}.table_3_{entity}"
        self.request("POST", f"/api/services/{domain}/{service}", {"entity_id": name, **data})

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(PATIENCE_S)


def environ() -> Mapping[str, str]:
    """With the folder of the program first: Core runs the installer beside it."""
    return os.environ | {"PATH": f"{Path(HASS[0]).parent}:{os.environ['PATH']}"}


def output_of(*arguments: str) -> str:
    return subprocess.run([*HASS, *arguments], capture_output=True, text=True, env=environ(), check=True).stdout


@cache
def version() -> tuple[int, int]:
    """Year and month."""
    year, month, *_ = output_of("--version").split(".")
    return int(year), int(month)


@pytest.fixture
def newer_syntax() -> None:
    if version() < NEWER_SYNTAX:
        pytest.skip("the automations of the README are for 2024.10 and newer")


@pytest.fixture
def core(broker: Mosquitto, tmp_path: Path) -> Iterator[HomeAssistant]:
    core = HomeAssistant(tmp_path / "core", broker.port)
    yield core
    core.stop()


@pytest.mark.timeout(3 * PATIENCE_S)
def test_the_board_in_home_assistant(host: Host, broker: Mosquitto, observer: Observer, core: HomeAssistant) -> None:
    with announced(host, broker.port):
        wait_until(lambda: core.shows(sensor__phase="no_game", binary_sensor__game_on="off"))
        host.submit(START)
        host.submit(c.CorrectScore(0, 47, "so far"))
        wait_until(lambda: core.shows(sensor__score_1="47", sensor__to_go_1="74", sensor__turn="Ann"))
        assert core.states["sensor.score_2"]["attributes"]["side"] == "Ben"
        core.call("button", "press", "undo")
        wait_until(lambda: core.shows(sensor__score_1="0", button__undo="unavailable"))
        core.call("number", "set_value", "brightness", value=40)
        wait_until(lambda: host.snapshot.brightness == 40 and core.shows(number__brightness="40"))
        host.submit(c.CorrectScore(0, 100, "so far"))
        wait_until(lambda: core.shows(binary_sensor__skunk_danger="on"))
        host.submit(c.CorrectScore(0, 121, "the end"))
        wait_until(lambda: core.shows(binary_sensor__game_on="off", sensor__phase="over"))
        event = core.states["event.event"]
        assert event["attributes"]["event_type"] == "game_won" and event["attributes"]["winner"] == "Ann"
        host.submit(c.StartGame(rules_for("four_single", {}), ("A", "B", "C", "D"), "classic-61", dealer=Seat(0)))
        wait_until(lambda: core.shows(sensor__score_4="0"))
        host.submit(START)
        wait_until(lambda: "sensor.score_4" not in core.states and core.shows(sensor__score_2="0"))
        broker.kill()
        host.submit(c.CorrectScore(1, 12, "meanwhile"))
        broker.start()
        wait_until(lambda: core.shows(sensor__score_2="12"))
        core.stop()
        host.submit(c.CorrectScore(1, 13, "meanwhile"))
        core.start()
        wait_until(lambda: core.shows(sensor__score_2="13"))
    wait_until(lambda: core.shows(sensor__score_2="unavailable"))
    with announced(host, broker.port):
        wait_until(lambda: core.shows(sensor__score_2="13"))
        assert set(re.findall(r"^  - (\w+\.\w+)$", CARD, re.MULTILINE)) <= {
            state["entity_id"] for state in core.request("GET", "/api/states")
        }
    assert core.complaints == []
    device = core.template("{{ device_id('sensor.table_3_turn') }}")
    assert core.template(f"{{{{ device_attr('{device}', 'name') }}}}") == "Cribbage board table-3"
    for topic in {topic for topic, text, _ in observer.seen if topic.startswith("homeassistant/") and text}:
        if topic.endswith("/config"):
            observer.publish(topic, "", retain=True)
    wait_until(lambda: not core.states)
    wait_until(lambda: core.template(f"{{{{ device_attr('{device}', 'name') }}}}") == "None")


@pytest.mark.timeout(3 * PATIENCE_S)
def test_the_automations_of_the_readme(
    newer_syntax: None, host: Host, broker: Mosquitto, observer: Observer, core: HomeAssistant
) -> None:
    found = core.check_config()
    assert "Testing configuration" in found and "Fatal errors" not in found and "ERROR" not in found

    def is_last_event(kind: str) -> bool:
        return bool(core.states["event.event"]["attributes"].get("event_type") == kind)

    def was_triggered(name: str) -> bool:
        states = {state["entity_id"]: state for state in core.request("GET", "/api/states")}
        assert states[f"automation.{name}"]["state"] == "on", "it is valid"
        return bool(states[f"automation.{name}"]["attributes"]["last_triggered"])

    with announced(host, broker.port):
        wait_until(lambda: core.shows(binary_sensor__game_on="off"))
        assert not was_triggered("light_for_a_game")
        host.submit(START)
        wait_until(lambda: was_triggered("light_for_a_game"))
        wait_until(lambda: core.shows(event__event="unknown"))
        for kind in ("game_won", "twenty_nine"):
            assert not was_triggered("twenty_nine")
            observer.publish("cribboard/1/from/table-3/event", {"version": 1, "event_type": kind, "player": "Ann"})
            wait_until(partial(is_last_event, kind))
        wait_until(lambda: was_triggered("twenty_nine"))
