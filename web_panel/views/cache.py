"""The state of the page as JSON text, made once for each change and language and shared by all requests."""

from __future__ import annotations

import json
from collections import defaultdict
from threading import Lock

from msgspec import Struct

from firmware_host.config.languages import LANGUAGES, translator
from firmware_host.host.loop import Host
from web_panel.board_input import BoardInput
from web_panel.views.log import Log
from web_panel.views.state import state_view


class CachedState(Struct, frozen=True):
    """One state as JSON. `version` is that of its snapshot."""

    version: int
    text: str


class StateCache:
    """Caches the state of host and simulated board, in each language. Any thread may call."""

    def __init__(self, host: Host, board_input: BoardInput | None) -> None:
        self._host = host
        self._board_input = board_input
        self._lock = Lock()
        self._states: dict[str, CachedState] = {}
        self._key: object = None
        self._logs = defaultdict[str, Log](Log)

    def now(self, language: str = LANGUAGES[0]) -> CachedState:
        """The newest state; the same object again while nothing changed."""
        with self._lock:
            oled = self._board_input.oled_version if self._board_input else None
            snapshot = self._host.snapshot
            demo = bool(snapshot.table and snapshot.table.is_demo)
            if self._key != (key := (snapshot.version, oled)):
                self._states = {}
                self._key = key
            if language not in self._states:
                extra = {"oled": oled, "demo": demo, "allows_local_pairing": self._board_input is not None}
                state = state_view(snapshot, translator(language), self._logs[language]) | extra
                text = json.dumps(state, ensure_ascii=False, separators=(",", ":"))
                self._states[language] = CachedState(snapshot.version, text)
            return self._states[language]

    def ready(self, language: str = LANGUAGES[0]) -> CachedState | None:
        """The last state that was made in this language; None if it is out of date. Returns at once."""
        return self._states.get(language)

    def after(self, state: CachedState, timeout_s: float, language: str = LANGUAGES[0]) -> CachedState:
        """Wait for a snapshot newer than `state`, at most `timeout_s`. Returns the newest state."""
        self._host.wait_for_change(state.version, timeout_s)
        return self.now(language)
