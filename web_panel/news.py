"""The state of everything a page shows, as JSON text: written once for each change, read by everybody."""

from __future__ import annotations

import json
from threading import Lock
from typing import NamedTuple

from firmware_host.host import Host
from firmware_host.languages import LANGUAGES, words
from web_panel.hands import Demo, Hands
from web_panel.present import present


class Edition(NamedTuple):
    """One state. `version` is that of the snapshot it was made from."""

    version: int
    text: str


class News:
    """What the host, the simulated board and the demo have to tell, in one object and every language."""

    def __init__(self, host: Host, hands: Hands | None, demo: Demo | None) -> None:
        self._host, self._hands, self._demo = host, hands, demo
        self._lock = Lock()
        self._editions: dict[str, Edition] = {}
        self._told: object = None

    def now(self, language: str = LANGUAGES[0]) -> Edition:
        """The newest edition; the same object again while nothing changed."""
        with self._lock:
            oled = self._hands.oled_version if self._hands else None
            demo = self._demo.is_running if self._demo else None
            snapshot = self._host.snapshot
            if self._told != (told := (snapshot.version, oled, demo)):
                self._editions, self._told = {}, told
            if language not in self._editions:
                extra = {"oled": oled, "demo": demo, "newcomer": self._hands is not None}
                state = present(snapshot, words(language)) | extra
                text = json.dumps(state, ensure_ascii=False, separators=(",", ":"))
                self._editions[language] = Edition(snapshot.version, text)
            return self._editions[language]

    def after(self, edition: Edition, timeout_s: float, language: str = LANGUAGES[0]) -> Edition:
        """The newest edition as soon as there is one after this one; the same when the time is up."""
        self._host.wait_for_news(edition.version, timeout_s)
        return self.now(language)
