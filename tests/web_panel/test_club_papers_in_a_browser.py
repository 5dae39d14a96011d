"""The papers of a club as a browser prints them: pages of the chosen size, four cards on each, and none cut off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from firmware_host.club import decide as d
from firmware_host.club.decide import LONGEST_NAME
from firmware_host.club.members import NightSettings
from firmware_host.club.papers import Paper, PaperSize
from firmware_host.config.languages import LANGUAGES
from tests.web_panel.browsing import close_page, needs_browser
from tests.web_panel.club_rig import ClubRig, begin, play_rounds
from tests.web_panel.test_accessibility import NPM, violations
from tests.web_panel.test_accessibility import axe as axe
from web_panel.club.papers import paper_file

pytestmark = [*needs_browser, pytest.mark.slow]

PLAYERS, ROUNDS = 15, 5
POINTS = {PaperSize.A4: (595, 842), PaperSize.LETTER: (612, 792)}
"""Width and height of a sheet."""
CUT_OFF = "each => each.scrollHeight > each.clientHeight + 1 || each.scrollWidth > each.clientWidth + 1"


@pytest.fixture(scope="module")
def rig(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClubRig]:
    rig = ClubRig(tmp_path_factory.mktemp("club"))
    with closing(rig.file):
        begin(rig.file, PLAYERS)
        play_rounds(rig.file, ROUNDS)
        yield rig


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page()
    yield page
    close_page(page)


def open_paper(page: Page, rig: ClubRig, folder: Path, paper: Paper, size: PaperSize, language: str) -> None:
    file = folder / "paper.html"
    file.write_text(paper_file(rig.file.club, rig.night, paper, size, language), encoding="utf-8")
    page.goto(file.as_uri())


def printed(page: Page) -> list[tuple[int, int]]:
    """Width and height of each page of the PDF, in points."""
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", page.pdf(prefer_css_page_size=True))
    return [(round(float(width)), round(float(height))) for width, height in boxes]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", PaperSize)
def test_cards_are_four_on_a_sheet_and_every_row_fits(
    rig: ClubRig, page: Page, tmp_path: Path, size: PaperSize, language: str
) -> None:
    open_paper(page, rig, tmp_path, Paper.SCORECARDS, size, language)
    assert printed(page) == [POINTS[size]] * 4
    page.emulate_media(media="print")
    page.set_viewport_size({"width": round(POINTS[size][0] * 4 / 3 - 60), "height": 1000})
    assert page.locator(".slip").count() == PLAYERS
    assert not page.evaluate(f"[...document.querySelectorAll('.slip')].some({CUT_OFF})")
    heights = page.evaluate(
        "[...document.querySelectorAll('.slip')].map(slip => [...slip.querySelectorAll('tbody tr')]"
        ".map(row => row.getBoundingClientRect().height))"
    )
    assert all(max(rows) - min(rows) < 2 and min(rows) > 26 for rows in heights), "7 mm to write in"


@pytest.mark.parametrize("games", [12, 30])
def test_the_longest_names_leave_room_for_the_most_games_of_a_sheet(page: Page, tmp_path: Path, games: int) -> None:
    rig = ClubRig(tmp_path)
    with closing(rig.file):
        for number in (1, 2):
            name = f"Maximiliana-Konstancja Brzęczyszczykiewicz {number}"[-LONGEST_NAME:]
            rig.file.change(lambda club, name=name: d.add_member(club, name))  # type: ignore[misc]
        rig.file.change(lambda club: d.create_night(club, "2026-03-14", NightSettings(games=games)))
        for member in rig.file.club.current_members:
            rig.file.change(lambda club, member=member: d.enter_player(club, club.nights[-1], member.id))  # type: ignore[misc]
        for _ in range(games):
            rig.file.change(lambda club: d.pair_round(club, club.nights[-1]))
        page.set_viewport_size({"width": 755, "height": 1000})
        page.emulate_media(media="print")
        open_paper(page, rig, tmp_path, Paper.SCORECARDS, PaperSize.LETTER, "ru")
        assert not page.evaluate(f"[...document.querySelectorAll('.slip')].some({CUT_OFF})")


@pytest.mark.parametrize("paper", [Paper.BLANK_SCORECARDS, Paper.PAIRINGS, Paper.STANDINGS])
def test_the_other_papers_of_15_players_are_one_page(rig: ClubRig, page: Page, tmp_path: Path, paper: Paper) -> None:
    open_paper(page, rig, tmp_path, paper, PaperSize.LETTER, "fr")
    assert printed(page) == [POINTS[PaperSize.LETTER]]


@pytest.mark.skipif(NPM is None, reason="NOT TESTED FOR ACCESSIBILITY: no npm to fetch axe. Fix: apt install npm")
@pytest.mark.parametrize("paper", Paper)
def test_no_paper_has_a_serious_violation(rig: ClubRig, page: Page, tmp_path: Path, axe: str, paper: Paper) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    open_paper(page, rig, tmp_path, paper, PaperSize.A4, "en")
    assert violations(page, axe) == []
