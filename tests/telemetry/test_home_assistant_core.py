"""A board in a real Home Assistant Core. `make test-home-assistant` installs one and names its program in HASS."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.host.loop import Host
from tests.telemetry.conftest import START
from tests.telemetry.mosquitto import Mosquitto, free_port
from tests.telemetry.test_home_assistant import announced

HASS = os.environ.get("HASS", "")
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
        (folder / "configuration.yaml").write_text(CONFIGURATION.format(port=self.port))
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
        path = f"{Path(HASS).parent}:{os.environ['PATH']}"
        with (self.folder / "output").open("ab") as output:
            command = [HASS, "-c", str(self.folder)]
            self._process = subprocess.Popen(command, stdout=output, stderr=output, env=os.environ | {"PATH": path})
        wait_until(self._answers)

    def _answers(self) -> bool:
        assert self._process.poll() is None, (self.folder / "output").read_text()[-2000:]
        try:
            return bool(self.request("GET", "/api/onboarding"))
        except (OSError, ValueError):
            return False

    def request(self, method: str, path: str, body: object = None) -> Any:
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=30)) as connection:
            headers = {"Authorization": f"Bearer {self._token}"} if self._token else {}
            kind = "application/x-www-form-urlencoded" if isinstance(body, str) else "application/json"
            text = body if isinstance(body, str) else json.dumps(body)
            connection.request(method, path, text if body else None, headers | {"Content-Type": kind})
            return json.loads(connection.getresponse().read())

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
        self._process.wait(60)


@pytest.fixture
def core(broker: Mosquitto, tmp_path: Path) -> Iterator[HomeAssistant]:
    core = HomeAssistant(tmp_path / "core", broker.port)
    yield core
    core.stop()


@pytest.mark.timeout(3 * PATIENCE_S)
def test_the_board_in_home_assistant(host: Host, broker: Mosquitto, core: HomeAssistant) -> None:
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
