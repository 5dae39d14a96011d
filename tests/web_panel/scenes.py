"""Every page and every state of the main page, each with the way to it.

The gallery of pictures, the comparison with stored pictures, and the search for clipped text walk through SCENES.
Everything in them is fixed: names, cards, scores, and with `launcher.FIXED_DATE` the dates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta, timezone
from enum import StrEnum
from pathlib import Path
from time import sleep
from typing import Any

from msgspec import Struct, field
from playwright.sync_api import Browser, BrowserContext, Page, Route, ViewportSize, expect

from board_drivers.ports import KEY_ROWS
from firmware_host.config.board_plans import load_plan
from firmware_host.ui.wizard.wizard import in_playing_order
from firmware_host.ui.wizard_commands import Question, Step
from tests.web_panel.browsing import PATIENCE_MS, Program, close_context, until
from tests.web_panel.phones import LAN_NAME, new_browser
from tests.web_panel.pictures import GAME, back_peg, hole_sensor, leap, look, post

DATE = datetime(2024, 3, 9, 19, 30, tzinfo=timezone(timedelta(0)))
"""The date of every game."""

SIZES: dict[str, ViewportSize] = {
    "360x640": {"width": 360, "height": 640},
    "390x844": {"width": 390, "height": 844},
    "768x1024": {"width": 768, "height": 1024},
    "1024x768": {"width": 1024, "height": 768},
    "1280x800": {"width": 1280, "height": 800},
    "1920x1080": {"width": 1920, "height": 1080},
}
SCAN_S = 0.06
"""Several scans of the board: what comes and goes within one is not noticed."""
SETTLE_MS = 250
"""Time for a page to draw itself anew after a change of its size."""

LONG_NAMES = ["Maximiliana", "Bartholomew", "Konstantin", "Wilhelmina", "Alexandrina", "Świętosława"]
FOUR = {"variant": "four_single", "names": LONG_NAMES[:4], "board": "continuous-121-4", "dealer": 0}
SIX = {"variant": "six_hand", "names": LONG_NAMES, "board": "continuous-121-4", "dealer": 0}


class Setup(StrEnum):
    """The program that a scene needs: what is in its journal, and which phones it knows."""

    EMPTY = "empty"
    """No game was ever played."""
    TABLE = "table"
    """Each scene starts a game of its own."""
    PAST = "past"
    """Three finished games and one that is on. Its scenes change nothing."""
    PHONES = "phones"
    """A phone holds a seat."""
    WIZARD = "wizard"
    """The set-up wizard is open."""
    HTTPS = "https"
    """The board has a certificate authority of its own."""


Prepare = Callable[[str], None]
"""Brings the program to a state; called with its address."""
Act = Callable[[Page], None]
"""What a visitor does after the page is open."""


def nothing(_: object) -> None:
    """For a scene that needs no preparation or no act."""


class Scene(Struct, frozen=True):
    """One page in one state."""

    name: str
    setup: Setup = Setup.TABLE
    path: str = ""
    prepare: Prepare = nothing
    act: Act = nothing
    ready: str = "main h1:not(:empty)"
    """A selector that matches something visible once the page shows the state."""
    is_stranger: bool = False
    """Whether the visitor comes over the LAN without a paired phone."""


def commands(game: dict[str, Any], *sent: tuple[str, dict[str, object]]) -> Prepare:
    """Start a game and send commands."""

    def prepare(address: str) -> None:
        post(address, "commands/new-game", game)
        for command, body in sent:
            post(address, f"commands/{command}", body)

    return prepare


def cards(*played: str) -> list[tuple[str, dict[str, object]]]:
    """The five of hearts as starter, and the cards played."""
    sent: list[tuple[str, dict[str, object]]] = [("play", {"card": card}) for card in played]
    return [("starter", {"card": "5H"}), *sent]


def wrong_peg(address: str) -> None:
    """Ben has two points to peg, and Ann moves five holes."""
    commands(GAME, *cards("7D", "8S"))(address)
    post(address, "pegs/lift", {"sensor": back_peg(address, 0)})
    post(address, "pegs/place", {"sensor": hole_sensor(0, 48)})
    until(lambda: look(address)["guidance"]["tone"] == "error")


def win(address: str, loser: int = 113) -> None:
    """Ann wins with a fifteen. Her cards and her discard are known."""
    post(address, "commands/new-game", GAME | {"scores": [119, loser]})
    post(address, "commands/deal", {"seat": 0, "cards": ["5H", "5S", "5D", "JC", "2D", "7S"]})
    post(address, "commands/discard", {"seat": 0, "cards": ["5H", "7S"]})
    for command, card in (("starter", "4C"), ("play", "QH"), ("play", "5S")):
        post(address, f"commands/{command}", {"card": card})
    leap(address, 0, 121)


def win_by_hands(address: str) -> None:
    """Ann wins after her hand and her crib were counted, so that her choices can be looked back on."""
    for command, body in (
        ("new-game", GAME),
        ("deal", {"seat": 0, "cards": ["5H", "5S", "5D", "JC", "2D", "7S"]}),
        ("discard", {"seat": 0, "cards": ["5H", "7S"]}),
        ("starter", {"card": "4C"}),
        ("show", {}),
        ("skip", {}),
        ("count", {}),
        ("count", {"cards": ["5H", "7S", "9C", "KD"]}),
        ("correct", {"side": 1, "score": 100, "reason": "so far"}),
        ("correct", {"side": 0, "score": 121, "reason": "the end"}),
    ):
        post(address, f"commands/{command}", body)


def play_past_games(address: str) -> None:
    """Three finished games and one in the play."""
    win_by_hands(address)
    win(address, 60)
    commands(SIX | {"scores": [120, 90, 80, 70, 60, 50]}, ("correct", {"side": 0, "score": 121, "reason": "home"}))(
        address
    )
    commands(GAME, *cards("7D", "KH"))(address)


def at_step(step: Step, **results: Sequence[dict[str, object]]) -> Prepare:
    """Open the set-up wizard at a step without results, and send what people do there: lists of bodies by route."""

    def prepare(address: str) -> None:
        post(address, "setup/open", {})
        post(address, "setup/step", {"step": step.value})
        post(address, "setup/repeat", {"step": step.value})
        for route, bodies in results.items():
            for body in bodies:
                post(address, f"setup/{route}", body)

    return prepare


def try_holes(address: str) -> None:
    """Six holes answer, one does not."""
    at_step(Step.SENSORS)(address)
    *working, broken = in_playing_order(load_plan("classic-61"))[4:11]
    for hole in working:
        for movement in ("place", "lift"):
            post(address, f"pegs/{movement}", {"sensor": hole.sensor})
            sleep(SCAN_S)
    post(address, "setup/hole", {"sensor": broken.sensor})


def press_keys(address: str) -> None:
    """The first row of the keypad works."""
    at_step(Step.KEYS)(address)
    for key in KEY_ROWS[0]:
        for is_down in (True, False):
            post(address, "keys", {"legend": key.legend, "down": is_down})
            sleep(SCAN_S)


def setup_scene(name: str, step: Step, prepare: Prepare | None = None) -> Scene:
    """A step of the set-up wizard."""
    ready = f'[data-step="{step.value}"] #setup h1:not(:empty)'
    return Scene(f"setup-{name}", Setup.WIZARD, "setup", prepare or at_step(step), ready=ready)


def click(*selectors: str) -> Act:
    """Click elements, the first of each selector that is in the page."""

    def act(page: Page) -> None:
        for selector in selectors:
            page.locator(selector).first.click()

    return act


def keys(*pressed: str) -> Act:
    """Press keys."""

    def act(page: Page) -> None:
        for key in pressed:
            page.keyboard.press(key)

    return act


def watch(page: Page) -> None:
    """Stop the short game for visitors at its fifth frame."""
    page.locator("#watch").click()
    page.locator("#playback").wait_for(state="attached")
    expect(page.locator("#primary")).to_have_class("primary")
    for _ in range(4):
        page.locator("#playback .next").evaluate("button => button.click()")


def replay(page: Page) -> None:
    """The fourth turn of a replay."""
    page.locator("#replay").click()
    page.locator("#playback input").wait_for()
    keys("ArrowRight", "ArrowRight", "ArrowRight")(page)


def go_offline(page: Page) -> None:
    """Cut the connection, and wait until the page says so."""
    page.context.set_offline(True)
    page.locator('[data-health="lost"]').wait_for()


def hold_a_hand(page: Page) -> None:
    """Pair this browser as Ben, so that it takes his seat by itself, and enter his cards."""
    address = f"{page.url.partition('?')[0].rstrip('/')}/"
    for phone in page.request.get(f"{address}api/v1/phones").json()["phones"]:
        post(address, f"phones/{phone['id']}/remove", {})
    commands(GAME)(address)  # a seat whose cards are known cannot be taken over
    click("#more", ".pair-button")(page)
    page.locator("#pairing-dialog [name=name]").fill("Ben")
    click("#pairing-dialog [type=submit]")(page)
    page.locator(".own-hand h2").wait_for()
    for rank in "246TQA":
        page.locator(f'#card-input [data-rank="{rank}"]').click()
    page.locator(".hand .card").nth(5).wait_for()


TABLE_READY = "#drawing .peg:visible, #lane .peg:visible"

SCENES = (
    Scene("first", Setup.EMPTY, ready="#start"),
    Scene("demo", Setup.EMPTY, ready="#start", act=watch),
    Scene("new-game", Setup.PAST, "new-game", ready="#new-game [type=submit]:enabled"),
    Scene("cut", prepare=commands(GAME | {"dealer": None}), ready=TABLE_READY),
    Scene("deal", prepare=commands(GAME), ready=TABLE_READY),
    Scene("starter", prepare=commands(GAME), ready=TABLE_READY, act=keys("5")),
    Scene("play", prepare=commands(GAME, *cards("7D", "KH")), ready=TABLE_READY),
    Scene("go", prepare=commands(GAME, *cards("KH", "QD", "9S")), ready=TABLE_READY),
    Scene("peg", prepare=commands(GAME, *cards("7D", "8S")), ready=".lit:visible, .signal.to:visible"),
    Scene("wrong-peg", prepare=wrong_peg, ready='#status[data-tone="error"]'),
    Scene("show", prepare=commands(GAME, *cards("7D"), ("show", {})), ready=TABLE_READY),
    Scene(
        "counted",
        prepare=commands(GAME, *cards("7D"), ("show", {}), ("count", {"cards": ["7D", "8S", "8H", "9C"]})),
        ready="#table-cards .cadence",
    ),
    Scene("crib", prepare=commands(GAME, *cards("7D"), ("show", {}), ("skip", {}), ("skip", {})), ready=TABLE_READY),
    Scene(
        "muggins",
        prepare=commands(GAME | {"options": {"muggins_mode": "claim"}}, *cards("7D", "8S")),
        ready=TABLE_READY,
        act=click('.secondary-actions [data-command="claim"]'),
    ),
    Scene("menu", prepare=commands(GAME, *cards("7D")), ready=TABLE_READY, act=click("#more")),
    Scene("won", prepare=win, ready="#ending .race svg"),
    Scene("skunk", prepare=lambda address: win(address, 80), ready="#ending .race svg"),
    Scene("replay", prepare=win, ready="#ending .race svg", act=replay),
    Scene("hand", Setup.PHONES, prepare=commands(GAME), ready=TABLE_READY, act=hold_a_hand),
    Scene("four-sides", prepare=commands(FOUR | {"scores": [100, 90, 80, 70]}, *cards("7D")), ready=TABLE_READY),
    Scene("six-sides", prepare=commands(SIX | {"scores": [100, 90, 80, 70, 60, 50]}, *cards("7D")), ready=TABLE_READY),
    Scene("review", Setup.PAST, "review?game=1", ready="#accuracy-title"),
    Scene("history", Setup.PAST, "history"),
    Scene("game", Setup.PAST, "history/1"),
    Scene("game-of-six", Setup.PAST, "history/3"),
    Scene("profile", Setup.PAST, "player?name=Ann"),
    Scene("head-to-head", Setup.PAST, "head-to-head?one=Ann&other=Ben"),
    Scene("scorecards", Setup.PAST, "scorecards"),
    Scene("score-breakdown", Setup.PAST, "score-breakdown"),
    Scene("deals", Setup.PAST, "deals/current"),
    Scene("advice", Setup.PAST, "advice?cards=3C+3D+4S+4H+5C+9D"),
    Scene("coach", Setup.PAST, "coach?exercise=7", ready="#hand .card"),
    Scene("coach-hint", Setup.PAST, "coach?exercise=7", ready="#hand .card", act=click("#hint", "#hint")),
    Scene("coach-play", Setup.PAST, "coach/play?exercise=3"),
    Scene("coach-discard", Setup.PAST, "coach/discard?exercise=3"),
    Scene("coach-discarded", Setup.PAST, "coach/discard?exercise=3&card=TD&card=JC"),
    Scene("settings", Setup.PAST, "settings"),
    Scene("device", Setup.PAST, "device", ready="#parts .is-ok"),
    Scene("phones", Setup.PAST, "phones"),
    Scene("backups", Setup.PAST, "backups"),
    Scene("big", Setup.PAST, "big", ready="#big-scores:not(:empty)"),
    Scene("help", Setup.PAST, "help"),
    setup_scene("language", Step.LANGUAGE),
    setup_scene("names", Step.NAMES),
    setup_scene("board", Step.BOARD),
    setup_scene("sensors", Step.SENSORS, try_holes),
    setup_scene(
        "lights",
        Step.LIGHTS,
        at_step(Step.LIGHTS, answer=[{"question": Question.RED.value, "is_ok": True}]),
    ),
    setup_scene("keys", Step.KEYS, press_keys),
    setup_scene("sound", Step.SOUND),
    setup_scene("phone", Step.PHONE),
    setup_scene("broker", Step.BROKER),
    setup_scene("game", Step.GAME),
    Scene("trust", Setup.HTTPS, "trust"),
    Scene("watcher", Setup.PAST, ready=TABLE_READY, is_stranger=True),
    Scene("403", Setup.PAST, "settings", is_stranger=True),
    Scene("404", Setup.PAST, "no-such-page"),
    Scene("500", Setup.PAST, "help?fail"),
    Scene("offline", Setup.PAST, ready=TABLE_READY, act=go_offline),
)


class SceneRunner(Struct):
    """Chromium and one program for each setup, started when a scene first needs it."""

    browser: Browser
    folder: Path
    environ: dict[str, str] = field(default_factory=dict)
    """Variables for `launcher`."""
    _programs: dict[Setup, Program] = field(default_factory=dict)

    def program(self, setup: Setup) -> Program:
        """The program of a setup."""
        if setup not in self._programs:
            home = self.folder / setup
            home.mkdir(parents=True)
            lan = {"CRIBBOARD_NAMES_ON_LAN": f'["{LAN_NAME}"]', "XDG_CONFIG_HOME": str(home)}
            https = {"CRIBBOARD_HTTPS": "true"} if setup is Setup.HTTPS else {}
            program = Program(home, {**lan, **https, **self.environ}, "tests.web_panel.launcher")
            self._programs[setup] = program
            if setup is Setup.PAST:
                play_past_games(program.address)
        return self._programs[setup]

    def prepare(self, scene: Scene) -> None:
        """Bring the scene's program to its state."""
        scene.prepare(self.program(scene.setup).address)

    @contextmanager
    def opened(
        self, scene: Scene, language: str = "en", size: str = "1280x800", *, style: str = "", **options: Any
    ) -> Iterator[Page]:
        """The scene on a page of its own, with reduced motion. Call `prepare` before.

        `style` is CSS that is added to the page, `options` are those of `new_context`.
        """
        usual = {"viewport": SIZES[size], "reduced_motion": "reduce", "timezone_id": "UTC", "bypass_csp": bool(style)}
        context = self.browser.new_context(**{**usual, **options})
        if style:
            context.route("**/styles/*.css", lambda route: append_style(route, style))
        try:
            yield self._open(context, scene, language)
        finally:
            context.set_offline(False)
            close_context(context)

    def _open(self, context: BrowserContext, scene: Scene, language: str) -> Page:
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        address = self.program(scene.setup).address
        if scene.is_stranger:
            address = address.replace("127.0.0.1", LAN_NAME)
        page.goto(f"{address}{scene.path}{'&' if '?' in scene.path else '?'}lang={language}")
        page.locator(scene.ready).first.wait_for()
        scene.act(page)
        settle(page)
        return page

    def close(self) -> None:
        """End all programs."""
        for program in self._programs.values():
            program.switch_off()


