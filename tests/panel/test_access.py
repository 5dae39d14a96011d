"""Pages for everybody: axe-core finds nothing serious on any page, in any language, by day and by night."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page

from firmware_host.languages import LANGUAGES
from tests.panel.browsing import Program, needs_browser
from tests.panel.phones import typed
from tests.panel.pictures import post

AXE = "axe-core@4.10.3"
NPM = shutil.which("npm")
GAME = {"variant": "six_card", "names": ["Ann", "Ben"], "board": "classic-61", "dealer": 0}
GRAVE = {"serious", "critical"}

pytestmark = [
    *needs_browser,
    pytest.mark.slow,
    pytest.mark.skipif(NPM is None, reason=f"NOT TESTED FOR ACCESS: no npm to fetch {AXE}. Mend: apt install npm"),
]

Scheme = Literal["light", "dark"]


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The checker's own script. It is fetched for the test and never kept."""
    folder: Path = tmp_path_factory.mktemp("axe")
    fetch = [str(NPM), "install", "--silent", "--no-save", "--ignore-scripts", "--prefix", str(folder), AXE]
    subprocess.run(fetch, check=True, timeout=120)
    return (folder / "node_modules" / "axe-core" / "axe.min.js").read_text()


@pytest.fixture(scope="module")
def played(program: Program) -> Program:
    """A finished game for the history, and one that is being shown."""
    post(program.address, "orders/new-game", GAME | {"scores": [120, 85]})
    post(program.address, "orders/correct", {"side": 0, "score": 121, "reason": "home"})
    post(program.address, "orders/new-game", GAME | {"options": {"muggins_mode": "claim"}})
    post(program.address, "orders/starter", {"card": "5H"})
    post(program.address, "orders/play", {"card": "7D"})
    post(program.address, "orders/show", {})
    post(program.address, "orders/count", {"cards": ["7D", "8S", "8H", "9C"]})
    return program


def complaints(page: Page, axe: str) -> list[str]:
    page.evaluate(f"() => {{ {axe} }}")
    found: list[dict[str, Any]] = page.evaluate("axe.run().then((told) => told.violations)")
    return [
        f"{each['id']} ({each['impact']}): {node['html']}"
        for each in found
        for node in each["nodes"]
        if each["impact"] in GRAVE
    ]


PATHS = ["", "big", "history", "card", "why", "advice", "settings", "device", "phones"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", PATHS)
def test_nothing_serious_is_in_anybodys_way(
    browser: Browser, played: Program, axe: str, path: str, language: str, scheme: Scheme
) -> None:
    page = browser.new_page(color_scheme=scheme, reduced_motion="reduce", bypass_csp=True)
    page.goto(f"{played.address}{path}?lang={language}")
    if not path:
        page.locator(".peg").first.wait_for()
        page.locator("#typing .asked:has-text(' ')").wait_for()
        page.locator("#course summary").click()
        page.locator("#course svg").wait_for()
    assert complaints(page, axe) == []
    page.close()


@pytest.mark.parametrize("opens", ["#new-game", "#ask-help", ".more button:last-child"])
def test_no_dialog_is_in_anybodys_way(browser: Browser, played: Program, axe: str, opens: str) -> None:
    page = browser.new_page(reduced_motion="reduce", bypass_csp=True)
    page.goto(f"{played.address}?lang=en")
    page.locator("#typing .asked:has-text(' ')").wait_for()
    page.locator(opens).click()
    page.locator("dialog[open]").wait_for()
    for summary in page.locator("dialog[open] summary").all():
        summary.click()
    assert complaints(page, axe) == []
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_hand_is_in_anybodys_way(
    browser: Browser, program: Program, axe: str, language: str, scheme: Scheme
) -> None:
    post(program.address, "orders/new-game", GAME)
    page = browser.new_page(color_scheme=scheme, reduced_motion="reduce", bypass_csp=True)
    page.goto(f"{program.address}?lang={language}")
    page.locator(".come-in").click()
    page.locator("#door[open]").wait_for()
    assert complaints(page, axe) == []
    page.locator("#door [name=name]").fill("Ben")
    page.locator("#door [type=submit]").click()
    page.locator('[data-seat="1"]').click()
    page.locator(".mine").wait_for()
    typed(page, "246TQA")
    page.locator('[data-does="advice"]').click()
    page.locator(".advice button").first.click()
    page.locator(".leaving summary").click()
    assert complaints(page, axe) == []
    page.locator(".forget").click()
    page.locator(".come-in").wait_for()
    page.close()


@pytest.fixture
def untouched(tmp_path: Path) -> Iterator[Program]:
    """A board on which nobody has played yet."""
    program = Program(tmp_path)
    yield program
    program.switch_off()


def test_the_first_question_is_in_nobodys_way(browser: Browser, untouched: Program, axe: str) -> None:
    page = browser.new_page(reduced_motion="reduce", bypass_csp=True)
    page.goto(untouched.address)
    page.locator("#welcome").wait_for()
    assert complaints(page, axe) == []
    page.get_by_role("button", name="Start", exact=True).click()
    page.get_by_role("button", name="Red deals").wait_for()
    page.close()
