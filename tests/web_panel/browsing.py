"""Fixtures for tests in a real browser with the real program, and a page that fails the test on script errors."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import TypeVar

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from tests.free_port import free_port

ROOT = Path(__file__).parents[2]
CHROMIUM = Path("/usr/bin/chromium")
PATIENCE_MS = 60_000
"""Timeout for a page to show what is expected. It is long, because the machine may be busy."""
expect.set_options(timeout=PATIENCE_MS)
POLL_S = 0.05
PAUSE_S = 0.5
"""As long as a person takes to see a change: what is pressed sooner counts for the state before, or not at all."""

SETTLING_TRIES = 5
HANGS_AFTER_S = 300
"""A test in a browser that takes longer than this hangs."""

QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]

Test = TypeVar("Test", bound=Callable[..., None])

needs_browser = [
    pytest.mark.browser,
    pytest.mark.timeout(HANGS_AFTER_S),
    pytest.mark.skipif(
        not CHROMIUM.exists(), reason=f"NOT TESTED IN A BROWSER: no {CHROMIUM}. Fix: apt install chromium"
    ),
]


def in_chromium(test: Test) -> Test:
    """Mark one slow test that drives a browser, in a file that has other tests too."""
    for mark in (*needs_browser, pytest.mark.slow):
        test = mark(test)
    return test


class Program:
    """`cribboard run` with a journal of its own. It can be killed and started again."""

    def __init__(
        self, state_folder: Path, environ: Mapping[str, str] | None = None, module: str = "firmware_host"
    ) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}/"
        self._state_folder, self._module = state_folder, module
        self._environ = {**os.environ, **(environ or {})}
        self.switch_on()

    def switch_on(self) -> None:
        command = [sys.executable, "-m", self._module, "run", "--port", str(self.port)]
        command += ["--state-folder", str(self._state_folder)]
        self._process = subprocess.Popen(command, cwd=ROOT, env=self._environ, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout and self.address in self._process.stdout.readline()

    @property
    def memory_mib(self) -> float:
        """Resident memory of the process."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    @property
    def open_files(self) -> int:
        """The number of open files and sockets of the process."""
        return len(os.listdir(f"/proc/{self._process.pid}/fd"))

    def switch_off(self) -> None:
        self._process.kill()  # as in a power cut
        self._process.communicate()


@contextmanager
def running(state_folder: Path, environ: Mapping[str, str] | None = None) -> Iterator[Program]:
    """The program until the block ends, also where that fails: a process left over would keep a script from ending."""
    program = Program(state_folder, environ)
    try:
        yield program
    finally:
        program.switch_off()


def close_page(page: Page) -> None:
    """Close a page, and its context if that was made for it.

    Chromium drops a request to close that comes while a navigation commits (crbug.com/536385539), and Playwright then
    waits for ever. So the page goes to an empty one first.
    """
    _settle(page)
    page.close()


def close_context(context: BrowserContext) -> None:
    """Close a context and all its pages, as `close_page` does."""
    for page in context.pages:
        _settle(page)
    context.close()


def _settle(page: Page) -> None:
    """Go to an empty page. A navigation of the page's own may interrupt that, so more than once."""
    for _ in range(SETTLING_TRIES):
        try:
            page.goto("about:blank")
        except PlaywrightError:
            continue
        return


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    program = Program(tmp_path_factory.mktemp("state"))
    yield program
    program.switch_off()


@pytest.fixture
def page(browser: Browser, program: Program) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    page.set_default_timeout(PATIENCE_MS)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda entry: errors.append(entry.text) if "Content Security" in entry.text else None)
    page.goto(program.address)
    yield page
    close_page(page)
    assert not errors


def until(is_so: Callable[[], object]) -> None:
    """Wait until the callable is true."""
    ends_s = monotonic() + PATIENCE_MS / 1000
    while not is_so():
        assert monotonic() < ends_s, "timed out"
        sleep(POLL_S)


@contextmanager
def next_turn(page: Page) -> Iterator[None]:
    """Do something that takes a turn, and wait until the log shows the turn."""
    latest = page.locator("#log li").first
    before = latest.get_attribute("value")
    yield
    expect(latest).not_to_have_attribute("value", str(before))


def open_menu(page: Page) -> Locator:
    """Open the menu "More" of the main page."""
    page.locator("#more").click()
    menu = page.locator("#menu")
    expect(menu).to_be_visible()
    return menu


def choose(page: Page, name: str) -> None:
    """Choose an item of the menu "More". One that costs something is confirmed."""
    read(page)
    open_menu(page).get_by_role("button", name=name, exact=True).click()
    expect(page.locator("#menu")).to_be_hidden()
    if page.locator("#confirm-dialog").is_visible():
        page.locator("#confirm-dialog").get_by_role("button", name=name, exact=True).click()


def read(page: Page) -> None:
    """Look at the page as long as a person does before he acts on what it shows."""
    page.wait_for_timeout(1000 * PAUSE_S)


def middle(thing: Locator) -> tuple[float, float]:
    box = thing.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, peg: Locator, to: tuple[float, float]) -> None:
    page.mouse.move(*middle(peg.locator(".head")))
    page.mouse.down()
    page.mouse.move(*to, steps=6)
    page.mouse.up()