def append_style(route: Route, style: str) -> None:
    """Answer the request for a style sheet with that sheet and more CSS."""
    answer = route.fetch()
    route.fulfill(response=answer, body=f"{answer.text()}\n{style}")


def settle(page: Page) -> None:
    """Wait until a page has drawn itself after a change."""
    page.wait_for_timeout(SETTLE_MS)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


@contextmanager
def scene_runner(folder: Path, environ: Mapping[str, str], browser: Browser | None = None) -> Iterator[SceneRunner]:
    """A browser, and the programs until the block ends.

    `folder` gets the files of the programs, `environ` are variables for `launcher`. A `browser` that is given must know
    LAN_NAME, as that of `new_browser`; it stays open.
    """
    with ExitStack() as opened:
        runner = SceneRunner(browser or opened.enter_context(contextmanager(new_browser)()), folder, dict(environ))
        opened.callback(runner.close)
        yield runner


def scenes_named(names: Sequence[str]) -> tuple[Scene, ...]:
    """The scenes with these names; all for none. Raises ValueError for an unknown one."""
    if unknown := set(names) - {scene.name for scene in SCENES}:
        known = ", ".join(scene.name for scene in SCENES)
        raise ValueError(f"scene: expected one of {known}, got {', '.join(sorted(unknown))}")
    return tuple(scene for scene in SCENES if not names or scene.name in names)
