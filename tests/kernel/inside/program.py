"""`cribboard run` with `simulate = false`, as its service starts it, and its panel as a phone asks it."""

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
PATIENCE_S = 300.0
LOOK_S = 0.2

State = dict[str, Any]


class Phone:
    """A browser's cookies and manners. A real board lets it watch; to do more it must be let in."""

    def __init__(self) -> None:
        self._browser = build_opener(HTTPCookieProcessor())

    def get(self, path: str) -> Any:
        with self._browser.open(f"{PANEL}/api/v1{path}", timeout=PATIENCE_S) as answer:
            return json.load(answer)

    def post(self, path: str, **body: object) -> Any:
        """Raises HTTPError for what is refused."""
        headers = {"Origin": PANEL, "Content-Type": "application/json"}
        asked = Request(f"{PANEL}/api/v1{path}", json.dumps(body).encode(), headers)
        with self._browser.open(asked, timeout=PATIENCE_S) as answer:
            return json.load(answer)


class Program:
    """It has its settings, its journal and its working folder in `folder`."""

    def __init__(self, folder: Path, before: Sequence[str] = (), **settings: object) -> None:
        told = {"simulate": False, "state_folder": str(folder), "names": ["Ann", "Ben"], **settings}
        self.phone = Phone()
        file, self._said = folder / "cribboard.toml", folder / "said"
        file.write_text("".join(f"{name} = {json.dumps(value)}\n" for name, value in told.items()))
        command: list[str | Path] = [*before, Path(sys.executable).with_name("cribboard"), "run", "--settings", file]
        with self._said.open("w") as said:
            self._process = subprocess.Popen(command, cwd=folder, stdout=said, stderr=subprocess.STDOUT)

    @property
    def said(self) -> str:
        """Everything it has told so far."""
        return self._said.read_text()

    def wait_until_open(self) -> None:
        self._wait(lambda: "cribboard is at" in self.said, "an open panel")

    def exit_status(self) -> int:
        return self._process.wait(PATIENCE_S)

    def stop(self) -> None:
        self._process.terminate()
        self.exit_status()

    def state(self) -> State:
        state: State = self.phone.get("/state")
        return state

    def wait_for(self, is_so: Callable[[State], bool], what: str) -> State:
        """The first state of which it is so."""
        seen: State = {}

        def look() -> bool:
            seen.update(self.state())
            return is_so(seen)

        self._wait(look, what)
        return seen

    def _wait(self, is_so: Callable[[], bool], what: str) -> None:
        end_s = monotonic() + PATIENCE_S
        while not is_so():
            assert self._process.poll() is None, f"it ended before {what}: {self.said}"
            assert monotonic() < end_s, f"expected {what}; it said: {self.said}"
            sleep(LOOK_S)
