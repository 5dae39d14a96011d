"""The pages of a club in a browser: a round is played with the forms, and nothing is cut off on any screen."""

from __future__ import annotations

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from firmware_host.club import decide as d
from firmware_host.club.decide import report_match
from firmware_host.club.events import BracketKind
from firmware_host.club.list_file import code_page, text_of
from firmware_host.club.rule_errors import NotAListFile
from firmware_host.club.seating import set_join_code
from firmware_host.club_server.accounts import AccountRole
from tests.web_panel.browsing import close_page, needs_browser
from tests.web_panel.club_rig import PASSWORD, ClubRig, begin, begin_playoffs, log_in, play_rounds, report, serving

pytestmark = [*needs_browser, pytest.mark.slow]

CODE = "314159"
FILES = (
    *(("en", "Jürgen Weiß;guest\n".encode(encoding)) for encoding in ("utf-8", "utf-8-sig", "utf-16", "cp1252")),
    ("en", BOM_UTF16_BE + "Zoë\n".encode("utf-16-be")),
    ("pl", "Łukasz Żak\n".encode("cp1250")),
    ("ru", "Юрий\n".encode("cp1251")),
    ("en", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
    ("en", b"J\x81rgen\n"),
    ("en", "J\ufffdrgen\n".encode()),
    ("en", BOM_UTF16_LE + b"A\0n"),
)
"""Language of the page, and a file."""
SCREENS = ((1920, 1080), (1280, 800), (390, 844), (320, 640))


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[ClubRig]:
    rig = ClubRig(tmp_path)
    with closing(rig.file):
        yield rig


@pytest.fixture
def address(rig: ClubRig) -> Iterator[str]:
    with serving(rig) as address:
        yield address


def test_a_round_with_the_forms_appears_on_the_screen_of_the_room(rig: ClubRig, address: str, page: Page) -> None:
    begin(rig.file, 4)
    assert page.context.browser
    room = page.context.browser.new_page()
    room.goto(address)
    expect(room.get_by_role("heading", level=1)).to_have_text("Waiting for the first round")
    log_in(page, address, rig)
    page.get_by_role("button", name="Draw round 1").click()
    expect(room.get_by_role("heading", level=1)).to_have_text("Round 1 of 9")
    table = page.locator(".tables > li").first
    first, second = rig.night.rounds[0].games[0].players
    table.get_by_label(rig.file.club.name(first)).fill("121")
    table.get_by_label(rig.file.club.name(second)).fill("122")
    table.get_by_role("button", name="Save unconfirmed").click()
    assert not page.evaluate("document.querySelector('.tables input:invalid') === null")
    table.get_by_label(rig.file.club.name(second)).fill("88")
    table.get_by_role("button", name="Save unconfirmed").click()
    for member in (first, second):
        name = f"{rig.file.club.name(member)} confirms"
        page.get_by_role("button", name=name).click()
        expect(page.get_by_role("button", name=name)).to_have_count(0)
    expect(room.locator("tbody tr").first).to_contain_text("+33")
    page.locator("summary", has_text="4 players.").click()
    page.get_by_role("button", name=f"{rig.file.club.name(first)} leaves").click()
    page.get_by_role("button", name="Leaves", exact=True).last.click()  # of the question
    expect(page.locator("summary", has_text="3 players.")).to_be_visible()
    close_page(room)


def test_what_has_the_focus_keeps_it_while_results_come_in(rig: ClubRig, address: str, page: Page) -> None:
    begin(rig.file, 6)
    rig.file.change(lambda club: d.pair_round(club, club.nights[-1]))
    first, second, third = rig.night.rounds[0].games
    report(rig.file, second, (121, 90), second.players.first)
    log_in(page, address, rig)
    button = page.get_by_role("button", name=f"{rig.file.club.name(second.players.second)} confirms")
    summary = page.locator(".tables > li").nth(1).locator("summary", has_text="Correct")
    for focused, other in ((button, first), (summary, third)):
        focused.focus()
        report(rig.file, other, (121, 77), other.players.first)
        expect(page.get_by_text("77", exact=True)).to_have_count(1 if other == first else 2)
        expect(focused).to_be_focused()


def test_two_numbers_and_one_press_enter_a_signed_card(rig: ClubRig, address: str, page: Page) -> None:
    begin(rig.file, 4)
    rig.file.change(lambda club: d.pair_round(club, club.nights[-1]))
    log_in(page, address, rig)
    for number, question in ((0, "2 tables are still open."), (1, "1 table is still open.")):
        table = page.locator(".tables > li").nth(number)
        page.get_by_role("button", name="Draw round 2").click()
        expect(page.get_by_role("heading", name=question)).to_be_visible()
        page.get_by_role("button", name="Cancel").click()
        table.locator("input[name=first]:not([type=hidden])").fill("121")
        table.locator("input[name=second]:not([type=hidden])").fill("88")
        table.get_by_role("button", name="Save, both have signed").click()
        expect(table.get_by_text("final")).to_be_visible()
    assert rig.night.open_games == () and len(rig.night.rounds) == 1


def test_after_a_restart_the_page_leads_to_the_log_in_form_and_back(rig: ClubRig, address: str, page: Page) -> None:
    begin(rig.file, 4)
    rig.file.change(lambda club: d.pair_round(club, club.nights[-1]))
    log_in(page, address, rig)
    page.goto(f"{address}organiser?round=1")
    page.locator("input[name=first]:not([type=hidden])").first.fill("121")
    page.locator("input[name=second]:not([type=hidden])").first.fill("88")
    rig.accounts.set("Olga", AccountRole.ORGANISER, PASSWORD)  # a new password ends the log-ins, as a restart does
    page.get_by_role("button", name="Save, both have signed").first.click()
    page.get_by_role("main").get_by_role("link", name="Log in").click()
    page.get_by_label("Name").fill("Olga")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Log in").click()
    page.wait_for_url("**/organiser?round=1")
    rig.accounts.set("Olga", AccountRole.ORGANISER, PASSWORD)
    expect(page.get_by_label("Password")).to_be_visible()  # where nobody types, the form comes by itself


def test_each_page_says_that_the_computer_does_not_answer(rig: ClubRig, address: str, page: Page) -> None:
    """Also while somebody types, and what is typed stays."""
    begin(rig.file, 2)
    rig.file.change(lambda club: set_join_code(club.nights[-1], CODE))
    rig.file.change(lambda club: d.pair_round(club, club.nights[-1]))
    log_in(page, address, rig)
    join(page, address, "Ann")
    expect(page.get_by_text("You play Ben.")).to_be_visible()
    for path in ("", "me", "organiser"):
        page.goto(f"{address}{path}")
        if path:
            page.locator("input[name=first]:not([type=hidden])").first.fill("121")
        page.context.set_offline(True)
        banner = page.get_by_text("No connection to the club’s computer. Trying again …")
        expect(banner).to_be_in_viewport(timeout=20_000)
        page.context.set_offline(False)
        expect(banner).to_be_hidden(timeout=20_000)
        if path:
            expect(page.locator("input[name=first]:not([type=hidden])").first).to_have_value("121")


def join(page: Page, address: str, name: str) -> None:
    page.goto(f"{address}me")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Code on the screen of the room").fill(CODE)
    page.get_by_role("button", name="Join").click()


def test_two_phones_play_a_round_without_the_organiser(rig: ClubRig, address: str, page: Page) -> None:
    begin(rig.file, 2)
    rig.file.change(lambda club: set_join_code(club.nights[-1], CODE))
    browser = page.context.browser
    assert browser
    other = browser.new_page(viewport={"width": 390, "height": 844})
    page.set_viewport_size({"width": 390, "height": 844})
    join(page, address, "ann")
    join(other, address, "BEN")
    expect(page.get_by_role("heading", level=1)).to_have_text("Wait for the next round")
    rig.file.change(lambda club: d.pair_round(club, club.nights[-1]))
    expect(page.get_by_role("heading", level=1)).to_have_text("Round 1 · table 1")
    expect(other.get_by_text("You play Ann.")).to_be_visible()
    page.get_by_label("Ann").fill("121")
    page.get_by_label("Ben").fill("88")
    page.get_by_role("button", name="Enter the result").click()
    expect(page.get_by_text("Now Ben confirms it")).to_be_visible()
    for each in (page, other):
        assert each.evaluate("document.documentElement.scrollWidth") <= 390
    other.get_by_role("button", name="That is right").click()
    expect(other.get_by_text("88–121")).to_be_visible()
    expect(page.get_by_text("121–88")).to_be_visible()
    assert rig.night.rounds[0].games[0].is_official
    close_page(other)


@pytest.mark.parametrize("players", [7, 16, 20, 26, 60])
def test_the_screen_of_the_room_fits(rig: ClubRig, address: str, page: Page, players: int) -> None:
    begin(rig.file, players)
    play_rounds(rig.file, 2)
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"{address}?lang=ru")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        if width == SCREENS[0][0]:
            assert page.evaluate("document.getElementById('room').getBoundingClientRect().bottom") <= height


