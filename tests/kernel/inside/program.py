"""Runs `cribboard run` with `simulate = false`, as its service does, and its panel's API as a phone uses it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.request import HTTPCookieProcessor, Request, build_opener

PANEL = "http://127.0.0.1:8080"
TIMEOUT_S = 300.0
POLL_S = 0.2

State = dict[str, Any]


class Phone:
    """An HTTP client that keeps cookies and sends an Origin, as a browser does. Unpaired it may only watch."""

    def __init__(self) -> None:
        self._browser = build_opener(HTTPCookieProcessor())

    def get(self, path: str) -> Any:
        with self._browser.open(f"{PANEL}/api/v1{path}", timeout=TIMEOUT_S) as answer:
            return json.load(answer)

    def post(self, path: str, **body: object) -> Any:
        """Raises HTTPError for a refused request."""
        headers = {"Origin": PANEL, "Content-Type": "application/json"}
        request = Request(f"{PANEL}/api/v1{path}", json.dumps(body).encode(), headers)
        with self._browser.open(request, timeout=TIMEOUT_S) as answer:
            return json.load(answer)


class Program:
    """The running program; `folder` has its settings, its journal and its output, and is its working folder."""

    def __init__(self, folder: Path, before: Sequence[str] = (), **settings: object) -> None:
        every = {"simulate": False, "state_folder": str(folder), "names": ["Ann", "Ben"], **settings}
        self.phone = Phone()
        self._close_wizard(folder, str(settings.get("board", "classic-61")))
        file, self._output = folder / "cribboard.toml", folder / "output"
        file.write_text("".join(f"{name} = {json.dumps(value)}\n" for name, value in every.items()))
        command: list[str | Path] = [*before, Path(sys.executable).with_name("cribboard"), "run", "--settings", file]
        with self._output.open("w") as output:
            self._process = subprocess.Popen(command, cwd=folder, stdout=output, stderr=subprocess.STDOUT)

    @staticmethod
    def _close_wizard(folder: Path, board: str) -> None:
        """The board was set up before, so the wizard does not open by itself."""
        closed = {"board": board, "step": "language", "is_open": False, "holes": {}, "answers": {}, "keys": []}
        (folder / "wizard.json").write_text(json.dumps(closed))

    @property
    def output(self) -> str:
        """Everything it has printed so far."""
        return self._output.read_text()

    def wait_until_open(self) -> None:
        """Wait until it has printed the address of the panel."""
        self._wait(lambda: "cribboard is at" in self.output, "an open panel")

    def exit_status(self) -> int:
        return self._process.wait(TIMEOUT_S)

    def stop(self) -> None:
        self._process.terminate()
        self.exit_status()

    def state(self) -> State:
        state: State = self.phone.get("/state")
        return state

    def wait_for(self, is_so: Callable[[State], bool], what: str) -> State:
        """The first state for which `is_so` returns True; `what` is what the test expects."""
        latest: State = {}

        def check() -> bool:
            latest.update(self.state())
            return is_so(latest)

        self._wait(check, what)
        return latest

    def _wait(self, is_so: Callable[[], bool], what: str) -> None:
        end_s = monotonic() + TIMEOUT_S
        while not is_so():
            assert self._process.poll() is None, f"the program ended before {what}: {self.output}"
            assert monotonic() < end_s, f"expected {what}; the program printed: {self.output}"
            sleep(POLL_S)
