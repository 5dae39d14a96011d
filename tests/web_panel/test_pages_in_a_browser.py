"""The other pages in a real browser: settings, device, advice, scorecards, icons."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import Browser, Page, expect

from tests.web_panel import icons
from tests.web_panel.browsing import Program, needs_browser, until
from tests.web_panel.pictures import post

pytestmark = [*needs_browser, pytest.mark.slow]

GAME = {"variant": "six_card", "names": ["Ann", "Ben"], "board": "classic-61", "dealer": 0}
FILE = "# ours\nreferee_mode = 'polite'  # for the children\n"


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


def test_the_first_game_starts_with_one_press_and_sets_the_display_language(
    page: Page, program: Program, file: Path
) -> None:
    open_page(page, program, "?lang=pl")
    expect(page.locator("#welcome")).to_be_visible()
    page.locator("#start").click()
    expect(page.locator(".side")).to_have_count(2)
    assert 'language = "pl"' in file.read_text()
    open_page(page, program, "device?lang=en")
    expect(page.locator("#oled")).to_have_attribute("alt", re.compile("Kto rozdaje pierwszy"))


def test_a_setting_is_saved_as_soon_as_it_is_changed(page: Page, program: Program, file: Path) -> None:
    open_page(page, program, "settings?lang=en")
    referee_mode, settles = page.locator('[data-name="referee_mode"]'), page.locator('[data-name="settle_s"]')
    referee_mode.get_by_label("When asked").check()
    expect(referee_mode.locator(".saved")).to_have_text("Saved.")
    settles.locator("input").fill("99")
    settles.locator("input").press("Enter")
    expect(settles.locator(".error")).to_have_text("From 0.05 to 5. It is still 0.3.")
    expect(settles.locator("input")).to_have_attribute("aria-invalid", "true")
    settles.locator("input").fill("0,5")
    settles.locator("input").press("Tab")
    expect(settles.locator(".saved")).to_have_text("Saved. Restart the board to apply.")
    expect(settles.locator(".error")).to_be_hidden()
    expect(page.locator("#restart")).to_be_visible()
    assert '# ours\nreferee_mode = "silent"  # for the children\n' in file.read_text()
    referee_mode.get_by_role("button", name="Reset to default").click()
    expect(referee_mode.locator("[value=teacher]")).to_be_checked()
    until(lambda: "silent" not in file.read_text())


def test_settings_are_found_by_a_word(page: Page, program: Program) -> None:
    open_page(page, program, "settings?lang=pl")
    page.get_by_placeholder("Szukaj ustawienia").fill("dźwięki")
    expect(page.locator(".setting:visible")).to_have_count(1)
    expect(page.locator(".setting:visible .label")).to_have_text("Dźwięki")
    page.locator("#search").fill("zzz")
    expect(page.locator("#found")).to_have_text("Nic nie znaleziono.")


def test_lights_can_be_tested_and_keys_are_ticked(page: Page, program: Program) -> None:
    open_page(page, program, "device?lang=en")
    expect(page.locator("#parts .is-ok")).to_have_count(5)
    page.get_by_role("button", name="Test all lights").click()
    expect(page.locator("#lit-hole")).to_contain_text("Lit now: red")
    expect(page.locator("#map .mark.lit")).to_have_count(1)
    for is_down in (True, False):
        post(program.address, "keys", {"legend": "7", "down": is_down})
    expect(page.locator("#keys .is-working")).to_have_text(["7"])


def test_typed_cards_get_advice(page: Page, program: Program) -> None:
    open_page(page, program, "advice?lang=en")
    for rank, suit in (
        ("3", "clubs"),
        ("3", "diamonds"),
        ("4", "spades"),
        ("4", "hearts"),
        ("5", "clubs"),
        ("9", "diamonds"),
    ):
        page.locator("#ranks").get_by_text(rank, exact=True).click()
        page.locator("#suits").get_by_role("button", name=suit).click()
    expect(page.locator("#dealt .card")).to_have_count(6)
    page.get_by_role("button", name="Discard advice").click()
    expect(page.locator(".discards li").first).to_contain_text("10–21")


def test_a_lost_board_is_reported_and_found_again(page: Page, program: Program) -> None:
    open_page(page, program, "settings?lang=fr")
    page.context.set_offline(True)
    expect(page.locator("#offline")).to_contain_text("Connexion perdue")
    page.context.set_offline(False)
    expect(page.locator("#offline")).to_be_hidden()


def test_a_backup_is_checked_asked_about_and_restored(page: Page, program: Program, tmp_path: Path) -> None:
    post(program.address, "commands/new-game", GAME | {"scores": [120, 85]})
    post(program.address, "commands/correct", {"side": 0, "score": 121, "reason": "home"})
    open_page(page, program, "backups?lang=en")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download backup").click()
    file = tmp_path / "cribboard.sqlite3"
    download.value.save_as(file)
    (tmp_path / "letter.txt").write_text("Dear Ann")
    page.locator("#backup-file").set_input_files(tmp_path / "letter.txt")
    expect(page.locator("#restore-error")).to_contain_text("letter.txt is not a backup of this board.")
    expect(page.locator("#start-restore")).to_be_disabled()
    page.locator("#backup-file").set_input_files(file)
    page.locator("#start-restore").click()
    page.go_back()  # closes the dialog, and nothing else
    expect(page.locator("#confirm")).to_be_hidden()
    expect(page.locator("#restore-status")).to_be_empty()
    page.locator("#start-restore").click()
    page.locator("#confirm [value=yes]").click()
    expect(page.locator("#restore-status")).to_have_text("Backup restored.")


def test_each_scorecard_prints_on_one_sheet(page: Page, program: Program) -> None:
    post(program.address, "commands/new-game", GAME | {"scores": [120, 85]})
    post(program.address, "commands/correct", {"side": 0, "score": 121, "reason": "home"})
    open_page(page, program, "scorecards?lang=en")
    expect(page.get_by_role("button", name="Print")).to_be_visible()
    page.emulate_media(media="print")
    expect(page.locator("footer")).to_be_hidden()
    expect(page.locator(".signatures").first).to_be_visible()
    expect(page.locator("td.initials").first).to_have_css("color", "rgba(0, 0, 0, 0)")  # left for the opponent's hand
    assert page.pdf(prefer_css_page_size=True).count(b"/Type /Page\n") == page.locator(".scorecard").count()


def test_names_are_merged_after_a_question_and_separated_again(page: Page, program: Program) -> None:
    for names in (["Ann", "Ben"], ["Cat", "Ann {other} L."]):
        post(program.address, "commands/new-game", GAME | {"names": names, "scores": [120, 85]})
        post(program.address, "commands/correct", {"side": 0, "score": 121, "reason": "home"})
    open_page(page, program, "scorecards?player=ann&lang=en")
    page.get_by_label("This player has also played as").select_option("Ann {other} L.")
    page.get_by_role("button", name="Merge names").click()
    dialog = page.get_by_role("dialog", name="Merge names")
    expect(dialog).to_contain_text("Ann {other} L. and Ann become one player with the name Ann.")
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_be_hidden()
    page.get_by_label("This player has also played as").select_option("Ben")
    page.get_by_role("button", name="Merge names").click()
    dialog.get_by_role("button", name="Merge names").click()
    expect(dialog.get_by_role("alert")).to_have_text(
        "Ann and Ben have played in the same game, so they are two people."
    )
    dialog.get_by_role("button", name="Cancel").click()
    page.get_by_label("This player has also played as").select_option("Ann {other} L.")
    page.get_by_role("button", name="Merge names").click()
    expect(dialog.get_by_role("alert")).to_be_hidden()
    dialog.get_by_role("button", name="Merge names").click()
    expect(page.locator("tbody")).to_contain_text("Cat")
    page.wait_for_load_state()  # the page was loaded again: its scripts have run then
    page.get_by_role("button", name="Separate Ann {other} L.").click()
    expect(page.locator("tbody")).not_to_contain_text("Cat")


def test_the_manifest_is_valid_and_its_icons_exist(page: Page, program: Program) -> None:
    manifest = page.context.new_cdp_session(page).send("Page.getAppManifest")
    assert not manifest["errors"] and '"name": "cribboard"' in manifest["data"]
    for size_px in icons.SIZES_PX:
        assert page.request.get(f"{program.address}static/icon-{size_px}.png").ok


@pytest.mark.parametrize("size_px", icons.SIZES_PX)
def test_the_icons_match_the_svg(browser: Browser, size_px: int) -> None:
    """Fix: python -m tests.web_panel.icons"""
    kept = Image.open(icons.STATIC / f"icon-{size_px}.png").convert("RGB")
    difference = ImageStat.Stat(ImageChops.difference(kept, icons.drawn(browser, size_px)))
    assert kept.size == (size_px, size_px) and max(difference.mean) < 2
