"""Makes the screenshots of the documentation from the running program: `python -m tests.web_panel.pictures FOLDER`.

A game is played until cards are on the table, points wait to be moved, and the pegs are half way.
"""

from __future__ import annotations

import json
import sys
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.request import Request, urlopen

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from firmware_host.config.board_plans import load_plan
from tests.web_panel.browsing import CHROMIUM, QUIET, close_page, running, until

VIEWS = {"panel": (1280, 760, "light"), "panel-dark": (1280, 760, "dark"), "phone": (390, 844, "light")}
"""Name of the picture -> width and height in CSS pixels, and the colour scheme."""

TWO_PLAYERS = {"variant": "six_card", "names": ["Ann", "Ben"], "board": "classic-61", "dealer": 0}
GAME = TWO_PLAYERS | {"scores": [43, 45]}


def play(address: str) -> None:
    post(address, "commands/new-game", GAME)
    leap(address, 0, 47)
    leap(address, 1, 53)
    for command, card in (("starter", "5H"), ("play", "7D"), ("play", "8S")):
        post(address, f"commands/{command}", {"card": card})


def leap(address: str, side: int, score: int, target: int = 121) -> None:
    """Move the back peg, and wait until the board has read it."""
    post(address, "pegs/lift", {"sensor": back_peg(address, side)})
    post(address, "pegs/place", {"sensor": hole_sensor(side, score, target)})
    until(lambda: look(address)["sides"][side]["score"] == score)


def back_peg(address: str, side: int) -> int:
    """The sensor under the side's back peg."""
    pegs = look(address)["pegs"]
    return next(int(peg["sensor"]) for peg in pegs if peg["track"] == side and peg["position"] == "back")


def hole_sensor(side: int, score: int, target: int = 121) -> int:
    """The sensor of the hole for a score on the board of GAME."""
    plan = load_plan(str(GAME["board"]))
    return plan.at(side, plan.course(target).hole_of(score)).sensor


def look(address: str) -> Any:
    with urlopen(f"{address}api/v1/state") as answer:
        return json.load(answer)


def first_input(state: Any) -> Any:
    """What the page asks people to type first."""
    return next(action for action in state["actions"] if action["input"])


def post(address: str, path: str, body: object) -> None:
    sent = json.dumps(body).encode()
    urlopen(Request(f"{address}api/v1/{path}", sent, {"Content-Type": "application/json"})).close()


def take(browser: Browser, address: str, name: str) -> bytes:
    """One picture as WebP, two pixels to a CSS pixel."""
    width, height, scheme = VIEWS[name]
    dark = scheme == "dark"
    page = browser.new_page(
        viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light", device_scale_factor=2
    )
    page.goto(address)
    page.locator(".signal.to").wait_for()
    picture = BytesIO()
    Image.open(BytesIO(page.screenshot())).save(picture, "WEBP", quality=88, method=6)
    close_page(page)
    return picture.getvalue()


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with (
        TemporaryDirectory() as state_folder,
        sync_playwright() as playwright,
        running(Path(state_folder)) as program,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        play(program.address)
        for name in VIEWS:
            (folder / f"{name}.webp").write_bytes(take(browser, program.address, name))
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
