"""Accessibility: axe-core finds no serious violation on any page, in any language, light or dark."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page

from firmware_host.club.events import ResultUnmatched, Unmatched
from firmware_host.club.phones import join_phone
from firmware_host.club.seating import set_join_code
from firmware_host.config.languages import LANGUAGES
from firmware_host.ui.wizard_commands import Step
from tests.web_panel.alone import NEARLY_OVER, is_over, play_alone
from tests.web_panel.browsing import Program, close_page, needs_browser
from tests.web_panel.club_rig import ClubRig, begin, begin_playoffs, dispute, log_in, play_rounds, serving
from tests.web_panel.phones import typed
from tests.web_panel.pictures import look, post
from web_panel.club.access import hash_of
from web_panel.club.players import PHONE_COOKIE

AXE = "axe-core@4.10.3"
NPM = shutil.which("npm")
GAME = {"variant": "six_card", "names": ["Ann", "Ben"], "board": "classic-61", "dealer": 0}
SERIOUS = {"serious", "critical"}

pytestmark = [
    *needs_browser,
    pytest.mark.slow,
    pytest.mark.skipif(
        NPM is None, reason=f"NOT TESTED FOR ACCESSIBILITY: no npm to fetch {AXE}. Fix: apt install npm"
    ),
]

Scheme = Literal["light", "dark"]
LOOKS: list[tuple[str, Scheme]] = [*((language, "light") for language in LANGUAGES), ("en", "dark")]
"""Contrasts differ between the schemes, names and labels between the languages: the other combinations add nothing."""
in_each_look = pytest.mark.parametrize(("language", "scheme"), LOOKS)


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The script of axe-core, downloaded for the test."""
    folder: Path = tmp_path_factory.mktemp("axe")
    fetch = [str(NPM), "install", "--silent", "--no-save", "--ignore-scripts", "--prefix", str(folder), AXE]
    subprocess.run(fetch, check=True, timeout=120)
    return (folder / "node_modules" / "axe-core" / "axe.min.js").read_text()


@pytest.fixture(scope="module")
def played(program: Program) -> Program:
    """A finished game for the history, one that was played alone with dealt cards, and one in the show."""
    play_alone(program.address, is_over, **NEARLY_OVER)
    post(program.address, "commands/new-game", GAME | {"scores": [120, 85]})
    post(program.address, "commands/correct", {"side": 0, "score": 121, "reason": "home"})
    post(program.address, "commands/new-game", GAME | {"options": {"muggins_mode": "claim"}})
    post(program.address, "commands/starter", {"card": "5H"})
    post(program.address, "commands/play", {"card": "7D"})
    post(program.address, "commands/show", {})
    post(program.address, "commands/count", {"cards": ["7D", "8S", "8H", "9C"]})
    return program


def violations(page: Page, axe: str) -> list[str]:
    page.evaluate(f"() => {{ {axe} }}")
    found: list[dict[str, Any]] = page.evaluate("axe.run().then((result) => result.violations)")
    return [
        f"{each['id']} ({each['impact']}): {node['html']}"
        for each in found
        for node in each["nodes"]
        if each["impact"] in SERIOUS
    ]


PATHS = [
    *("", "big", "history", "history/1", "player?name=Ann", "head-to-head?one=Ann&other=Ben", "scorecards", "review"),
    *("score-breakdown", "advice?cards=3C+3D+4S+4H+5C+9D", "settings", "device", "phones", "backups", "new-game"),
    *("help", "no-such-page", "review?game=1", "history/2", "deals/current", "deals/1"),
]


@in_each_look
@pytest.mark.parametrize("path", PATHS)
def test_no_page_has_a_serious_violation(
    browser: Browser, played: Program, axe: str, path: str, language: str, scheme: Scheme
) -> None:
    page = browser.new_page(color_scheme=scheme, reduced_motion="reduce", bypass_csp=True)
    page.goto(f"{played.address}{path}{'&' if '?' in path else '?'}lang={language}")
    if path:
        page.evaluate("for (const each of document.querySelectorAll('main details')) each.open = true")
    if not path:
        page.locator(".peg").first.wait_for()
        page.locator("#card-input .input-title:has-text(' ')").wait_for()
    assert violations(page, axe) == []
    close_page(page)


