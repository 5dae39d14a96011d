"""Runs after the service, in a guest or a container: checks that the board starts, is restarted, upgraded and stops.

It uses only Python's standard library, as it is not part of the program. Its checks are printed on the console.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import ssl
import subprocess
from collections.abc import Callable
from glob import glob
from time import monotonic, sleep
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

PANEL = "http://127.0.0.1:8080/api/v1"
TIMEOUT_S = float(os.environ["TIMEOUT_S"])
START_LIMIT_S = int(os.environ["START_LIMIT_S"])
"""How long a version may take to start: a minute on a Pi, more where every instruction is emulated."""


def main() -> None:
    until("the service is ready", lambda: shown("ActiveState") == "active")
    expect("the journal is in its folder", os.path.isfile("/var/lib/cribboard/journal.sqlite3"))
    expect("other users may not read that folder", os.stat("/var/lib/cribboard").st_mode & 0o077 == 0)
    expect("nor its files", not any(file.stat().st_mode & 0o077 for file in os.scandir("/var/lib/cribboard")))
    expect("the service does not run as root", os.stat(f"/proc/{pid()}").st_uid != 0)
    until("the panel answers", lambda: bool(state()["version"]))
    call("commands/new-game", variant="six_card", names=["Ann", "Ben"], board="classic-61", dealer=0)
    call("settings", changes={"sound": False})
    expect("settings can be saved on the page", os.path.isfile("/var/lib/cribboard/settings.toml"))

    call("settings", changes={"https": True})
    subprocess.run(["systemctl", "restart", "cribboard"], check=True)
    until("HTTPS can be switched on on the page", is_encrypted)
    expect("the game is still on", is_the_game_on())

    restarts = int(shown("NRestarts"))
    os.kill(pid(), signal.SIGKILL)
    until("it is restarted after it was killed", lambda: int(shown("NRestarts")) == restarts + 1 and is_answering())
    expect("the game is still on", is_the_game_on())

    os.kill(pid(), signal.SIGSTOP)
    until("it is restarted after it froze", lambda: int(shown("NRestarts")) == restarts + 2 and is_answering())
    expect("the game is still on", is_the_game_on())

    upgrade_and_return()
    subprocess.run(["systemctl", "stop", "cribboard"], check=True)
    expect("it stops cleanly", (shown("ActiveState"), shown("Result")) == ("inactive", "success"))


def upgrade_and_return() -> None:
    """With the game on: to a later version and back, and to versions that do not start."""
    first = version()
    expect("the upgrade succeeds", install() == 0)
    expect("the later version runs", version() == LATER and is_the_game_on())
    expect("the games before it were copied", os.path.isfile("/var/lib/cribboard-before-upgrade/journal.sqlite3"))
    expect("the way back succeeds", install("--rollback") == 0)
    expect("the first version runs", version() == first and is_the_game_on())

    kept = "/opt/kept"
    shutil.copytree(LATER_FOLDER, kept, symlinks=True)
    for fault, (module, lines) in FAULTS.items():
        shutil.rmtree(LATER_FOLDER, ignore_errors=True)  # the installer deletes a version that does not start
        shutil.copytree(kept, LATER_FOLDER, symlinks=True)
        break_release(module, lines)
        began_s = monotonic()
        expect(f"a version that {fault} is reported", install() == 1)
        print(f"after {monotonic() - began_s:.0f} s of {START_LIMIT_S} s", flush=True)
        expect("the first version runs again", version() == first and is_the_game_on())


FAULTS = {
    "ends at its start": ("app.py", "raise SystemExit('broken release')"),
    "hangs at its start and ignores SIGTERM": (
        "app.py",
        "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: time.sleep(1)",
    ),
    "freezes as soon as it is ready": (
        "host/systemd.py",
        "import time\nready = SystemdNotifier.notify\n"
        "def freeze(self):\n"
        "    began = self.__dict__.setdefault('began', time.monotonic())\n"
        "    while time.monotonic() - began > 2: time.sleep(1)\n"
        "SystemdNotifier.ping_watchdog = freeze",
    ),
}
"""What a broken version does: the module of the program, and the lines at its end."""


LATER = next((name for name in os.listdir("/opt/cribboard/versions") if name.startswith("99.0-")), "none")
LATER_FOLDER = f"/opt/cribboard/versions/{LATER}"


def install(*options: str) -> int:
    """Run the later version's installer; its exit status."""
    command = ["bash", "/src-99.0/hardware/install.sh", "--wait", str(START_LIMIT_S), *options]
    return subprocess.run(command).returncode


def version() -> str:
    """The name of the current environment."""
    return os.path.basename(os.readlink("/opt/cribboard/venv"))


def is_the_game_on() -> bool:
    return [side["name"] for side in state()["sides"]] == ["Ann", "Ben"]


def break_release(module: str, lines: str) -> None:
    """Add lines to a module of the later version, as if it had been released so."""
    folder = LATER_FOLDER
    (app,) = glob(f"{folder}/lib/python3*/site-packages/firmware_host/{module}")
    with open(app, "a") as file:
        file.write(f"\n{lines}\n")
    with open(app, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    with open(f"{folder}/files.sha256") as file:
        digests = file.read().splitlines()
    name = f"./{os.path.relpath(app, folder)}"
    with open(f"{folder}/files.sha256", "w") as file:
        file.writelines(f"{digest}  {name}\n" if line.endswith(f" {name}") else f"{line}\n" for line in digests)


def shown(field: str) -> str:
    """A property of the service."""
    done = subprocess.run(["systemctl", "show", "-P", field, "cribboard"], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def pid() -> int:
    return int(shown("MainPID"))


def call(path: str, **fields: object) -> Any:
    """The answer of the panel's API; a POST if there are fields. Only the user of the service may do so unpaired."""
    body = json.dumps(fields).encode() if fields else None
    request = Request(f"{PANEL}/{path}", body, {"Content-Type": "application/json"})
    os.seteuid(os.stat("/var/lib/cribboard").st_uid)
    try:
        with urlopen(request, timeout=TIMEOUT_S) as answer:
            return json.load(answer)
    finally:
        os.seteuid(0)


def state() -> Any:
    return call("state")


def is_answering() -> bool:
    try:
        return bool(state()["version"])
    except URLError:
        return False


def is_encrypted() -> bool:
    """Whether the panel answers over TLS, with whatever certificate."""
    tls = ssl.create_default_context()
    tls.check_hostname, tls.verify_mode = False, ssl.CERT_NONE
    try:
        with urlopen("https://127.0.0.1:8080/api/v1/state", context=tls, timeout=TIMEOUT_S) as answer:
            return bool(json.load(answer)["version"])
    except (OSError, ValueError):
        return False


def until(what: str, is_so: Callable[[], bool]) -> None:
    end_s = monotonic() + TIMEOUT_S
    while not is_so():
        if monotonic() > end_s:
            expect(what, False)
        sleep(1)
    print("ok:", what, flush=True)


def expect(what: str, is_so: bool) -> None:
    if not is_so:
        subprocess.run(["systemctl", "status", "--no-pager", "--full", "cribboard"])
        subprocess.run(["journalctl", "--no-pager", "-u", "cribboard"])
        raise SystemExit(f"failed: {what}")
    print("ok:", what, flush=True)


if __name__ == "__main__":
    main()
