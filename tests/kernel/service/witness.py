"""Runs in a guest, after the service: sees the installed board start, fall, freeze and stop under systemd.

Nothing but Python's own library: it is no part of the program. What it saw goes to the console.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Callable
from time import monotonic, sleep
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

PANEL = "http://127.0.0.1:8080/api/v1"
PATIENCE_S = 600.0
"""Every instruction is emulated."""


def main() -> None:
    until("the service has said that it is ready", lambda: shown("ActiveState") == "active")
    expect("the journal has its folder", os.path.isfile("/var/lib/cribboard/journal.sqlite3"))
    expect("nobody else may look into it", os.stat("/var/lib/cribboard").st_mode & 0o007 == 0)
    expect("it is nobody of importance", os.stat(f"/proc/{pid()}").st_uid != 0)
    until("the panel answers", lambda: bool(state()["version"]))
    ask("orders/new-game", variant="six_card", names=["Ann", "Ben"], board="classic-61", dealer=0)

    os.kill(pid(), signal.SIGKILL)
    until("it is started again after it was killed", lambda: shown("NRestarts") == "1" and is_answering())
    expect("the game is still on", [side["name"] for side in state()["sides"]] == ["Ann", "Ben"])

    os.kill(pid(), signal.SIGSTOP)
    until("the watchdog notices that it froze", lambda: shown("NRestarts") == "2" and is_answering())
    expect("the game is still on", [side["name"] for side in state()["sides"]] == ["Ann", "Ben"])

    subprocess.run(["systemctl", "stop", "cribboard"], check=True)
    expect("it stops when it is told to", (shown("ActiveState"), shown("Result")) == ("inactive", "success"))


def shown(field: str) -> str:
    told = subprocess.run(["systemctl", "show", "-P", field, "cribboard"], capture_output=True, text=True, check=True)
    return told.stdout.strip()


def pid() -> int:
    return int(shown("MainPID"))


def ask(path: str, **told: object) -> Any:
    body = json.dumps(told).encode() if told else None
    with urlopen(Request(f"{PANEL}/{path}", body, {"Content-Type": "application/json"}), timeout=PATIENCE_S) as answer:
        return json.load(answer)


def state() -> Any:
    return ask("state")


def is_answering() -> bool:
    try:
        return bool(state()["version"])
    except URLError:
        return False


def until(what: str, is_so: Callable[[], bool]) -> None:
    end_s = monotonic() + PATIENCE_S
    while not is_so():
        if monotonic() > end_s:
            expect(what, False)
        sleep(1)
    print("seen:", what, flush=True)


def expect(what: str, is_so: bool) -> None:
    if not is_so:
        subprocess.run(["systemctl", "status", "--no-pager", "--full", "cribboard"])
        subprocess.run(["journalctl", "--no-pager", "-u", "cribboard"])
        raise SystemExit(f"not seen: {what}")
    print("seen:", what, flush=True)


if __name__ == "__main__":
    main()