def test_no_page_of_the_organiser_is_wider_than_a_phone(rig: ClubRig, address: str, page: Page) -> None:
    begin(rig.file, 8)
    play_rounds(rig.file, 2)
    log_in(page, address, rig)
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        for path in (
            "organiser",
            "members",
            "play-offs",
            "papers",
            "papers/scorecards",
            "papers/pairings",
            "papers/standings",
            "audit",
        ):
            page.goto(f"{address}{path}?lang=ru")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path


def test_the_headings_of_standings_stand_above_their_columns(rig: ClubRig, address: str, page: Page) -> None:
    begin(rig.file, 4)
    play_rounds(rig.file, 1)
    log_in(page, address, rig)
    page.goto(f"{address}nights/1")
    table = page.locator("table").first
    aligned = "cells => new Set(cells.map(cell => getComputedStyle(cell).textAlign)).size"
    for column in range(1, 8):
        assert table.locator(f"tr > :nth-child({column})").evaluate_all(aligned) == 1, column
    assert table.locator("th").first.evaluate("cell => parseFloat(getComputedStyle(cell).paddingLeft)") >= 8


@pytest.mark.parametrize("place", [0, 900, 100_000], ids=["the top", "the tables", "the end"])
def test_the_next_action_is_in_reach_on_a_phone(rig: ClubRig, address: str, page: Page, place: int) -> None:
    """It covers neither the last link of the page nor what somebody reaches with the keyboard."""
    begin(rig.file, 14)
    play_rounds(rig.file, 5)
    log_in(page, address, rig)
    for width, height in ((390, 844), (320, 640), (740, 360)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("(place) => window.scrollTo({ top: place, behavior: 'instant' })", place)
        expect(page.get_by_role("button", name="Draw round 6")).to_be_in_viewport(ratio=1)
        expect(page.get_by_text("Tables 1, 3, 4, 6, 7 of round 5 are still open.")).to_be_in_viewport()
    page.get_by_role("link", name="Polski").focus()
    bar = page.locator(".draw").bounding_box()
    link = page.get_by_role("link", name="Polski").bounding_box()
    assert bar and link and link["y"] + link["height"] <= bar["y"]


def test_after_the_last_round_the_papers_are_next(rig: ClubRig, address: str, page: Page) -> None:
    begin_playoffs(rig.file)
    for match in (1, 2):
        rig.file.change(lambda club, match=match: report_match(club.nights[-1], BracketKind.MAIN, 1, match, (2, 0)))  # type: ignore[misc]
    log_in(page, address, rig)
    expect(page.get_by_role("heading", name="Tables of the play-offs")).to_be_visible()
    rig.file.change(lambda club: report_match(club.nights[-1], BracketKind.MAIN, 2, 1, (0, 2)))
    page.reload()
    expect(page.locator(".draw .primary")).to_have_text("Papers")


def test_a_file_is_read_on_the_page_as_on_the_command_line(rig: ClubRig, address: str, page: Page) -> None:
    log_in(page, address, rig)
    for language, data in FILES:
        page.goto(f"{address}members?lang={language}")
        page.locator("input[type=file]").set_input_files({"name": "list.csv", "mimeType": "text/csv", "buffer": data})
        try:
            text = text_of(data, code_page(language))
        except NotAListFile:
            expect(page.locator(".import .error")).to_contain_text("UTF-8")
            text = ""
        expect(page.locator("#list")).to_have_value(text)
