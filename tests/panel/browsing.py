"""A real browser before the real program: the program as people start it, and a page that must not complain."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from socket import socket
from time import monotonic, sleep

import pytest
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

ROOT = Path(__file__).parents[2]
CHROMIUM = Path("/usr/bin/chromium")
PATIENCE_MS = 30_000
"""How long a page may take to show what it must: tests wait for what is shown, however slow the machine is today."""
expect.set_options(timeout=PATIENCE_MS)
LOOK_AGAIN_S = 0.05

QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]

needs_browser = [
    pytest.mark.browser,
    pytest.mark.skipif(
        not CHROMIUM.exists(), reason=f"NOT TESTED IN A BROWSER: no {CHROMIUM}. Mend: apt install chromium"
    ),
]


class Program:
    """`cribboard run` as people start it, with a journal of its own. It can be switched off and on again."""

    def __init__(self, state_folder: Path, environ: Mapping[str, str] | None = None) -> None:
        with socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}/"
        self._state_folder, self._environ = state_folder, {**os.environ, **(environ or {})}
        self.switch_on()

    def switch_on(self) -> None:
        command = [sys.executable, "-m", "firmware_host", "run", "--port", str(self.port)]
        command += ["--state-folder", str(self._state_folder)]
        self._process = subprocess.Popen(command, cwd=ROOT, env=self._environ, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout and self.address in self._process.stdout.readline()

    @property
    def memory_mib(self) -> float:
        """What of it lies in memory now."""
        told = Path(f"/proc/{self._process.pid}/status").read_text()
        return int(told.partition("VmRSS:")[2].split()[0]) / 1024

    def switch_off(self) -> None:
        self._process.kill()  # as when somebody pulls the plug
        self._process.communicate()


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
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if "Content Security" in said.text else None)
    page.goto(program.address)
    yield page
    page.close()
    assert not complaints


def until(is_so: Callable[[], object]) -> None:
    """Wait for what the program tells when it is asked."""
    ends_s = monotonic() + PATIENCE_MS / 1000
    while not is_so():
        assert monotonic() < ends_s, "waited in vain"
        sleep(LOOK_AGAIN_S)


@contextmanager
def told_next(page: Page) -> Iterator[None]:
    """Do what takes a turn; it is over when the page tells of it."""
    latest = page.locator("#log li").first
    before = latest.get_attribute("value")
    yield
    expect(latest).not_to_have_attribute("value", str(before))


def middle(thing: Locator) -> tuple[float, float]:
    box = thing.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, peg: Locator, to: tuple[float, float]) -> None:
    page.mouse.move(*middle(peg.locator(".head")))
    page.mouse.down()
    page.mouse.move(*to, steps=6)
    page.mouse.up()
