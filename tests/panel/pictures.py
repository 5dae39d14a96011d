"""The pictures of the manual, taken of the running program: `python -m tests.panel.pictures FOLDER`.

A game is played to a telling moment: a hand of cards in play, points that wait to be moved, the board half way home.
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

from firmware_host.plans import load_plan
from tests.panel.browsing import CHROMIUM, QUIET, Program, until

VIEWS = {"panel": (1280, 760, "light"), "panel-dark": (1280, 760, "dark"), "phone": (390, 844, "light")}
"""Name of the picture -> width and height in CSS pixels, and the scheme of colours."""

GAME = {"variant": "six_card", "names": ["Ann", "Ben"], "board": "classic-61", "dealer": 0, "scores": [43, 45]}


def play(address: str) -> None:
    post(address, "orders/new-game", GAME)
    leap(address, 0, 47)
    leap(address, 1, 53)
    for order, card in (("starter", "5H"), ("play", "7D"), ("play", "8S")):
        post(address, f"orders/{order}", {"card": card})


def leap(address: str, side: int, score: int, target: int = 121) -> None:
    """Move the back peg by hand, and wait until the board has read it."""
    plan = load_plan("classic-61")
    back = next(p["sensor"] for p in look(address)["pegs"] if p["track"] == side and p["rank"] == "back")
    post(address, "hands/lift", {"sensor": back})
    post(address, "hands/place", {"sensor": plan.at(side, plan.course(target).hole_of(score)).sensor})
    until(lambda: look(address)["sides"][side]["score"] == score)


def look(address: str) -> Any:
    with urlopen(f"{address}api/v1/state") as answer:
        return json.load(answer)


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
    page.close()
    return picture.getvalue()


def main(folder: Path) -> None:
    with TemporaryDirectory() as state_folder, sync_playwright() as playwright:
        program = Program(Path(state_folder))
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        play(program.address)
        for name in VIEWS:
            (folder / f"{name}.webp").write_bytes(take(browser, program.address, name))
        browser.close()
        program.switch_off()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
