"""Makes the animation of the README from the running program: `python -m tests.web_panel.animation FILE.webp`.

Most of one deal of a six-card game on a simulated board: the starter, the play, and the count of a hand. Cards are
entered through the API, points by moved pegs. Each scene ends with a screenshot of the desktop page.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep

from PIL import Image
from playwright.sync_api import Page, ViewportSize, sync_playwright

from tests.web_panel.browsing import CHROMIUM, QUIET, running, until
from tests.web_panel.pictures import GAME, back_peg, hole_sensor, leap, look, post

VIEW: ViewportSize = {"width": 1180, "height": 840}
"""CSS pixels of the page: from the sentence to the dock, with nothing below it."""

WIDTH = 800
"""Pixels of the animation."""

LARGEST_BYTES = 500_000
QUALITIES = (85, 75, 65, 55, 45, 35, 25)

SETTLE_S = 5.0
"""Setting of the program: long enough for a screenshot of a pending leap, one that no card has earned."""

COUNTING_S = 0.5
"""Between two frames of a count, beside REPAINT_S: so a frame shows another combination."""

REPAINT_S = 0.6
"""Time for the page to show a change and to end its transitions."""

Scene = Callable[[], None]
ANN, BEN = 0, 1


class Story:
    """A new game, and the scenes that follow. The players are those of `pictures.GAME`; Ann deals."""

    def __init__(self, address: str, page: Page) -> None:
        self._address, self._page = address, page
        post(address, "commands/new-game", GAME | {"scores": [38, 41]})
        leap(address, ANN, 43)

    def scenes(self) -> Iterator[tuple[Scene, int]]:
        """Each scene and the duration of its frame in milliseconds."""
        yield partial(self._leap_until_pending, BEN, 45), 1600
        yield partial(self._wait_for_score, BEN, 45), 1300
        yield partial(self._command, "starter", card="JC"), 1900  # two for his heels
        yield partial(self._lift, ANN), 1200
        yield partial(self._place, ANN, 45), 1300
        yield partial(self._command, "play", card="5D"), 1300
        yield partial(self._command, "play", card="TH"), 1900  # fifteen for two
        yield partial(self._leap, ANN, 47), 1300
        yield partial(self._command, "play", card="TS"), 1900  # a pair
        yield partial(self._leap, BEN, 47), 1300
        yield partial(self._command, "play", card="6H"), 1900  # thirty-one for two
        yield self._finish_the_play, 1600
        yield partial(self._command, "count"), 1100  # the first fifteen is lit
        for _ in range(3):
            yield partial(sleep, COUNTING_S), 1100
        yield self._wait_for_count, 2000
        yield self._peg_the_count, 2000

    def _command(self, name: str, **body: object) -> None:
        post(self._address, f"commands/{name}", body)

    def _lift(self, side: int) -> None:
        post(self._address, "pegs/lift", {"sensor": back_peg(self._address, side)})

    def _place(self, side: int, score: int) -> None:
        """Put the lifted peg down, and wait until the board has read it."""
        post(self._address, "pegs/place", {"sensor": hole_sensor(side, score)})
        self._wait_for_score(side, score)

    def _leap(self, side: int, score: int) -> None:
        leap(self._address, side, score)

    def _leap_until_pending(self, side: int, score: int) -> None:
        self._lift(side)
        post(self._address, "pegs/place", {"sensor": hole_sensor(side, score)})
        until(lambda: self._side(side)["pending"])

    def _finish_the_play(self) -> None:
        """After thirty-one both play their last cards, and Ann pegs her points."""
        self._leap(ANN, 49)
        for card in ("5C", "KD", "5S", "9H"):  # fifteen for two, and one for the last card
            self._command("play", card=card)
        self._leap(ANN, 52)

    def _wait_for_count(self) -> None:
        """Until the page has lit every combination."""
        self._page.locator("#table-cards .cadence:not(:empty)").wait_for(state="attached")

    def _peg_the_count(self) -> None:
        """Ben pegs his hand; then his cards are shown without lights."""
        self._leap(BEN, 67)
        self._wait_for_count()

    def _wait_for_score(self, side: int, score: int) -> None:
        until(lambda: self._side(side)["score"] == score)

    def _side(self, side: int) -> dict[str, object]:
        found: dict[str, object] = look(self._address)["sides"][side]
        return found


def screenshot(page: Page) -> Image.Image:
    sleep(REPAINT_S)
    picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
    return picture.resize((WIDTH, round(picture.height * WIDTH / picture.width)), Image.Resampling.LANCZOS)


def animated(pictures: Sequence[Image.Image], durations_ms: Sequence[int]) -> bytes:
    """An animated WebP that loops for ever, in the best quality that fits LARGEST_BYTES."""
    first, *others = pictures
    for quality in QUALITIES:
        file = BytesIO()
        first.save(
            file,
            "WEBP",
            save_all=True,
            append_images=others,
            duration=list(durations_ms),
            loop=0,
            quality=quality,
            method=6,
        )
        if len(file.getvalue()) <= LARGEST_BYTES:
            return file.getvalue()
    raise ValueError(f"expected at most {LARGEST_BYTES} bytes, got {len(file.getvalue())} in the lowest quality")


def main(target: Path) -> None:
    settings = {"CRIBBOARD_SETTLE_S": str(SETTLE_S)}
    with (
        TemporaryDirectory() as state_folder,
        sync_playwright() as playwright,
        running(Path(state_folder), settings) as program,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        page = browser.new_page(
            viewport={"width": VIEW["width"], "height": VIEW["height"]}, color_scheme="light", device_scale_factor=2
        )
        pictures, durations_ms = [], []
        story = Story(program.address, page)
        page.goto(program.address)
        screenshot(page)  # the first one is slow
        for scene, duration_ms in story.scenes():
            scene()
            pictures.append(screenshot(page))
            durations_ms.append(duration_ms)
        browser.close()
    target.write_bytes(animated(pictures, durations_ms))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
