"""The set-up wizard in a real browser: the whole way with simulated pegs, two browsers, a restart, and its layout."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from board_drivers.ports import KEY_ROWS
from firmware_host.board.plan import PlannedHole
from firmware_host.club_server.broker import settings_for_board
from firmware_host.config.board_plans import load_plan
from firmware_host.config.languages import LANGUAGES
from firmware_host.https.signing import new_authority
from firmware_host.ui.wizard.wizard import in_playing_order
from firmware_host.ui.wizard_commands import Step
from tests.web_panel.browsing import PAUSE_S, Program, close_page, middle, needs_browser
from tests.web_panel.pictures import post

pytestmark = [*needs_browser, pytest.mark.slow]

HOLES = in_playing_order(load_plan("classic-61"))
PAUSE_MS = 1000 * PAUSE_S
WIDTHS = (320, 360, 390, 768, 1280, 1920)

CLIPPED = """() => [...document.querySelectorAll("#setup :is(h1, p, a, button, label, dt, dd, .label)")]
  .filter((each) => each.checkVisibility() && !each.closest(".visually-hidden, details"))
  .filter((each) => each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).display !== "inline")
  .map((each) => each.outerHTML.slice(0, 120))"""
SMALL = """() => [...document.querySelectorAll("#setup :is(a, button, input, summary)")]
  .filter((each) => each.checkVisibility() && !each.closest("dd"))
  .map((each) => each.type === "checkbox" ? each.closest("label") : each)
  .filter((each) => each.getBoundingClientRect().height < 43.5).map((each) => each.outerHTML.slice(0, 120))"""


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    """With a settings file and a state folder of its own."""
    program = Program(tmp_path / "state", {"XDG_CONFIG_HOME": str(tmp_path / "config")})
    yield program
    program.switch_off()


@pytest.fixture
def plain_page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(reduced_motion="reduce")
    yield page
    close_page(page)


def touch(program: Program, hole: PlannedHole, *, is_occupied: bool = False) -> None:
    """A peg comes, or one that stands there goes."""
    post(program.address, f"pegs/{'lift' if is_occupied else 'place'}", {"sensor": hole.sensor})


def go_to(program: Program, step: Step) -> None:
    post(program.address, "setup/step", {"step": step.value})


def expect_step(page: Page, step: str) -> None:
    expect(page.locator("body")).to_have_attribute("data-step", step)


def press(page: Page, name: str) -> None:
    button = page.get_by_role("button", name=name, exact=True)
    button.wait_for()
    page.wait_for_timeout(PAUSE_MS)
    button.click()


def test_the_whole_wizard_from_the_language_to_the_first_game(page: Page, program: Program, tmp_path: Path) -> None:
    page.goto(f"{program.address}device?lang=en")
    page.get_by_role("link", name="Set up the board, step by step").click()
    press(page, "Start the set-up")
    expect(page.locator("#setup-progress")).to_have_text("Set-up: step 1 of 10")
    page.get_by_role("link", name="Polski").click()
    press(page, "Dalej po polsku")
    expect_step(page, "names")
    expect(page.get_by_label("Gracz 2")).to_have_value("Niebieski")
    page.goto(f"{program.address}setup?lang=en")
    page.get_by_label("Player 1").fill("Ann")
    page.get_by_label("Player 2").fill("ann")
    page.wait_for_timeout(PAUSE_MS)
    page.get_by_label("Player 2").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Two players are called ann.")
    page.get_by_label("Player 2").fill("Ben")
    page.wait_for_timeout(PAUSE_MS)
    page.get_by_label("Player 2").press("Enter")
    expect_step(page, "board")
    settings = (tmp_path / "config" / "cribboard" / "cribboard.toml").read_text()
    assert 'language = "pl"' in settings and 'names = ["Ann", "Ben"]' in settings
    expect(page.locator("#parts .is-ok")).to_have_count(4)
    press(page, "Go on")

    expect(page.locator("h1")).to_have_text("Put a peg in the lit hole: red, back start hole.")
    lit, well = page.locator("#map .mark.lit"), page.locator(f'#map [data-sensor="{HOLES[0].sensor}"] .well')
    assert middle(lit) == pytest.approx(middle(well), abs=1)
    press(page, "Put the peg there")
    expect(page.locator("h1")).to_have_text("Put a peg in the lit hole: red, start hole.")
    press(page, "It does not answer")
    expect(page.locator("#map .mark.stuck_hole")).to_have_count(1)
    for hole in HOLES[2:-1]:
        touch(program, hole, is_occupied=hole.hole <= 0)
        page.wait_for_timeout(40)  # several scans: a person touches one hole after the other
    expect(page.locator("#detail")).to_have_text("Holes tried: 124 of 125")
    touch(program, HOLES[-1])

    for colour in ("red", "green", "blue"):
        expect(page.locator("h1")).to_have_text(f"Do all lights shine {colour}?")
        press(page, f"I see {colour}")
    expect_step(page, "keys")
    for key in [key for row in KEY_ROWS for key in row]:
        page.locator(f'#keys [data-legend="{key.legend}"]').click()
    expect(page.locator("h1")).to_have_text("Do you hear the board?")
    press(page, "I hear it")
    expect(page.locator("h1")).to_have_text("Do you hear this phone or computer?")
    press(page, "I hear it")
    expect(page.locator("h1")).to_contain_text("Phones cannot reach this board yet")
    press(page, "Go on")
    expect_step(page, "broker")
    press(page, "Skip")
    expect(page.locator("#detail")).to_have_text("Ann and Ben, to 121 points.")
    press(page, "Start the first game")
    expect(page.locator(".side .name")).to_have_text(["Ann", "Ben"])
    page.goto(f"{program.address}device?lang=en")
    expect(page.locator("#hole-faults")).to_contain_text("always shows a peg")


def test_a_broker_is_named_in_the_wizard(page: Page, program: Program, tmp_path: Path) -> None:
    post(program.address, "setup/open", {})
    go_to(program, Step.BROKER)
    page.goto(f"{program.address}setup?lang=en")
    page.get_by_label("MQTT broker").last.fill("organiser.local")
    page.get_by_label("Port of the broker").fill("8883")
    page.get_by_label("Encrypted connection (TLS)").check()
    page.get_by_label("Send finished games").check()
    press(page, "Save the broker")
    expect_step(page, "game")
    settings = (tmp_path / "config" / "cribboard" / "cribboard.toml").read_text()
    saved = {name: value for name, value in tomllib.loads(settings).items() if name.startswith("mqtt_")}
    assert saved == {"mqtt_host": "organiser.local", "mqtt_port": 8883, "mqtt_tls": True, "mqtt_results": True}
    go_to(program, Step.BROKER)
    page.goto(f"{program.address}setup?lang=en")
    page.get_by_label("MQTT broker").last.fill("not a host")
    press(page, "Save the broker")
    expect(page.get_by_role("alert")).to_contain_text("A name or address such as broker.local")


def test_a_stick_of_a_club_is_chosen_in_the_wizard(page: Page, program: Program, tmp_path: Path) -> None:
    begins = datetime(2026, 1, 1, tzinfo=UTC)
    certificate = new_authority("a club", begins, begins + timedelta(days=3650)).certificate_pem
    stick = [tmp_path / name for name in ("cribboard.toml", "mqtt-password", "club-ca.pem")]
    stick[0].write_text(settings_for_board("table-3", "organiser.local", 8883, "club-ca.pem"))
    stick[1].write_text("secret\n")
    stick[2].write_bytes(certificate)
    post(program.address, "setup/open", {})
    go_to(program, Step.BROKER)
    page.goto(f"{program.address}setup?lang=en")
    page.get_by_label("The three files of a club’s stick").set_input_files(stick[:2])
    expect(page.get_by_role("alert")).to_contain_text("damaged: club-ca.pem")
    page.get_by_label("The three files of a club’s stick").set_input_files(stick)
    expect_step(page, "game")
    settings = tomllib.loads((tmp_path / "config" / "cribboard" / "cribboard.toml").read_text())
    assert (settings["mqtt_host"], settings["mqtt_board"]) == ("organiser.local", "table-3")
    assert Path(settings["mqtt_password_file"]).read_text() == "secret\n"


def test_two_browsers_show_the_same_step_and_a_restart_keeps_it(page: Page, plain_page: Page, program: Program) -> None:
    post(program.address, "setup/open", {})
    page.goto(f"{program.address}setup?lang=en")
    plain_page.goto(f"{program.address}setup?lang=fr")
    page.get_by_role("button", name="Skip").click()
    for each in (page, plain_page):
        expect_step(each, "names")
    plain_page.get_by_role("button", name="Retour").click()
    expect_step(page, "language")
    go_to(program, Step.KEYS)
    page.locator('#keys [data-legend="7"]').click()
    expect(plain_page.locator("#keys .is-working")).to_have_text(["7"])
    page.wait_for_timeout(2200)  # the wizard saves what was tried at most this often
    program.switch_off()
    program.switch_on()
    for each in (page, plain_page):
        each.reload()
        expect_step(each, "keys")
        expect(each.locator("#keys .is-working")).to_have_text(["7"])
    press(page, "Do it later")
    for each in (page, plain_page):
        expect(each).to_have_url(re.compile(r"/(\?.*)?$"))


def test_the_wizard_is_used_with_the_keyboard_alone(page: Page, program: Program) -> None:
    post(program.address, "setup/open", {})
    go_to(program, Step.LIGHTS)
    page.goto(f"{program.address}setup?lang=en")
    page.locator("#primary").focus()
    for colour in ("red", "green", "blue"):
        expect(page.locator("h1")).to_have_text(f"Do all lights shine {colour}?")
        page.wait_for_timeout(PAUSE_MS)
        expect(page.locator("#primary")).to_be_focused()
        page.keyboard.press("Enter")
    expect_step(page, "keys")
    expect(page.locator("#primary")).to_be_focused()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_step_scrolls_sideways_or_clips_its_texts(plain_page: Page, program: Program, language: str) -> None:
    plain_page.goto(f"{program.address}setup?lang={language}")
    for step in (None, *Step):
        if step is None:
            expect_step(plain_page, "closed")
        else:
            post(program.address, "setup/open", {})
            go_to(program, step)
            expect_step(plain_page, step.value)
        for width in WIDTHS:
            plain_page.set_viewport_size(ViewportSize(width=width, height=640))
            assert plain_page.evaluate("document.documentElement.scrollWidth") <= width, (step, width)
            assert plain_page.evaluate(CLIPPED) == [], (step, width)
            assert plain_page.evaluate(SMALL) == [], (step, width)
