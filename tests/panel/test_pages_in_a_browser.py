"""The pages around the game in a real browser: what a person changes, tries, prints and asks there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import Browser, Page, expect

from tests.panel import icons
from tests.panel.browsing import Program, needs_browser
from tests.panel.pictures import post

pytestmark = needs_browser

GAME = {"variant": "six_card", "names": ["Ann", "Ben"], "board": "classic-61", "dealer": 0}
FILE = "# ours\nmanner = 'polite'  # for the children\n"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home: Path = tmp_path_factory.mktemp("config")
    file = home / "cribboard" / "cribboard.toml"
    file.parent.mkdir()
    file.write_text(FILE)
    return file


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory, file: Path) -> Iterator[Program]:
    """With a settings file of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(file.parents[1]))
        program = Program(tmp_path_factory.mktemp("state"))
    yield program
    program.switch_off()


def open_page(page: Page, program: Program, path: str) -> None:
    page.goto(f"{program.address}{path}")


def test_the_first_game_is_one_press_away_and_the_display_speaks_as_the_page(
    page: Page, program: Program, file: Path
) -> None:
    open_page(page, program, "?lang=pl")
    expect(page.locator("#welcome")).to_be_visible()
    expect(page.locator("#first-game [name=name]")).to_have_count(2)  # named already
    page.locator("#first-game button[type=submit]").click()
    expect(page.locator(".side")).to_have_count(2)
    assert 'language = "pl"' in file.read_text()
    open_page(page, program, "device?lang=en")
    expect(page.locator("#oled")).to_have_attribute("alt", re.compile("kto rozdaje"))


def test_a_setting_is_kept_as_soon_as_it_is_changed(page: Page, program: Program, file: Path) -> None:
    open_page(page, program, "settings?lang=en")
    manner, settles = page.locator('[data-name="manner"]'), page.locator('[data-name="settle_s"]')
    manner.locator("select").select_option("silent")
    expect(manner.locator(".kept")).to_have_text("Kept. It counts from now on.")
    settles.locator("input").fill("99")
    settles.locator("input").press("Enter")
    expect(settles.locator(".refused")).to_contain_text("settle_s: expected a number from 0.05 to 5.0, got 99")
    settles.locator("input").fill("0.5")
    settles.locator("input").press("Tab")
    expect(settles.locator(".kept")).to_have_text("Kept. It counts when the board starts again.")
    expect(settles.locator(".refused")).to_be_hidden()
    assert '# ours\nmanner = "silent"  # for the children\n' in file.read_text()
    manner.get_by_role("button", name="As usual").click()
    expect(manner.locator("select")).to_have_value("teacher")


@pytest.mark.slow
def test_every_light_is_tried_and_every_key_is_seen(page: Page, program: Program) -> None:
    open_page(page, program, "device?lang=en")
    expect(page.locator("#parts .is-well")).to_have_count(4)
    page.get_by_role("button", name="Try every light").click()
    expect(page.locator("#lit")).to_contain_text("Lit now: red")
    expect(page.locator(".is-lit")).to_have_count(1)
    for is_down in (True, False):
        post(program.address, "keys", {"legend": "7", "down": is_down})
    expect(page.locator("#keys .works")).to_have_text(["7"])


def test_cards_typed_for_advice_are_answered(page: Page, program: Program) -> None:
    open_page(page, program, "advice?lang=en")
    page.get_by_label("Your cards as dealt").fill("3C 3D 4S 4H 5C 9D")
    page.get_by_role("button", name="Advice").click()
    expect(page.locator("tbody tr").first).to_contain_text("10–21")


def test_a_score_leads_to_its_reasons(page: Page, program: Program) -> None:
    post(program.address, "orders/new-game", GAME | {"scores": [47, 53]})
    post(program.address, "orders/correct", {"side": 1, "score": 60, "reason": "a slip"})
    open_page(page, program, "?lang=en")
    page.locator(".side .why").nth(1).click()
    expect(page.locator("section:target")).to_contain_text("53 → 60")


@pytest.mark.slow
def test_a_card_fills_a_sheet_of_paper(page: Page, program: Program) -> None:
    post(program.address, "orders/new-game", GAME | {"scores": [120, 85]})
    post(program.address, "orders/correct", {"side": 0, "score": 121, "reason": "home"})
    open_page(page, program, "card?lang=en")
    expect(page.get_by_role("button", name="Print")).to_be_visible()
    page.emulate_media(media="print")
    expect(page.locator("footer")).to_be_hidden()
    expect(page.locator(".signatures").first).to_be_visible()
    assert page.pdf(prefer_css_page_size=True).count(b"/Type /Page\n") == page.locator(".match-card").count()


@pytest.mark.slow
def test_the_manifest_is_read_and_its_icons_are_there(page: Page, program: Program) -> None:
    told = page.context.new_cdp_session(page).send("Page.getAppManifest")
    assert not told["errors"] and '"name": "cribboard"' in told["data"]
    for size_px in icons.SIZES_PX:
        assert page.request.get(f"{program.address}static/icon-{size_px}.png").ok


@pytest.mark.slow
@pytest.mark.parametrize("size_px", icons.SIZES_PX)
def test_the_icons_are_as_the_drawing_has_them(browser: Browser, size_px: int) -> None:
    """Mend: python -m tests.panel.icons"""
    kept = Image.open(icons.STATIC / f"icon-{size_px}.png").convert("RGB")
    difference = ImageStat.Stat(ImageChops.difference(kept, icons.drawn(browser, size_px)))
    assert kept.size == (size_px, size_px) and max(difference.mean) < 2
