"""The language of a page, and that the whole page has it."""

from __future__ import annotations

import re
from html import unescape

import pytest
from msgspec.structs import replace

from firmware_host.config.languages import LANGUAGES, translator
from firmware_host.config.settings import OLEDS
from tests.web_panel.conftest import API, Rig, json_of
from web_panel.language import LANGUAGE_NAMES, format_number


def test_every_language_is_listed_by_its_own_name(rig: Rig) -> None:
    page = rig.get("/").text
    assert set(LANGUAGE_NAMES) == set(LANGUAGES)
    for language, name in LANGUAGE_NAMES.items():
        assert f'lang="{language}"' in page and name in page


@pytest.mark.parametrize(
    ("path", "headers", "language"),
    [
        ("/", {}, "en"),
        ("/", {"Accept_Language": "fr-CH, de;q=0.9"}, "fr"),
        ("/", {"Accept_Language": "de, pl;q=0.5, en;q=0.3"}, "pl"),
        ("/", {"Accept_Language": "de"}, "en"),
        ("/", {"Cookie": "lang=ru", "Accept_Language": "fr"}, "ru"),
        ("/?lang=pl", {"Cookie": "lang=ru", "Accept_Language": "fr"}, "pl"),
        ("/?lang=xx", {"Cookie": "lang=yy", "Accept_Language": "fr"}, "fr"),
        ("/?lang=../../etc", {}, "en"),
    ],
)
def test_a_page_has_the_requested_language(rig: Rig, path: str, headers: dict[str, str], language: str) -> None:
    rig.client = rig.app.test_client(use_cookies=False)
    assert f'<html lang="{language}">' in rig.get(path, **headers).text


def test_a_chosen_language_is_remembered(rig: Rig) -> None:
    rig.get("/?lang=fr")
    assert '<html lang="fr">' in rig.get("/history").text
    assert "SameSite=Strict" in rig.get("/?lang=fr").headers["Set-Cookie"]


def test_prompt_actions_and_log_are_translated(rig: Rig) -> None:
    rig.begin()
    rig.command("starter", card="JH")
    state = json_of(rig.get(f"{API}/state?lang=ru"))
    assert state["log"][0]["text"].startswith("Стартовая карта: J♥.")
    assert "Отменить" in [action["label"] for action in state["actions"]]
    assert state["board"]["tracks"][0]["name"] == "красный"
    assert json_of(rig.get(f"{API}/state"))["log"][0]["text"].startswith("The starter is J♥.")


def test_the_count_in_cadence_is_translated(rig: Rig) -> None:
    rig.begin()
    rig.command("starter", card="5H")
    rig.command("show")
    rig.command("count", cards=["5S", "TD", "2C", "9H"])
    said = json_of(rig.get(f"{API}/state?lang=pl"))["deal"]["count"]["text"]
    assert said.startswith("Piętnaście") and said.endswith(".")


def test_a_stream_keeps_the_language_it_was_opened_in(rig: Rig) -> None:
    rig.begin(dealer=None)
    stream = rig.client.get(f"{API}/stream?lang=fr")
    chunks = iter(stream.response)
    next(chunks)
    assert "donne" in str(next(chunks))
    stream.close()


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
@pytest.mark.parametrize(
    "path", ["/", "/big", "/history", "/settings", "/device", "/scorecards", "/score-breakdown", "/advice"]
)
def test_no_page_mixes_languages(rig: Rig, language: str, path: str) -> None:
    """No English text is left in another language."""
    rig.begin()
    english, other = (sentences(rig.get(f"{path}?lang={each}").text) for each in ("en", language))
    alike = {sentence for sentence in english & other if re.search("[a-z]{4}", sentence)}
    assert alike <= NAMES


NAMES = {
    *(
        "cribboard",
        "espeak-ng",
        "crib",
        "board",
        "acc",
        "family",
        "pub",
        "traditional",
        "kitchen",
        "Muggins",
        "Pages",
        "Settings",
        "Starter",
    ),
    *("English", "Français", "Polski", "Points", "Scores", "Skunks", "Score", "ENTER", "UNDO"),
    *OLEDS,
    *("six cards", "Classic 61", "Continuous 121, two tracks", "Start", "61 points", "121 points"),
}
"""Texts that are equal in two languages."""


def sentences(page: str) -> set[str]:
    body = unescape(re.sub(r"<code>.*?</code>", "", page.split("<body", 1)[1]))
    attributes = re.findall(r'(?:aria-label|alt|data-(?:polling|lost|not-sent|watch|cut|player))="([^"]+)"', body)
    return {text.strip() for text in (*re.findall(r">([^<]+)<", body), *attributes) if text.strip()}


@pytest.mark.parametrize(("language", "written"), [("en", "4.77"), ("fr", "4,77"), ("ru", "4,77"), ("pl", "4,77")])
def test_numbers_have_the_decimal_sign_of_the_language(language: str, written: str) -> None:
    assert format_number(4.77, language, 2) == written


def test_a_refusal_is_localized_for_the_visitor(rig: Rig) -> None:
    rig.begin()
    answers = {language: json_of(rig.post(f"/commands/undo?lang={language}")) for language in ("en", "ru")}
    assert answers["en"].pop("localized") == "Nothing to undo."
    assert answers["ru"].pop("localized") == "Отменять нечего."
    assert answers["en"] == answers["ru"] and answers["en"]["message"].startswith("expected a turn to undo, got none")


def test_a_refused_key_is_explained_to_each_phone_in_its_language(rig: Rig) -> None:
    rig.host._context.setup = replace(rig.host.setup, translator=translator("fr"))
    rig.begin()
    rig.board.keypad.move("UNDO", down=True)
    rig.wait(0.1)
    assert [json_of(rig.get(f"{API}/state?lang={language}"))["prompt"] for language in ("fr", "pl")] == [
        *("Rien à annuler.", "Nie ma czego cofnąć.")
    ]
    assert rig.host.snapshot.oled_page[0][0] == "Rien à annuler."
