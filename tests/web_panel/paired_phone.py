"""A phone that was paired before the program started: it sends commands from an address of its own and times them."""

from __future__ import annotations

import json
import ssl
from collections.abc import Sequence
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path
from time import monotonic, sleep

from firmware_host.pairing.registry import PhoneRegistry, Role
from tests.web_panel.attackers import LAN_NAME
from tests.web_panel.browsing import Program
from web_panel.security.identity import COOKIE

SOURCE = "127.0.9.9"
PATIENCE_S = 60.0
BEGIN = {"variant": "six_card", "names": ["Ann", "Ben"], "dealer": 0}


class PairedPhone:
    """The owner's phone of a program whose state folder is `folder`. It trusts whatever certificate it is shown."""

    def __init__(self, folder: Path, *, is_https: bool = False) -> None:
        registry = PhoneRegistry(folder / "phones.json")
        phone, self._token = registry.add_phone("Ann's")
        registry.set_role(phone.id, Role.OWNER)
        self._scheme = "https" if is_https else "http"
        https = {"CRIBBOARD_HTTPS": "true"} if is_https else {}
        self.program = Program(folder, {"CRIBBOARD_NAMES_ON_LAN": LAN_NAME, **https})
        self._kept: HTTPConnection | None = None

    def connect(self) -> HTTPConnection:
        """A new connection; over TLS if the program has HTTPS."""
        place = ("127.0.0.1", self.program.port)
        if self._scheme == "http":
            return HTTPConnection(*place, timeout=PATIENCE_S, source_address=(SOURCE, 0))
        tls = ssl.create_default_context()
        tls.check_hostname, tls.verify_mode = False, ssl.CERT_NONE
        return HTTPSConnection(*place, timeout=PATIENCE_S, source_address=(SOURCE, 0), context=tls)

    def warm_up(self) -> None:
        """Load the pages and files that attackers ask for, so that they are in memory before it is measured."""
        for path in ("/", "/static/css/pages.css", "/api/v1/state", "/help") * 10:
            line = self.connect()
            line.request("GET", path, headers={"Host": LAN_NAME})
            line.getresponse().read()
            line.close()

    def send(self, name: str, body: object, line: HTTPConnection | None = None) -> float:
        """Send a command, on a new connection unless one is given; the seconds until its answer was read."""
        started_s = monotonic()
        used = line or self.connect()
        headers = {
            "Host": LAN_NAME,
            "Origin": f"{self._scheme}://{LAN_NAME}",
            "Cookie": f"{COOKIE}={self._token}",
            "Content-Type": "application/json",
        }
        used.request("POST", f"/api/v1/commands/{name}", json.dumps(body), headers)
        answer = used.getresponse()
        text = answer.read()
        taken_s = monotonic() - started_s
        assert answer.status == 200, text
        if line is None:
            used.close()
        return taken_s

    def delays_s(self, seconds: float, pause_s: float = 0.02) -> Sequence[float]:
        """The delays of corrections sent one after the other, every second one on a new connection."""
        kept, ends_s, delays_s = self.connect(), monotonic() + seconds, list[float]()
        while monotonic() < ends_s:
            score = len(delays_s) % 20
            body = {"side": 0, "score": score, "reason": "test"}
            delays_s.append(self.send("correct", body, None if len(delays_s) % 2 else kept))
            sleep(pause_s)
        kept.close()
        return delays_s