@pytest.mark.parametrize("opens", ["#open-log", '[data-command="correct"]', '[data-command="skip"]'])
def test_no_dialog_has_a_serious_violation(browser: Browser, played: Program, axe: str, opens: str) -> None:
    page = browser.new_page(reduced_motion="reduce", bypass_csp=True)
    page.goto(f"{played.address}?lang=en")
    page.locator("#card-input .input-title:has-text(' ')").wait_for()
    page.locator("#more").click()
    assert violations(page, axe) == []
    page.locator(opens).click()
    page.locator("dialog[open]:not(#menu)").wait_for()
    for summary in page.locator("dialog[open] summary").all():
        summary.click()
    assert violations(page, axe) == []
    close_page(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_lane_has_no_serious_violation(browser: Browser, played: Program, axe: str, scheme: Scheme) -> None:
    page = browser.new_page(
        viewport={"width": 390, "height": 844}, color_scheme=scheme, reduced_motion="reduce", bypass_csp=True
    )
    post(played.address, "commands/new-game", GAME)
    post(played.address, "commands/starter", {"card": "JH"})  # two for his heels: a hole is lit
    page.goto(f"{played.address}?lang=en")
    page.locator(".lane .lit").first.wait_for()
    assert violations(page, axe) == []
    close_page(page)


@in_each_look
def test_the_hand_has_no_serious_violation(
    browser: Browser, program: Program, axe: str, language: str, scheme: Scheme
) -> None:
    post(program.address, "commands/new-game", GAME)
    page = browser.new_page(color_scheme=scheme, reduced_motion="reduce", bypass_csp=True)
    page.goto(f"{program.address}?lang={language}")
    page.locator("#more").click()
    page.locator(".pair-button").click()
    page.locator("#pairing-dialog[open]").wait_for()
    assert violations(page, axe) == []
    page.locator("#pairing-dialog [name=name]").fill("Ben")
    page.locator("#pairing-dialog [type=submit]").click()
    page.locator(".own-hand").wait_for()
    typed(page, "246TQA")
    page.locator('[data-action="advice"]').click()
    page.locator(".advice button").first.click()
    assert violations(page, axe) == []
    page.locator("#more").click()
    assert violations(page, axe) == []
    page.locator(".unpair").click()
    page.locator("#detail").wait_for()
    close_page(page)


@in_each_look
def test_the_first_screen_and_recorded_games_have_no_serious_violation(
    browser: Browser, tmp_path: Path, axe: str, language: str, scheme: Scheme
) -> None:
    program = Program(tmp_path)
    page = browser.new_page(color_scheme=scheme, reduced_motion="reduce", bypass_csp=True)
    page.goto(f"{program.address}?lang={language}")
    page.locator("#start").wait_for()
    assert violations(page, axe) == []
    page.locator("#watch").click()
    page.locator("[data-playback] .peg").first.wait_for()
    assert violations(page, axe) == []
    page.keyboard.press("Escape")
    post(program.address, "commands/new-game", GAME | {"scores": [120, 85]})
    post(program.address, "commands/correct", {"side": 0, "score": 121, "reason": "home"})
    page.locator("#replay").click()
    page.locator("#playback input").wait_for()
    assert violations(page, axe) == []
    close_page(page)
    program.switch_off()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_step_of_the_set_up_has_a_serious_violation(
    browser: Browser, program: Program, axe: str, scheme: Scheme
) -> None:
    page = browser.new_page(color_scheme=scheme, reduced_motion="reduce", bypass_csp=True)
    page.goto(f"{program.address}setup?lang=pl")
    page.locator("#primary.primary").wait_for()
    assert violations(page, axe) == []
    for step in Step:
        post(program.address, "setup/open", {})
        post(program.address, "setup/step", {"step": step.value})
        page.locator(f'[data-step="{step.value}"]').wait_for()
        for summary in page.locator("#setup summary:visible").all():
            summary.click()
        assert violations(page, axe) == [], step
    post(program.address, "setup/close", {})
    close_page(page)


SITUATIONS: dict[str, list[tuple[str, dict[str, object]]]] = {
    "who deals": [("new-game", GAME | {"dealer": None})],
    "a suit": [("new-game", GAME)],
    "points": [("new-game", GAME), ("starter", {"card": "JH"})],
    "the end": [
        ("new-game", GAME | {"scores": [120, 85]}),
        ("correct", {"side": 0, "score": 121, "reason": "home"}),
    ],
}
"""What the main page shows -> the commands that lead to it."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("situation", list(SITUATIONS))
@pytest.mark.parametrize("width", [390, 1280])
def test_no_situation_has_a_serious_violation(
    browser: Browser, program: Program, axe: str, situation: str, scheme: Scheme, width: int
) -> None:
    for command, body in SITUATIONS[situation]:
        post(program.address, f"commands/{command}", body)
    page = browser.new_page(
        viewport={"width": width, "height": 800}, color_scheme=scheme, reduced_motion="reduce", bypass_csp=True
    )
    page.goto(f"{program.address}?lang=en")
    page.locator(".peg:visible, #ending .race svg").first.wait_for()
    page.locator("#primary .label:has-text(' ')").wait_for()
    if situation == "a suit":
        page.keyboard.press("5")
        page.locator("[data-suit]").first.wait_for()
    assert violations(page, axe) == []
    close_page(page)


def test_an_error_has_no_serious_violation(browser: Browser, program: Program, axe: str) -> None:
    post(program.address, "commands/new-game", GAME | {"scores": [8, 0]})
    post(program.address, "pegs/lift", {"sensor": front_peg(program.address)})
    page = browser.new_page(reduced_motion="reduce", bypass_csp=True)
    page.goto(f"{program.address}?lang=en")
    page.locator('#status[data-tone="error"]').wait_for()
    assert violations(page, axe) == []
    close_page(page)


def front_peg(address: str) -> int:
    pegs = look(address)["pegs"]
    return next(int(peg["sensor"]) for peg in pegs if peg["track"] == 0 and peg["position"] == "front")


CLUB_PAGES = ("", "me", "organiser", "members", "nights", "nights/1", "audit", "computer", "play-offs", "papers")


@in_each_look
def test_no_page_of_a_club_has_a_serious_violation(
    browser: Browser, axe: str, tmp_path: Path, language: str, scheme: Scheme
) -> None:
    """With every form open, and a result that does not count."""
    rig = ClubRig(tmp_path)
    begin(rig.file, 14)
    play_rounds(rig.file, 5)
    names = tuple(map(rig.file.club.name, rig.night.rounds[0].games[0].players))
    rig.file.change(lambda _: ResultUnmatched(1, Unmatched.COUNTS_ALREADY, names, (121, 3), "table-1", "ab12", 1))
    with serving(rig) as address:
        page = browser.new_page(viewport={"width": 390, "height": 844}, color_scheme=scheme)
        log_in(page, address, rig)
        for path in CLUB_PAGES:
            page.goto(f"{address}{path}?lang={language}")
            page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
            assert violations(page, axe) == [], path
        close_page(page)


@in_each_look
def test_a_dispute_in_play_offs_has_no_serious_violation(
    browser: Browser, axe: str, tmp_path: Path, language: str, scheme: Scheme
) -> None:
    """On the pages of the organiser, of the room and of a player, with every form open."""
    rig = ClubRig(tmp_path)
    begin_playoffs(rig.file)
    game = dispute(rig.file, rig.night.match_games_at(1)[0])
    name = rig.file.club.name(game.players.first)
    rig.file.change(lambda club: set_join_code(club.nights[-1], "314159"))
    rig.file.change(lambda club: join_phone(club, name, "314159", hash_of("token")))
    with serving(rig) as address:
        page = browser.new_page(viewport={"width": 390, "height": 844}, color_scheme=scheme)
        log_in(page, address, rig)
        page.context.add_cookies([{"name": PHONE_COOKIE, "value": "token", "url": address}])
        for path in ("", "me", "organiser", "play-offs", "papers/play-offs"):
            page.goto(f"{address}{path}?lang={language}")
            page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
            assert violations(page, axe) == [], path
            assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
        close_page(page)
