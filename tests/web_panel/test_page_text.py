"""Every text of every page is translated, and none is cut off on a narrow phone."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.web_panel.browsing import in_chromium
from tests.web_panel.launcher import FIXED_DATE, PSEUDO_LOCALE
from tests.web_panel.page_text import (
    broken_words,
    crowded_things,
    cut_off_texts,
    outside_brackets,
    overlapping_parts,
    untranslated_texts,
)
from tests.web_panel.phones import new_browser
from tests.web_panel.pseudo_locale import LONGER, pseudo
from tests.web_panel.scenes import SCENES, SIZES, Scene, SceneRunner, scene_runner, scenes_named, settle

NARROW = (360, 320)
"""CSS pixels: a small phone, and the narrowest that WCAG 1.4.10 names."""

every_scene = pytest.mark.parametrize("scene", SCENES, ids=lambda scene: str(scene.name))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from new_browser()


@pytest.fixture(scope="module")
def pseudo_runner(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SceneRunner]:
    """The pages in the pseudo-locale."""
    with scene_runner(tmp_path_factory.mktemp("pseudo"), FIXED_DATE | PSEUDO_LOCALE, browser) as runner:
        yield runner


@pytest.fixture(scope="module")
def runner(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SceneRunner]:
    with scene_runner(tmp_path_factory.mktemp("states"), FIXED_DATE, browser) as runner:
        yield runner


def cut_off_when_narrow(page: Page) -> list[str]:
    found = []
    for width in NARROW:
        page.set_viewport_size({"width": width, "height": 740})
        settle(page)
        found += [f"{width} px: {text}" for text in cut_off_texts(page)]
    return found


@every_scene
@in_chromium
def test_all_text_is_translated_and_a_third_longer_text_fits(pseudo_runner: SceneRunner, scene: Scene) -> None:
    pseudo_runner.prepare(scene)
    with pseudo_runner.opened(scene) as page:
        assert untranslated_texts(page) == []
        assert cut_off_when_narrow(page) == []


@every_scene
@in_chromium
def test_nothing_is_cut_off_in_russian(runner: SceneRunner, scene: Scene) -> None:
    """It has the longest words of the languages here. `make gallery` shows the others."""
    runner.prepare(scene)
    with runner.opened(scene, "ru", "360x640") as page:
        assert broken_words(page) == []
        assert cut_off_when_narrow(page) == []
        assert crowded_things(page) == []
        page.set_viewport_size(SIZES["1024x768"])  # the narrowest desk
        settle(page)
        assert cut_off_texts(page) == [] and broken_words(page) == []
        assert overlapping_parts(page) == []


PLAIN = Scene("help", path="help")


@in_chromium
def test_text_without_a_translation_is_found(pseudo_runner: SceneRunner) -> None:
    with pseudo_runner.opened(PLAIN) as page:
        page.evaluate("document.querySelector('main').append('Forgotten 5♥', document.createElement('button'))")
        page.locator("main > button").evaluate("button => button.setAttribute('aria-label', 'Unlabelled')")
        assert {each.text for each in untranslated_texts(page)} == {"Forgotten", "Unlabelled"}


@in_chromium
@pytest.mark.parametrize(
    "style",
    [
        "h1 { white-space: nowrap; width: 1em; overflow: hidden; }",
        "h1 { height: 4px; overflow: hidden; }",
        "h1 { white-space: nowrap; font-size: 400px; }",
        "main a { display: block; width: 300vw; }",
    ],
    ids=["cut at the side", "cut below", "over the edge", "too wide"],
)
def test_cut_off_text_is_found(runner: SceneRunner, style: str) -> None:
    with runner.opened(PLAIN, size="360x640", bypass_csp=True) as page:
        assert cut_off_texts(page) == []
        page.add_style_tag(content=style)
        assert cut_off_texts(page) != []


@in_chromium
@pytest.mark.parametrize(
    ("style", "find"),
    [
        ("h1 { width: 1.5em; overflow-wrap: anywhere; }", broken_words),
        ("main.page-main h2 { margin-bottom: -3px; }", crowded_things),
    ],
    ids=["a broken word", "no space"],
)
def test_broken_words_and_crowded_things_are_found(
    runner: SceneRunner, style: str, find: Callable[[Page], list[str]]
) -> None:
    with runner.opened(PLAIN, size="360x640", bypass_csp=True) as page:
        assert find(page) == []
        page.add_style_tag(content=style)
        assert find(page) != []


@in_chromium
def test_overlapping_parts_are_found(runner: SceneRunner) -> None:
    scene = scenes_named(["play"])[0]
    runner.prepare(scene)
    with runner.opened(scene, size="1024x768", bypass_csp=True) as page:
        assert overlapping_parts(page) == []
        page.add_style_tag(content="#table-cards { margin-top: -30px; }")
        assert overlapping_parts(page) != []


# Without a browser.


def test_a_pseudo_sentence_is_longer_and_keeps_its_placeholders() -> None:
    text = pseudo("{name} plays next. The count is {count}.")
    assert "{name}" in text and "{count}" in text and outside_brackets(text) == ""
    assert len(text) >= (1 + LONGER) * len("{name} plays next. The count is {count}.")


def test_brackets_may_lie_in_brackets() -> None:
    assert outside_brackets(f"a {pseudo('b').replace('b', pseudo('c'))} d") == "a  d"
    assert pseudo("") == ""
